/**
 * `npm run perf`: runs every test/perf/*.perf.ts; `npm run perf -- parse` only those whose name has that word. A benchmark
 * exports `run()`, and prints its own table. Each is bundled and runs in a process of its own, so that none warms up or fills
 * the memory of the next. One called *.window.perf.ts finds the program built and a display there, and the Electron to start in
 * IBEX_ELECTRON_EXECUTABLE.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./lib/build.mjs";
import { endChildrenOnSignals, run } from "./lib/child.mjs";
import { checkNode, ensureDependencies } from "./lib/dependencies.mjs";
import { startVirtualDisplay } from "./lib/display.mjs";
import { electronEnvironment } from "./lib/electron-program.mjs";
import { ensureElectron, missingLibraries } from "./lib/electron-runtime.mjs";
import { Stop, runMain, step } from "./lib/output.mjs";
import { checkoutCache, envSaysYes, root } from "./lib/places.mjs";
import {
  displayPackages,
  peerPackages,
  requireLibraries,
  requirePackages,
  wishPackages,
} from "./lib/system-packages.mjs";

const source = join(root, "test", "perf");
const suffix = ".perf.ts";
const mayInstall = !envSaysYes("IBEX_NO_INSTALL");
/** Below the root, so that a bundle finds the packages it leaves outside. */
const target = join(checkoutCache, "perf");

await runMain(async () => {
  endChildrenOnSignals();
  checkNode();
  await ensureDependencies({ mayInstall });
  const words = process.argv.slice(2);
  const all = (existsSync(source) ? readdirSync(source) : [])
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();
  const names = words.length === 0 ? all : all.filter((name) => words.some((word) => name.includes(word)));
  if (names.length === 0)
    throw new Stop(
      words.length === 0
        ? `There is no test/perf/*${suffix}.`
        : `No benchmark has "${words.join('" or "')}" in its name. There are: ${all.join(", ")}.`,
    );

  const { build } = await import("vite");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      ssr: true,
      target: "node20",
      outDir: target,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(source, `${name}${suffix}`)])),
        output: { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "chunk-[hash].mjs" },
      },
    },
  });

  if (names.includes("peers"))
    await wishPackages(peerPackages, { purpose: "the comparison with Graphviz", mayInstall });
  const withWindow = names.some(needsWindow);
  const windowEnv = withWindow ? await windowEnvironment() : {};
  const display = withWindow && process.platform === "linux" ? await startVirtualDisplay() : undefined;
  let failed = 0;
  for (const name of names) {
    step(`Benchmark ${name}`);
    const entry = join(target, `run-${name}.mjs`);
    writeFileSync(
      entry,
      `import { run } from ${JSON.stringify(pathToFileURL(join(target, `${name}.mjs`)).href)};\nawait run();\n`,
    );
    // gc() lets a benchmark measure what is really held
    const result = await run(
      process.execPath,
      ["--expose-gc", "--enable-source-maps", "--max-old-space-size=4096", entry],
      {
        cwd: root,
        output: "inherit",
        env: { ...process.env, ...(needsWindow(name) ? { ...windowEnv, ...display?.env } : {}) },
      },
    );
    if (result.code !== 0) failed += 1;
  }
  await display?.stop();
  if (failed > 0) throw new Stop(`${String(failed)} of ${String(names.length)} benchmarks ended badly, see above.`);
  return 0;
});

/** @param {string} name */
function needsWindow(name) {
  return name.endsWith(".window");
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function windowEnvironment() {
  await ensureBuilt();
  const electron = await ensureElectron({ mayInstall });
  await requireLibraries(() => missingLibraries(electron.executable), { mayInstall });
  if (process.platform === "linux")
    await requirePackages(displayPackages, { purpose: "a virtual display", mayInstall });
  return { ...electronEnvironment(), IBEX_ELECTRON_EXECUTABLE: electron.executable };
}
