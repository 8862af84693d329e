/** One at a time, between processes. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Stop, step } from "./output.mjs";

const waitLimitMs = 15 * 60_000;

/**
 * Waits for a lock file and takes it. One whose owner is gone is taken over.
 * @param {string} file
 * @returns {Promise<() => void>} gives it back
 */
export async function lock(file) {
  mkdirSync(dirname(file), { recursive: true });
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
    if (!said) step("Waiting for another Ibex script that builds just now");
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
