import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDbCsv } from "../../../shared/parse/db-csv.ts";
import { parseMlxlink, readMlxlinkTarget } from "../../../shared/parse/mlxlink.ts";
import { readBer, readCelsius, readMeters } from "../../../shared/parse/physical-record.ts";
import { recognise } from "../../../shared/parse/recognise.ts";
import { dbCsvText, dbGuids } from "../../support/db-csv-text.ts";

const context = { file: "ibdiagnet2.db_csv" };
const cable = `${dbGuids.leaf1},1,"Vendor, Inc",0x48b02d,"MFS1S00-H015E","MT2301A00001","A2","15 m","Active optical module",61C,38.100.121`;
const full = dbCsvText({
  cables: [cable],
  bers: [`${dbGuids.leaf1},${dbGuids.leaf1},1,27,9,2,13,15,254`],
  counters: [`${dbGuids.leaf1},1,65535,3,70000`, `${dbGuids.leaf1},2,4,N/A,0`],
});

describe("db_csv", () => {
  it("is known by what stands in it", () => {
    expect(recognise(full)).toEqual({ tool: "ibdiagnet-db", confidence: "certain" });
  });

  it("reads nodes, ports, links, counters, cables and bit errors by their column names", () => {
    const { records, diagnostics, stats } = parseDbCsv(full, context);
    expect(records.nodes.map(({ kind, description }) => `${kind} ${description}`)).toEqual([
      "switch leaf-1",
      "switch leaf-2",
      "switch spine-1",
      "switch spine-2",
      "ca n001 mlx5_0, rack 1",
      "ca n002 mlx5_0",
    ]);
    expect(records.ports.find(({ number }) => number === 1)).toMatchObject({
      lanes: 4,
      speed: 8,
      canLanes: 4,
      canSpeed: 8,
      state: 4,
      phys: 5,
      fec: "Ethernet_Consortium_LL_50G_RS_FEC_PLR (272,257+1)",
    });
    expect(records.links).toHaveLength(6);
    expect(records.counters.map(({ counters }) => counters)).toEqual([
      { SymbolErrorCounter: 70_000, LinkDownedCounter: 3 },
      { SymbolErrorCounter: 4 },
    ]);
    expect(records.physical[0]).toMatchObject({
      vendor: "Vendor, Inc",
      part: "MFS1S00-H015E",
      serial: "MT2301A00001",
      meters: 15,
      celsius: 61,
      firmware: "38.100.121",
    });
    expect(records.physical[1]).toMatchObject({ rawBer: 27e-9, effectiveBer: 2e-13, symbolBer: 0 });
    expect(records.complete).toBe(true);
    expect(records.otherSections).toEqual({ FANS_SPEED: 2 });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["note sections-not-used"]);
    expect(stats.understood + stats.ignored).toBe(stats.lines);
  });

  it("leaves out damaged rows, says where, and keeps the good rest", () => {
    const damaged = full
      .replace(`"leaf-2",65,2`, `"leaf-2",65`)
      .replace(`${dbGuids.leaf1},1,${dbGuids.spine1},1`, `0xleaf,1,${dbGuids.spine1},1`)
      .replace("70000", "many");
    const { records, diagnostics } = parseDbCsv(damaged, context);
    expect(records.nodes).toHaveLength(5);
    expect(records.links).toHaveLength(5);
    expect(records.counters[0]?.counters).toEqual({ SymbolErrorCounter: 65_535, LinkDownedCounter: 3 });
    expect(records.complete).toBe(false);
    const said = diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
    const lineOf = (text: string): number => damaged.split("\n").findIndex((line) => line.includes(text)) + 1;
    expect(said).toContain(`row-damaged ${lineOf("0xleaf")}:1`);
    expect(said).toContain(`value-unreadable ${lineOf("many")}:${`${dbGuids.leaf1},1,65535,3,`.length + 1}`);
    expect(diagnostics.find(({ line }) => line === lineOf(`"leaf-2",65,1`))?.message).toContain("7 fields where 8");
  });

  it("says that a section is cut, and that a column is missing", () => {
    const cut = parseDbCsv(full.slice(0, full.indexOf("END_LINKS") - 8), context);
    expect(cut.records.complete).toBe(false);
    expect(cut.diagnostics.map(({ code }) => code)).toEqual(["cut", "section-not-ended"]);
    expect(cut.records.links).toHaveLength(5);
    const without = parseDbCsv(full.replace("NodeGuid1,PortNum1", "Node1,PortNum1"), context);
    expect(without.records.links).toHaveLength(0);
    expect(without.diagnostics.find(({ code }) => code === "column-missing")?.message).toContain("nodeguid1");
  });

  it("is total: any text, and any damage to a whole file, gives a fate to every line", () => {
    const check = (text: string): void => {
      const { stats, diagnostics } = parseDbCsv(text, context);
      expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
      for (const { line } of diagnostics) expect(line <= stats.lines).toBe(true);
    };
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), check));
    const change = fc.tuple(
      fc.nat(full.length),
      fc.constantFrom("", '"', ",", "\n", "START_X\n", "\u0000", "END_NODES\n"),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        check(changes.reduce((text, [at, piece]) => text.slice(0, at) + piece + text.slice(at + 2), full));
      }),
    );
  });
});

