/** One at a time, between processes. */

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Stop, step } from "./output.mjs";
import { root } from "./places.mjs";

const waitLimitMs = 15 * 60_000;

/**
 * Waits for a lock of this checkout and takes it. One whose owner is gone is taken over. It lies outside of the checkout,
 * as `npm ci` clears node_modules away.
 * @param {"install" | "build"} name
 * @returns {Promise<() => void>} gives it back
 */
export async function lock(name) {
  const checkout = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const file = join(tmpdir(), `ibex-${name}-${checkout}.lock`);
  const giveUpAtMs = Date.now() + waitLimitMs;
  for (let said = false; Date.now() < giveUpAtMs; await wait(200)) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    if (!ownerLives(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!said) step("Waiting for another Ibex script that installs or builds just now");
    said = true;
  }
  throw new Stop(`Another script holds ${file} for too long. If none runs, remove the file and run this again.`);
}

/** @param {string} file */
function ownerLives(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return true; // just being written
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
