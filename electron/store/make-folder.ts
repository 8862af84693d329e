import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

/** False when there is nothing; a file in its place throws as mkdir does. */
function isThere(path: string): boolean {
  try {
    if (statSync(path).isDirectory()) return true;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return false;
    throw cause;
  }
  throw Object.assign(new Error(`${path} is no folder`), { code: "EEXIST" });
}

/**
 * Makes a folder and those above it, as far as they are missing; throws what the system says when one cannot be made.
 * Node's own `recursive` never comes back where a parent exists and takes no folder (`/proc/nope`): there the system
 * answers ENOENT, which it takes for a missing parent, for ever.
 *
 * @param mode of each folder that is made
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isThere(at); at = dirname(at)) {
    missing.push(at);
    // A drive that is not there.
    if (dirname(at) === at) break;
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, mode);
    } catch (cause) {
      // Another program may have been quicker.
      if (codeOf(cause) !== "EEXIST" || !isThere(folder)) throw cause;
    }
  }
}
