/** A recorded picture as the bytes of a file. Runs in the picture worker; nothing here needs a window. */
import { play, type Recording } from "./picture-recorder.ts";
import { SvgPen } from "./svg-pen.ts";

export interface PictureJob {
  readonly kind: "png" | "svg";
  readonly recording: Recording;
  /** Px of the screen. */
  readonly width: number;
  readonly height: number;
  /** Px of the file per px of the screen. */
  readonly ratio: number;
  readonly title: string;
}

/** The bytes, or why the browser could not make them. */
export type PictureBytes = Uint8Array<ArrayBuffer> | string;

/** The picture as the text of an SVG file. */
export function svgText({ recording, width, height, title }: Omit<PictureJob, "kind" | "ratio">): string {
  const pen = new SvgPen();
  play(recording, pen, 1);
  return pen.finish(width, height, title);
}

export async function pictureBytes(job: PictureJob): Promise<PictureBytes> {
  if (job.kind === "svg") return new TextEncoder().encode(svgText(job));
  const canvas = new OffscreenCanvas(Math.round(job.width * job.ratio), Math.round(job.height * job.ratio));
  const pen = canvas.getContext("2d");
  if (pen === null) return "no canvas of this size";
  play(job.recording, pen, job.ratio);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}
