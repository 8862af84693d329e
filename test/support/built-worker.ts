/** The worker of the program, built from its source as the program's build does, for tests that want the real thread. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";

/** Builds it into a folder of its own; the caller removes the folder. Run from the checkout. */
export async function buildWorker(): Promise<{ readonly folder: string; readonly script: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ibex-worker-"));
  await build({
    root: process.cwd(),
    configFile: false,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      minify: false,
      rolldownOptions: {
        input: { worker: resolve("electron/threads/worker.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  });
  return { folder, script: join(folder, "worker.cjs") };
}
