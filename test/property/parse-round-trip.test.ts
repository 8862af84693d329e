import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guid } from "../../shared/base/guid.ts";
import { parseGuid } from "../../shared/base/guid.ts";
import { speeds } from "../../shared/fabric/rates.ts";
import { parseIblinkinfo } from "../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { parsePerftest } from "../../shared/parse/perftest.ts";
import { recognise } from "../../shared/parse/recognise.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import { plainNodes, type PlainPort } from "../support/discover-records.ts";

/** What the tools print is written down here a second time, after their source, and read back. */
const context = { file: "text" };

const guid = fc.bigInt({ min: 0x1000n, max: 0xffff_ffff_ffff_ffffn }).map((value): Guid => {
  const parsed = parseGuid(value.toString(16));
  if (parsed === undefined) throw new Error("no GUID");
  return parsed;
});
const unpadded = (value: Guid): string => value.replace(/^0+(?=.)/, "");

/** Node descriptions: 64 printable ASCII characters, likely ones that look like the rest of the line. */
const description = fc
  .oneof(
    fc.string({ unit: "grapheme-ascii", maxLength: 64 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          '" lid 7 4xHDR',
          "# ",
          "lid 5 lmc 0 ",
          "(",
          ")",
          "[1]",
          "==(",
          ")==>",
          " 5    1[  ] ==( 4X",
          '" ( )',
          "\\",
          "%s",
          " ",
          "Switch: ",
          "Active/",
          "é计",
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join("")),
  )
  .map((text) => text.slice(0, 64));

const width = fc.constantFrom(1, 2, 4, 8, 12);
const speed = fc.integer({ min: 1, max: speeds.length - 1 });
const lid = fc.integer({ min: 0, max: 0xffff });
const portNumber = fc.integer({ min: 1, max: 254 });

const peer = fc.record({
  letter: fc.constantFrom("S", "H", "R"),
  guid,
  portGuid: guid,
  port: portNumber,
  name: description,
  lid,
});

describe("ibnetdiscover, printed and read back", () => {
  it("keeps every fact of a switch's and of a CA's port line whatever the names are", () => {
    const own = fc.record({
      guid,
      portGuid: guid,
      name: description,
      lid,
      lmc: fc.integer({ min: 0, max: 7 }),
      port: portNumber,
    });
    fc.assert(
      fc.property(
        own,
        peer,
        width,
        speed,
        fc.constantFrom("", " s=4 w=2 v=4", " s=4 w=2 v=4 e=3"),
        (node, other, lanes, code, tail) => {
          const rate = `${lanes}x${speeds[code] ?? ""}${tail}`;
          const otherEnd = `"${other.letter}-${other.guid}"[${other.port}]`;
          const otherPort = other.letter === "S" ? "" : `(${unpadded(other.portGuid)}) `;
          const text =
            `vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0x${unpadded(node.guid)}(${unpadded(node.guid)})\n` +
            `Switch\t254 "S-${node.guid}"\t\t# "${node.name}" enhanced port 0 lid ${node.lid} lmc ${node.lmc}\n` +
            `[${node.port}]\t${otherEnd}${otherPort}\t\t# "${other.name}" lid ${other.lid} ${rate}\n\n` +
            `vendid=0x2c9\ndevid=0x101b\ncaguid=0x${unpadded(node.guid)}\nCa\t254 "H-${node.guid}"\t\t# "${node.name}"\n` +
            `[${node.port}](${unpadded(node.portGuid)}) \t${otherEnd}${otherPort === "" ? "" : ` ${otherPort}`}\t\t# lid ${node.lid} lmc ${node.lmc} "${other.name}" lid ${other.lid} ${rate}\n`;
          const { records, diagnostics } = parseIbnetdiscover(text, context);
          expect(
            diagnostics
              .map(({ code: found }) => found)
              .filter((found) => found !== "peer-without-record" && found !== "duplicate-guid"),
          ).toEqual([]);
          const shared: Partial<PlainPort> = {
            number: node.port,
            peerKind: other.letter === "S" ? "switch" : other.letter === "H" ? "ca" : "router",
            peerGuid: other.guid,
            peerPort: other.port,
            peerDescription: other.name,
            peerLid: other.lid,
            lanes,
            speed: code,
            ...(other.letter === "S" ? {} : { peerPortGuid: other.portGuid }),
          };
          expect(plainNodes(records)).toMatchObject([
            {
              kind: "switch",
              guid: node.guid,
              description: node.name,
              lid: node.lid,
              lmc: node.lmc,
              declaredPorts: 254,
              ports: [shared],
            },
            {
              kind: "ca",
              guid: node.guid,
              description: node.name,
              ports: [{ ...shared, guid: node.portGuid, lid: node.lid, lmc: node.lmc }],
            },
          ]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

const laneRates = [
  "",
  "2.5 Gbps",
  "5.0 Gbps",
  "10.0 Gbps",
  "10.0 Gbps (FDR10)",
  "14.0625 Gbps",
  "25.78125 Gbps",
  "53.125 Gbps",
  "106.25 Gbps",
  "212.5 Gbps",
];

describe("iblinkinfo, printed and read back", () => {
  const facts = fc.record({
    guid,
    name: description,
    lid,
    port: portNumber,
    other: peer,
    lanes: width,
    speed,
    state: fc.constantFrom("Initialize", "Armed", "Active"),
    phys: fc.constantFrom("LinkUp", "LinkErrorRecovery", "PhyTest"),
    hint: fc.constantFrom(
      " ",
      "Could be 4X ",
      " Could be 53.125 Gbps",
      " Could be FDR10 (Found link at QDR but expected speed is FDR10)",
    ),
  });

  it("keeps every fact of a port in both layouts whatever the names are", () => {
    fc.assert(
      fc.property(facts, (port) => {
        const rate = laneRates[port.speed] ?? "";
        const link = `(${`${port.lanes}X`.padStart(3)} ${rate.padStart(18)} ${port.state.padStart(6)}/${port.phys.padStart(8)})`;
        const place = `${String(port.lid).padStart(6)} ${String(port.port).padStart(4)}[  ] ==${link}==>  `;
        const peerPart = `${String(port.other.lid).padStart(6)} ${String(port.other.port).padStart(4)}[  ] "${port.other.name}" (${port.hint})\n`;
        const byLine = `0x${port.guid} "${port.name.padStart(30)}" ${place}0x${port.other.guid} ${peerPart}`;
        const inBlock = `Switch: 0x${port.guid} ${port.name}:\n      ${place}${peerPart}`;
        const expected = {
          guid: port.guid,
          lid: port.lid,
          number: port.port,
          lanes: port.lanes,
          speed: port.speed,
          state: ["unknown", "Down", "Initialize", "Armed", "Active"].indexOf(port.state),
          peerUnavailable: false,
          couldBeLanes: port.hint.includes("4X") ? 4 : 0,
          couldBeSpeed: port.hint.includes("53.125") ? 7 : port.hint.includes("FDR10") ? 4 : 0,
          peer: { lid: port.other.lid, number: port.other.port, description: port.other.name },
        };
        // Leading spaces of a name cannot be told from the padding of the field.
        expect(parseIblinkinfo(byLine, context).records.ports).toMatchObject([
          { ...expected, description: port.name.trim(), peer: { ...expected.peer, guid: port.other.guid } },
        ]);
        expect(parseIblinkinfo(inBlock, context).records.ports).toMatchObject([
          { ...expected, kind: "switch", description: port.name },
        ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("sminfo, printed and read back", () => {
  it("keeps every fact", () => {
    const facts = fc.record({ guid, lid, activity: fc.nat(0xffff_ffff), priority: fc.nat(15), state: fc.nat(3) });
    fc.assert(
      fc.property(facts, (manager) => {
        const name = ["SMINFO_NOTACT", "SMINFO_DISCOVER", "SMINFO_STANDBY", "SMINFO_MASTER"][manager.state] ?? "";
        const text = `sminfo: sm lid ${manager.lid} sm guid 0x${unpadded(manager.guid)}, activity count ${manager.activity} priority ${manager.priority} state ${manager.state} ${name}\n`;
        expect(parseSminfo(text, context).records.managers).toEqual([{ ...manager, line: 1 }]);
      }),
    );
  });
});

describe("perftest, printed and read back", () => {
  it("keeps every row in Gb/s whatever the unit, with messages of stderr between", () => {
    const row = fc.record({
      exponent: fc.integer({ min: 1, max: 23 }),
      iterations: fc.integer({ min: 5, max: 1e8 }),
      peak: fc.nat(9_999_999),
      average: fc.nat(9_999_999),
      rate: fc.nat(99_999_999),
    });
    const unit = fc.constantFrom(
      ["MB/sec", (8 * 2 ** 20) / 1e9] as const,
      ["MiB/sec", (8 * 2 ** 20) / 1e9] as const,
      ["Gb/sec", 1] as const,
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 23 }), unit, fc.boolean(), (rows, [label, gbps], noise) => {
        const message = noise
          ? "Conflicting CPU frequency values detected: 1.0 != 2.0. CPU Frequency is not max.\n"
          : "";
        const printed = rows.map(
          ({ exponent, iterations, peak, average, rate }) =>
            ` ${String(2 ** exponent).padEnd(7)}    ${iterations}           ${(peak / 100).toFixed(2)}              ${(average / 100).toFixed(2)} \t\t   ${(rate / 1e6).toFixed(6)}\n`,
        );
        const text = `                    RDMA_Write BW Test\n${"-".repeat(87)}\n #bytes     #iterations    BW peak[${label}]    BW average[${label}]   MsgRate[Mpps]\n${message}${printed.join(message)}${"-".repeat(87)}\n`;
        const { records, diagnostics } = parsePerftest(text, context);
        expect(diagnostics).toEqual([]);
        expect(records.bandwidth).toEqual(
          rows.map(({ exponent, iterations, peak, average, rate }, index) => ({
            bytes: 2 ** exponent,
            iterations,
            ...(peak === 0 ? {} : { peakGbps: (peak / 100) * gbps }),
            averageGbps: (average / 100) * gbps,
            msgRateMpps: rate / 1e6,
            line: 4 + (noise ? 2 * index + 1 : index),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("finds the unit of its JSON from the message rate", () => {
    const result = fc.record({
      exponent: fc.integer({ min: 1, max: 23 }),
      iterations: fc.integer({ min: 5, max: 1e8 }),
      gbps: fc.double({ min: 0.5, max: 1_600, noNaN: true }),
      peak: fc.constantFrom("0.00", "nan", "-nan", "inf", "12.50"),
      comma: fc.constantFrom("", ","),
    });
    const unit = fc.constantFrom(1, (8 * 2 ** 20) / 1e9);
    fc.assert(
      fc.property(result, unit, ({ exponent, iterations, gbps, peak, comma }, unitGbps) => {
        const bytes = 2 ** exponent;
        const average = (gbps / unitGbps).toFixed(2);
        const rate = ((gbps * 1e9) / 8 / bytes / 1e6).toFixed(6);
        const text = `{\n"test_info": {\n"test": "Send_Bidirectional_BW_Test",\n"Device": "mlx5_0",\n"Mtu": 4096\n},\n"results": {\n"MsgSize": ${bytes},\n"n_iterations": ${iterations},\n"BW_peak": ${peak},\n"BW_average": ${average},\n"MsgRate": ${rate}${comma}\n}\n}\n`;
        expect(recognise(text)).toEqual({ tool: "perftest-bandwidth", confidence: "certain" });
        const { records, diagnostics } = parsePerftest(text, context);
        expect(diagnostics).toEqual([]);
        expect(records).toMatchObject({
          tool: "ib_send_bw",
          bidirectional: true,
          info: { Device: "mlx5_0", Mtu: "4096[B]" },
        });
        expect(records.bandwidth).toEqual([
          {
            bytes,
            iterations,
            ...(peak === "12.50" ? { peakGbps: 12.5 * unitGbps } : {}),
            averageGbps: Number(average) * unitGbps,
            msgRateMpps: Number(rate),
            line: 9,
          },
        ]);
      }),
    );
  });

  it("takes no result of a JSON whose message rate fits no unit", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1000, noNaN: true }), (factor) => {
        // Within 2 % of a unit it may be rounding.
        fc.pre([1, 1 / ((8 * 2 ** 20) / 1e9)].every((unit) => Math.abs(factor / unit - 1) > 0.02));
        const rate = (100 * 1e9) / 8 / 65_536 / 1e6;
        const text = JSON.stringify({
          test_info: { test: "RDMA_Write_BW_Test" },
          results: { MsgSize: 65_536, n_iterations: 1000, BW_peak: 0, BW_average: 100 * factor, MsgRate: rate },
        });
        const { records, diagnostics } = parsePerftest(text, context);
        expect(records.bandwidth).toEqual([]);
        expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-unit"]);
      }),
    );
  });
});
