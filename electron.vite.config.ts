import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import { resolve } from "node:path";

const here = import.meta.dirname;
/** Floor of what the program runs on: Electron 25 (Node 18, Chromium 114). */
const nodeTarget = "node18";
const webTarget = "chrome114";

export default defineConfig({
  main: {
    build: {
      target: nodeTarget,
      outDir: "dist/main",
      externalizeDeps: { exclude: ["zod", "fflate", "p-queue", "write-file-atomic", "ssh-config", "electron-log"] },
      rolldownOptions: {
        input: {
          main: resolve(here, "electron/main.ts"),
          cli: resolve(here, "electron/cli.ts"),
          worker: resolve(here, "electron/threads/worker.ts"),
        },
        output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "chunk-[name]-[hash].cjs" },
      },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      outDir: "dist/preload",
      rolldownOptions: {
        input: { preload: resolve(here, "electron/preload.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: "renderer",
    build: {
      target: webTarget,
      outDir: "dist/renderer",
      rolldownOptions: { input: resolve(here, "renderer/index.html") },
    },
    worker: { format: "es" },
    plugins: [react()],
  },
});
