/**
 * A pen that remembers: what is drawn, as flat numbers and a table of texts, to be drawn again elsewhere, with any pen.
 * The window records, which takes little; a worker makes the file, which takes long.
 */
import { pathOf, textOfPath, type Pen, type PenStyle } from "./pen.ts";

export interface Recording {
  /** Codes of calls, each followed by its numbers; a text is its place in `texts`. */
  readonly numbers: Float32Array;
  readonly texts: readonly string[];
}

const calls = [
  ...["save", "restore", "translate", "scale", "rotate", "transform", "begin", "move", "line", "quadratic", "close"],
  ...["rect", "round", "arc", "fill", "stroke", "fillPath", "strokePath", "fillRect", "fillText", "strokeText"],
  ...["dash", "section", "fillStyle", "strokeStyle", "font", "alpha", "cap", "join", "width", "align", "baseline"],
] as const;
type Call = (typeof calls)[number];

const codes = new Map<Call, number>(calls.map((call, code) => [call, code]));

const start: PenStyle = {
  ...{ fillStyle: "#000000", strokeStyle: "#000000", font: "10px sans-serif", globalAlpha: 1, lineWidth: 1 },
  ...{ lineCap: "butt", lineJoin: "miter", textAlign: "start", textBaseline: "alphabetic" },
};

export class PictureRecorder implements Pen {
  fillStyle = start.fillStyle;
  strokeStyle = start.strokeStyle;
  font = start.font;
  globalAlpha = start.globalAlpha;
  lineCap = start.lineCap;
  lineJoin = start.lineJoin;
  lineWidth = start.lineWidth;
  textAlign = start.textAlign;
  textBaseline = start.textBaseline;
  private told: PenStyle = start;
  private readonly saved: PenStyle[] = [];
  private numbers = new Float32Array(4096);
  private length = 0;
  private readonly texts: string[] = [];
  private readonly places = new Map<string, number>();
  private readonly measure: (text: string, font: string) => TextMetrics;

  /** @param measure widths of text, which only a canvas knows */
  constructor(measure: (text: string, font: string) => TextMetrics) {
    this.measure = measure;
  }

  finish(): Recording {
    return { numbers: this.numbers.slice(0, this.length), texts: this.texts };
  }

