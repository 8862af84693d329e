/**
 * `npm run pack:dir`: a packed program in release/, ready to start, without an installer around it. Works offline, as it
 * packs the Electron that is at hand: the pinned one, or on Linux x64 the fallback (then it is for trying only, and said).
 */

import { createRequire } from "node:module";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { endChildrenOnSignals, run } from "./lib/child.mjs";
import { checkNode, ensureDependencies } from "./lib/dependencies.mjs";
import { copyDistribution } from "./lib/electron-fallback.mjs";
import { ensureElectron } from "./lib/electron-runtime.mjs";
import { Stop, runMain, say, step } from "./lib/output.mjs";
import { checkoutCache, envSaysYes, nodeModules, root } from "./lib/places.mjs";

const packLimitMs = 15 * 60_000;

await runMain(async () => {
  endChildrenOnSignals();
  checkNode();
  const mayInstall = !envSaysYes("IBEX_NO_INSTALL");
  await ensureDependencies({ mayInstall });
  const electron = await ensureElectron({ mayInstall });
  await ensureBuilt();

  const copy = join(checkoutCache, "pack-electron");
  rmSync(copy, { recursive: true, force: true });
  if (electron.fallback) copyDistribution(copy);
  const distribution = electron.fallback ? copy : distributionOf(electron.executable);

  step(`Packing with Electron ${electron.version}`);
  const cli = createRequire(import.meta.url).resolve("electron-builder/cli.js", { paths: [nodeModules] });
  const hasAsarIntegrity = process.platform !== "linux";
  const settings = [
    `-c.electronDist=${distribution}`,
    `-c.electronVersion=${electron.version}`,
    ...(hasAsarIntegrity ? ["-c.electronFuses.enableEmbeddedAsarIntegrityValidation=true"] : []),
  ];
  const result = await run(process.execPath, [cli, "--dir", "--publish", "never", ...settings], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    timeLimitMs: packLimitMs,
  });
  rmSync(copy, { recursive: true, force: true });
  if (result.code !== 0) {
    say((result.stdout + result.stderr).trim());
    throw new Stop("Packing failed; what electron-builder said stands above.");
  }
  const release = join(root, "release");
  const packed = readdirSync(release).find(
    (name) => existsSync(join(release, name, "resources")) || name.startsWith("mac"),
  );
  if (packed === undefined) throw new Stop("electron-builder ended well but left no program in release/.");
  step(`Packed: ${relative(process.cwd(), join(release, packed))}`);
  if (electron.fallback)
    say("It holds the fallback Electron: for trying only. Packages for users need the pinned one.");
  return 0;
});

/** @param {string} executable @returns {string} the folder that electron-builder copies */
function distributionOf(executable) {
  // Electron.app/Contents/MacOS/Electron on macOS
  return process.platform === "darwin" ? dirname(dirname(dirname(dirname(executable)))) : dirname(executable);
}
