/** The connection test of the connect dialogue: step by step, each with its own remedy. */
import type { SshSource } from "../../shared/contract/source.ts";
import type { SshTestStep } from "../../shared/contract/views.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { decodeOutput } from "../threads/decode.ts";
import { toolFailure } from "../collect/tool-failure.ts";
import { connectSsh, type SshDependencies } from "../run/ssh/connect.ts";
import type { SshQuestions } from "../run/ssh/questions.ts";
import { sshTarget } from "./sources.ts";

type StepId = SshTestStep["id"];

const titles: Readonly<Record<StepId, string>> = {
  reach: "Reach the host",
  "host-key": "Host key",
  "log-in": "Log in",
  tools: "Tools",
  "management-access": "Management access (umad)",
  "infiniband-port": "InfiniBand port",
  "subnet-manager": "Subnet manager answers",
};

/** Step at which a failed connection stopped. */
function failedStep({ kind }: AppError): StepId {
  if (kind === "host-key-changed" || kind === "host-key-unknown") return "host-key";
  return kind === "auth" || kind === "key-file" || kind === "channel-refused" ? "log-in" : "reach";
}

class TestSteps {
  steps: readonly SshTestStep[] = (Object.keys(titles) as StepId[]).map((id) => ({
    id,
    title: titles[id],
    state: "not-tested",
    detail: "",
    ms: 0,
    remedy: "",
  }));
  private readonly onSteps: (steps: readonly SshTestStep[]) => void;

  constructor(onSteps: (steps: readonly SshTestStep[]) => void) {
    this.onSteps = onSteps;
  }

  set(id: StepId, state: SshTestStep["state"], detail: string, ms = 0, remedy = ""): void {
    this.steps = this.steps.map((step) => (step.id === id ? { ...step, state, detail, ms, remedy } : step));
    this.onSteps(this.steps);
  }

  fail(id: StepId, error: AppError, ms: number, state: "failed" | "warning" = "failed"): void {
    const words = explain(error);
    this.set(id, state, words.sentence, ms, words.remedy.join(" "));
  }
}

/**
 * Tests a source. `upTo` "host-key" asks the user nothing: it stops before a question and says what it would ask.
 * The connection is closed at the end.
 */
export async function testSsh(
  source: SshSource,
  upTo: "host-key" | "all",
  ssh: SshDependencies,
  signal: AbortSignal,
  onSteps: (steps: readonly SshTestStep[]) => void,
): Promise<readonly SshTestStep[]> {
  const steps = new TestSteps(onSteps);
  const started = Date.now();
  let unknownKey: string | undefined;
  const silent: SshQuestions = {
    hostKeyUnknown: ({ keyType, fingerprint }) => {
      unknownKey = `${keyType}, ${fingerprint}`;
      return Promise.resolve("no");
    },
    password: () => Promise.resolve(undefined),
    passphrase: () => Promise.resolve(undefined),
    keyboardInteractive: () => Promise.resolve(undefined),
  };
  const connected = await connectSsh(sshTarget(source), upTo === "all" ? ssh : { ...ssh, ask: silent }, signal);
  const ms = Date.now() - started;
  if (!connected.ok) {
    const { error } = connected;
    const at = failedStep(error);
    if (at !== "reach") steps.set("reach", "passed", "", ms);
    if (upTo === "host-key" && unknownKey !== undefined) {
      steps.set(
        "host-key",
        "warning",
        `not known yet: ${unknownKey}`,
        ms,
        "Test all: the full fingerprint is shown and you decide.",
      );
    } else if (upTo === "host-key" && at === "log-in") {
      steps.set("host-key", "passed", "known", ms);
    } else {
      if (at === "log-in") steps.set("host-key", "passed", "", ms);
      steps.fail(at, error, ms);
    }
    return steps.steps;
  }
  const { runner } = connected.value;
  try {
    const facts = connected.value.describe();
    steps.set("reach", "passed", `${facts.host}, port ${facts.port}`, ms);
    steps.set("host-key", "passed", `${facts.keyType}, ${facts.fingerprint}`);
    steps.set("log-in", "passed", `as ${facts.user}, ${facts.authMethod}`, ms);
    if (upTo === "all") await testTools(source, steps, runner, signal);
    return steps.steps;
  } finally {
    await connected.value.close();
  }
}

async function testTools(
  source: SshSource,
  steps: TestSteps,
  runner: Parameters<typeof toolFailure>[0],
  signal: AbortSignal,
): Promise<void> {
  const limit = { timeoutMs: 20_000, maxOutputBytes: 1024 * 1024, sudo: source.sudo };
  const timed = async (
    argv: readonly [string, ...string[]],
  ): Promise<{ error?: AppError; text: string; ms: number }> => {
    const from = Date.now();
    const ran = await runner.run({ argv, ...limit }, signal);
    const ms = Date.now() - from;
    if (!ran.ok) return { error: ran.error, text: "", ms };
    const error = await toolFailure(runner, argv[0], source.sudo, ran.value, signal);
    const text = `${decodeOutput(ran.value.stdout)}\n${decodeOutput(ran.value.stderr)}`;
    return { text, ms, ...(error === undefined ? {} : { error }) };
  };
  const version = await timed(["ibnetdiscover", "-V"]);
  if (version.error !== undefined) {
    steps.fail(version.error.kind === "sudo-refused" ? "management-access" : "tools", version.error, version.ms);
    return;
  }
  steps.set("tools", "passed", `infiniband-diags ${/VERSION:?\s*(\S+)/i.exec(version.text)?.[1] ?? ""}`, version.ms);
  const device = [
    ...(source.hca === "" ? [] : ["-C", source.hca]),
    ...(source.hcaPort === 0 ? [] : ["-P", String(source.hcaPort)]),
  ];
  const sm = await timed(["sminfo", ...device]);
  if (sm.error?.kind === "no-permission" || sm.error?.kind === "sudo-refused" || sm.error?.kind === "tool-missing") {
    steps.fail("management-access", sm.error, sm.ms);
    return;
  }
  steps.set("management-access", "passed", source.sudo ? "with sudo" : "", sm.ms);
  if (sm.error?.kind === "no-device") {
    steps.fail("infiniband-port", sm.error, sm.ms, "warning");
    return;
  }
  steps.set("infiniband-port", "passed", device.length === 0 ? "chosen by the tools" : device.join(" "), sm.ms);
  if (sm.error !== undefined) steps.fail("subnet-manager", sm.error, sm.ms, "warning");
  else steps.set("subnet-manager", "passed", /sm lid \d+.*$/m.exec(sm.text)?.[0] ?? "", sm.ms);
}
