/** Lays large fabrics out and derives their view graphs off the main thread. Of several waiting details only the newest counts. */
import { GraphWork, type DeriveRequest, type FromGraphWorker, type ToGraphWorker } from "./graph-work.ts";

interface WorkerScope {
  postMessage(message: FromGraphWorker, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToGraphWorker>) => void): void;
}
declare const self: WorkerScope;

const work = new GraphWork();
let waiting: DeriveRequest | undefined;

function answer(request: ToGraphWorker): void {
  const reply = work.answer(request);
  if (reply !== undefined) self.postMessage(reply, work.handedOver(reply));
}

self.addEventListener("message", ({ data }) => {
  if (data.kind !== "derive") {
    answer(data);
    return;
  }
  const idle = waiting === undefined;
  waiting = data;
  // A task later: messages that are already queued (newer details) are read first.
  if (idle) {
    setTimeout(() => {
      const newest = waiting;
      waiting = undefined;
      if (newest !== undefined) answer(newest);
    });
  }
});
