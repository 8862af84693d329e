import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { managerLog } from "../../../electron/watch/sm-log.ts";
import type { ManagerLogLine } from "../../../shared/contract/manager-log.ts";

const line: ManagerLogLine = {
  version: 1,
  time: "2026-11-29T10:00:00.000Z",
  source: "root@mgmt-01",
  simulated: false,
  kind: "handover",
  guid: "0x0c42a10300000211",
  lid: 12,
  from: "STANDBY",
  to: "MASTER",
  priority: 5,
  activity: 3344,
  before: "0x0c42a10300000201",
};

describe("the log of manager changes", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ibex-log-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is empty before the first change and survives a restart", async () => {
    const path = join(folder, "data", "managers.jsonl");
    expect(await managerLog(path).read()).toEqual({ ok: true, value: { lines: [], damaged: 0 } });
    const log = managerLog(path);
    await Promise.all([log.append(line), log.append({ ...line, activity: 3345 })]);
    const again = await managerLog(path).read();
    expect(again).toEqual({ ok: true, value: { lines: [line, { ...line, activity: 3345 }], damaged: 0 } });
  });

  it("passes over a torn record and goes on after it on a line of its own", async () => {
    const path = join(folder, "managers.jsonl");
    const log = managerLog(path);
    await log.append(line);
    await appendFile(path, '\n{"version":1,"time":"2026-');
    await log.append({ ...line, activity: 1 });
    expect(await log.read()).toMatchObject({ ok: true, value: { lines: [line, { activity: 1 }], damaged: 1 } });
    expect((await readFile(path, "utf8")).startsWith("\n{")).toBe(true);
  });

  it("reads the end of a log that has grown large", async () => {
    const path = join(folder, "managers.jsonl");
    await writeFile(path, `\n${JSON.stringify(line)}\n`.repeat(20_000));
    await managerLog(path).append({ ...line, activity: 7 });
    const read = await managerLog(path).read();
    if (!read.ok) throw new Error(read.error.kind);
    expect(read.value.damaged).toBe(0);
    expect(read.value.lines.at(-1)?.activity).toBe(7);
    expect(read.value.lines.length).toBeLessThan(20_001);
  });

  it("says why it could not write", async () => {
    const path = join(folder, "file", "managers.jsonl");
    await writeFile(join(folder, "file"), "");
    expect(await managerLog(path).append(line)).toMatchObject({
      ok: false,
      error: { kind: "file", operation: "write" },
    });
  });
});
