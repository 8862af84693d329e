/**
 * Paths that the user opens → one capture: a .fabric file, a folder of raw outputs, a zip of them, or single files. Raw
 * outputs keep their relative names.
 */
import { gunzipSync } from "fflate";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { limits } from "../../shared/base/limits.ts";
import { stderrOf } from "../../shared/build/interpret.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Capture, CaptureOutput } from "./capture.ts";
import { isStderrName, unpackCapture, unzipWithin, zipEntryNames } from "./capture-file.ts";
import { fileError } from "./file-error.ts";

/** Files read from one folder at most; more is said to be no folder of outputs. */
const fileLimit = 5000;
const depthLimit = 4;

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function listFiles(folder: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= fileLimit) return;
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < depthLimit) await listFiles(path, depth + 1, found);
    else if (entry.isFile()) found.push(path);
  }
}

async function readOne(path: string, name: string): Promise<Result<CaptureOutput, AppError>> {
  try {
    const stats = await stat(path);
    const { size } = stats;
    // A pipe or a device may never end.
    if (!stats.isFile()) return err({ kind: "file", path, operation: "read", code: "ENOTSUP" });
    if (size > limits.fileBytes) return err({ kind: "too-large", path, bytes: size, limitBytes: limits.fileBytes });
    const bytes = new Uint8Array(await readFile(path));
    return ok({ name, stdout: isGzip(bytes) ? gunzipWithin(bytes) : bytes });
  } catch (cause) {
    return err(fileError(cause, path, "read"));
  }
}

/** The bytes themselves when they are no whole gzip, or unpack to too much: then they are recognised as binary. */
function gunzipWithin(bytes: Uint8Array): Uint8Array {
  const tail = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4);
  if (tail.getUint32(0, true) > limits.fileBytes) return bytes;
  try {
    return gunzipSync(bytes);
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
  return { name, how: "file", simulated: false, steps: [], outputs: merged.length === 0 ? outputs : merged };
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
  for (const file of files) {
    const read = await readOne(file, nameOf(file));
    if (!read.ok && files.length === 1) return read;
    // One unreadable file among many does not spoil the rest; an empty text in its place shows it in the list.
    outputs.push(read.ok ? read.value : { name: nameOf(file), stdout: new Uint8Array() });
  }
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
  const outputs = Object.entries(unpacked.value)
    .filter(([name]) => !name.endsWith("/"))
    .map(([name, stdout]) => ({ name, stdout }));
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
