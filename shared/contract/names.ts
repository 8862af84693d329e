/** Names only: the preload bundles this file and nothing else of the contract. */
export const requestNames = [
  "app.info",
  "app.initial",
  "app.ready",
  "app.copy",
  "app.report",
  "settings.get",
  "settings.set",
  "recent.list",
  "recent.remove",
  "local.probe",
  "ssh.names",
  "ssh.test",
  "prompt.answer",
  "capture.choose",
  "capture.open",
  "capture.collect",
  "capture.save",
  "capture.raw",
  "fabric.get",
  "fabric.overrule",
  "fabric.close",
  "measure.plan",
  "measure.run",
  "measure.list",
  "measure.get",
  "watch.start",
  "watch.stop",
  "watch.state",
  "watch.logs",
  "marks.get",
  "marks.set",
] as const;
export type RequestName = (typeof requestNames)[number];

export const eventNames = ["progress", "prompt", "prompt.gone", "open", "command", "connection", "watch"] as const;
export type EventName = (typeof eventNames)[number];

/** The three Electron channels. */
export const channels = { call: "fabric:call", cancel: "fabric:cancel", event: "fabric:event" } as const;
