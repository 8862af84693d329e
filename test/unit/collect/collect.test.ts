import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect } from "../../../electron/collect/collect.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import type { CollectStep } from "../../../shared/contract/views.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { fixtures } from "../../support/understand.ts";

const discover = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
const linkinfo = readFileSync(join(fixtures, "ib/sim/ft2-32/iblinkinfo-l.txt"), "utf8");
const sminfo = readFileSync(join(fixtures, "ib/sim/ft2-32/sminfo.txt"), "utf8");

/** A host that has all tools; `other` answers some commands in their place. */
function host(other: (argv: readonly string[]) => Reply | undefined = () => undefined): ScriptedHost {
  return new ScriptedHost("mgmt-01", (argv) => {
    const answer = other(argv);
    if (answer !== undefined) return answer;
    if (argv.includes("-V")) return { stderr: "ibnetdiscover BUILD VERSION: 44.0\n", exitCode: 0 };
    if (argv[0] === "ibnetdiscover") return { stdout: discover, exitCode: 0 };
    if (argv[0] === "iblinkinfo") return { stdout: linkinfo, exitCode: 0 };
    if (argv[0] === "sminfo") return { stdout: sminfo, exitCode: 0 };
    return { stderr: `sh: 1: ${argv[0] ?? ""}: not found\n`, exitCode: 127 };
  });
}

function run(
  runner: ScriptedHost,
  signal = new AbortController().signal,
  onSteps: (steps: readonly CollectStep[]) => void = () => undefined,
) {
  return collect(runner, { source: sshSource("mgmt-01"), simulated: false, signal, now: Date.now, onSteps });
}

function states(steps: readonly CollectStep[]): Readonly<Record<string, string>> {
  return Object.fromEntries(steps.map((step) => [step.id, step.state]));
}

describe("collect", () => {
  it("keeps every raw output as it came, with its command line", async () => {
    const capture = await run(host());
    if (!capture.ok) throw new Error(JSON.stringify(capture.error));
    const output = capture.value.outputs.find(({ name }) => name === "ibnetdiscover.txt");
    expect(Buffer.from(output?.stdout ?? []).toString()).toBe(discover);
    expect(output).toMatchObject({ commandLine: "ibnetdiscover", exitCode: 0 });
    expect(states(capture.value.steps)).toMatchObject({
      tools: "done",
      ibnetdiscover: "done",
      iblinkinfo: "done",
      sminfo: "done",
    });
  });

  it("goes on after a step that fails, and says which", async () => {
    const capture = await run(
      host((argv) => (argv[0] === "iblinkinfo" ? { stderr: "Segmentation fault\n", exitCode: 139 } : undefined)),
    );
    if (!capture.ok) throw new Error(JSON.stringify(capture.error));
    expect(states(capture.value.steps)).toMatchObject({ ibnetdiscover: "done", iblinkinfo: "failed", sminfo: "done" });
    expect(capture.value.steps.find(({ id }) => id === "iblinkinfo")?.note).toContain("139");
  });

  it.each([
    [
      "the tools are not installed",
      (argv: readonly string[]): Reply | undefined =>
        argv[0] === "ibnetdiscover" ? { stderr: "sh: ibnetdiscover: not found", exitCode: 127 } : undefined,
      "tool-missing",
    ],
    [
      "sudo asks for a password",
      (argv: readonly string[]): Reply | undefined =>
        argv[0] === "ibnetdiscover" ? { stderr: "sudo: a password is required\n", exitCode: 1 } : undefined,
      "sudo-refused",
    ],
  ])("ends at once when %s", async (_what, other, kind) => {
    const runner = host(other);
    expect(await run(runner)).toMatchObject({ ok: false, error: { kind } });
    expect(runner.started.some((line) => line.startsWith("iblinkinfo"))).toBe(false);
  });

  it("tells missing rights from a missing device", async () => {
    const umad = {
      stdout: "ibnetdiscover: iberror: failed: discover failed\n",
      stderr: "ibwarn: [1] mad_rpc_open_port: can't open UMAD port ((null):0)\n",
      exitCode: 255,
    };
    const failing = (devices: string, uid: string) =>
      host((argv) => {
        if (argv[0] === "ls") return { stdout: devices, exitCode: devices === "" ? 2 : 0 };
        if (argv[0] === "id") return { stdout: `${uid}\n`, exitCode: 0 };
        return argv.includes("-V") ? undefined : umad;
      });
    expect(await run(failing("issm0\numad0\n", "1000"))).toMatchObject({
      ok: false,
      error: { kind: "no-permission", tool: "ibnetdiscover" },
    });
    expect(await run(failing("issm0\numad0\n", "0"))).toMatchObject({ ok: false, error: { kind: "no-device" } });
    expect(await run(failing("", "1000"))).toMatchObject({ ok: false, error: { kind: "no-device" } });
  });

  it("keeps the answer of sminfo that no subnet manager answers", async () => {
    const capture = await run(
      host((argv) =>
        argv[0] === "sminfo" ? { stdout: "sminfo: iberror: failed: query\n", exitCode: 255 } : undefined,
      ),
    );
    if (!capture.ok) throw new Error(JSON.stringify(capture.error));
    expect(states(capture.value.steps)).toMatchObject({ sminfo: "failed" });
    expect(capture.value.outputs.some(({ name, stdout }) => name === "sminfo.txt" && stdout.length > 0)).toBe(true);
  });

  it("keeps what was collected when the connection is lost in the middle", async () => {
    const runner = host();
    const script = runner.script;
    runner.script = (argv, self) => {
      if (argv[0] === "iblinkinfo") {
        self.lose();
        return "hang";
      }
      return script(argv, self);
    };
    const capture = await run(runner);
    if (!capture.ok) throw new Error(JSON.stringify(capture.error));
    expect(capture.value.outputs.map(({ name }) => name)).toEqual(["ibnetdiscover.txt"]);
    expect(states(capture.value.steps)).toMatchObject({
      ibnetdiscover: "done",
      iblinkinfo: "failed",
      sminfo: "skipped",
    });
  });

  it("leaves no command running when it is cancelled at any step", async () => {
    const order: string[] = [];
    await run(host((argv) => void order.push(argv.join(" "))));
    for (const at of order.keys()) {
      const controller = new AbortController();
      let count = -1;
      const runner = host(() => {
        count += 1;
        if (count !== at) return undefined;
        queueMicrotask(() => controller.abort());
        return "hang";
      });
      const capture = await run(runner, controller.signal);
      expect(runner.processes).toEqual([]);
      // Cancelled before there is anything to draw: an error; after it: what there is.
      if (!capture.ok) expect(capture.error.kind).toBe("cancelled");
      else expect(Object.values(states(capture.value.steps))).toContain("cancelled");
    }
  });
});