  private add(call: Call, ...numbers: readonly number[]): void {
    if (this.length + 1 + numbers.length > this.numbers.length) {
      const larger = new Float32Array(2 * this.numbers.length + numbers.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = codes.get(call) ?? 0;
    for (const number of numbers) this.numbers[this.length++] = number;
  }

  private place(text: string): number {
    const known = this.places.get(text);
    if (known !== undefined) return known;
    const place = this.texts.push(text) - 1;
    this.places.set(text, place);
    return place;
  }

  /** Tells what has changed since the last call that draws. */
  private tell(): void {
    const now = this.style();
    const { told } = this;
    const say = (call: Call, value: unknown, before: unknown): void => {
      if (value === before) return;
      this.add(call, typeof value === "number" ? value : this.place(typeof value === "string" ? value : ""));
    };
    say("fillStyle", now.fillStyle, told.fillStyle);
    say("strokeStyle", now.strokeStyle, told.strokeStyle);
    say("font", now.font, told.font);
    say("alpha", now.globalAlpha, told.globalAlpha);
    say("cap", now.lineCap, told.lineCap);
    say("join", now.lineJoin, told.lineJoin);
    say("width", now.lineWidth, told.lineWidth);
    say("align", now.textAlign, told.textAlign);
    say("baseline", now.textBaseline, told.textBaseline);
    this.told = now;
  }

  private style(): PenStyle {
    const { fillStyle, strokeStyle, font, globalAlpha, lineCap, lineJoin, lineWidth, textAlign, textBaseline } = this;
    return { fillStyle, strokeStyle, font, globalAlpha, lineCap, lineJoin, lineWidth, textAlign, textBaseline };
  }

  section(name: string): void {
    this.add("section", this.place(name));
  }

  save(): void {
    this.tell();
    this.saved.push(this.told);
    this.add("save");
  }

  restore(): void {
    const style = this.saved.pop();
    if (style === undefined) return;
    Object.assign(this, style);
    this.told = style;
    this.add("restore");
  }

  translate(x: number, y: number): void {
    this.add("translate", x, y);
  }

  scale(x: number, y: number): void {
    this.add("scale", x, y);
  }

  rotate(angle: number): void {
    this.add("rotate", angle);
  }

  setTransform(...values: readonly unknown[]): void {
    this.add("transform", ...values.map((value) => (typeof value === "number" ? value : 0)));
  }

  beginPath(): void {
    this.add("begin");
  }

  moveTo(x: number, y: number): void {
    this.add("move", x, y);
  }

  lineTo(x: number, y: number): void {
    this.add("line", x, y);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.add("quadratic", cx, cy, x, y);
  }

  closePath(): void {
    this.add("close");
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.add("rect", x, y, width, height);
  }

  roundRect(x: number, y: number, width: number, height: number, radii?: unknown): void {
    this.add("round", x, y, width, height, typeof radii === "number" ? radii : 0);
  }

  arc(x: number, y: number, radius: number, from: number, to: number): void {
    this.add("arc", x, y, radius, from, to);
  }

  fill(path?: unknown): void {
    this.tell();
    if (path === undefined || typeof path === "string") this.add("fill");
    else this.add("fillPath", this.place(path instanceof Path2D ? textOfPath(path) : ""));
  }

  stroke(path?: unknown): void {
    this.tell();
    if (path === undefined) this.add("stroke");
    else this.add("strokePath", this.place(path instanceof Path2D ? textOfPath(path) : ""));
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.tell();
    this.add("fillRect", x, y, width, height);
  }

  /** Nothing was drawn before: a recording begins empty. */
  clearRect(): void {
    this.add("begin");
  }

  fillText(text: string, x: number, y: number): void {
    this.tell();
    this.add("fillText", this.place(text), x, y);
  }

  strokeText(text: string, x: number, y: number): void {
    this.tell();
    this.add("strokeText", this.place(text), x, y);
  }

  measureText(text: string): TextMetrics {
    return this.measure(text, this.font);
  }

  setLineDash(segments: Iterable<number>): void {
    const parts = [...segments];
    this.add("dash", parts.length, ...parts);
  }
}

const caps: Readonly<Record<string, CanvasLineCap>> = { butt: "butt", round: "round", square: "square" };
const joins: Readonly<Record<string, CanvasLineJoin>> = { miter: "miter", round: "round", bevel: "bevel" };
const aligns: Readonly<Record<string, CanvasTextAlign>> = {
  ...{ start: "start", end: "end", left: "left", right: "right", center: "center" },
};
const baselines: Readonly<Record<string, CanvasTextBaseline>> = {
  ...{ alphabetic: "alphabetic", middle: "middle", top: "top", bottom: "bottom", hanging: "hanging" },
  ideographic: "ideographic",
};

/** Draws a recording, `ratio` times its size. */
export function play({ numbers, texts }: Recording, pen: Pen, ratio: number): void {
  let at = 0;
  const number = (): number => numbers[at++] ?? 0;
  const text = (): string => texts[number()] ?? "";
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  while (at < numbers.length) {
    const call = calls[number()];
    switch (call) {
      case "save":
        pen.save();
        break;
      case "restore":
        pen.restore();
        break;
      case "translate":
        pen.translate(number(), number());
        break;
      case "scale":
        pen.scale(number(), number());
        break;
      case "rotate":
        pen.rotate(number());
        break;
      case "transform": {
        const [a, b, c, d, e, f] = [number(), number(), number(), number(), number(), number()];
        pen.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, e * ratio, f * ratio);
        break;
      }
      case "begin":
        pen.beginPath();
        break;
      case "move":
        pen.moveTo(number(), number());
        break;
      case "line":
        pen.lineTo(number(), number());
        break;
      case "quadratic":
        pen.quadraticCurveTo(number(), number(), number(), number());
        break;
      case "close":
        pen.closePath();
        break;
      case "rect":
        pen.rect(number(), number(), number(), number());
        break;
      case "round":
        pen.roundRect(number(), number(), number(), number(), number());
        break;
      case "arc":
        pen.arc(number(), number(), number(), number(), number());
        break;
      case "fill":
        pen.fill();
        break;
      case "stroke":
        pen.stroke();
        break;
      case "fillPath":
        pen.fill(pathOf(text()));
        break;
      case "strokePath":
        pen.stroke(pathOf(text()));
        break;
      case "fillRect":
        pen.fillRect(number(), number(), number(), number());
        break;
      case "fillText":
        pen.fillText(text(), number(), number());
        break;
      case "strokeText":
        pen.strokeText(text(), number(), number());
        break;
      case "dash":
        pen.setLineDash(Array.from({ length: number() }, () => number()));
        break;
      case "section": {
        // Read in any case: a canvas knows no sections.
        const name = text();
        pen.section?.(name);
        break;
      }
      case "fillStyle":
        pen.fillStyle = text();
        break;
      case "strokeStyle":
        pen.strokeStyle = text();
        break;
      case "font":
        pen.font = text();
        break;
      case "alpha":
        pen.globalAlpha = number();
        break;
      case "cap":
        pen.lineCap = caps[text()] ?? "butt";
        break;
      case "join":
        pen.lineJoin = joins[text()] ?? "miter";
        break;
      case "width":
        pen.lineWidth = number();
        break;
      case "align":
        pen.textAlign = aligns[text()] ?? "start";
        break;
      case "baseline":
        pen.textBaseline = baselines[text()] ?? "alphabetic";
        break;
      case undefined:
        throw new Error(`no such call in a recording, at ${at - 1}`);
    }
  }
}
