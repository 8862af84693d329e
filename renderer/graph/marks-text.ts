/** Text on the marks' canvas: measured once per font, cut with an ellipsis, control characters made visible. */
import { visibleText } from "../../shared/base/text.ts";
import type { Pen } from "./pen.ts";

/** A canvas of its own: to set the font of one in the page costs a look at the page's styles each time. */
function measuringContext(): Pick<Pen, "font" | "measureText"> | undefined {
  if (typeof OffscreenCanvas === "undefined") return undefined;
  return new OffscreenCanvas(1, 1).getContext("2d") ?? undefined;
}

export class TextRuler {
  private readonly widths = new Map<string, number>();
  private readonly context: Pick<Pen, "font" | "measureText">;
  /** Font that is set, when nobody else sets it. */
  private font: string | undefined;
  private readonly alone: boolean;

  /** @param pen measures where nothing else can */
  constructor(pen: Pen) {
    const own = measuringContext();
    this.context = own ?? pen;
    this.alone = own !== undefined;
  }

  /** Width in px under a font; where the pen measures, that font is set afterwards. */
  width(text: string, font: string): number {
    const key = `${font}\n${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (this.widths.size > 30_000) this.widths.clear();
    if (!this.alone || this.font !== font) this.context.font = this.font = font;
    const width = this.context.measureText(text).width;
    this.widths.set(key, width);
    return width;
  }

  /**
   * Width with every digit as wide as the widest: of numbered siblings in boxes of one size either all names fit or
   * none does, whatever their numbers are.
   */
  widestOf(text: string, font: string): number {
    return this.width(text.replace(/[0-9]/g, "0"), font);
  }

  /** The text, or as much of it as fits with an ellipsis; empty when not even three characters do. */
  fit(text: string, font: string, room: number): string {
    const clean = visibleText(text);
    const whole = this.width(clean, font);
    if (whole <= room) return clean;
    return longest(
      3,
      clean.length - 1,
      (clean.length * room) / whole,
      (length) => `${clean.slice(0, length)}…`,
      (cut) => this.width(cut, font) <= room,
    );
  }
}

/** As {@link TextRuler.fit}, but keeps the end, which tells numbered hosts apart. */
export function fitEnd(ruler: TextRuler, text: string, font: string, room: number): string {
  const clean = visibleText(text);
  const whole = ruler.widestOf(clean, font);
  if (whole <= room) return clean;
  return longest(
    2,
    clean.length - 1,
    (clean.length * room) / whole,
    (length) => `…${clean.slice(-length)}`,
    (cut) => ruler.widestOf(cut, font) <= room,
  );
}

/**
 * The longest cut that fits, empty when not even the shortest does. Few are measured, as that is what costs: the first is
 * as long as if all characters were of one width, the next ones are beside it.
 */
function longest(
  least: number,
  most: number,
  guess: number,
  cutAt: (length: number) => string,
  fits: (cut: string) => boolean,
): string {
  let [low, high] = [least - 1, Math.min(most, 60)];
  for (let step = 0, next = Math.floor(guess) - 1; low < high; step++) {
    const middle = step < 4 ? Math.max(low + 1, Math.min(high, next)) : (low + high + 1) >> 1;
    const does = fits(cutAt(middle));
    if (does) low = middle;
    else high = middle - 1;
    next = does ? middle + 1 : middle - 1;
  }
  return low < least ? "" : cutAt(low);
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
