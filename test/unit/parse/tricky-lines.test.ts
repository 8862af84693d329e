import { describe, expect, it } from "vitest";
import { limits } from "../../../shared/base/limits.ts";
import { parseIblinkinfo } from "../../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../../shared/parse/ibnetdiscover.ts";
import { parsePerftest } from "../../../shared/parse/perftest.ts";
import { parseSminfo } from "../../../shared/parse/sminfo.ts";
import { plainNodes, type PlainPort } from "../../support/discover-records.ts";

const context = { file: "text" };
const head = 'Switch\t41 "S-b8cef60300000040"\t\t# "leaf" enhanced port 0 lid 13 lmc 0\n';

function port(line: string): PlainPort | undefined {
  return plainNodes(parseIbnetdiscover(`${head}${line}\n`, context).records)[0]?.ports[0];
}

function codes(diagnostics: readonly { readonly code: string }[]): string[] {
  return diagnostics.map(({ code }) => code);
}

describe("a port line of ibnetdiscover", () => {
  it.each([
    ["with spaces for tabs", '[1]    "S-b8cef60300000080"[2]         # "x" lid 5 4xHDR'],
    ["without any white space that may be lost", '[1]"S-b8cef60300000080"[2]# "x" lid 5 4xHDR'],
    ["indented, as in a pasted text", '   [1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR'],
    ["with white space at its end", '[1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR  '],
    ["with an unknown tail of a later version", '[1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR plane 3'],
  ])("%s", (_, line) => {
    expect(port(line)).toMatchObject({
      number: 1,
      peerGuid: "b8cef60300000080",
      peerPort: 2,
      peerDescription: "x",
      peerLid: 5,
      lanes: 4,
      speed: 7,
    });
  });

  it.each([
    ["4xSDR", 4, 1],
    ["1xDDR", 1, 2],
    ["12xQDR", 12, 3],
    ["4xFDR10", 4, 4],
    ["4xFDR", 4, 5],
    ["2xEDR", 2, 6],
    ["8xHDR", 8, 7],
    ["2xNDR", 2, 8],
    ["4xXDR", 4, 9],
    ["4x???", 4, 0],
    ["??HDR", 0, 7],
    ["4xGDR", 4, 0],
  ])("reads %s", (rate, lanes, speed) => {
    expect(port(`[1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 ${rate}`)).toMatchObject({ lanes, speed });
  });

  it.each([
    '[255]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR',
    '[1]\t"S-b8cef60300000080"[256]\t\t# "x" lid 5 4xHDR',
    '[1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 65536 4xHDR',
    '[1]\t"X-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR',
    '[1]\t"S-b8cef6030000008"[2]\t\t# "x" lid 5 4xHDR',
    '[1]\t"S-b8cef60300000080"[2]\t\t# "x lid 5 4xHDR',
    '[1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDRX',
  ])("refuses %s", (line) => {
    const { records, diagnostics } = parseIbnetdiscover(`${head}${line}\n`, context);
    expect(plainNodes(records)[0]?.ports).toEqual([]);
    expect(records.complete).toBe(false);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "malformed-port-line", line: 2, severity: "error" }),
    );
  });

  it("is refused with a note when it is longer than the limit, and the next is read", () => {
    const long = `[1]\t"S-b8cef60300000080"[2]\t\t# "${"x".repeat(limits.lineLength)}" lid 5 4xHDR`;
    const { records, diagnostics } = parseIbnetdiscover(
      `${head}${long}\n[2]\t"S-b8cef60300000080"[3]\t\t# "x" lid 5 4xHDR\n`,
      context,
    );
    expect(plainNodes(records)[0]?.ports.map((found) => found.number)).toEqual([2]);
    expect(codes(diagnostics)).toEqual(["line-too-long", "malformed-port-line", "peer-without-record"]);
  });
});

