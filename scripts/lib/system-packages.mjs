/** Debian and Ubuntu packages: which are missing, and how they are installed. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { Stop, step } from "./output.mjs";
import { checkoutCache, envSaysYes, readJson, writeWhole } from "./places.mjs";

const wishAgainAfterMs = 24 * 3_600_000;

/**
 * Each entry is a list of names, the first that this release has is taken (Ubuntu 24.04 and Debian 13 renamed some).
 * @typedef {readonly (readonly string[])[]} PackageSet
 */

/** What Electron's window needs. @type {PackageSet} */
const windowPackages = [
  ["libnss3"],
  ["libatk1.0-0t64", "libatk1.0-0"],
  ["libatk-bridge2.0-0t64", "libatk-bridge2.0-0"],
  ["libcups2t64", "libcups2"],
  ["libgtk-3-0t64", "libgtk-3-0"],
  ["libgbm1"],
  ["libasound2t64", "libasound2"],
  ["libxss1"],
];

/** Letters. Nice to have: without Inter the window takes the system's own font. @type {PackageSet} */
export const fontPackages = [["fonts-inter"], ["fonts-dejavu-core"]];

/** A display where there is none. @type {PackageSet} */
export const displayPackages = [["xvfb"]];

/** An emulated guest that measures over Soft-RoCE; its kernel is downloaded by the lab itself. @type {PackageSet} */
const guestPackages = [
  ["qemu-system-x86"],
  ["ibverbs-providers"],
  ["ibverbs-utils"],
  ["iproute2"],
  ["busybox-static"],
  ["xz-utils"],
  ["zstd"],
];

/** Real tools for the lab of `npm test`: a simulated fabric, its subnet managers, an SSH server, a guest. @type {PackageSet} */
export const labPackages = [
  ["ibsim-utils"],
  ["ibutils"],
  ["infiniband-diags"],
  ["opensm"],
  ["openssh-server"],
  ["openssh-client"],
  ["perftest"],
  ["procps"],
  ...(process.arch === "x64" ? guestPackages : []),
];

/** What `npm run perf` compares itself with. @type {PackageSet} */
export const peerPackages = [["graphviz"]];

/** @returns {boolean} whether apt installs packages here */
export function hasApt() {
  return process.platform === "linux" && existsSync("/usr/bin/apt-get") && existsSync("/usr/bin/dpkg-query");
}

/**
 * Makes sure that the packages are there; as root on Debian it installs them, else it says what to run.
 * @param {PackageSet} wanted
 * @param {{purpose: string, mayInstall: boolean}} options purpose finishes "… is needed for"
 * @returns {Promise<string | undefined>} undefined when all are there, else a sentence with the exact line to run
 */
async function ensurePackages(wanted, { purpose, mayInstall }) {
  if (!hasApt()) return undefined;
  let missing = await missingPackages(wanted);
  if (missing.length === 0) return undefined;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !mayInstall || envSaysYes("IBEX_NO_APT")) {
    const names = await chosenNames(missing);
    const sudo = isRoot ? "" : "sudo ";
    const reason = isRoot
      ? mayInstall
        ? "IBEX_NO_APT is set"
        : "IBEX_NO_INSTALL is set"
      : "only root may install them";
    return `System packages are missing for ${purpose} (${reason}). Run: ${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends ${names.join(" ")}`;
  }
  step(`Asking apt for ${purpose}`);
  const updated = await apt(["update"]);
  const names = await chosenNames(missing);
  step(`Installing ${names.join(" ")}`);
  const saying = setInterval(() => step("Installing system packages"), 15_000);
  const installed = await apt(["install", "--yes", "--no-install-recommends", ...names]);
  clearInterval(saying);
  missing = await missingPackages(wanted);
  if (missing.length === 0) return undefined;
  const cause = aptFailure(installed) ?? aptFailure(updated) ?? `apt-get ended with ${String(installed.code)}`;
  return `System packages could not be installed for ${purpose}: ${cause} Run: apt-get update && apt-get install --no-install-recommends ${names.join(" ")}`;
}

