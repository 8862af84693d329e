import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOpensmConf } from "../../../shared/parse/opensm-conf.ts";
import { logTime, parseOpensmLog } from "../../../shared/parse/opensm-log.ts";
import { parseSaquery } from "../../../shared/parse/saquery.ts";
import { parseSmpquery } from "../../../shared/parse/smpquery.ts";
import { fixtures } from "../../support/understand.ts";

function text(name: string): string {
  return readFileSync(join(fixtures, "ib", name), "utf8");
}

describe("saquery", () => {
  it("lists the ports with the IsSM bit", () => {
    const { records } = parseSaquery(text("sim/ft2-32-counters/saquery-s.txt"), { file: "x" });
    expect(records.smPorts.map(({ lid, port, masterLid, disabled }) => [lid, port, masterLid, disabled])).toEqual([
      [1, 1, 1, false],
      [12, 1, 1, false],
    ]);
    expect(records.listsSmPorts).toBe(true);
  });

  it("tells disabled ports from the others", () => {
    const { records } = parseSaquery(
      "IsSM ports\n\nIsSMdisabled ports\nPortInfoRecord dump:\n\t\tEndPortLid..............7\n\t\tPortNum.................1\n\t\tbase_lid................7\n",
      { file: "x" },
    );
    expect(records.smPorts).toMatchObject([{ lid: 7, disabled: true }]);
  });

  it("reads what the SA keeps of each manager", () => {
    const { records } = parseSaquery(text("sim/ft2-32-counters/saquery-SMInfoRecord.txt"), { file: "x" });
    expect(records.smInfos.map(({ lid, guid, priority, state }) => [lid, guid, priority, state])).toEqual([
      [1, "0c42a10300000201", 14, 3],
      [12, "0c42a10300000211", 5, 2],
    ]);
  });

  it("leaves out a record that the text ends in, and passes over other kinds", () => {
    const whole = text("sim/ft2-32-counters/saquery-SMInfoRecord.txt");
    const cut = parseSaquery(whole.slice(0, whole.lastIndexOf("SMState") + 3), { file: "x" });
    expect(cut.records.smInfos).toHaveLength(1);
    expect(cut.diagnostics.map(({ code }) => code)).toEqual(["cut"]);
    const other = parseSaquery("NodeRecord dump:\n\t\tlid.....................5\n\t\tguid..............0x1\n", {
      file: "x",
    });
    expect(other.records).toMatchObject({ smPorts: [], smInfos: [] });
    expect(other.diagnostics).toEqual([]);
  });

  it("says that the SA did not answer", () => {
    const { records, diagnostics } = parseSaquery(
      "ibwarn: [7] sa_get_handle: No SM/SA found on port mlx5_0:1\nibpanic: [7] main: Failed to bind to the SA: No such file or directory\n",
      { file: "x" },
    );
    expect(records.failed).toBe(true);
    expect(diagnostics).toHaveLength(2);
  });
});

describe("smpquery nodedesc", () => {
  it("reads the description", () => {
    const { records } = parseSmpquery("Node Description:.gpu-a04 mlx5_0\n", { file: "x" });
    expect(records.descriptions).toEqual([{ text: "gpu-a04 mlx5_0", line: 1 }]);
  });
});

describe("opensm.conf", () => {
  it("reads what decides who is master, and where the log is", () => {
    const { records, diagnostics } = parseOpensmConf(
      "#\n# DEVICE ATTRIBUTES OPTIONS\nguid 0x0c42a10300000201\nsm_priority 14\nsminfo_polling_timeout 1000\npolling_retry_number 2\nsweep_interval 10\nlog_file /var/log/opensm.log\nrouting_engine (null)\n",
      { file: "x" },
    );
    expect(records).toEqual({
      guid: "0c42a10300000201",
      priority: 14,
      pollingMs: 1000,
      pollingRetries: 2,
      sweepSeconds: 10,
      logFile: "/var/log/opensm.log",
    });
    expect(diagnostics).toEqual([]);
  });

  it("does not believe a priority above 15", () => {
    const { records, diagnostics } = parseOpensmConf("sm_priority 16\n", { file: "x" });
    expect(records.priority).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(["bad-option"]);
  });
});

describe("opensm's log", () => {
  it("tells the states of a failover in their order", () => {
    const { records } = parseOpensmLog(text("sim/failover/opensm-2.log"), { file: "x" });
    expect(records.events.filter(({ kind }) => kind === "state").map(({ value }) => value)).toEqual([
      "DISCOVERING",
      "STANDBY",
      "DISCOVERING",
      "MASTER",
      "STANDBY",
      "DISCOVERING",
      "MASTER",
    ]);
    expect(records.events.filter(({ kind }) => kind === "subnet-up")).toHaveLength(2);
  });

  it("counts errors by code with the lines that belong to the first", () => {
    const { records } = parseOpensmLog(text("sim/failover/opensm-2.log"), { file: "x" });
    expect(records.errors.map(({ code, count }) => [code, count])).toEqual([
      ["ERR 5411", 6],
      ["ERR 3113", 6],
      ["ERR 3120", 6],
    ]);
    expect(records.errors[0]?.text).toContain("Method 0x1, Attr 0x20, TID 0x1825");
  });

  it("does not grow with a flood of errors", () => {
    const line =
      "Nov 29 16:25:15 966258 [74216C0] 0x81 -> report_duplicated_guid: ERR 0D01: Found duplicated node GUID.\nNode 0x1 port 1 is reachable\nPaths are:\n";
    const { records, stats } = parseOpensmLog(line.repeat(20_000), { file: "x" });
    expect(stats.lines).toBe(60_000);
    expect(records.errors).toMatchObject([{ code: "ERR 0D01", count: 20_000 }]);
    expect(JSON.stringify(records).length).toBeLessThan(2000);
  });

  it("keeps the newest events and says how many it dropped", () => {
    const lines = Array.from(
      { length: 5000 },
      (_, i) => `Nov 29 16:${String(i % 60).padStart(2, "0")}:00 ${i} [A] 0x02 -> SUBNET UP\n`,
    );
    const { records } = parseOpensmLog(lines.join(""), { file: "x" });
    expect(records.events.length + records.eventsDropped).toBe(5000);
    expect(records.events.at(-1)?.stamp.microseconds).toBe(4999);
    expect(records.events.length).toBeLessThanOrEqual(2000);
  });

  it("counts traps, and begins anywhere", () => {
    const whole = text("sim/events/opensm.log");
    const { records, diagnostics } = parseOpensmLog(whole.slice(200), { file: "x" });
    expect(records.traps[0]).toMatchObject({ code: "trap 128" });
    expect(diagnostics).toEqual([]);
  });

  it("finds the year by the host's clock, over new year and with a clock that was set back", () => {
    const stamp = { month: 12, day: 31, hour: 23, minute: 59, second: 59, microseconds: 500_000 };
    const at = (iso: string, offsetMinutes = 0): string =>
      new Date(logTime(stamp, { now: Date.parse(iso), offsetMinutes })).toISOString();
    expect(at("2027-01-01T00:00:10Z")).toBe("2026-12-31T23:59:59.500Z");
    expect(at("2026-12-31T23:59:30Z")).toBe("2026-12-31T23:59:59.500Z");
    expect(at("2026-06-01T00:00:00Z")).toBe("2025-12-31T23:59:59.500Z");
    expect(at("2027-01-01T00:00:10Z", 120)).toBe("2026-12-31T21:59:59.500Z");
  });
});
