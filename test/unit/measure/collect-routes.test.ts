import { describe, expect, it } from "vitest";
import { collect } from "../../../electron/collect/collect.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { captureRoutes } from "../../../electron/session/capture-routes.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import type { Capture } from "../../../electron/store/capture.ts";
import { directEngine } from "../../../electron/work/engine.ts";
import { assert } from "../../../shared/base/assert.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { must } from "../../support/ssh-dependencies.ts";

const { signal } = new AbortController();
const quiet = { signal, now: Date.now, onSteps: () => undefined };

async function collectSimulated(routes: boolean): Promise<Capture> {
  const fabric = createSimulatedFabric("fat-tree-small");
  assert(fabric !== undefined, "the fabric is in the catalogue");
  const runner = createSimulatedRunner(fabric, undefined, { latencyScale: 0 });
  const source = { kind: "simulated", name: "fat-tree-small" } as const;
  return must(await collect(runner, { source, simulated: true, routes, ...quiet }));
}

/** A source with so many switches, whose dump_fts answers as told. */
async function collectScripted(switches: number, dump: Reply) {
  const discover = Array.from({ length: switches }, (_, index) => {
    const guid = (0xb8cef60300000000n + BigInt(index)).toString(16);
    return `switchguid=0x${guid}(${guid})\nSwitch\t40 "S-${guid}"\t# "sw" enhanced port 0 lid ${String(index + 1)} lmc 0\n[1]\t"S-${guid}"[2]\t# "sw" lid 1 4xHDR\n`;
  }).join("\n");
  const host = new ScriptedHost("mgmt-01", ([tool, ...args]) => {
    if (tool === "ibnetdiscover" && args.includes("-V")) return { stderr: "ibnetdiscover BUILD VERSION: 44.0\n" };
    if (tool === "ibnetdiscover") return { stdout: discover };
    if (tool === "dump_fts") return dump;
    if (tool === "iblinkinfo" || tool === "sminfo") return { stdout: "" };
    return { stderr: `sh: 1: ${tool ?? ""}: not found\n`, exitCode: 127 };
  });
  const source = sshSource("mgmt-01");
  const capture = must(await collect(host, { source, simulated: false, routes: true, ...quiet }));
  return { host, capture, step: capture.steps.find(({ id }) => id === "routes") };
}

describe("collecting forwarding tables", () => {
  it("keeps the tables of all switches when they are asked for, and only then", async () => {
    const capture = await collectSimulated(true);
    expect(capture.steps.find(({ id }) => id === "routes")).toMatchObject({ state: "done", note: "6 tables" });
    const { understood } = must(await understandCapture(capture, directEngine, signal));
    const read = captureRoutes(capture, understood);
    assert(read !== undefined, "the capture has tables");
    expect(Array.from(read.network.lfts.told)).toEqual([1, 1, 1, 1, 1, 1]);
    const without = await collectSimulated(false);
    expect(without.steps.map(({ id }) => id)).not.toContain("routes");
    const plain = must(await understandCapture(without, directEngine, signal));
    expect(captureRoutes(without, plain.understood)).toBeUndefined();
  });

  it("does not ask a fabric that is too large, and says what to do instead", async () => {
    const { host, step } = await collectScripted(201, { stdout: "never asked" });
    expect(host.started.filter((line) => line.startsWith("dump_fts"))).toEqual([]);
    expect(step).toMatchObject({ state: "skipped" });
    expect(step?.note).toMatch(/201 switches.*opensm-lfts\.dump/);
  });

  it("says that nothing came where the tool ends well without a table, and goes on without the tool", async () => {
    expect((await collectScripted(2, { stdout: "\n" })).step).toMatchObject({ state: "failed" });
    const missing = await collectScripted(2, { stderr: "sh: 1: dump_fts: not found\n", exitCode: 127 });
    expect(missing.step).toMatchObject({ state: "skipped" });
    expect(missing.capture.outputs.map(({ name }) => name)).not.toContain("dump_fts.txt");
  });
});
