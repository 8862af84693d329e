/**
 * The command line program from a checkout: `npm run -s ibex -- inspect FILE`.
 * Installs and builds what is missing (said on stderr), then hands over: stdin, stdout, arguments and exit code are the program's.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { exitCodeOf } from "./lib/child.mjs";
import { checkNode, ensureDependencies } from "./lib/dependencies.mjs";
import { runMain } from "./lib/output.mjs";
import { callerFolder, envSaysYes, root } from "./lib/places.mjs";

await runMain(async () => {
  checkNode();
  await ensureDependencies({ mayInstall: !envSaysYes("IBEX_NO_INSTALL") });
  await ensureBuilt();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "dist", "main", "cli.cjs"), ...process.argv.slice(2)], {
      cwd: callerFolder(),
      stdio: "inherit",
    });
    // Ctrl-C reaches the program through the terminal, the other signals only reach us; it cleans up and we wait for it
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    process.on("SIGHUP", () => child.kill("SIGHUP"));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(exitCodeOf(code, signal)));
  });
});
