/**
 * The `.fabric` file: a zip of manifest.json and the raw outputs, as they are. Written to a temporary file, synced and
 * renamed. A damaged file is refused with what is wrong and what is whole in it.
 */
import { strToU8, unzipSync, zipSync } from "fflate";
import { readFile, stat } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { captureManifestSchema, captureVersion, type CaptureManifest } from "../../shared/contract/files.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { limits } from "../../shared/base/limits.ts";
import { stderrOf } from "../../shared/build/interpret.ts";
import { type Capture, type CaptureOutput, stdoutBytes, stdoutOf } from "./capture.ts";
import { fileError } from "./file-error.ts";

const manifestName = "manifest.json";
const writtenBy = "Ibex";
/** Bound on what a zip may unpack to, against zip bombs. */
const unpackedLimit = 4 * limits.fileBytes;

/** Serialises a capture. */
export function packCapture(capture: Capture): Uint8Array {
  const manifest: CaptureManifest = {
    format: "ibex-capture",
    version: captureVersion,
    writtenBy,
    name: capture.name,
    how: capture.how,
    simulated: capture.simulated,
    ...(capture.collectedAt === undefined ? {} : { collectedAt: capture.collectedAt }),
    ...(capture.source === undefined ? {} : { source: capture.source }),
    steps: capture.steps.map((step) => ({ ...step })),
    outputs: capture.outputs.map((output) => ({
      name: output.name,
      bytes: stdoutBytes(output),
      ...(output.commandLine === undefined ? {} : { commandLine: output.commandLine }),
      ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
      ...(output.startedAt === undefined ? {} : { startedAt: output.startedAt }),
      ...(output.durationMs === undefined ? {} : { durationMs: output.durationMs }),
      ...(output.stderr === undefined ? {} : { stderr: stderrOf(output.name) }),
    })),
  };
  const entries: Record<string, Uint8Array> = { [manifestName]: strToU8(JSON.stringify(manifest, undefined, 2)) };
  for (const output of capture.outputs) {
    entries[`outputs/${output.name}`] = stdoutOf(output);
    if (output.stderr !== undefined) entries[`outputs/${stderrOf(output.name)}`] = output.stderr;
  }
  return zipSync(entries, { level: 6 });
}

/** True for names that `stderrOf` (shared/build/interpret.ts) makes. */
export function isStderrName(name: string): boolean {
  return name.endsWith(".stderr.txt");
}

/** Writes atomically: the old file stays whole until the new one is. */
export async function writeCapture(path: string, capture: Capture): Promise<Result<void, AppError>> {
  try {
    await writeFileAtomic(path, Buffer.from(packCapture(capture)), { fsync: true });
    return ok(undefined);
  } catch (cause) {
    return err(fileError(cause, path, "write"));
  }
}

/** Reads a capture file. */
export async function readCapture(path: string): Promise<Result<Capture, AppError>> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > limits.fileBytes) return err({ kind: "too-large", path, bytes: size, limitBytes: limits.fileBytes });
    bytes = await readFile(path);
  } catch (cause) {
    return err(fileError(cause, path, "read"));
  }
  return unpackCapture(bytes, path);
}

/** Names in a zip, also in one whose end is cut off: read from the local headers. */
export function zipEntryNames(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  const localHeader = 0x04034b50;
  for (let at = 0; at + 30 <= bytes.length;) {
    if (view.getUint32(at, true) !== localHeader) break;
    const packed = view.getUint32(at + 18, true);
    const nameLength = view.getUint16(at + 26, true);
    const extra = view.getUint16(at + 28, true);
    const end = at + 30 + nameLength + extra + packed;
    if (end > bytes.length) break;
    names.push(new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + nameLength)));
    at = end;
  }
  return names;
}

/** True when these files are a capture that somebody unpacked, of a simulated fabric: it stays one without its zip. */
export function saysSimulated(files: readonly { readonly name: string; readonly stdout: Uint8Array }[]): boolean {
  const bytes = files.find(({ name }) => name === manifestName)?.stdout;
  if (bytes === undefined) return false;
  try {
    const manifest = captureManifestSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return manifest.success && manifest.data.simulated;
  } catch {
    return false;
  }
}

/** Unpacks any zip within bounds; the reason when it cannot be. */
export function unzipWithin(bytes: Uint8Array): Result<Record<string, Uint8Array>, string> {
  let total = 0;
  try {
    const entries = unzipSync(bytes, {
      filter: (file) => {
        total += file.originalSize;
        return total <= unpackedLimit;
      },
    });
    if (total > unpackedLimit) return err("it unpacks to more than 1 GiB");
    return ok(entries);
  } catch (cause) {
    return err(cause instanceof Error ? `the zip is broken (${cause.message})` : "the zip is broken");
  }
}

/** Reads a capture from bytes; `path` is for errors. */
export function unpackCapture(bytes: Uint8Array, path: string): Result<Capture, AppError> {
  const unpacked = unzipWithin(bytes);
  if (!unpacked.ok)
    return err({ kind: "capture-damaged", path, problem: unpacked.error, readable: zipEntryNames(bytes) });
  const entries = unpacked.value;
  const damaged = (problem: string): Result<Capture, AppError> =>
    err({
      kind: "capture-damaged",
      path,
      problem,
      readable: Object.keys(entries).filter((name) => name !== manifestName),
    });
  const manifestBytes = entries[manifestName];
  if (manifestBytes === undefined) return damaged("it has no manifest.json");
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(manifestBytes));
  } catch {
    return damaged("its manifest.json is not JSON");
  }
  const version = typeof json === "object" && json !== null && "version" in json ? json.version : undefined;
  if (typeof version === "number" && version > captureVersion) return err({ kind: "capture-newer", path, version });
  const manifest = captureManifestSchema.safeParse(json);
  if (!manifest.success) {
    const issue = manifest.error.issues[0];
    return damaged(
      `its manifest.json is not one of Ibex (${issue === undefined ? "" : `${issue.path.join(".")}: ${issue.message}`})`,
    );
  }
  const outputs: CaptureOutput[] = [];
  for (const output of manifest.data.outputs) {
    const stdout = entries[`outputs/${output.name}`];
    if (stdout === undefined) return damaged(`${output.name} is missing in it`);
    if (stdout.length !== output.bytes)
      return damaged(`${output.name} has ${stdout.length} bytes instead of ${output.bytes}`);
    const stderr = output.stderr === undefined ? undefined : entries[`outputs/${output.stderr}`];
    outputs.push({
      name: output.name,
      stdout,
      ...(stderr === undefined ? {} : { stderr }),
      ...(output.commandLine === undefined ? {} : { commandLine: output.commandLine }),
      ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
      ...(output.startedAt === undefined ? {} : { startedAt: output.startedAt }),
      ...(output.durationMs === undefined ? {} : { durationMs: output.durationMs }),
    });
  }
  const { name, how, simulated, collectedAt, source, steps } = manifest.data;
  return ok({
    name,
    how,
    simulated,
    ...(collectedAt === undefined ? {} : { collectedAt }),
    ...(source === undefined ? {} : { source }),
    steps,
    outputs,
  });
}
