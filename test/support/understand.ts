/** Folders of raw outputs → fabrics, the way the program does it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Understood, understand } from "../../electron/threads/interpret-job.ts";

export const fixtures = join(import.meta.dirname, "..", "fixtures");

/** Understands all or some files of a folder below test/fixtures. Fails the test when they make no fabric. */
export function understandFolder(folder: string, only?: readonly string[]): Understood {
  const path = join(fixtures, folder);
  const files = readdirSync(path).filter((file) => only === undefined || only.includes(file));
  const understood = understand(
    files.map((file) => ({
      file,
      bytes: new Uint8Array(readFileSync(join(path, file))),
      isStderr: file.endsWith(".stderr.txt"),
    })),
    folder,
  );
  if (!understood.ok) throw new Error(`${folder}: ${JSON.stringify(understood.error)}`);
  return understood.value;
}

/** Understands texts by name. */
export function understandTexts(texts: Readonly<Record<string, string>>): Understood {
  const understood = understand(
    Object.entries(texts).map(([file, text]) => ({ file, bytes: new TextEncoder().encode(text) })),
    "texts",
  );
  if (!understood.ok) throw new Error(JSON.stringify(understood.error));
  return understood.value;
}
