/** Hands a recorded picture to a worker of its own, which ends with the file. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { groupDigits } from "../../shared/base/text.ts";
import { pngLimits, pngRatio, type RecordedPicture } from "./export-picture.ts";
import type { PictureBytes, PictureJob } from "./picture-file.ts";

export type PictureKind = PictureJob["kind"];

export interface PictureFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Px of the file per px of the screen. */
  readonly ratio: number;
  readonly width: number;
  readonly height: number;
}

/** The file, or a sentence on why there is none. */
export async function makeFile(kind: PictureKind, picture: RecordedPicture): Promise<Result<PictureFile, string>> {
  const ratio = kind === "svg" ? 1 : pngRatio(picture);
  if (ratio < 1) {
    const { side, pixels } = pngLimits;
    return err(
      `The picture is ${groupDigits(picture.width)} × ${groupDigits(picture.height)} px, too large for a PNG: at most ${groupDigits(side)} px a side and ${groupDigits(pixels / 1e6)} million in all. Save it as SVG, or zoom out first.`,
    );
  }
  const bytes = await askWorker({ kind, ratio, ...picture });
  if (typeof bytes === "string") {
    return err(`The picture could not be drawn, probably for lack of memory (${bytes}). Try SVG, or zoom out first.`);
  }
  const [width, height] = [Math.round(picture.width * ratio), Math.round(picture.height * ratio)];
  return ok({ bytes, ratio, width, height });
}

function askWorker(job: PictureJob): Promise<PictureBytes> {
  const worker = new Worker(new URL("./picture.worker.ts", import.meta.url), { type: "module" });
  return new Promise<PictureBytes>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<PictureBytes>) => resolve(data));
    worker.addEventListener("error", ({ message }) => resolve(message));
    worker.postMessage(job, [job.recording.numbers.buffer]);
  }).finally(() => worker.terminate());
}
