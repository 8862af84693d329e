import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noRoute, notTold } from "../../../shared/fabric/lfts.ts";
import { LftReader, parseLfts } from "../../../shared/parse/lft-reader.ts";
import { type LftTable, tablePort } from "../../../shared/parse/lft-tables.ts";
import { fixtures } from "../../support/understand.ts";

function fixture(name: string): string {
  return readFileSync(join(fixtures, "ib/sim", name), "utf8");
}

function read(text: string): ReturnType<typeof parseLfts> {
  return parseLfts(text, { file: "tables" });
}

function onlyTable(text: string): LftTable {
  const { tables } = read(text).records;
  expect(tables).toHaveLength(1);
  const [table] = tables;
  if (table === undefined) throw new Error("no table");
  return table;
}

const head = (range: string): string =>
  `Unicast lids [${range}] of switch Lid 52 guid 0xb8cef603000002c0 (leaf-08):\n  Lid  Out   Destination\n       Port     Info \n`;

describe("forwarding tables", () => {
  it("are the same from dump_fts, opensm-lfts.dump and opensm.fdbs of one fabric", () => {
    const [one, ...others] = ["dump_fts.txt", "opensm-lfts.dump", "opensm.fdbs"].map((file) => {
      const { records, diagnostics, stats } = read(fixture(`ft2-32/${file}`));
      expect(diagnostics).toEqual([]);
      expect(records.complete).toBe(true);
      expect(stats.diagnosed).toBe(0);
      return new Map(records.tables.map(({ guid, ports }) => [guid, ports]));
    });
    expect(one?.size).toBe(12);
    for (const other of others) {
      expect([...other.keys()].sort()).toEqual([...(one?.keys() ?? [])].sort());
      for (const [guid, ports] of other) expect(ports).toEqual(one?.get(guid));
    }
  });

  it("are the same with and without destinations", () => {
    const named = onlyTable(fixture("ft2-32/ibroute.txt"));
    const bare = onlyTable(fixture("ft2-32/ibroute-n.txt"));
    expect(bare.ports).toEqual(named.ports);
    expect(named).toMatchObject({
      source: "ibroute",
      description: "MF0;leaf-08:MQM8700/U1",
      entries: 63,
      complete: true,
    });
    expect([tablePort(named, 0x34), tablePort(named, 0x36), tablePort(named, 0x3f)]).toEqual([0, 1, 4]);
  });

  it("tell which adapter ports had which LIDs, by one table of the text", () => {
    const { destinations } = read(fixture("ft2-32/dump_fts.txt")).records;
    expect(destinations).toHaveLength(51);
    expect(destinations[0]).toEqual({ lid: 1, guid: "0c42a10300000201" });
  });

  it("keep every path of an LMC, by its own LID", () => {
    const table = onlyTable(fixture("ft2-32-lmc2/ibroute.txt"));
    const dumped = read(fixture("ft2-32-lmc2/opensm.fdbs")).records.tables.find(({ guid }) => guid === table.guid);
    for (let lid = 1; lid < table.ports.length; lid += 1)
      expect(tablePort(table, lid)).toBe(tablePort(dumped ?? table, lid));
    expect(new Set([12, 13, 14, 15].map((lid) => tablePort(table, lid))).size).toBeGreaterThan(1);
  });

  it("of multicast are left out", () => {
    const { records, diagnostics } = read(fixture("ft2-32/ibroute-M.txt") + fixture("ft2-32/ibroute-n.txt"));
    expect(records.tables).toHaveLength(1);
    expect(diagnostics).toEqual([]);
  });

  it("have no route where all valid entries were printed and a LID is not among them, or its port is illegal", () => {
    const table = onlyTable(
      `${head("0x0-0x4")}0x0001 012 \n0x0002 255 : (illegal port)\n0x0004 077 : (illegal port)\n3 lids dumped \n`,
    );
    expect([1, 2, 3, 4, 5].map((lid) => tablePort(table, lid))).toEqual([12, noRoute, noRoute, noRoute, noRoute]);
  });

  it("do not tell of a top LID that is a multiple of 64, which the tools leave out", () => {
    const table = onlyTable(`${head("0x0-0x40")}0x0001 012 \n0x003f 011 \n2 valid lids dumped \n`);
    expect([0x3e, 0x3f, 0x40, 0x41].map((lid) => tablePort(table, lid))).toEqual([noRoute, 11, notTold, noRoute]);
  });

  it("that are cut do not tell of what is behind the cut", () => {
    const text = `${head("0x0-0x3f")}0x0001 012 \n0x0003 01`;
    const { records, diagnostics } = read(text);
    expect(records.complete).toBe(false);
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["cut", 5],
      ["cut-table", 1],
    ]);
    const [table] = records.tables;
    expect([1, 2, 3].map((lid) => table && tablePort(table, lid))).toEqual([12, notTold, notTold]);
  });

  it("with lost lines say so and take no LID for unroutable", () => {
    const { records, diagnostics } = read(`${head("0x0-0x3f")}0x0001 012 \n0x0003 011 \n3 valid lids dumped \n`);
    expect(diagnostics).toMatchObject([{ code: "lost-lines", line: 6 }]);
    const [table] = records.tables;
    expect(table?.complete).toBe(false);
    expect([1, 2, 3].map((lid) => table && tablePort(table, lid))).toEqual([12, notTold, 11]);
  });

  it("of opensm.fdbs: UNREACHABLE is no route, a hop count that opensm doubts is one", () => {
    const table = onlyTable(
      "dump_ucast_routes: Switch 0xb8cef60300000000\nLID    : Port : Hops : Optimal\n0x0001 : UNREACHABLE\n0x0002 : 003  : 02   : No 2 hop path possible via port 3!\n0x0003 : 002  : HOPS UNKNOWN\n",
    );
    expect([1, 2, 3, 4].map((lid) => tablePort(table, lid))).toEqual([noRoute, 3, 2, notTold]);
  });

  it("with a damaged header keep their entries from the switch before", () => {
    const whole = `${head("0x0-0x2")}0x0001 012 \n0x0002 013 \n2 valid lids dumped \n`;
    const { records, diagnostics } = read(`${whole}Unicast lids [0x0-0x of swi\n0x0001 099 \n`);
    expect(records.tables).toHaveLength(1);
    expect(tablePort(records.tables[0] ?? onlyTable(whole), 1)).toBe(12);
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["malformed-line", 7],
      ["entry-without-table", 8],
    ]);
  });

  it.each(["0x0000 001 ", "0xc000 001 ", "0x0001 01x ", "0x0041 001 "])("refuse the entry %j", (line) => {
    const { records, diagnostics } = read(`${head("0x0-0x40")}${line}\n0 valid lids dumped \n`);
    expect(records.tables[0]?.entries).toBe(0);
    expect(diagnostics).toMatchObject([{ code: "malformed-line", line: 4 }]);
  });

  it("are read through a shell prompt, colours, CRLF and the tool's own complaints", () => {
    const text = fixture("ft2-32/ibroute-n.txt").replace(/\n/g, "\r\n");
    const { records, diagnostics } = read(
      `\ufeff[root@sm ~]# ibroute -n 52\r\n${text.replace("0x0010 008", "\u001b[1m0x0010 008\u001b[0m")}ibwarn: [77] mad_rpc: _do_madrpc failed; dport (Lid 9)\r\n`,
    );
    expect(records.tables[0]?.entries).toBe(63);
    expect(records.complete).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toEqual(["node-did-not-answer"]);
  });

  it("of a name that looks like the rest of the header belong to the right switch", () => {
    const name = "x guid 0x1 (y): of switch Lid 3 guid 0xdead (z";
    const table = onlyTable(
      `Unicast lids [0x0-0x1] of switch Lid 52 guid 0xb8cef603000002c0 (${name}):\n0x0001 001 \n1 valid lids dumped \n`,
    );
    expect(table).toMatchObject({ guid: "b8cef603000002c0", description: name });
  });

  it("come out the same however the text is cut into pieces", () => {
    const text = `${fixture("odd/dump_fts.txt")}${fixture("odd/opensm.fdbs")}${fixture("odd/ibroute-n.txt").replace(/\n/g, "\r\n")}`;
    const whole = read(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const reader = new LftReader({ file: "tables" });
        for (let place = 0, turn = 0; place < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          reader.push(text.slice(place, place + size));
          place += size;
        }
        expect(reader.finish()).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});