describe("records of ibnetdiscover", () => {
  const preamble = "vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xb8cef60300000040(b8cef60300000040)\n";
  const line =
    '[1]\t"S-b8cef60300000040"[2]\t\t# "leaf" lid 13 4xHDR\n[2]\t"S-b8cef60300000040"[1]\t\t# "leaf" lid 13 4xHDR\n';

  it("keep the ports of a switch whose own line is lost", () => {
    const { records, diagnostics } = parseIbnetdiscover(`${preamble}${line}`, context);
    expect(plainNodes(records)).toMatchObject([
      {
        kind: "switch",
        guid: "b8cef60300000040",
        declaredPorts: 0,
        description: "",
        ports: [{ number: 1 }, { number: 2 }],
      },
    ]);
    expect(codes(diagnostics)).toEqual(["missing-node-line"]);
    expect(records.complete).toBe(false);
  });

  it("do not give the ports of a lost node to the one before", () => {
    const { records, diagnostics } = parseIbnetdiscover(`${preamble}${head}${line}\n${line}`, context);
    expect(records.nodes).toHaveLength(1);
    expect(plainNodes(records)[0]?.ports).toHaveLength(2);
    expect(codes(diagnostics)).toEqual(["orphan-port", "orphan-port"]);
  });

  it("survive a blank line between all lines", () => {
    const { records, diagnostics } = parseIbnetdiscover(`${preamble}${head}${line}`.replaceAll("\n", "\n\n"), context);
    expect(plainNodes(records)[0]?.ports).toHaveLength(2);
    expect(records.complete).toBe(true);
    expect(diagnostics).toEqual([]);
  });

  it("of one node alone are no whole fabric", () => {
    const { records, diagnostics } = parseIbnetdiscover('caguid=0x1\nCa\t1 "H-0000000000000001"\t\t# "me"\n', context);
    expect(records.nodes).toHaveLength(1);
    expect(records.complete).toBe(false);
    expect(codes(diagnostics)).toEqual(["no-links"]);
  });

  it("with a difference of two fabrics are refused line by line", () => {
    const { records, diagnostics } = parseIbnetdiscover(
      `< ${head}> [1]\t"S-b8cef60300000080"[2]\t\t# "x" lid 5 4xHDR\n`,
      context,
    );
    expect(records.nodes).toEqual([]);
    expect(codes(diagnostics)).toEqual(["difference-line", "difference-line", "no-records"]);
  });

  it("count their neighbours without a record in one warning", () => {
    const ports = [1, 2, 3]
      .map((n) => `[${n}]\t"H-000000000000000${n}"[1](${n}1) \t\t# "h${n}" lid ${n} 4xHDR\n`)
      .join("");
    const { diagnostics } = parseIbnetdiscover(`${head}${ports}`, context);
    expect(diagnostics).toMatchObject([{ code: "peer-without-record", severity: "warning", line: 2, excerpt: "h1" }]);
    expect(diagnostics[0]?.message).toContain("3 nodes are");
  });

  it("show control characters of a name in excerpts and keep them in the record", () => {
    const { records, diagnostics } = parseIbnetdiscover(
      `${head}[1]\t"H-0000000000000001"[1](11) \t\t# "a\u0007b" lid 1 4xHDR\n`,
      context,
    );
    expect(plainNodes(records)[0]?.ports[0]?.peerDescription).toBe("a\u0007b");
    expect(diagnostics[0]?.excerpt).toBe("a␇b");
  });
});

describe("iblinkinfo", () => {
  it.each(["NoChange", "Down", "Initialize", "Armed", "Active", "?(7)"])("reads the state %s", (state) => {
    const text = `Switch: 0x1 s:\n           2    1[  ] ==( 4X        53.125 Gbps ${state}/  LinkUp)==>       5    1[  ] "x" ( )\n`;
    const expected = Math.max(0, ["unknown", "Down", "Initialize", "Armed", "Active"].indexOf(state));
    expect(parseIblinkinfo(text, context).records.ports[0]?.state).toBe(expected);
  });

  it("leaves the kind of a single line open and knows a switch by its several lines", () => {
    const line = (guid: string, n: number): string =>
      `0x${guid} "${"x".padStart(30)}"      2    ${n}[  ] ==(                Down/ Polling)==>             [  ] "" ( )\n`;
    const { ports } = parseIblinkinfo(
      line("000000000000000a", 1) + line("000000000000000b", 1) + line("000000000000000b", 2),
      context,
    ).records;
    expect(ports.map(({ kind }) => kind)).toEqual(["unknown", "switch", "switch"]);
  });

  it("has no width for a down port", () => {
    const { ports } = parseIblinkinfo(
      'Switch: 0x1 s:\n           2    1[  ] ==(                Down/ Polling)==>             [  ] "" ( )\n',
      context,
    ).records;
    expect(ports[0]).not.toHaveProperty("lanes");
    expect(ports[0]).not.toHaveProperty("peer");
  });

  it("says when the port that was asked for is not there", () => {
    const { records, diagnostics } = parseIblinkinfo("\nFailed to find port: 0x1234\n", context);
    expect(records).toEqual({ ports: [], complete: false });
    expect(codes(diagnostics)).toEqual(["tool-failed", "no-records"]);
  });
});

