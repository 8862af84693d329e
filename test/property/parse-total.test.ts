import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDbCsv } from "../../shared/parse/db-csv.ts";
import { parseIblinkinfo } from "../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { hostNameOf, shortName } from "../../shared/parse/names.ts";
import { parseAny } from "../../shared/parse/parse-any.ts";
import { parseMlxlink } from "../../shared/parse/mlxlink.ts";
import { parsePerftest } from "../../shared/parse/perftest.ts";
import { looksBinary, recognise } from "../../shared/parse/recognise.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import { parseToolErrors } from "../../shared/parse/tool-errors.ts";
import { plainNodes } from "../support/discover-records.ts";

const context = { file: "text" };
const parsers = [
  parseIbnetdiscover,
  parseIblinkinfo,
  parseSminfo,
  parsePerftest,
  parseToolErrors,
  parseDbCsv,
  parseMlxlink,
] as const;

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");
}

const real = [
  "ib/edge/ibnetdiscover-quotes.txt",
  "ib/edge/ibnetdiscover-stderr-merged.txt",
  "ib/edge/ibnetdiscover-two-dumps.txt",
  "ib/sim/odd/ibnetdiscover.txt",
  "ib/sim/odd/iblinkinfo.txt",
  "ib/sim/odd/iblinkinfo-l.txt",
  "ib/edge/iblinkinfo-hints.txt",
  "ib/edge/sminfo-states.txt",
  "perftest/rxe/write_bw_a_n10.client.stdout.txt",
  "perftest/rxe/report_both.client.stdout.txt",
  "perftest/rxe/send_lat_H_n30.client.stdout.txt",
  "perftest/rxe/size_mismatch.client.stderr.txt",
]
  .map(fixture)
  .concat(
    // The JSON of perftest 24.01 and newer, and of the versions before.
    '{\n"test_info": {\n"test": "RDMA_Write_BW_Test",\n"Device": "mlx5_0",\n"Mtu": 4096\n},\n"results": {\n"MsgSize": 65536,\n"n_iterations": 5000,\n"BW_peak": nan,\n"BW_average": 389.41,\n"MsgRate": 0.742741\n}\n}\n',
    "{\ntest_info: {\ntest: Send_Latency_Test,\nDual_port: OFF,\n},\nresults: {\nMsgSize: 2,\nn_iterations: 50,\nt_avg: 573.62,\n},\n}\n",
  );

/** Every line has one fate, every remark points into the text, and no parser throws. */
function checkAll(text: string): void {
  for (const parse of parsers) {
    const { stats, diagnostics } = parse(text, context);
    expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
    for (const { line, column } of diagnostics) {
      expect(line >= 0 && line <= stats.lines && column >= 0).toBe(true);
    }
  }
  parseAny(text, context);
  recognise(text);
  looksBinary(text);
}

/** Pieces of the formats, so that junk gets deep into the parsers. */
const piece = fc.oneof(
  fc.constantFrom(
    ...'\n|\r|\t|"|#|[1]|(|)|==(|)==>|Switch|Ca|Rt|CA: |Switch: 0x1 x:|vendid=0x2c9|switchguid=0x1(1)|caguid=0x2|"S-b8cef60300000000"|lid 5 lmc 0 |lid 3 4xHDR|# |'.split(
      "|",
    ),
    ...' 4X |53.125 Gbps |Active/  LinkUp|Down/ Polling|"Port not available"|( )|sminfo: |sm lid 1 |#bytes|#iterations|BW peak[MB/sec]|BW average[Gb/sec]|MsgRate[Mpps]'.split(
      "|",
    ),
    ..."t_avg[usec]| 65536 | 1.00 |0.000196|nan|RDMA_Write BW Test|----------------------|Failed status 12|ibwarn: [1] |umad (DR path |\u001b[0m|\ufeff|{|}".split(
      "|",
    ),
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);

describe("the parsers are total", { timeout: 60_000 }, () => {
  it("on any string", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), checkAll), { numRuns: 300 });
  });

  it("on junk made of pieces of the formats", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join("")),
        checkAll,
      ),
      { numRuns: 600 },
    );
  });

  it("on real texts with three of a hundred characters changed", () => {
    const damage = fc.record({
      text: fc.constantFrom(...real),
      places: fc.array(
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: "binary", maxLength: 1 })),
        { minLength: 20, maxLength: 400 },
      ),
    });
    fc.assert(
      fc.property(damage, ({ text, places }) => {
        const characters = Array.from(text);
        for (const [where, to] of places.slice(0, Math.ceil(characters.length * 0.03))) {
          characters[Math.floor(where * (characters.length - 1))] = to;
        }
        checkAll(characters.join(""));
      }),
      { numRuns: 60 },
    );
  });

  it("on real texts whose lines are dropped, doubled and in another order", () => {
    fc.assert(
      fc.property(fc.constantFrom(...real), fc.array(fc.nat(2000), { maxLength: 200 }), (text, order) => {
        const lines = text.split("\n");
        checkAll(order.map((index) => lines[index % lines.length] ?? "").join("\n"));
      }),
      { numRuns: 60 },
    );
  });

  it("and so are the names", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
        expect(shortName(text).length).toBeLessThanOrEqual(text.length);
        expect(hostNameOf(text) ?? "x").not.toBe("");
      }),
    );
  });
});

