import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNodeHeader, readPortLine } from "../../shared/parse/discover-lines.ts";
import { readUsualNodeHeader, readUsualPortLine } from "../../shared/parse/discover-usual-lines.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { emptyPortLine, type PortLine } from "../../shared/parse/discover-ports.ts";
import { LineCursor } from "../../shared/parse/line-cursor.ts";
import { TextPool } from "../../shared/parse/text-pool.ts";
import { plainRecords } from "../support/discover-records.ts";

/**
 * ibnetdiscover's lines are read twice: the usual ones by character codes, all others by regular expressions. Here each
 * printed form, whole and damaged, must come out of both as the same record, or be left to the second by the first.
 */
const cursor = new LineCursor();
const pool = new TextPool();

/** What a reader made of a port line, with its GUIDs written out; undefined when it left the line. */
function usualPort(line: string, ownGuids: boolean) {
  if (!line.startsWith("[")) return undefined;
  const port = emptyPortLine();
  cursor.begin(line, 1, line.length);
  return readUsualPortLine(cursor, 7, ownGuids, pool, port) ? writtenOut(port, pool) : undefined;
}

function oddPort(line: string, ownGuids: boolean) {
  const own = new TextPool();
  const port = emptyPortLine();
  return readPortLine(line, 7, ownGuids, own, port) ? writtenOut(port, own) : undefined;
}

function writtenOut(port: PortLine, { guids }: TextPool) {
  const guidOf = (number: number) => (number < 0 ? undefined : guids.guidOf(number));
  const { guid, peerGuid, peerPortGuid } = port;
  return { ...port, guid: guidOf(guid), peerGuid: guidOf(peerGuid), peerPortGuid: guidOf(peerPortGuid) };
}

function usualNode(line: string) {
  cursor.begin(line, 0, line.length);
  const header = readUsualNodeHeader(cursor, pool);
  return header === undefined ? undefined : { ...header, guid: pool.guids.guidOf(header.guid) };
}

function oddNode(line: string) {
  const own = new TextPool();
  const header = readNodeHeader(line, own);
  return header === undefined ? undefined : { ...header, guid: own.guids.guidOf(header.guid) };
}

const guidDigits = fc
  .oneof(fc.constantFrom(1n, 0xfffn, 0x1000n, 0xb8cef60300000100n), fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }))
  .map((value) => value.toString(16));
const nodeId = fc
  .tuple(fc.constantFrom("S", "H", "R"), guidDigits)
  .map(([letter, digits]) => `"${letter}-${digits.padStart(16, "0")}"`);
const portNumber = fc.oneof(fc.integer({ min: 1, max: 254 }), fc.constantFrom(0, 255, 999, 1000));
const lid = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(65_536, 99_999, 100_000));
const lmc = fc.integer({ min: 0, max: 10 });
const name = fc.oneof(
  fc.constantFrom(
    "n001 mlx5_0",
    "MF0;leaf-06:MQM8700/U1",
    "",
    " ",
    '"',
    'a" lid 7 4xHDR',
    "# Chassis 1",
    "lid 5 lmc 0 ",
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 64 }),
);
const gap = fc.constantFrom("\t", "\t\t", " ", "  ", "");
const rate = fc
  .tuple(
    fc.constantFrom("1x", "2x", "4x", "8x", "12x", "??", "004x", "x"),
    fc.constantFrom(
      "SDR",
      "DDR",
      "QDR",
      "FDR10",
      "FDR",
      "EDR",
      "HDR",
      "NDR",
      "XDR",
      "ZDR",
      "???",
      "HD",
      "hdr",
      "HDR100",
    ),
    fc.constantFrom("", "", " s=4 w=2 v=4", " s=4 w=2 v=4 e=3", "\ts=1", "x", " ", "\u00a0"),
  )
  .map((parts) => parts.join(""));
const place = fc
  .tuple(portNumber, fc.constantFrom("", "", "", "[ext 7]"))
  .map(([number, external]) => `[${number}]${external}`);
const portGuid = fc.oneof(
  fc.constant(""),
  guidDigits.map((digits) => `(${digits})`),
  fc.constantFrom("(1)", "()"),
);
const portLine = fc
  .tuple(place, portGuid, gap, nodeId, place, gap, portGuid, gap, fc.boolean(), lid, lmc, name, lid, rate)
  .map(
    ([own, ownGuid, gap1, peer, peerPlace, gap2, peerGuid, gap3, hasLid, ownLid, ownLmc, description, peerLid, link]) =>
      `${own}${ownGuid}${gap1}${peer}${peerPlace}${gap2}${peerGuid}${gap3}# ${hasLid ? `lid ${ownLid} lmc ${ownLmc} ` : ""}"${description}" lid ${peerLid} ${link}`,
  );
const headerLine = fc
  .tuple(
    fc.constantFrom("Switch", "Ca", "Rt"),
    gap,
    portNumber,
    nodeId,
    gap,
    fc.oneof(
      name.map((text) => `# "${text}"`),
      fc.constantFrom("", "#"),
    ),
    fc.oneof(
      fc.tuple(fc.constantFrom("enhanced", "base", "smart"), lid, lmc).map((parts) => {
        const [kind, ownLid, ownLmc] = parts;
        return ` ${kind} port 0 lid ${ownLid} lmc ${ownLmc}`;
      }),
      fc.constantFrom("", " ", " port 0 lid 4", " base port 0 lid 4 lmc 0 # Chassis 1 slot", " # Spine 1 Chip 1"),
    ),
  )
  .map(
    ([word, gap1, ports, id, gap2, description, tail]) =>
      `${word}${gap1}${ports}${gap1}${id}${gap2}${description}${tail}`,
  );
