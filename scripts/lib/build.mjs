/** Builds the program when its sources have changed since the last build. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { run } from "./child.mjs";
import { lock } from "./lock.mjs";
import { Stop, say, step } from "./output.mjs";
import { nodeModules, root, writeWhole } from "./places.mjs";

const dist = join(root, "dist");
const stampFile = join(dist, ".stamp");
const folders = ["shared", "electron", "renderer", "resources"];
const files = ["electron.vite.config.ts", "package.json", "package-lock.json", "tsconfig.base.json"];
const buildLimitMs = 10 * 60_000;
/** What the build must leave behind. */
const results = ["main/main.cjs", "main/cli.cjs", "main/worker.cjs", "preload/preload.cjs", "renderer/index.html"];

/** Hash over the names and contents of everything that the build reads. */
function sourceHash() {
  const hash = createHash("sha256");
  const add = (/** @type {string} */ path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  for (const folder of folders) for (const path of listFiles(folder)) add(path);
  for (const file of files) if (existsSync(join(root, file))) add(file);
  return hash.digest("hex");
}

/** @param {string} folder @returns {string[]} sorted paths from the root */
function listFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** @returns {boolean} */
function isBuilt() {
  if (!results.every((path) => existsSync(join(dist, path)))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === sourceHash();
}

/**
 * Builds if needed. Of several callers at once one builds and the others wait.
 * @returns {Promise<boolean>} whether something had to be built
 */
export async function ensureBuilt() {
  if (isBuilt()) return false;
  const unlock = await lock("build");
  try {
    if (isBuilt()) return false;
    await build();
    return true;
  } finally {
    unlock();
  }
}

async function build() {
  step("Building");
  const hash = sourceHash(); // before, so that an edit during the build shows as a change
  rmSync(dist, { recursive: true, force: true });
  const result = await run(
    process.execPath,
    [join(nodeModules, "electron-vite", "bin", "electron-vite.js"), "build", "--logLevel", "warn"],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
      timeLimitMs: buildLimitMs,
    },
  );
  if (result.code !== 0) {
    say(stripVTControlCharacters(result.stderr + result.stdout).trim());
    throw new Stop("The build failed; what the bundler said stands above.");
  }
  const gone = results.filter((path) => !existsSync(join(dist, path)));
  if (gone.length > 0) throw new Stop(`The build ended well but left out dist/${gone.join(", dist/")}.`);
  writeWhole(stampFile, hash);
  step("Built");
}
