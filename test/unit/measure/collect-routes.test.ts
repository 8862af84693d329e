import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { collect } from "../../../electron/collect/collect.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { captureRoutes } from "../../../electron/session/capture-routes.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import { packCapture, unpackCapture } from "../../../electron/store/capture-file.ts";
import { type Capture, stdoutOf } from "../../../electron/store/capture.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import { assert } from "../../../shared/base/assert.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { fixtures } from "../../support/understand.ts";
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
async function collectScripted(switches: number, dump: Reply, cancelAt = Number.POSITIVE_INFINITY, ibroute = true) {
  let [now, highest, asked] = [0, 0, 0];
  const notes: string[] = [];
  const controller = new AbortController();
  const discover = Array.from({ length: switches }, (_, index) => {
    const guid = (0xb8cef60300000000n + BigInt(index)).toString(16);
    return `switchguid=0x${guid}(${guid})\nSwitch\t40 "S-${guid}"\t# "sw" enhanced port 0 lid ${String(index + 1)} lmc 0\n[1]\t"S-${guid}"[2]\t# "sw" lid 1 4xHDR\n`;
  }).join("\n");
  const host = new ScriptedHost("mgmt-01", ([tool, ...args]) => {
    if (tool === "ibnetdiscover" && args.includes("-V")) return { stderr: "ibnetdiscover BUILD VERSION: 44.0\n" };
    if (tool === "ibnetdiscover") return { stdout: discover };
    if (tool === "dump_fts") return dump;
    if (tool === "ibroute" && ibroute) {
      const lid = Number(args.at(-1));
      const guid = (0xb8cef60300000000n + BigInt(lid - 1)).toString(16);
      now += 1;
      asked += 1;
      highest = Math.max(highest, now);
      if (asked === cancelAt) controller.abort();
      return Promise.resolve().then(() => {
        now -= 1;
        return {
          stdout: `Unicast lids [0x0-0x3f] of switch Lid ${lid} guid 0x${guid} (sw):\n  Lid  Out   Destination\n       Port     Info \n0x0001 001 \n0x0002 002 \n2 valid lids dumped \n`,
        };
      });
    }
    if (tool === "iblinkinfo" || tool === "sminfo") return { stdout: "" };
    return { stderr: `sh: 1: ${tool ?? ""}: not found\n`, exitCode: 127 };
  });
  const source = sshSource("mgmt-01");
  const capture = must(
    await collect(host, {
      source,
      simulated: false,
      routes: true,
      ...quiet,
      signal: controller.signal,
      onSteps: (steps) => notes.push(steps.find(({ id }) => id === "routes")?.note ?? ""),
    }),
  );
  return { host, capture, notes, most: () => highest, step: capture.steps.find(({ id }) => id === "routes") };
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

  it("asks a large fabric switch by switch, some at once, says how far it is, and keeps what came packed", async () => {
    const { host, capture, step, most, notes } = await collectScripted(201, { stdout: "never asked" });
    expect(host.started.filter((line) => line.startsWith("dump_fts"))).toEqual([]);
    expect(host.started.filter((line) => line.startsWith("ibroute"))).toHaveLength(201);
    expect(most()).toBe(6);
    expect(step).toMatchObject({ state: "done", note: "201 tables" });
    expect(notes).toContain("100 of 201 switches");
    const output = capture.outputs.find(({ name }) => name === "ibroute.txt");
    assert(output?.packed !== undefined, "the tables are packed");
    expect(output.stdout).toHaveLength(0);
    expect(new TextDecoder().decode(stdoutOf(output)).match(/valid lids dumped/g)).toHaveLength(201);
    const { understood } = must(await understandCapture(capture, directEngine, signal));
    expect(captureRoutes(capture, understood)?.network.lfts.told.reduce((sum, told) => sum + told, 0)).toBe(201);
    // Saved and opened again it is the same.
    const again = must(unpackCapture(packCapture(capture), "again.fabric"));
    expect(captureRoutes(again, understood)?.network.lfts.ports).toEqual(
      captureRoutes(capture, understood)?.network.lfts.ports,
    );
  });

  it("asks switch by switch where there is no dump_fts, and keeps what came when it is cancelled", async () => {
    const missing: Reply = { stderr: "sh: 1: dump_fts: not found\n", exitCode: 127 };
    expect((await collectScripted(3, missing)).step).toMatchObject({ state: "done", note: "3 tables" });
    const cancelled = await collectScripted(20, missing, 8);
    expect(cancelled.step).toMatchObject({ state: "cancelled" });
    const output = cancelled.capture.outputs.find(({ name }) => name === "ibroute.txt");
    expect(output?.packed?.pieces.length).toBeGreaterThanOrEqual(1);
    expect(cancelled.host.processes).toEqual([]);
  });

  it("holds the tables of 1,500 switches with 12,000 LIDs in less than 64 MB", () => {
    // Ports as a balanced tree of 32 uplinks has them: runs of hosts behind one leaf, spread over the uplinks.
    const ports = (index: number, lid: number): number => 1 + ((lid * 7 + (lid >> 4) * 13 + index * 5) % 32);
    const sizes = [0, 1, 2, 3].map((index) => {
      const lines = Array.from({ length: 12_000 }, (_, place) => {
        const lid = place + 1;
        return `0x${lid.toString(16).padStart(4, "0")} ${String(ports(index, lid)).padStart(3, "0")} `;
      });
      return gzipSync(lines.join("\n")).length;
    });
    const tables = 1_500 * 12_001;
    expect(Math.max(...sizes) * 1_500 + tables).toBeLessThan(64 * 1024 * 1024);
  });

  it("reads what opensm has written down where no tool gives tables, and says so", async () => {
    const fixture = readFileSync(join(fixtures, "ib/sim/ft2-32/opensm-lfts.dump"), "utf8");
    const discover = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
    const host = new ScriptedHost("mgmt-01", ([tool, ...args]) => {
      if (tool === "ibnetdiscover") return { stdout: args.includes("-V") ? "VERSION: 44.0\n" : discover };
      if (tool === "cat" && args[0] === "/var/log/opensm-lfts.dump") return { stdout: fixture };
      if (tool === "iblinkinfo" || tool === "sminfo") return { stdout: "" };
      return { stderr: `sh: 1: ${tool ?? ""}: not found\n`, exitCode: 127 };
    });
    const capture = must(
      await collect(host, { source: sshSource("mgmt-01"), simulated: false, routes: true, ...quiet }),
    );
    expect(capture.steps.find(({ id }) => id === "routes")).toMatchObject({
      state: "done",
      note: "12 tables, as opensm wrote them to /var/log/opensm-lfts.dump",
    });
    const { understood } = must(await understandCapture(capture, directEngine, signal));
    expect(captureRoutes(capture, understood)?.routes.files).toEqual(["opensm-lfts.dump"]);
  });

  it("says that nothing came where the tool ends well without a table, and goes on without the tool", async () => {
    expect((await collectScripted(2, { stdout: "\n" }, 99, false)).step).toMatchObject({ state: "failed" });
    const missing = await collectScripted(2, { stderr: "sh: 1: dump_fts: not found\n", exitCode: 127 }, 99, false);
    expect(missing.step).toMatchObject({ state: "skipped" });
    expect(missing.capture.outputs.map(({ name }) => name)).not.toContain("dump_fts.txt");
  });
});