const assignmentLine = fc
  .tuple(
    fc.constantFrom("vendid", "devid", "sysimgguid", "switchguid", "caguid", "rtguid", "vendor"),
    fc.constantFrom("0x", "0x", "0x", ""),
    guidDigits,
    portGuid,
    fc.constantFrom("", "", "", " ", "\t\t# Chassis 1", "0000000000000000"),
  )
  .map(([key, prefix, digits, port, tail]) => `${key}=${prefix}${digits}${port}${tail}`);

/** Characters that mean something in these lines, and white space of all kinds. */
const strange = Array.from('\t"#()[]-=0129afAFgSHRxD? \u00a0\u3000é');

/** A line with up to three characters replaced, put in or taken away. */
function damaged(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(1),
    fc.constantFrom(...strange, "", "", "lid ", "lmc "),
  );
  return fc.tuple(line, fc.array(change, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((now, [where, length, to]) => {
      const at = Math.floor(where * now.length);
      return now.slice(0, at) + to + now.slice(at + length);
    }, text),
  );
}

describe("a usual line", () => {
  it("with a port is read to the record that the regular expressions read", () => {
    fc.assert(
      fc.property(damaged(portLine), fc.boolean(), (line, ownGuids) => {
        const usual = usualPort(line, ownGuids);
        if (usual === undefined) return;
        expect(JSON.stringify(usual)).toBe(JSON.stringify(oddPort(line, ownGuids)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("with a node is read to the record that the regular expressions read", () => {
    fc.assert(
      fc.property(damaged(headerLine), (line) => {
        const usual = usualNode(line);
        if (usual === undefined) return;
        expect(JSON.stringify(usual)).toBe(JSON.stringify(oddNode(line)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("is what the tool of today prints, ports of switches, adapters and routers and their nodes", () => {
    const peer = '"S-b8cef60300000100"[12]';
    for (const line of [
      `[1]\t${peer}\t\t# "leaf" lid 2 4xHDR`,
      '[1]\t"H-0c42a103000001c0"[1](c42a103000001c1) \t\t# "n001 mlx5_0" lid 54 2xNDR',
      `[1](c42a10300000001) \t${peer}\t\t# lid 5 lmc 0 "leaf" lid 3 4xHDR s=4 w=2 v=4 e=3`,
      '[2](c42a10300000001) \t"R-0c42a10300000020"[1] (c42a10300000021) \t\t# lid 5 lmc 0 "" lid 3 12xEDR',
    ]) {
      expect(usualPort(line, true)).toEqual(oddPort(line, true));
      expect(usualPort(line, true)).toBeDefined();
    }
    for (const line of [
      'Switch\t41 "S-b8cef603000002c0"\t\t# "leaf" enhanced port 0 lid 52 lmc 0',
      'Switch\t41 "S-b8cef603000002c0"\t\t# "leaf" base port 0 lid 52 lmc 0',
      'Ca\t1 "H-0c42a10300000000"\t\t# "n001 mlx5_0"',
      'Rt\t2 "R-0002c9030000aa00"\t\t# "router"',
    ]) {
      expect(usualNode(line)).toBeDefined();
    }
  });
});

describe("a text of usual, odd and damaged lines", () => {
  /** White space that only the regular expressions pass over: with it at its end no line is a usual one. */
  const unusual = "\u00a0";

  it("comes to the same records and diagnostics when no line of it is a usual one", () => {
    const node = fc
      .tuple(
        fc.array(damaged(assignmentLine), { maxLength: 5 }),
        damaged(headerLine),
        fc.array(damaged(portLine), { maxLength: 6 }),
      )
      .map(([before, header, ports]) => ["", ...before, header, ...ports]);
    const lines = fc
      .array(node, { maxLength: 4 })
      .map((nodes) => nodes.flat().map((line) => (line.trim() === "" ? "" : line)));
    const result = (text: string): string => {
      const { records, diagnostics, stats } = parseIbnetdiscover(text, { file: "text" });
      return JSON.stringify({ records: plainRecords(records), diagnostics, stats }).replaceAll(unusual, "");
    };
    fc.assert(
      fc.property(lines, (all) => {
        const odd = all.map((line) => (line === "" ? line : line + unusual));
        expect(result(`${all.join("\n")}\n`)).toBe(result(`${odd.join("\n")}\n`));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the GUIDs of a text", () => {
  it("are each given one number and read as they were printed, however many there are", () => {
    fc.assert(
      fc.property(fc.array(guidDigits, { minLength: 1, maxLength: 3_000 }), (all) => {
        const own = new TextPool();
        const numbers = new Map<string, number>();
        for (const digits of [...all, ...all]) {
          const number = own.guidNumber(digits);
          expect(own.guids.guidOf(number)).toBe(digits.padStart(16, "0"));
          expect(number).toBe(numbers.get(digits) ?? number);
          numbers.set(digits, number);
        }
        expect(new Set(numbers.values()).size).toBe(numbers.size);
      }),
      { numRuns: 20 },
    );
  });
});
