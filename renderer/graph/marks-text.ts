/** Text on the marks' canvas: measured once per font, cut with an ellipsis, control characters made visible. */
import { visibleText } from "../../shared/base/text.ts";
import type { Pen } from "./pen.ts";

export class TextRuler {
  private readonly widths = new Map<string, number>();
  private readonly context: Pen;

  constructor(context: Pen) {
    this.context = context;
  }

  /** Width in px under a font; sets that font. */
  width(text: string, font: string): number {
    const key = `${font}\n${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (this.widths.size > 30_000) this.widths.clear();
    this.context.font = font;
    const width = this.context.measureText(text).width;
    this.widths.set(key, width);
    return width;
  }

  /** The text, or as much of it as fits with an ellipsis; empty when not even three characters do. */
  fit(text: string, font: string, room: number): string {
    const clean = visibleText(text);
    if (this.width(clean, font) <= room) return clean;
    for (let length = Math.min(clean.length - 1, 60); length >= 3; length--) {
      const cut = `${clean.slice(0, length)}…`;
      if (this.width(cut, font) <= room) return cut;
    }
    return "";
  }
}

/** As {@link TextRuler.fit}, but keeps the end, which tells numbered hosts apart. */
export function fitEnd(ruler: TextRuler, text: string, font: string, room: number): string {
  const clean = visibleText(text);
  if (ruler.width(clean, font) <= room) return clean;
  for (let length = Math.min(clean.length - 1, 60); length >= 2; length--) {
    const cut = `…${clean.slice(-length)}`;
    if (ruler.width(cut, font) <= room) return cut;
  }
  return "";
}

/** Rectangles already taken on the canvas, so that marks do not cover each other. */
export class Occupied {
  private taken: { x1: number; y1: number; x2: number; y2: number }[] = [];

  clear(): void {
    this.taken = [];
  }

  /** Takes the rectangle around (x, y) when it is free. */
  take(x: number, y: number, width: number, height: number): boolean {
    const box = { x1: x - width / 2, y1: y - height / 2, x2: x + width / 2, y2: y + height / 2 };
    for (const other of this.taken) {
      if (box.x1 < other.x2 && box.x2 > other.x1 && box.y1 < other.y2 && box.y2 > other.y1) return false;
    }
    this.taken.push(box);
    return true;
  }
}
