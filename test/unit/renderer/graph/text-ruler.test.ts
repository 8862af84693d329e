import { describe, expect, it } from "vitest";
import { fitEnd, TextRuler } from "../../../../renderer/graph/marks-text.ts";
import type { Pen } from "../../../../renderer/graph/pen.ts";

/** Widths as of a proportional font: `i` is narrow, `m` is wide. Counts what it measures. */
class CountingPen {
  font = "";
  measured = 0;
  measureText(text: string): { readonly width: number } {
    this.measured += 1;
    return {
      width: Array.from(text, (sign) => ({ i: 3, m: 9, "1": 4, "…": 8 })[sign] ?? 6).reduce((sum, one) => sum + one, 0),
    };
  }
}

const names = [
  "leaf-0123-rack-17-row-04",
  "iiiiiiiiiiiiiiiiiiiimmmmmmmmmmmm",
  "mmmmmmmmmmmmiiiiiiiiiiiiiiiiiiii",
  "host-1",
];

/** The longest cut that fits, by trying all. */
function byTrial(text: string, room: number, least: number, cut: (length: number) => string): string {
  const pen = new CountingPen();
  if (pen.measureText(text).width <= room) return text;
  for (let length = text.length - 1; length >= least; length--)
    if (pen.measureText(cut(length)).width <= room) return cut(length);
  return "";
}

describe("a text that must fit", () => {
  it("is as long as can be, and few cuts are measured for it", () => {
    for (const name of names) {
      for (let room = 10; room < 220; room += 7) {
        const pen = new CountingPen();
        const ruler = new TextRuler(pen as unknown as Pen);
        expect(ruler.fit(name, "11px x", room)).toBe(byTrial(name, room, 3, (length) => `${name.slice(0, length)}…`));
        const first = pen.measured;
        const widest = name.replaceAll("1", "0");
        const end = byTrial(widest, room, 2, (length) => `…${widest.slice(-length)}`);
        const shown = end === widest ? name : end === "" ? "" : `…${name.slice(1 - end.length)}`;
        expect(fitEnd(ruler, name, "11px x", room)).toBe(shown);
        // The whole, then cuts: binary search alone takes five for each of these names.
        expect(first).toBeLessThanOrEqual(10);
        if (name.startsWith("leaf")) expect(first).toBeLessThanOrEqual(4);
      }
    }
  });

  it("is shown of all numbered siblings or of none, however narrow their digits are", () => {
    const ruler = new TextRuler(new CountingPen() as unknown as Pen);
    for (let room = 10; room < 60; room++) {
      const lengths = ["sw-1-1", "sw-1-8", "sw-2-3"].map((name) => fitEnd(ruler, name, "11px x", room).length);
      expect(new Set(lengths).size).toBe(1);
    }
  });
});
