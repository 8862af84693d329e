import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAny } from "../../../shared/parse/parse-any.ts";
import { parseIbqueryerrors } from "../../../shared/parse/ibqueryerrors.ts";
import { parsePerfquery } from "../../../shared/parse/perfquery.ts";
import { fixtures } from "../../support/understand.ts";

function text(name: string): string {
  return readFileSync(join(fixtures, "ib", name), "utf8");
}

function errorsOf(source: string): ReturnType<typeof parseIbqueryerrors> {
  return parseIbqueryerrors(source, { file: "x.txt" });
}

describe("ibqueryerrors", () => {
  it("reads every port with errors once, without the switch's own sum", () => {
    const { records, diagnostics } = errorsOf(text("sim/ft2-32-counters/ibqueryerrors.txt"));
    expect(records.ports).toHaveLength(11);
    expect(records.ports[0]).toEqual({
      guid: "b8cef60300000240",
      port: 6,
      counters: { VL15Dropped: 9 },
      line: 3,
    });
    expect(records.summary).toEqual({ nodes: 61, badNodes: 11, ports: 553, badPorts: 11, queryFailures: 0 });
    expect(records.complete).toBe(true);
    expect(diagnostics).toEqual([]);
  });

  it("reads data counters beside the errors as words of four bytes", () => {
    const { records } = errorsOf(text("sim/ft2-32-counters/ibqueryerrors-data-details-r.txt"));
    expect(records.ports[0]?.counters).toMatchObject({ VL15Dropped: 9, PortXmitData: 1728, PortRcvData: 2160 });
  });

  it("translates the names and the missing summary of 2009", () => {
    const { records } = errorsOf(text("edge/ibqueryerrors-2009.txt"));
    expect(records.suppressed).toEqual(["PortRcvSwitchRelayErrors"]);
    expect(records.ports.map(({ port, counters }) => [port, counters])).toEqual([
      [0, { PortXmitDiscards: 4 }],
      [3, { SymbolErrorCounter: 1188, LinkErrorRecoveryCounter: 2, LinkDownedCounter: 1 }],
      [1, { PortRcvErrors: 12, ExcessiveBufferOverrunErrors: 1 }],
    ]);
    expect(records.complete).toBe(true);
  });

  it("leaves out the fields that --details prints under each other's names, and says so once", () => {
    const { records, diagnostics } = errorsOf(
      `Errors for 0xb8cef60300000100 "leaf"\n   GUID 0xb8cef60300000100 port 5: [PortRcvErrors == 7] [PortInactiveDiscards == 6] [PortNeighborMTUDiscards == 1]\n\n## Summary: 1 nodes checked, 1 bad nodes found\n`,
    );
    expect(records.ports[0]?.counters).toEqual({ PortRcvErrors: 7 });
    expect(diagnostics.map(({ code }) => code)).toEqual(["details-swapped"]);
  });

  it("does not take a text without a summary for a clean fabric", () => {
    const { records, diagnostics } = errorsOf('Errors for "gpu-a04 mlx5_0"\n');
    expect(records.complete).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toEqual(["no-summary"]);
  });

  it("says how many queries got no answer", () => {
    const { records, diagnostics } = errorsOf(text("sim/states/lossy-ibqueryerrors.txt"));
    expect(records.summary?.queryFailures).toBe(124);
    expect(diagnostics.map(({ code }) => code)).toEqual(["counters-missing"]);
  });

  it("reads thresholds and the values that the tool could not scale", () => {
    const { records } = errorsOf(
      'Data Counters for 0x1 "a"\n   GUID 0x1 port 1: [PortXmitData == 19892634015130 (  infPB)] [PortRcvData == 5 (20.000B)]\n## Thresholds: [SymbolErrorCounter = 10] [LinkDownedCounter = 3]\n',
    );
    expect(records.form).toBe("data");
    expect(records.ports[0]?.counters).toEqual({ PortXmitData: 19_892_634_015_130, PortRcvData: 5 });
    expect(records.thresholds).toEqual({ SymbolErrorCounter: 10, LinkDownedCounter: 3 });
  });

  it("keeps a description that looks like the rest of a line a description", () => {
    const { records } = errorsOf(
      'Errors for "GUID 0x1 port 2: [SymbolErrorCounter == 9]"\n   GUID 0x2 port 1: [SymbolErrorCounter == 3]\n## Summary: 1 nodes checked, 1 bad nodes found\n',
    );
    expect(records.ports).toEqual([
      { guid: "0000000000000002", port: 1, counters: { SymbolErrorCounter: 3 }, line: 2 },
    ]);
  });

  it("survives a cut at any byte and says when a port line was hit", () => {
    const whole = text("sim/ft2-32-counters/ibqueryerrors.txt");
    for (let length = 0; length < whole.length; length += 7) {
      const { records, stats } = errorsOf(whole.slice(0, length));
      expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
      for (const { counters } of records.ports) expect(Object.keys(counters).length).toBeGreaterThan(0);
    }
  });
});

describe("perfquery", () => {
  it("reads classic and extended counters with the port that they are of", () => {
    const { records } = parsePerfquery(
      text("sim/ft2-32-counters/perfquery-l.txt") + text("sim/ft2-32-counters/perfquery-x.txt"),
      { file: "x" },
    );
    expect(records.ports.map(({ lid, port, attribute }) => [lid, port, attribute])).toEqual([
      [52, 0, "classic"],
      [57, 1, "extended"],
    ]);
    expect(records.ports[1]?.counters.PortXmitData).toBeGreaterThan(0);
    expect(records.ports[0]?.counters.SymbolErrorCounter).toBe(0);
  });

  it("keeps the details of --rcverr and --xmtdisc apart from the counters", () => {
    const { records } = parsePerfquery(
      "# PortXmitDiscardDetails counters: Lid 3 port 5\nPortSelect:......................5\nPortInactiveDiscards:............5\n",
      { file: "x" },
    );
    expect(records.ports[0]).toMatchObject({
      attribute: "PortXmitDiscardDetails",
      counters: {},
      details: { PortInactiveDiscards: 5 },
    });
  });

  it("does not believe a number whose line was cut", () => {
    const { records, diagnostics } = parsePerfquery(
      "# Port counters: Lid 3 port 5\nSymbolErrorCounter:..............12",
      { file: "x" },
    );
    expect(records.ports[0]?.counters).toEqual({});
    expect(diagnostics.map(({ code }) => code)).toEqual(["cut"]);
  });
});

describe("any text", () => {
  const seeds = [
    text("sim/ft2-32-counters/ibqueryerrors.txt"),
    text("sim/ft2-32-counters/perfquery-x.txt"),
    text("sim/ft2-32-counters/saquery-SMInfoRecord.txt"),
    text("sim/failover/opensm-2.log"),
  ];

  it("goes through without an exception, each line with one fate", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.nat({ max: 4000 }),
        fc.nat({ max: 60 }),
        fc.string({ unit: "binary", maxLength: 40 }),
        (seed, at, length, junk) => {
          const parsed = parseAny(seed.slice(0, at) + junk + seed.slice(at + length), { file: "x" });
          if (parsed.kind === "unknown" || parsed.kind === "other") return;
          const { lines, understood, ignored, diagnosed } = parsed.parsed.stats;
          expect(understood + ignored + diagnosed).toBe(lines);
        },
      ),
      { numRuns: 300 },
    );
  });
});
