/** node_modules: is it whole, and how it is made whole. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npmCommand, run } from "./child.mjs";
import { lock } from "./lock.mjs";
import { isUnreachable, registryFailure, registryTrouble } from "./npm-failure.mjs";
import { Stop, step } from "./output.mjs";
import { checkoutCache, nodeModules, readJson, root, writeWhole } from "./places.mjs";

const minimumNodeMajor = 20;
const stampFile = join(checkoutCache, "installed.json");

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/** Stops with a sentence on a Node.js that is too old. */
export function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < minimumNodeMajor) {
    throw new Stop(
      `Node.js ${process.versions.node} is too old: Ibex needs ${String(minimumNodeMajor)} or newer. Install it and run this again.`,
    );
  }
}

/**
 * Says why `npm ci` must run; undefined when node_modules is whole and made from this package-lock.json.
 * @returns {string | undefined}
 */
function needsInstall() {
  if (!existsSync(nodeModules)) return "nothing is installed yet";
  const installed = lockedPackages(join(nodeModules, ".package-lock.json"));
  // npm writes this file last
  if (installed === undefined) return "an earlier installation was cut off";
  const stamp = /** @type {{lock?: unknown, platform?: unknown} | undefined} */ (readJson(stampFile));
  if (stamp?.lock !== lockHash() || stamp.platform !== platform()) {
    const difference = differenceToLock(installed);
    if (difference !== undefined) return difference;
  }
  const gone = Object.keys(installed).find((path) => !existsSync(join(root, path, "package.json")));
  return gone === undefined ? undefined : `${gone} is missing`;
}

/**
 * Makes node_modules whole with `npm ci`, once more when the first try broke off.
 * @param {{mayInstall: boolean}} options
 */
export async function ensureDependencies({ mayInstall }) {
  const why = needsInstall();
  if (why !== undefined) {
    if (!mayInstall) {
      throw new Stop(`The dependencies are not installed (${why}), and IBEX_NO_INSTALL is set. Run npm ci.`);
    }
    const unlock = await lock("install");
    try {
      const still = needsInstall(); // another script may have done it meanwhile
      if (still !== undefined) await install(still);
    } finally {
      unlock();
    }
  }
  writeStamp();
}

/** @param {string} why */
async function install(why) {
  step(`Installing the dependencies: ${why}`);
  const trouble = await registryTrouble();
  if (trouble !== undefined) step("The npm registry does not answer: trying with what npm has kept");
  const saying = setInterval(() => step("Installing the dependencies"), 15_000);
  let stillWhy;
  try {
    let result = await npmCi(trouble !== undefined);
    if (result.code !== 0 && trouble !== undefined)
      throw new Stop(`The dependencies could not be installed. ${trouble}`);
    if (result.code !== 0 && !isFinal(result)) {
      step("npm ci broke off and is tried once more");
      // a folder that npm itself could not clear away is the usual reason
      rmSync(nodeModules, { recursive: true, force: true, maxRetries: 3 });
      result = await npmCi(false);
    }
    if (result.code !== 0) throw new Stop(`The dependencies could not be installed. ${await registryFailure(result)}`);
    stillWhy = needsInstall();
  } finally {
    clearInterval(saying);
  }
  if (stillWhy !== undefined)
    throw new Stop(`npm ci ended well, but ${stillWhy}. Remove node_modules and run this again.`);
  step("Dependencies installed");
}

/** Failures that a second try cannot change. */
function isFinal(/** @type {{code: number, stdout: string, stderr: string, timedOut: boolean}} */ result) {
  const words = result.stderr + result.stdout;
  return (
    result.code === 127 ||
    result.timedOut ||
    isUnreachable(words) ||
    /ENOSPC|EACCES|EROFS|E401|E403|E404|ETARGET|EUSAGE/.test(words)
  );
}

/** @param {boolean} offline */
function npmCi(offline) {
  const npm = npmCommand();
  const args = [
    ...[
      "ci",
      offline ? "--offline" : "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--include=dev",
      "--include=optional",
    ],
    // offline is said after seconds, not after minutes
    ...["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000", "--fetch-timeout=60000"],
  ];
  return run(npm.command, [...npm.args, ...args], { cwd: root, timeLimitMs: 20 * 60_000 });
}

/**
 * @param {LockedPackages} installed
 * @returns {string | undefined} the first thing that is not as package-lock.json has it
 */
function differenceToLock(installed) {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  if (wanted === undefined)
    throw new Stop(
      "package-lock.json is missing or damaged. Get it back (git checkout package-lock.json) and run this again.",
    );
  for (const [path, locked] of Object.entries(wanted)) {
    const has = installed[path];
    if (has === undefined) {
      if (locked.optional !== true) return `${path} is missing`;
    } else if (has.version !== locked.version || has.integrity !== locked.integrity) {
      return `${path} has another version`;
    }
  }
  return undefined;
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined} without the root package
 */
function lockedPackages(file) {
  const lock = /** @type {{packages?: LockedPackages} | undefined} */ (readJson(file));
  if (lock?.packages === undefined) return undefined;
  const { "": _root, ...packages } = lock.packages;
  return packages;
}

function writeStamp() {
  const text = JSON.stringify({ lock: lockHash(), platform: platform() });
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === text) return;
  mkdirSync(checkoutCache, { recursive: true });
  writeWhole(stampFile, text);
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Some packages are chosen by platform. */
function platform() {
  return `${process.platform}-${process.arch}`;
}
