import { join } from "node:path";
import { recentFileSchema } from "../../shared/contract/files.ts";
import type { RecentEntry } from "../../shared/contract/views.ts";
import { readStored, writeJson } from "./json-file.ts";

const kept = 20;

export interface RecentStore {
  list(): readonly RecentEntry[];
  /** Puts an entry first; one of the same id is replaced. */
  add(entry: RecentEntry): Promise<void>;
  remove(id: string): Promise<void>;
}

/** `recent.json` in `folder`: what was opened, newest first. A damaged file is started anew: nothing in it is measured. */
export async function openRecent(folder: string): Promise<RecentStore> {
  const path = join(folder, "recent.json");
  let entries: readonly RecentEntry[] = (await readStored(path, recentFileSchema))?.entries ?? [];
  const write = async (next: readonly RecentEntry[]): Promise<void> => {
    entries = next;
    await writeJson(path, { version: 1, entries });
  };
  return {
    list: () => entries,
    add: (entry) => write([entry, ...entries.filter(({ id }) => id !== entry.id)].slice(0, kept)),
    remove: (id) => write(entries.filter((entry) => entry.id !== id)),
  };
}
