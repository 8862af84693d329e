/**
 * Paths that the user opens → one capture: a .fabric file, a folder of raw outputs, a zip of them, or single files. Raw
 * outputs keep their relative names.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { limits } from "../../shared/base/limits.ts";
import { stderrOf } from "../../shared/build/interpret.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Capture, CaptureOutput } from "./capture.ts";
import { isStderrName, saysSimulated, unpackCapture, unzipWithin, zipEntryNames } from "./capture-file.ts";
import { fileError } from "./file-error.ts";

/** Files read from one folder at most; more is said to be no folder of outputs. */
const fileLimit = 5000;
const depthLimit = 4;
/** Bytes read from one folder at most, unpacked: a folder that happens to hold disk images must not fill the memory. */
const totalLimit = 4 * limits.fileBytes;

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Files below `folder`. Links to files are files; links to folders are not followed, as they may lead round in circles. */
async function listFiles(folder: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= fileLimit) return;
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) found.push(path);
    else if (entry.isDirectory() && depth < depthLimit) {
      try {
        await listFiles(path, depth + 1, found);
      } catch (cause) {
        // Named among the outputs as what could not be read; its neighbours are whole.
        if (fileError(cause, path, "list").kind === "file") found.push(path);
      }
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** `room`: bytes that may still be read; less than {@link limits}.fileBytes only where many files are read. */
async function readOne(
  path: string,
  name: string,
  room: number = limits.fileBytes,
): Promise<Result<CaptureOutput, AppError>> {
  try {
    const stats = await stat(path);
    const { size } = stats;
    const limitBytes = Math.min(room, limits.fileBytes);
    // A pipe or a device may never end.
    if (!stats.isFile() && !stats.isDirectory()) return err({ kind: "file", path, operation: "read", code: "ENOTSUP" });
    if (size > limitBytes) return err({ kind: "too-large", path, bytes: size, limitBytes });
    return ok({ name, stdout: gunzipWithin(new Uint8Array(await readFile(path)), limitBytes) });
  } catch (cause) {
    return err(fileError(cause, path, "read"));
  }
}

/**
 * What is packed with gzip, unpacked, else the bytes themselves. Of one that is cut off what can still be read. The bytes
 * themselves also when it is damaged or unpacks to more than `limitBytes`: then they are recognised as binary.
 */
function gunzipWithin(bytes: Uint8Array, limitBytes: number): Uint8Array {
  if (!isGzip(bytes)) return bytes;
  try {
    const unpacked = gunzipSync(bytes, { maxOutputLength: limitBytes, finishFlush: constants.Z_SYNC_FLUSH });
    return unpacked.length === 0 ? bytes : new Uint8Array(unpacked);
  } catch {
    return bytes;
  }
}

function fromFiles(name: string, outputs: readonly CaptureOutput[]): Capture {
  // An error output belongs to the output of the same name.
  const errorOutputs = new Map(
    outputs.filter((output) => isStderrName(output.name)).map((output) => [output.name, output.stdout]),
  );
  const merged = outputs
    .filter((output) => !isStderrName(output.name))
    .map((output) => {
      const stderr = errorOutputs.get(stderrOf(output.name));
      return stderr === undefined ? output : { ...output, stderr };
    });
  return {
    name,
    how: "file",
    simulated: saysSimulated(outputs),
    steps: [],
    outputs: merged.length === 0 ? outputs : merged,
  };
}

async function openFolder(path: string): Promise<Result<Capture, AppError>> {
  const files: string[] = [];
  try {
    await listFiles(path, 0, files);
  } catch (cause) {
    return err(fileError(cause, path, "list"));
  }
  return openFiles(files, basename(path), (file) => relative(path, file));
}

async function openFiles(
  files: readonly string[],
  name: string,
  nameOf: (file: string) => string,
): Promise<Result<Capture, AppError>> {
  const outputs: CaptureOutput[] = [];
  let room = totalLimit;
  let firstFailure: Result<never, AppError> | undefined;
  for (const file of files) {
    const read = await readOne(file, nameOf(file), room);
    if (!read.ok) firstFailure ??= read;
    // One unreadable file among many does not spoil the rest; it is named, with the reason.
    outputs.push(
      read.ok ? read.value : { name: nameOf(file), stdout: new Uint8Array(), unread: explain(read.error).sentence },
    );
    if (read.ok) room -= read.value.stdout.length;
  }
  if (firstFailure !== undefined && outputs.every(({ unread }) => unread !== undefined)) return firstFailure;
  return ok(fromFiles(name, outputs));
}

async function openFile(path: string): Promise<Result<Capture, AppError>> {
  const read = await readOne(path, basename(path));
  if (!read.ok) return read;
  const bytes = read.value.stdout;
  if (path.endsWith(".fabric") && !isZip(bytes)) {
    return err({
      kind: "capture-damaged",
      path,
      problem: bytes.length === 0 ? "it is empty" : "it is no zip file",
      readable: [],
    });
  }
  if (!isZip(bytes)) return ok(fromFiles(basename(path), [read.value]));
  if (path.endsWith(".fabric") || zipEntryNames(bytes).includes("manifest.json")) return unpackCapture(bytes, path);
  const unpacked = unzipWithin(bytes);
  if (!unpacked.ok)
    return err({ kind: "capture-damaged", path, problem: unpacked.error, readable: zipEntryNames(bytes) });
  let room = totalLimit;
  const outputs: CaptureOutput[] = [];
  for (const [name, packed] of Object.entries(unpacked.value)) {
    if (name.endsWith("/")) continue;
    const stdout = gunzipWithin(packed, Math.min(room, limits.fileBytes));
    room -= stdout.length;
    outputs.push({ name, stdout });
  }
  return ok(fromFiles(basename(path), outputs));
}

/** Opens what the user gave, as one capture. */
export async function openPaths(paths: readonly string[]): Promise<Result<Capture, AppError>> {
  const [only] = paths;
  if (only === undefined) return err({ kind: "bad-request", detail: "no path was given" });
  if (paths.length === 1) {
    try {
      return (await stat(only)).isDirectory() ? await openFolder(only) : await openFile(only);
    } catch (cause) {
      return err(fileError(cause, only, "read"));
    }
  }
  return openFiles(paths, `${paths.length} files`, (file) => basename(file));
}
