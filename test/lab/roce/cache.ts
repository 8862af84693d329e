import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const keptDays = 30;

/** Folder for what is slow to make and the same each time. */
export function labCache(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "ibex", "roce");
}

/**
 * A folder of the cache, made when it is not there: whole or not at all, also when two processes make it at once.
 * Folders of the same kind that nobody has used for a month are removed.
 *
 * @param kind first word of its name
 * @param key the rest of its name: whatever it depends on
 */
export async function cached(
  kind: string,
  key: string,
  make: (directory: string) => Promise<void>,
): Promise<{ readonly directory: string; readonly fresh: boolean }> {
  const cache = labCache();
  const name = `${kind}-${key.replace(/[^\w.+~-]/g, "_")}`;
  const directory = join(cache, name);
  await mkdir(cache, { recursive: true });
  const fresh = !(await exists(directory));
  if (fresh) {
    const draft = await mkdtemp(join(cache, `.${kind}-`));
    try {
      await make(draft);
      await rename(draft, directory);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!(await exists(directory))) throw error; // else another process was faster
    }
  }
  const now = new Date();
  await utimes(directory, now, now);
  for (const other of await readdir(cache)) {
    if (other === name || !other.replace(/^\./, "").startsWith(`${kind}-`)) continue;
    const age = now.getTime() - (await stat(join(cache, other))).mtimeMs;
    if (age > keptDays * 24 * 3_600_000) await rm(join(cache, other), { recursive: true, force: true });
  }
  return { directory, fresh };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
