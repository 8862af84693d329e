/** Where the scripts keep what they install, and small file helpers. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const nodeModules = join(root, "node_modules");
/** Gone with node_modules, by intent: `npm ci` starts from nothing. */
export const checkoutCache = join(nodeModules, ".cache", "ibex");
export const artefacts = join(root, "artefacts");

/** Where the user called us from: npm itself goes to the root, but paths given are meant from there. */
export function callerFolder() {
  const folder = process.env.INIT_CWD;
  return process.env.npm_lifecycle_event !== undefined && folder !== undefined && existsSync(folder)
    ? folder
    : process.cwd();
}

/** For downloads that a second checkout should not load again. */
export function userCache() {
  const base = process.env.XDG_CACHE_HOME;
  return join(base !== undefined && base !== "" ? base : join(homedir(), ".cache"), "ibex");
}

/**
 * @param {string} file
 * @returns {unknown} undefined when it is missing or no JSON
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Writes whole or not at all.
 * @param {string} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${String(process.pid)}.partial`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

/** @param {string} name @returns {boolean} set to anything but empty, 0 or no */
export function envSaysYes(name) {
  const value = process.env[name];
  return value !== undefined && !["", "0", "no", "false"].includes(value.toLowerCase());
}
