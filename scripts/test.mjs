/**
 * `npm test`: installs what is missing, builds, then runs the stages below. `npm test -- unit lab` runs only those named.
 * The last line is `N passed, N failed`, with `, N skipped` where something was.
 */

import { ensureBuilt } from "./lib/build.mjs";
import { endChildrenOnSignals } from "./lib/child.mjs";
import { checkNode, ensureDependencies } from "./lib/dependencies.mjs";
import { hasDisplay, startVirtualDisplay } from "./lib/display.mjs";
import { electronEnvironment } from "./lib/electron-program.mjs";
import { ensureElectron, missingLibraries } from "./lib/electron-runtime.mjs";
import { Stop, runMain, say, seconds, sendLinesTo, step } from "./lib/output.mjs";
import { envSaysYes } from "./lib/places.mjs";
import { runChecks, runPlaywright, runVitest, stageResult } from "./lib/stages.mjs";
import {
  displayPackages,
  fontPackages,
  hasApt,
  labPackages,
  requireLibraries,
  requirePackages,
  wishPackages,
} from "./lib/system-packages.mjs";

/** @typedef {import("./lib/stages.mjs").StageResult} StageResult */

const mayInstall = !envSaysYes("IBEX_NO_INSTALL");
const noLab = envSaysYes("IBEX_NO_LAB");
const slowestShown = 10;

/** In the order in which they run. @type {Record<string, () => Promise<StageResult>>} */
const stages = {
  check: runChecks,
  build: buildStage,
  unit: () => runVitest("unit"),
  contract: contractStage,
  lab: labStage,
  e2e: endToEndStage,
};

await runMain(async () => {
  sendLinesTo(process.stdout);
  endChildrenOnSignals();
  if (!process.stdout.isTTY) {
    process.env.NO_COLOR = "1";
    delete process.env.FORCE_COLOR;
  }
  /** @type {Map<string, {result: StageResult, milliseconds: number}>} */
  const done = new Map();
  try {
    const chosen = chosenStages();
    checkNode();
    await ensureDependencies({ mayInstall });
    for (const name of chosen) {
      step(`Stage ${name}`);
      const began = Date.now();
      const result = await (stages[name] ?? unknownStage)().catch(asFailed);
      done.set(name, { result, milliseconds: Date.now() - began });
    }
  } catch (error) {
    done.set("set-up", { result: asFailed(error), milliseconds: 0 });
  }
  return report(done);
});

/** @returns {string[]} */
function chosenStages() {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !(name in stages));
  if (unknown !== undefined) throw new Stop(`There is no stage ${unknown}. Stages: ${Object.keys(stages).join(", ")}.`);
  if (asked.length === 0) return Object.keys(stages);
  // the real program is what these look at
  const needBuild = asked.some((name) => name !== "check");
  return Object.keys(stages).filter((name) => asked.includes(name) || (name === "build" && needBuild));
}

/** @returns {Promise<StageResult>} */
async function buildStage() {
  await ensureBuilt();
  return stageResult({ passed: 1 });
}

/** The SSH runner is held to its promises by OpenSSH's own server. @returns {Promise<StageResult>} */
async function contractStage() {
  if (!noLab && hasApt()) await requireLab();
  return runVitest("contract");
}

/** @returns {Promise<StageResult>} */
async function labStage() {
  if (noLab) return stageResult({ skipped: 1, note: "IBEX_NO_LAB is set: nothing was tried on real tools" });
  if (!hasApt())
    return stageResult({ skipped: 1, note: "the lab needs Debian or Ubuntu: nothing was tried on real tools" });
  await requireLab();
  return runVitest("lab");
}

async function requireLab() {
  await requirePackages(labPackages, { purpose: "the lab (IBEX_NO_LAB=1 leaves it out)", mayInstall });
}

/** @returns {Promise<StageResult>} */
async function endToEndStage() {
  await ensureBuilt();
  const electron = await ensureElectron({ mayInstall });
  await requireLibraries(() => missingLibraries(electron.executable), { mayInstall });
  await wishPackages(fontPackages, { purpose: "the window's letters", mayInstall });
  const withLab = !noLab && hasApt();
  if (withLab) await requireLab();
  const env = {
    ...electronEnvironment(),
    IBEX_ELECTRON_EXECUTABLE: electron.executable,
    IBEX_NO_LAB: withLab ? undefined : "1",
  };
  if (process.platform !== "linux") return runPlaywright(env);
  // a display of its own even where there is one, so that no window jumps into the user's work
  if (!hasDisplay() || hasApt()) await requirePackages(displayPackages, { purpose: "a virtual display", mayInstall });
  const display = await startVirtualDisplay();
  try {
    return await runPlaywright({ ...env, ...display.env });
  } finally {
    await display.stop();
  }
}

/** @returns {Promise<StageResult>} */
function unknownStage() {
  throw new Error("stages are checked when they are chosen");
}

/** @param {string} text that was said in full already */
function shortened(text) {
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}

/**
 * @param {unknown} error
 * @returns {StageResult}
 */
function asFailed(error) {
  if (error instanceof Stop) {
    say(`Ibex: ${error.message}`);
    return stageResult({ failed: 1, note: shortened(error.message) });
  }
  say(error instanceof Error ? String(error.stack) : String(error));
  return stageResult({ failed: 1, note: "a bug in the scripts, see above" });
}

/**
 * @param {Map<string, {result: StageResult, milliseconds: number}>} done
 * @returns {number} exit code
 */
function report(done) {
  const files = [...done.values()]
    .flatMap(({ result }) => result.files)
    .sort((a, b) => b.milliseconds - a.milliseconds);
  if (files.length > 0) {
    say("\nSlowest test files");
    for (const { file, milliseconds } of files.slice(0, slowestShown))
      say(`${seconds(milliseconds).padStart(9)}  ${file}`);
  }
  const guests = files.filter(({ file, milliseconds }) => milliseconds > 0 && /[\\/]roce[\\/.]/.test(file));
  if (guests.length > 0) {
    const times = guests.map(({ file, milliseconds }) => `${seconds(milliseconds)} in ${file}`).join(", ");
    say(`\nReal perftest over Soft-RoCE took ${times} (the guests say above how long they took to start)`);
  }
  say("\nstage        time   passed   failed  skipped");
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, { result, milliseconds }] of done) {
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
    const numbers = [result.passed, result.failed, result.skipped].map((count) => String(count).padStart(9)).join("");
    say(
      `${name.padEnd(9)}${seconds(milliseconds).padStart(8)}${numbers}${result.note === undefined ? "" : `  ${result.note}`}`,
    );
  }
  const skipped = total.skipped === 0 ? "" : `, ${String(total.skipped)} skipped`;
  say(`\n${String(total.passed)} passed, ${String(total.failed)} failed${skipped}`);
  return total.failed === 0 ? 0 : 1;
}
