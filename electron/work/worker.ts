/** Worker entry: one job, one answer. */
import { parentPort } from "node:worker_threads";
import { type AnalyseJob, runJob, type UnderstandJob } from "./jobs.ts";

parentPort?.once("message", (job: UnderstandJob | AnalyseJob) => {
  parentPort?.postMessage(runJob(job));
});
