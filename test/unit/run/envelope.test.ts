import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerFilter, killCommand, wrapCommand } from "../../../electron/run/envelope.ts";

const marker = "ibex-0123456789abcdef01234567";

/** What a filter lets through of a text that comes in these pieces. */
function passed(filter: MarkerFilter, pieces: readonly Uint8Array[]): string {
  const through = pieces.map((piece) => Buffer.from(filter.push(piece)));
  return Buffer.concat([...through, Buffer.from(filter.rest())]).toString("latin1");
}

describe("MarkerFilter", () => {
  it("drops the marker line and what came before, wherever the pieces are cut", () => {
    const text = Buffer.from(`noise\n${marker} 4711\nthe ${marker} tool\n`);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((end, index) => text.subarray(edges[index], end));
        const filter = new MarkerFilter(marker);
        expect(passed(filter, pieces)).toBe(`the ${marker} tool\n`);
        expect(filter.pid).toBe(4711);
      }),
    );
  });

  it("gives everything when no marker comes", () => {
    const filter = new MarkerFilter(marker);
    expect(passed(filter, [Buffer.from("This account "), Buffer.from("is not available.\n")])).toBe(
      "This account is not available.\n",
    );
    expect(filter.pid).toBeUndefined();
  });

  it("does not take the traced command line of `set -x` for the marker line", () => {
    const filter = new MarkerFilter(marker);
    const trace = `+ exec /bin/sh -c script ibex ${marker} plain sminfo\n`;
    expect(passed(filter, [Buffer.from(`${trace}${marker} 9\nout`)])).toBe("out");
    expect(filter.pid).toBe(9);
  });
});

describe("wrapCommand", () => {
  it("uses another marker each time, and ends with the command as it is", () => {
    const first = wrapCommand(["sminfo", "-d"], false);
    const second = wrapCommand(["sminfo", "-d"], true);
    expect(first.marker).not.toBe(second.marker);
    expect(first.argv.slice(-4)).toEqual([first.marker, "plain", "sminfo", "-d"]);
    expect(second.argv.slice(-4)).toEqual([second.marker, "sudo", "sminfo", "-d"]);
  });

  it("has scripts that any login shell hands on unchanged in single quotes", () => {
    const scripts = [...wrapCommand(["x"], false).argv, ...killCommand(1, false)];
    for (const script of scripts) expect(script).not.toMatch(/['!\\\n]/);
  });
});
