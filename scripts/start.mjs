/**
 * `npm start`: installs what is missing, builds what has changed, opens the window.
 * Without arguments it opens the embedded simulated fabric. Without a display it does so on a virtual one, takes a picture
 * and ends.
 */

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { endChildrenOnSignals, run } from "./lib/child.mjs";
import { checkNode, ensureDependencies } from "./lib/dependencies.mjs";
import { hasDisplay, startVirtualDisplay } from "./lib/display.mjs";
import { chromiumFlags, electronEnvironment, isChromiumNoise } from "./lib/electron-program.mjs";
import { ensureElectron, missingLibraries } from "./lib/electron-runtime.mjs";
import { Stop, runMain, say, step } from "./lib/output.mjs";
import { artefacts, callerFolder, envSaysYes, root } from "./lib/places.mjs";
import {
  displayPackages,
  fontPackages,
  requireLibraries,
  requirePackages,
  sandboxTrouble,
  wishPackages,
} from "./lib/system-packages.mjs";

/** Without a display nobody could close a window that hangs. */
const pictureLimitMs = 180_000;

await runMain(async () => {
  endChildrenOnSignals();
  checkNode();
  const mayInstall = !envSaysYes("IBEX_NO_INSTALL");
  const headless = !hasDisplay();
  await ensureDependencies({ mayInstall });
  const electron = await ensureElectron({ mayInstall });
  await requireLibraries(() => missingLibraries(electron.executable), { mayInstall });
  await wishPackages(fontPackages, { purpose: "the window's letters", mayInstall });
  if (headless) await requirePackages(displayPackages, { purpose: "a virtual display", mayInstall });
  await ensureBuilt();

  const given = process.argv.slice(2);
  // the folder first: what stands behind it is the program's
  const args = [root, ...chromiumFlags(), ...(given.length > 0 ? given : ["--simulated", "fat-tree"])];
  return headless ? showOnVirtualDisplay(electron.executable, args) : showWindow(electron.executable, args);
});

/**
 * @param {string} executable
 * @param {readonly string[]} args
 */
async function showWindow(executable, args) {
  step("Opening the window");
  let words = "";
  const result = await run(executable, args, {
    cwd: callerFolder(),
    env: electronEnvironment(),
    output: "lines",
    onLine: (line, stream) => {
      if (stream === "stderr") words = `${words}${line}\n`.slice(-20_000);
      process[stream].write(`${line}\n`);
    },
  });
  if (result.code !== 0) explainFailure(words);
  return result.code;
}

/**
 * @param {string} executable
 * @param {readonly string[]} args
 */
async function showOnVirtualDisplay(executable, args) {
  say(
    "No display here (neither DISPLAY nor WAYLAND_DISPLAY is set): Ibex runs on a virtual one, takes a picture and ends.",
  );
  const picture = join(artefacts, "start.png");
  mkdirSync(artefacts, { recursive: true });
  rmSync(picture, { force: true });
  const display = await startVirtualDisplay();
  step("Starting");
  let words = "";
  const result = await run(executable, [...args, "--screenshot", picture], {
    cwd: callerFolder(),
    env: { ...electronEnvironment(), ...display.env },
    output: "lines",
    timeLimitMs: pictureLimitMs,
    onLine: (line, stream) => {
      if (stream === "stderr" && isChromiumNoise(line)) return;
      if (stream === "stderr") words = `${words}${line}\n`.slice(-20_000);
      process[stream].write(`${line}\n`);
    },
  });
  await display.stop();
  if (result.timedOut)
    throw new Stop(`The window did not get ready within ${String(pictureLimitMs / 1000)} s and was ended.`);
  if (result.code !== 0) {
    explainFailure(words);
    return result.code;
  }
  if (!existsSync(picture)) throw new Stop("The window ended without a picture.");
  step(`Picture: ${relative(callerFolder(), picture)}`);
  return 0;
}

/**
 * Chromium's reasons not to start, in words.
 * @param {string} words its stderr
 */
function explainFailure(words) {
  if (/Missing X server|cannot open display|Failed to connect to Wayland/i.test(words)) {
    say(
      `Ibex: the display ${String(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)} cannot be opened. Log in again with a display, or run: env -u DISPLAY -u WAYLAND_DISPLAY npm start`,
    );
    return;
  }
  const remedy = sandboxTrouble();
  if (remedy !== undefined && /sandbox|namespace/i.test(words)) {
    say(`Ibex: this system does not let Chromium build its sandbox. As root, run: ${remedy}`);
  }
}