const json = JSON.stringify(
  {
    result: {
      output: {
        "Operational Info": { State: "Active", Speed: "IB-NDR", Width: "4x", FEC: "RS_FEC_PLR (272,257+1)" },
        "Module Info": {
          "Temperature [C]": "61 [-5..75]",
          "Vendor Name": "Vendor",
          "Vendor Part Number": "MFS1S00-H015E",
          "Vendor Serial Number": "SN1",
          "Transfer Distance [m]": "15",
          "FW Version": "38.100.121",
          "Cable Type": "Active optical module",
        },
        "Physical Counters and BER Info": {
          "Time Since Last Clear [Min]": "41.2",
          "Symbol BER": "15E-255",
          "Effective Physical BER": "2E-13",
          "Raw Physical BER": "3E-8",
          "Raw Physical BER Per Lane": { values: ["3E-8", "2E-8"] },
        },
      },
    },
    status: { code: 0, message: "success" },
  },
  null,
  2,
);

describe("mlxlink", () => {
  it("reads its JSON, with the command line in front of it", () => {
    const text = `[root@m1 ~]# mlxlink -d lid-12 -p 5 -m -c -e --json\n${json}\n`;
    expect(recognise(json)?.tool).toBe("mlxlink");
    const { records, diagnostics } = parseMlxlink(text, { file: "a.json" });
    expect(diagnostics).toEqual([]);
    expect(records).toMatchObject({ target: { lid: 12, port: 5 }, lanes: 4, speed: 8, state: "Active" });
    expect(records.physical).toEqual({
      vendor: "Vendor",
      part: "MFS1S00-H015E",
      serial: "SN1",
      firmware: "38.100.121",
      technology: "Active optical module",
      meters: 15,
      celsius: 61,
      rawBer: 3e-8,
      effectiveBer: 2e-13,
      symbolBer: 0,
      minutes: 41.2,
      fec: "RS_FEC_PLR (272,257+1)",
    });
  });

  it("reads its text", () => {
    const text =
      "\nOperational Info\n----------------\nState                              : Active \nSpeed                              : IB-HDR \nWidth                              : 2x \nFEC                                : No FEC \n\nPhysical Counters and BER Info\n------------------------------\nSymbol BER                         : 1E-14\nEffective Physical BER             : N/A\n";
    const { records, diagnostics } = parseMlxlink(text, { file: "a.txt" });
    expect(records).toMatchObject({ lanes: 2, speed: 7, physical: { symbolBer: 1e-14, fec: "No FEC" } });
    expect(diagnostics).toEqual([]);
  });

  it("says that its JSON is cut", () => {
    const { diagnostics, stats } = parseMlxlink(json.slice(0, 300), { file: "a.json" });
    expect(diagnostics.map(({ code }) => code)).toEqual(["json-unreadable"]);
    expect(stats.diagnosed).toBe(1);
  });

  it("is total", () => {
    fc.assert(
      fc.property(fc.nat(json.length), fc.string({ unit: "binary", maxLength: 20 }), (at, piece) => {
        const { stats } = parseMlxlink(json.slice(0, at) + piece + json.slice(at + 3), { file: "a" });
        expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
      }),
    );
  });

  it("knows which port a file name means", () => {
    expect(readMlxlinkTarget("lid-12-port-5.json")).toEqual({ lid: 12, port: 5 });
    expect(readMlxlinkTarget("mlxlink/0xb8cef60300001000-5.json")).toEqual({ guid: "b8cef60300001000", port: 5 });
    expect(readMlxlinkTarget("n001-mlx5_0.json")).toEqual({ device: "mlx5_0" });
    expect(readMlxlinkTarget("solid-1.json")).toEqual({});
  });
});

describe("numbers of cables", () => {
  it("are read as the tools spell them, and unknown ones are none", () => {
    expect(["15E-254", "2e-13", "0", "1.5E-08", "N/A", "7", "-1e-3"].map(readBer)).toEqual([
      0,
      2e-13,
      0,
      1.5e-8,
      undefined,
      undefined,
      undefined,
    ]);
    expect(["42C", "61 [-5..75]", "0 [0..0]", "0C", "N/A", "255C", "35"].map(readCelsius)).toEqual([
      42,
      61,
      undefined,
      undefined,
      undefined,
      undefined,
      35,
    ]);
    expect(["15 m", "0.5", "50cm", "0", "N/A", "2 km"].map(readMeters)).toEqual([
      15,
      0.5,
      0.5,
      undefined,
      undefined,
      2000,
    ]);
  });
});
