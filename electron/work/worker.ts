/** Worker entry: one job, one answer. */
import { parentPort } from "node:worker_threads";
import { type RawText, understand } from "./interpret-job.ts";

parentPort?.once("message", (job: { readonly files: readonly RawText[]; readonly path: string }) => {
  parentPort?.postMessage(understand(job.files, job.path));
});
