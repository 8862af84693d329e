/** What the picture is drawn with: any 2D canvas, or the writer of an SVG file. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | "arc"
  | "beginPath"
  | "clearRect"
  | "closePath"
  | "fill"
  | "fillRect"
  | "fillText"
  | "lineTo"
  | "measureText"
  | "moveTo"
  | "quadraticCurveTo"
  | "rect"
  | "restore"
  | "rotate"
  | "roundRect"
  | "save"
  | "scale"
  | "setLineDash"
  | "setTransform"
  | "stroke"
  | "strokeText"
  | "translate"
> & {
  fillStyle: unknown;
  strokeStyle: unknown;
  font: string;
  globalAlpha: number;
  lineCap: CanvasLineCap;
  lineJoin: CanvasLineJoin;
  lineWidth: number;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  /** What follows belongs together; only files keep the names (as groups of an SVG). */
  section?: (name: string) => void;
};

/** Path2D objects are made once, and an SVG needs their text again. */
const paths = new Map<string, Path2D>();
const texts = new WeakMap<Path2D, string>();

export function pathOf(text: string): Path2D {
  let path = paths.get(text);
  if (path === undefined) {
    path = new Path2D(text);
    paths.set(text, path);
    texts.set(path, text);
  }
  return path;
}

/** SVG path data of a path made by {@link pathOf}. */
export function textOfPath(path: Path2D): string {
  return texts.get(path) ?? "";
}

/** What a canvas draws with until it is set anew. */
export interface PenStyle {
  readonly fillStyle: unknown;
  readonly strokeStyle: unknown;
  readonly font: string;
  readonly globalAlpha: number;
  readonly lineCap: CanvasLineCap;
  readonly lineJoin: CanvasLineJoin;
  readonly lineWidth: number;
  readonly textAlign: CanvasTextAlign;
  readonly textBaseline: CanvasTextBaseline;
}
