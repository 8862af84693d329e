/** Makes one file of a recorded picture, off the main thread. */
import { pictureBytes, type PictureBytes, type PictureJob } from "./picture-file.ts";

interface WorkerScope {
  postMessage(message: PictureBytes, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<PictureJob>) => void): void;
}
declare const self: WorkerScope;

self.addEventListener("message", ({ data }) => {
  void pictureBytes(data)
    // What the browser says when it has no memory for a canvas or a file.
    .catch((cause: unknown) => (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)))
    .then((bytes) => self.postMessage(bytes, typeof bytes === "string" ? [] : [bytes.buffer]));
});
