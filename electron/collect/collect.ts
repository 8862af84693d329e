/**
 * Collects one capture: which tools, in what order, with progress and cancel. A step that fails is noted and the rest
 * goes on; what was collected is kept. Only reads: none of the commands changes anything on the fabric.
 */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { limits } from "../../shared/base/limits.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import { sourceLabel } from "../../shared/contract/source.ts";
import type { CollectStep } from "../../shared/contract/views.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { decodeOutput } from "../work/decode.ts";
import type { CommandOutput, CommandRunner } from "../run/runner.ts";
import type { Capture, CaptureOutput } from "../store/capture.ts";
import { toolFailure } from "./tool-failure.ts";

interface Step {
  readonly id: string;
  readonly title: string;
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  /** Name in the capture; undefined: the text is not kept. */
  readonly file?: string;
  /** Short note of what came, from stdout and stderr. */
  readonly note: (stdout: string, stderr: string) => string;
  /** Its output says something even when the tool failed. */
  readonly keepFailed: boolean;
}

export interface CollectOptions {
  readonly source: SourceSpec;
  readonly simulated: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onSteps: (steps: readonly CollectStep[]) => void;
}

function stepsFor(source: SourceSpec): readonly Step[] {
  const device =
    source.kind === "simulated"
      ? []
      : [
          ...(source.hca === "" ? [] : ["-C", source.hca]),
          ...(source.hcaPort === 0 ? [] : ["-P", String(source.hcaPort)]),
        ];
  return [
    {
      id: "tools",
      title: "Tools",
      argv: ["ibnetdiscover", "-V"],
      timeoutMs: 20_000,
      note: (stdout, stderr) =>
        /VERSION:?\s*(\S+)/i.exec(stdout + stderr)?.[1]?.replace(/^/, "infiniband-diags ") ?? "infiniband-diags",
      keepFailed: false,
    },
    {
      id: "ibnetdiscover",
      title: "Nodes and cables",
      argv: ["ibnetdiscover", ...device],
      // 10,000 hosts take 8 to 14 s; nodes that do not answer add seconds each.
      timeoutMs: 300_000,
      file: "ibnetdiscover.txt",
      note: (stdout) => `${matches(stdout, /^(?:Switch|Ca|Rt)\s*\d+\s*"/gm)} nodes`,
      keepFailed: true,
    },
    {
      id: "iblinkinfo",
      title: "Port states",
      argv: ["iblinkinfo", "--line", ...device],
      timeoutMs: 300_000,
      file: "iblinkinfo.txt",
      note: (stdout) => `${matches(stdout, /==>/g)} ports`,
      keepFailed: true,
    },
    {
      id: "sminfo",
      title: "Subnet manager",
      argv: ["sminfo", ...device],
      timeoutMs: 30_000,
      file: "sminfo.txt",
      note: (stdout) => /SMINFO_\w+/.exec(stdout)?.[0].replace("SMINFO_", "") ?? "no answer",
      keepFailed: true,
    },
  ];
}

function matches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** A failure after which no further command of the same source can work. */
function endsAll(error: AppError): boolean {
  return ["cancelled", "connection-lost", "tool-missing", "sudo-refused"].includes(error.kind);
}

/** Runs all steps. An error only when nothing that can be drawn was collected. */
export async function collect(runner: CommandRunner, options: CollectOptions): Promise<Result<Capture, AppError>> {
  const steps = stepsFor(options.source);
  const states: CollectStep[] = steps.map(({ id, title }) => ({ id, title, state: "waiting", note: "", ms: 0 }));
  const outputs: CaptureOutput[] = [];
  const collectedAt = new Date(options.now()).toISOString();
  let firstError: AppError | undefined;
  let stop: AppError | undefined;
  const report = (index: number, change: Partial<CollectStep>): void => {
    const before = states[index];
    if (before !== undefined) states[index] = { ...before, ...change };
    options.onSteps([...states]);
  };
  for (const [index, step] of steps.entries()) {
    if (stop !== undefined) {
      report(index, { state: stop.kind === "cancelled" ? "cancelled" : "skipped", note: "" });
      continue;
    }
    report(index, { state: "running" });
    const startedAt = options.now();
    const outcome = await runStep(runner, step, options);
    const ms = options.now() - startedAt;
    if (outcome.output !== undefined && step.file !== undefined)
      outputs.push(asOutput(step, step.file, outcome.output));
    if (outcome.error === undefined) {
      report(index, { state: "done", note: outcome.note, ms });
      continue;
    }
    const { error } = outcome;
    firstError ??= error;
    report(index, { state: error.kind === "cancelled" ? "cancelled" : "failed", note: explain(error).sentence, ms });
    // A failed version query says nothing unless the tool is not there at all.
    if (endsAll(error)) stop = error;
  }
  const drawable = outputs.some(
    ({ name, stdout }) => name !== "sminfo.txt" && /^\[\d+\]|==>/m.test(decodeOutput(stdout)),
  );
  if (!drawable) return err(firstError ?? { kind: "empty-output", what: `ibnetdiscover on ${runner.host}` });
  return ok({
    name: options.source.kind === "simulated" ? runner.label : sourceLabel(options.source),
    how: options.source.kind,
    simulated: options.simulated,
    collectedAt,
    source: options.source,
    steps: states,
    outputs,
  });
}

interface Outcome {
  readonly output?: CommandOutput;
  readonly note: string;
  readonly error?: AppError;
}

async function runStep(runner: CommandRunner, step: Step, options: CollectOptions): Promise<Outcome> {
  const sudo = options.source.kind !== "simulated" && options.source.sudo;
  const ran = await runner.run(
    { argv: step.argv, timeoutMs: step.timeoutMs, maxOutputBytes: limits.fileBytes, sudo },
    options.signal,
  );
  if (!ran.ok) {
    const { partial, ...error } = ran.error;
    return {
      note: "",
      error,
      ...(partial === undefined || partial.stdout.length === 0 ? {} : { output: partial }),
    };
  }
  const output = ran.value;
  const stdout = decodeOutput(output.stdout);
  const error = await toolFailure(runner, step.argv[0], sudo, output, options.signal);
  if (error !== undefined)
    return { note: "", error, ...(step.keepFailed && error.kind !== "tool-missing" ? { output } : {}) };
  return { output, note: step.note(stdout, decodeOutput(output.stderr)) };
}

function asOutput(step: Step, file: string, output: CommandOutput): CaptureOutput {
  return {
    name: file,
    stdout: output.stdout,
    ...(output.stderr.length === 0 ? {} : { stderr: output.stderr }),
    commandLine: step.argv.join(" "),
    ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    startedAt: new Date(output.startedAt).toISOString(),
    durationMs: output.durationMs,
  };
}
