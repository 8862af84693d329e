/** Worker entry: one job and one answer, or a fabric to hold and questions about it until the thread is ended. */
import { parentPort } from "node:worker_threads";
import { type HeldContent, HeldFabric } from "./held-fabric.ts";
import type { AnswerMessage, QuestionMessage } from "./held-thread.ts";
import { type AnalyseJob, runJob, type UnderstandJob } from "./jobs.ts";
import { answer } from "./questions.ts";

interface HoldJob {
  readonly job: "hold";
  readonly content: HeldContent;
}

const port = parentPort;

port?.once("message", (job: UnderstandJob | AnalyseJob | HoldJob) => {
  if (job.job !== "hold") {
    port.postMessage(runJob(job));
    return;
  }
  const held = new HeldFabric(job.content);
  const post = (message: AnswerMessage): void => port.postMessage(message);
  port.on("message", ({ question, input }: QuestionMessage) => {
    post({
      answer: answer(held, question, input, (done, total, note) => post({ progress: [done, total, note] })),
    });
  });
});
