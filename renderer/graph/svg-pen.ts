/** A pen that writes SVG: the calls that the picture makes on a canvas, as elements. Text stays text. */
import { textOfPath, type Pen, type PenStyle } from "./pen.ts";

type Matrix = readonly [number, number, number, number, number, number];

interface State extends PenStyle {
  readonly matrix: Matrix;
  readonly dash: readonly number[];
}

/** From the baseline up to where a canvas has the middle of a line, in font sizes. */
const middleOfLine = 0.36;

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Escapes text for XML and leaves out what XML 1.0 has no way to write. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export class SvgPen implements Pen {
  fillStyle: unknown = "#000";
  strokeStyle: unknown = "#000";
  font = "10px sans-serif";
  globalAlpha = 1;
  lineCap: CanvasLineCap = "butt";
  lineJoin: CanvasLineJoin = "miter";
  lineWidth = 1;
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private matrix: Matrix = identity;
  private dash: readonly number[] = [];
  private path: string[] = [];
  private readonly saved: State[] = [];
  private readonly elements: string[] = [];
  /** How often each name of a section was used: ids are unique. */
  private readonly sections = new Map<string, number>();

  /** The drawing as an SVG file of `width` × `height` px; `title` is what viewers show and screen readers read. */
  finish(width: number, height: number, title: string): string {
    const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size}>`;
    const body = [...this.elements, ...(this.sections.size > 0 ? ["</g>"] : [])].join("\n");
    return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n<title>${escapeXml(title)}</title>\n${body}\n</svg>\n`;
  }

  /** Everything up to the next section is one group, a layer in drawing programs. */
  section(name: string): void {
    if (this.sections.size > 0) this.elements.push("</g>");
    const times = (this.sections.get(name) ?? 0) + 1;
    this.sections.set(name, times);
    this.elements.push(`<g id="${escapeXml(times === 1 ? name : `${name}-${times}`)}">`);
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${number(x)} ${number(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`L${number(x)} ${number(y)}`);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.path.push(`Q${number(cx)} ${number(cy)} ${number(x)} ${number(y)}`);
  }

  closePath(): void {
    this.path.push("Z");
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path.push(`M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`);
  }

  roundRect(x: number, y: number, width: number, height: number, radii?: unknown): void {
    const wanted = typeof radii === "number" ? radii : 0;
    const r = Math.max(0, Math.min(wanted, width / 2, height / 2));
    const corner = (dx: number, dy: number): string => `a${number(r)} ${number(r)} 0 0 1 ${number(dx)} ${number(dy)}`;
    const [w, h] = [width - 2 * r, height - 2 * r];
    this.path.push(
      `M${number(x + r)} ${number(y)}h${number(w)}${corner(r, r)}v${number(h)}${corner(-r, r)}h${number(-w)}${corner(-r, -r)}v${number(-h)}${corner(r, -r)}Z`,
    );
  }

  /** Whole circles; the picture has no other arcs. */
  arc(x: number, y: number, radius: number): void {
    const half = `a${number(radius)} ${number(radius)} 0 1 1`;
    this.path.push(
      `M${number(x - radius)} ${number(y)}${half} ${number(2 * radius)} 0${half} ${number(-2 * radius)} 0Z`,
    );
  }

  fill(path?: unknown): void {
    this.add("path", `d="${this.data(path)}" fill="${this.paint(this.fillStyle)}"${this.opacity()}`);
  }

  stroke(path?: unknown): void {
    const dash = this.dash.length === 0 ? "" : ` stroke-dasharray="${this.dash.map(number).join(" ")}"`;
    const cap = this.lineCap === "butt" ? "" : ` stroke-linecap="${this.lineCap}"`;
    const join = this.lineJoin === "miter" ? "" : ` stroke-linejoin="${this.lineJoin}"`;
    const line = `stroke="${this.paint(this.strokeStyle)}" stroke-width="${number(this.lineWidth)}"`;
    this.add("path", `d="${this.data(path)}" fill="none" ${line}${dash}${cap}${join}${this.opacity()}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const box = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    this.add("rect", `${box} fill="${this.paint(this.fillStyle)}"${this.opacity()}`);
  }

  /** Nothing was drawn before: an SVG starts empty. */
  clearRect(): void {
    this.path = [];
  }

  fillText(text: string, x: number, y: number): void {
    this.text(text, x, y, `fill="${this.paint(this.fillStyle)}"`);
  }

  strokeText(text: string, x: number, y: number): void {
    const line = `stroke="${this.paint(this.strokeStyle)}" stroke-width="${number(this.lineWidth)}"`;
    this.text(text, x, y, `fill="none" ${line} stroke-linejoin="round"`);
  }

  private text(text: string, x: number, y: number, paint: string): void {
    const [, weight = "400", size = "11", family = "sans-serif"] =
      /^(\d+)?\s*([\d.]+)px\s+(.*)$/.exec(this.font.replace(/\s+/g, " ")) ?? [];
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" ? "end" : "start";
    const font = `font-family="${escapeXml(family)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}"`;
    // Many viewers do not know dominant-baseline: the middle of a line is that far above its baseline in most fonts.
    const down = this.textBaseline === "middle" ? Number(size) * middleOfLine : 0;
    const place = `x="${number(x)}" y="${number(y + down)}"`;
    this.add("text", `${place} ${font} ${paint}${this.opacity()}`, escapeXml(text));
  }

  /** A file cannot tell how wide text is: what is drawn was measured before. */
  measureText(): TextMetrics {
    throw new Error("an SVG measures no text");
  }

  setLineDash(segments: Iterable<number>): void {
    this.dash = [...segments];
  }

  save(): void {
    const { matrix, dash, fillStyle, strokeStyle, font, globalAlpha } = this;
    const { lineCap, lineJoin, lineWidth, textAlign, textBaseline } = this;
    const state = { matrix, dash, fillStyle, strokeStyle, font, globalAlpha };
    this.saved.push({ ...state, lineCap, lineJoin, lineWidth, textAlign, textBaseline });
  }

  restore(): void {
    const state = this.saved.pop();
    if (state !== undefined) Object.assign(this, state);
  }

  translate(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  scale(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * x, b * x, c * y, d * y, e, f];
  }

  rotate(angle: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }

  setTransform(...values: readonly unknown[]): void {
    const [a, b, c, d, e, f] = values.map((value) => (typeof value === "number" ? value : 0));
    this.matrix = values.length < 6 ? identity : [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0];
  }

  private data(path: unknown): string {
    return path instanceof Path2D ? textOfPath(path) : this.path.join("");
  }

  private paint(style: unknown): string {
    return typeof style === "string" ? escapeXml(style) : "none";
  }

  private opacity(): string {
    return this.globalAlpha >= 1 ? "" : ` opacity="${number(this.globalAlpha)}"`;
  }

  private add(tag: string, attributes: string, content?: string): void {
    const plain = this.matrix.every((value, i) => value === identity[i]);
    const transform = plain
      ? ""
      : ` transform="matrix(${this.matrix.map((value) => String(Math.round(value * 1e4) / 1e4)).join(" ")})"`;
    this.elements.push(
      content === undefined
        ? `<${tag} ${attributes}${transform}/>`
        : `<${tag} ${attributes}${transform}>${content}</${tag}>`,
    );
  }
}