/**
 * As `ensurePackages`, but the packages are essential: what is missing ends the script.
 * @param {PackageSet} wanted
 * @param {{purpose: string, mayInstall: boolean}} options
 */
export async function requirePackages(wanted, options) {
  const sentence = await ensurePackages(wanted, options);
  if (sentence !== undefined) throw new Stop(sentence);
}

/**
 * As `ensurePackages`, but only nice to have: tried as root, at most once a day, and never a reason to stop.
 * @param {PackageSet} wanted
 * @param {{purpose: string, mayInstall: boolean}} options
 */
export async function wishPackages(wanted, options) {
  if (process.getuid?.() !== 0 || !options.mayInstall || envSaysYes("IBEX_NO_APT")) return;
  const note = join(checkoutCache, "wished.json");
  const triedAtMs = /** @type {{triedAtMs?: unknown} | undefined} */ (readJson(note))?.triedAtMs;
  if (typeof triedAtMs === "number" && Math.abs(Date.now() - triedAtMs) < wishAgainAfterMs) return;
  const sentence = await ensurePackages(wanted, options);
  if (sentence === undefined) return;
  step(`${sentence} (Ibex runs without)`);
  writeWhole(note, JSON.stringify({ triedAtMs: Date.now() }));
}

/** @param {readonly string[]} args */
function apt(args) {
  return run("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=2", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    timeLimitMs: 15 * 60_000,
  });
}

/**
 * @param {{code: number, stdout: string, stderr: string}} result
 * @returns {string | undefined} a sentence; undefined when it went well
 */
function aptFailure(result) {
  const words = result.stderr + result.stdout;
  if (
    /Could not resolve|Could not connect|Temporary failure resolving|Failed to fetch|Connection (?:timed out|refused)/i.test(
      words,
    )
  ) {
    return "the package mirror cannot be reached.";
  }
  if (/No space left/i.test(words)) return "the disk is full.";
  if (result.code === 0) return undefined;
  const line = words.split("\n").find((text) => text.startsWith("E: "));
  return line === undefined ? undefined : `${line.slice(3).replace(/\.$/, "")}.`;
}

/**
 * @param {PackageSet} wanted
 * @returns {Promise<readonly (readonly string[])[]>} the entries of which no name is installed
 */
async function missingPackages(wanted) {
  const result = await run("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Status}\\n", ...wanted.flat()]);
  const installed = new Set([...result.stdout.matchAll(/^(\S+) installed$/gm)].map((match) => match[1] ?? ""));
  return wanted.filter((names) => !names.some((name) => installed.has(name)));
}

/**
 * @param {PackageSet} missing
 * @returns {Promise<string[]>} for each entry the first name that this release offers
 */
async function chosenNames(missing) {
  const result = await run("apt-cache", ["policy", ...missing.flat()], { env: { ...process.env, LC_ALL: "C" } });
  const offered = new Set(
    [...result.stdout.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (?!\(none\))/gm)].map(
      (match) => match[1] ?? "",
    ),
  );
  return [...new Set(missing.map((names) => names.find((name) => offered.has(name)) ?? names.at(-1) ?? ""))];
}

/** @returns {string | undefined} why Chromium's sandbox cannot start here, with what to do */
export function sandboxTrouble() {
  if (process.platform !== "linux" || process.getuid?.() === 0) return undefined;
  const closed = [
    ["/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"],
    ["/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"],
    ["/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=15000"],
  ].find(([file = "", value]) => existsSync(file) && readFileSync(file, "utf8").trim() === value);
  return closed === undefined ? undefined : `sysctl -w ${String(closed[2])}`;
}

/**
 * Makes sure that the window's shared libraries are there, however they came.
 * @param {() => Promise<string[]>} missingLibraries asks which are missing now
 * @param {{mayInstall: boolean}} options
 */
export async function requireLibraries(missingLibraries, { mayInstall }) {
  if ((await missingLibraries()).length === 0) return;
  await requirePackages(windowPackages, { purpose: "the window", mayInstall });
  const missing = await missingLibraries();
  if (missing.length > 0) {
    throw new Stop(
      `The window needs shared libraries that this system lacks: ${missing.join(", ")}. Install the packages that hold them, and run this again.`,
    );
  }
}
