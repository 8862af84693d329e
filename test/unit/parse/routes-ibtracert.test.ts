import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseIbtracert } from "../../../shared/parse/ibtracert.ts";
import { fixtures } from "../../support/understand.ts";

function read(text: string): ReturnType<typeof parseIbtracert> {
  return parseIbtracert(text, { file: "trace" });
}

describe("ibtracert", () => {
  it("reads the traces of a text one after the other", () => {
    const { records, diagnostics, stats } = read(
      readFileSync(join(fixtures, "ib/sim/ft2-32-lmc2/ibtracert.txt"), "utf8"),
    );
    expect(diagnostics).toEqual([]);
    expect(stats.understood).toBe(17);
    expect(records.traces.map(({ hops }) => hops.length)).toEqual([4, 4, 3]);
    expect(records.traces[0]?.hops[3]).toEqual({
      out: 1,
      in: 1,
      kind: "ca",
      guid: "0c42a10300000001",
      lid: 12,
      lastLid: 15,
      description: "gpu-a01 mlx5_0",
      line: 5,
    });
    expect(records.traces[2]?.to).toMatchObject({ kind: "switch", port: 0, lid: 178 });
  });

  it("reads -n and -m", () => {
    const { records, diagnostics } = read(
      'From {0xb8cef603000002c8}[1]\n[1] -> {0xb8cef603000002c0}[41]\nTo {0xb8cef603000002c0}[0]\nFrom ca 0xb8cef603000002c8 port 1 lid 57-57 "AN"\n[1] -> switch 0xb8cef603000002c0[41] lid 52 "a "quoted" leaf"\n',
    );
    expect(diagnostics).toEqual([]);
    expect(records.traces[0]).toMatchObject({ from: { port: 1 }, hops: [{ out: 1, in: 41 }], to: { port: 0 } });
    expect(records.traces[1]?.hops[0]).toMatchObject({ lid: 52, lastLid: 52, description: 'a "quoted" leaf' });
    expect(records.traces[1]?.to).toBeUndefined();
  });

  it("keeps the hops before a failure, and what the tool said", () => {
    const { records, diagnostics } = read(
      'From ca {0xb8cef603000002c8} portnum 1 lid 57-57 "AN"\n[1] -> switch port {0xb8cef603000002c0}[41] lid 52-52 "leaf"\nibwarn: [9] find_route: can\'t find a route from src to dest\nibtracert: iberror: failed: Failed to get route information\n',
    );
    expect(records.traces[0]?.hops).toHaveLength(1);
    expect(records.traces[0]?.to).toBeUndefined();
    expect(records.failures).toEqual([{ text: "failed: Failed to get route information", line: 4 }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["tool-warning", "tool-failed"]);
  });

  it.each([
    ['[1] -> switch port {0xb8cef603000002c0}[41] lid 52-52 "leaf"\n', "malformed-line"],
    ['From ca {0xb8cef603000002c8} portnum 1 lid 57-57 "AN"\n[1] -> switch port {0xb8cef60300', "cut"],
    [
      'From ca {0xb8cef603000002c8} portnum 1 lid 57-57 "AN"\n[300] -> switch port {0x1}[41] lid 52-52 "x"\n',
      "malformed-line",
    ],
  ])("says what is wrong with %j", (text, code) => {
    const { records, diagnostics } = read(text);
    expect(records.traces.flatMap(({ hops }) => hops)).toEqual([]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });
});
