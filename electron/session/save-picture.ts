/** Pictures of a fabric as files: their names, and how they are written. */
import writeFileAtomic from "write-file-atomic";
import { ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "../store/file-error.ts";
import type { OpenFabric } from "./open-fabrics.ts";

/** A capture's name without any sign that a file system minds, and without the ending of the file that it came from. */
export function captureStem({ capture }: Pick<OpenFabric, "capture">): string {
  const name = capture.name
    .replace(/\.(txt|fabric|zip|gz|csv|json)$/i, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  return name === "" ? "fabric" : name;
}

/** `mgmt-01-health-2026-11-29-simulated.svg`: fabric, overlay, day of the capture; simulated ones say so. */
export function pictureName(
  open: Pick<OpenFabric, "capture">,
  overlay: string,
  format: "svg" | "png",
  now: number,
): string {
  const day = new Date(open.capture.collectedAt ?? now).toISOString().slice(0, 10);
  return `${captureStem(open)}-${overlay}-${day}${open.capture.simulated ? "-simulated" : ""}.${format}`;
}

/** Writes the whole file or nothing: a picture that was there before stays when it fails. */
export async function writePicture(path: string, bytes: Uint8Array): Promise<Result<void, AppError>> {
  try {
    await writeFileAtomic(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return ok(undefined);
  } catch (cause) {
    return { ok: false, error: fileError(cause, path, "write") };
  }
}