/** Calls `check` with every beginning of the text; collects what it complains of. */
function forEveryCut(text: string, check: (beginning: string, terminated: boolean) => string | undefined): string[] {
  const complaints: string[] = [];
  for (let end = 1; end < text.length && complaints.length < 5; end += 1) {
    const complaint = check(text.slice(0, end), text[end - 1] === "\n");
    if (complaint !== undefined) complaints.push(`cut at ${end}: ${complaint}`);
  }
  return complaints;
}

describe("a text cut at any place", { timeout: 60_000 }, () => {
  // A name that looks like the rest of its line can make half a line look whole; only names with quotes can.
  it.each([
    ["ib/edge/ibnetdiscover-same-names.txt", true],
    ["ib/edge/ibnetdiscover-quotes.txt", false],
  ])("of ibnetdiscover is never taken for whole, and keeps only what the whole text says: %s", (name, lastLineToo) => {
    const dump = fixture(name);
    const whole = parseIbnetdiscover(dump, context).records;
    const ports = new Set(
      plainNodes(whole).flatMap((node) => node.ports.map((port) => JSON.stringify([node.guid, port]))),
    );
    const complaints = forEveryCut(dump, (beginning, terminated) => {
      const { records, diagnostics, stats } = parseIbnetdiscover(beginning, context);
      if (records.complete) return "taken for whole";
      if (!terminated && !diagnostics.some(({ code }) => code === "cut")) return "not said";
      // The nodes before the last one were checked when they were the last.
      const node = plainNodes(records).at(-1);
      const strange = node?.ports.find(
        (port) =>
          (lastLineToo || terminated || port.line < stats.lines) && !ports.has(JSON.stringify([node.guid, port])),
      );
      return strange === undefined ? undefined : JSON.stringify(strange);
    });
    expect(complaints).toEqual([]);
  });

  it("of iblinkinfo keeps only what the whole text says", () => {
    const text = fixture("ib/edge/iblinkinfo-hints.txt");
    const ports = new Set(parseIblinkinfo(text, context).records.ports.map((port) => JSON.stringify(port)));
    const complaints = forEveryCut(text, (beginning) => {
      const { records } = parseIblinkinfo(beginning, context);
      if (records.complete && !/(?:^|\n) *$/.test(beginning)) return "taken for whole";
      return records.ports.map((port) => JSON.stringify(port)).find((port) => !ports.has(port));
    });
    expect(complaints).toEqual([]);
  });

  it("of sminfo keeps only what the whole text says", () => {
    const text = fixture("ib/edge/sminfo-states.txt");
    const managers = new Set(parseSminfo(text, context).records.managers.map((manager) => JSON.stringify(manager)));
    const complaints = forEveryCut(text, (beginning) =>
      parseSminfo(beginning, context)
        .records.managers.map((manager) => JSON.stringify(manager))
        .find((manager) => !managers.has(manager)),
    );
    expect(complaints).toEqual([]);
  });

  it.each([
    "write_bw_a_n10.client.stdout",
    "write_bw_cpu_util.client.stdout",
    "send_lat_n100.client.stdout",
    "report_both.client.stdout",
  ])("of perftest's %s keeps only rows of the whole text", (name) => {
    const text = fixture(`perftest/rxe/${name}.txt`);
    const { bandwidth, latency } = parsePerftest(text, context).records;
    const rows = new Set([...bandwidth, ...latency].map((row) => JSON.stringify(row)));
    const complaints = forEveryCut(text, (beginning) => {
      const cut = parsePerftest(beginning, context).records;
      return [...cut.bandwidth, ...cut.latency].map((row) => JSON.stringify(row)).find((row) => !rows.has(row));
    });
    expect(complaints).toEqual([]);
  });
});
