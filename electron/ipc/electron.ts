/** Puts a router on Electron's channels. The only user of `ipcMain`. */
import { ipcMain, type WebContents } from "electron";
import { err } from "../../shared/base/result.ts";
import type { EventPayload } from "../../shared/contract/events.ts";
import { channels, type EventName } from "../../shared/contract/names.ts";
import { isOwnFrame } from "../security.ts";
import type { Router } from "./router.ts";

/** Serves calls from our own main frame only. */
export function serveElectron(router: Router): void {
  ipcMain.handle(channels.call, (event, name: unknown, callId: unknown, input: unknown) => {
    const frame = event.senderFrame;
    if (frame === null || !isOwnFrame(frame.url, frame.parent === null))
      return err({ kind: "bad-request", detail: "sender" });
    return router.call(name, callId, input);
  });
  ipcMain.on(channels.cancel, (event, callId: unknown) => {
    const frame = event.senderFrame;
    if (frame !== null && isOwnFrame(frame.url, frame.parent === null)) router.cancel(callId);
  });
}

/** Sends an event to a window that may be gone. */
export function sendEvent<N extends EventName>(
  contents: WebContents | undefined,
  name: N,
  payload: EventPayload<N>,
): void {
  if (contents !== undefined && !contents.isDestroyed()) contents.send(channels.event, name, payload);
}
