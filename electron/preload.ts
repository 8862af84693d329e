/** Exposes the contract and nothing else. Bundled alone; a sandboxed preload can require almost nothing. */
import { contextBridge, ipcRenderer, webUtils } from "electron";
import { channels, eventNames, requestNames } from "../shared/contract/names.ts";

const requests = new Set<string>(requestNames);
const events = new Set<string>(eventNames);
const listeners = new Map<string, Set<(payload: unknown) => void>>();

ipcRenderer.on(channels.event, (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

/** Electron 32 and later tell the path by webUtils, earlier ones on the file itself. */
function pathOf(file: File & { readonly path?: string }): string {
  return typeof file.path === "string" ? file.path : webUtils.getPathForFile(file);
}

contextBridge.exposeInMainWorld("fabric", {
  call: (name: string, callId: string, input: unknown): Promise<unknown> =>
    requests.has(name)
      ? ipcRenderer.invoke(channels.call, name, callId, input)
      : Promise.reject(new Error("unknown request")),
  cancel: (callId: string): void => ipcRenderer.send(channels.cancel, callId),
  subscribe: (name: string, listener: (payload: unknown) => void): (() => void) => {
    if (!events.has(name)) return () => undefined;
    const own = listeners.get(name) ?? new Set();
    own.add(listener);
    listeners.set(name, own);
    return () => own.delete(listener);
  },
  pathOf,
});
