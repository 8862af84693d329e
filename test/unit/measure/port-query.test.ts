import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queryPorts } from "../../../electron/measure/port-query.ts";
import { createLocalRunner } from "../../../electron/run/local.ts";
import type { CommandRunner, CommandSpec } from "../../../electron/run/runner.ts";
import { must } from "../../support/ssh-dependencies.ts";

/** What perfquery -x prints of a port, as far as the reading needs. */
const perfquery = (behaviour: string): string => `#!/bin/sh
lid=$2; port=$3
echo "$lid" >> "$0.asked"
${behaviour}
echo "# Port extended counters: Lid $lid port $port (CapMask: 0x5300)"
echo "PortSelect:......................$port"
echo "CounterSelect:...................0x0000"
echo "PortXmitData:....................$((lid * 100))"
echo "PortRcvData:.....................7"
`;

let folder = "";
let path = "";
let runner: CommandRunner;
const limits: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-perfquery-"));
  path = process.env.PATH ?? "";
  process.env.PATH = `${folder}:${path}`;
  const local = createLocalRunner();
  limits.length = 0;
  // A batch with a port that hangs shall not keep the test for half a minute.
  runner = {
    ...local,
    host: local.host,
    close: () => local.close(),
    run: (request: CommandSpec, signal: AbortSignal) => {
      limits.push(request.timeoutMs);
      return local.run({ ...request, timeoutMs: 700 }, signal);
    },
  };
});
afterEach(async () => {
  process.env.PATH = path;
  await runner.close();
  rmSync(folder, { recursive: true });
});

function tool(behaviour: string): void {
  writeFileSync(join(folder, "perfquery"), perfquery(behaviour));
  chmodSync(join(folder, "perfquery"), 0o755);
}

function asked(): readonly string[] {
  const file = join(folder, "perfquery.asked");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

const lids = [1, 2, 3, 4];
const questions = lids.map((lid) => ({ lid, port: 1, wide: true }));
const never = new AbortController().signal;

async function read(): Promise<readonly (number | undefined)[]> {
  const ports = must(await queryPorts(questions, { runner, tools: { sudo: false, options: [] } }, never));
  return questions.map((_, index) => ports[index]?.counters.PortXmitData);
}

describe("asking ports for their counters", () => {
  it("takes one round trip when all answer", async () => {
    tool("");
    expect(await read()).toEqual([100, 200, 300, 400]);
    expect(limits).toHaveLength(1);
  });

  it("loses only the port that hangs, wherever it stands", async () => {
    tool('[ "$lid" = 2 ] && exec sleep 60');
    expect(await read()).toEqual([100, undefined, 300, 400]);
    // Nobody is asked twice, and the second batch is less patient.
    expect(asked()).toEqual(["1", "2", "3", "4"]);
    expect(limits).toEqual([30_000, 10_000]);
    tool('[ "$lid" = 1 ] && exec sleep 60');
    expect(await read()).toEqual([undefined, 200, 300, 400]);
  });

  it("loses only the port whose query takes the shell with it", async () => {
    tool('[ "$lid" = 3 ] && kill -9 $PPID && sleep 60');
    expect(await read()).toEqual([100, 200, undefined, 400]);
  });

  it("gives up after a few batches, and says why when no port answered at all", async () => {
    tool("exec sleep 60");
    const ports = await queryPorts(
      [...questions, ...questions],
      { runner, tools: { sudo: false, options: [] } },
      never,
    );
    expect(ports).toMatchObject({ ok: false, error: { kind: "timed-out" } });
    expect(asked()).toEqual(["1", "2", "3", "4"]);
  });

  it("asks no further when it is cancelled", async () => {
    tool('[ "$lid" = 2 ] && exec sleep 60');
    const cancel = new AbortController();
    cancel.abort();
    const ports = await queryPorts(questions, { runner, tools: { sudo: false, options: [] } }, cancel.signal);
    expect(ports).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(limits).toHaveLength(1);
  });

  it("reads the port behind a banner that has no end of line", async () => {
    tool("printf 'Authorised use only. '");
    expect(await read()).toEqual([100, 200, 300, 400]);
  });
});
