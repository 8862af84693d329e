/** What the user said of suspect cables, in `marks.json`; it survives collections, captures and restarts. */
import { join } from "node:path";
import { ok, type Result } from "../../shared/base/result.ts";
import { marksFileSchema } from "../../shared/contract/settings.ts";
import type { LinkMark } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import { readStored, writeJson } from "../store/json-file.ts";

/** The oldest go first beyond this. */
const marksKept = 5_000;

export type Marks = Readonly<Record<string, LinkMark>>;

export interface MarkStore {
  get(): Marks;
  /** `undefined` takes a mark away. What cannot be written is not taken. */
  set(link: LinkId, mark: LinkMark | undefined): Promise<Result<Marks, AppError>>;
}

/** `marks.json` in `folder`; a file that is no such file counts as empty, and is kept aside. */
export async function openMarks(folder: string): Promise<MarkStore> {
  const path = join(folder, "marks.json");
  let marks: Marks = (await readStored(path, marksFileSchema))?.marks ?? {};
  let queue: Promise<unknown> = Promise.resolve();
  const change = async (link: LinkId, mark: LinkMark | undefined): Promise<Result<Marks, AppError>> => {
    const others = Object.entries(marks).filter(([id]) => id !== link);
    const entries = mark === undefined ? others : [...others, [link, mark] as const];
    const next = Object.fromEntries(entries.slice(-marksKept));
    const written = await writeJson(path, { version: 1, marks: next });
    if (!written.ok) return written;
    marks = next;
    return ok(marks);
  };
  return {
    get: () => marks,
    set(link, mark) {
      const result = queue.then(() => change(link, mark));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}