describe("perftest", () => {
  const rule = `${"-".repeat(87)}\n`;
  const header = " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n";

  it("takes no row without a header", () => {
    const { records, diagnostics } = parsePerftest(
      " 65536      5000             97.00              96.90 \t\t   0.184822\n",
      context,
    );
    expect(records.bandwidth).toEqual([]);
    expect(codes(diagnostics)).toEqual(["row-outside-table", "no-records"]);
  });

  it("refuses a table in a unit that it does not know", () => {
    const text = `${header.replaceAll("Gb/sec", "GiB/sec")} 65536      5000             97.00              96.90 \t\t   0.184822\n${rule}`;
    const { records, diagnostics } = parsePerftest(text, context);
    expect(records.bandwidth).toEqual([]);
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "unknown-unit", severity: "error", line: 1 }));
  });

  it("accepts the row that a running test has not ended yet", () => {
    const { records, diagnostics } = parsePerftest(
      `${header} 65536      5000             0.00              96.90 \t\t   0.184822`,
      context,
    );
    expect(records.bandwidth).toEqual([
      { bytes: 65536, iterations: 5000, averageGbps: 96.9, msgRateMpps: 0.184822, line: 2 },
    ]);
    expect(codes(diagnostics)).toEqual(["unterminated-row"]);
  });

  it("knows the tool from the command line when there is no title", () => {
    const { records } = parsePerftest(
      `[user@n ~]$ /usr/bin/ib_read_bw -d mlx5_0 node-1\n${header} 8 5 1.00 1.00 1.000000\n${rule}`,
      context,
    );
    expect(records.tool).toBe("ib_read_bw");
  });

  it("keeps settings of any name apart from the program", () => {
    const { records } = parsePerftest(
      `                    RDMA_Write BW Test\n __proto__ : x\t\tconstructor : y\n${rule}`,
      context,
    );
    expect(Object.entries(records.info)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("does not take a bare number for a result", () => {
    const { records, diagnostics } = parsePerftest("3.327733\n", context);
    expect(records.bandwidth).toEqual([]);
    expect(codes(diagnostics)).toEqual(["bare-number", "no-records"]);
  });

  it("reports the result and the failure of a run that broke off", () => {
    const { records } = parsePerftest(
      `${header} 4096       464              0.00               1.93  \t\t   0.058901\n${rule}ethernet_read_keys: Couldn't read remote address\n`,
      context,
    );
    expect(records.bandwidth).toHaveLength(1);
    expect(records.failure?.code).toBe("peer-ended");
  });
});

describe("sminfo", () => {
  it("does not take half a line for an answer even where it reads as one", () => {
    const { records, diagnostics } = parseSminfo(
      "sminfo: sm lid 1 sm guid 0xc42a1, activity count 23 priority 14 state 3",
      context,
    );
    expect(records.managers).toEqual([]);
    expect(codes(diagnostics)).toEqual(["cut"]);
  });

  it("takes a whole line without a line end", () => {
    const { records, diagnostics } = parseSminfo(
      "sminfo: sm lid 1 sm guid 0xc42a1, activity count 23 priority 14 state 3 SMINFO_MASTER",
      context,
    );
    expect(records.managers).toHaveLength(1);
    expect(diagnostics).toEqual([]);
  });
});
