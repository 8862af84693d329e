import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { makeFolder } from "./make-folder.ts";

/** Largest known_hosts file that is read, in bytes: some sites collect tens of thousands of lines. */
const largestFileBytes = 64 * 1024 * 1024;

/** Appends wait for each other, so that two connections made at once do not mix their lines. */
let lastAppend: Promise<unknown> = Promise.resolve();

/** The text of each file that exists; a missing one counts as empty. */
export async function readKnownHosts(
  files: readonly string[],
): Promise<Result<readonly { readonly file: string; readonly text: string }[], AppError>> {
  const texts: { file: string; text: string }[] = [];
  for (const file of files) {
    try {
      const bytes = await readFile(file);
      if (bytes.length > largestFileBytes) {
        return err({ kind: "too-large", path: file, bytes: bytes.length, limitBytes: largestFileBytes });
      }
      texts.push({ file, text: bytes.toString("utf8") });
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT") return err({ kind: "file", path: file, operation: "read", code });
    }
  }
  return ok(texts);
}

/**
 * Adds one line to Ibex's own known_hosts file and creates it (only for its owner) where it is missing. One append of
 * whole lines, flushed to disk: other processes that append at the same time lose nothing, and a line that was torn
 * by a crash before is closed off first.
 */
export function appendKnownHost(file: string, line: string): Promise<Result<undefined, AppError>> {
  const append = lastAppend.then(() => appendLine(file, line));
  lastAppend = append;
  return append;
}

/** Takes every line of this text out of Ibex's own known_hosts file; the others stay as they are. */
export function removeKnownHost(file: string, line: string): Promise<Result<undefined, AppError>> {
  const remove = lastAppend.then(() => removeLine(file, line));
  lastAppend = remove;
  return remove;
}

async function removeLine(file: string, line: string): Promise<Result<undefined, AppError>> {
  const read = await readKnownHosts([file]);
  if (!read.ok) return read;
  const [known] = read.value;
  if (known === undefined) return ok(undefined);
  const left = known.text.split("\n").filter((one) => one.replace(/\r$/, "") !== line);
  try {
    await writeFileAtomic(file, left.join("\n"), { mode: 0o600 });
    return ok(undefined);
  } catch (error) {
    return err({ kind: "file", path: file, operation: "write", code: codeOf(error) });
  }
}

async function appendLine(file: string, line: string): Promise<Result<undefined, AppError>> {
  try {
    makeFolder(dirname(file), 0o700);
    const handle = await open(file, "a+", 0o600);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      const start = size > 0 && last[0] !== 0x0a ? "\n" : "";
      await handle.appendFile(`${start}${line}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return ok(undefined);
  } catch (error) {
    return err({ kind: "file", path: file, operation: "write", code: codeOf(error) });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN";
}
