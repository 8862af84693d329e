/** Watching subnet managers and counters, managers' logs, and marks of suspect cables. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { hostOfManager } from "../../shared/analyse/managers.ts";
import { hostName } from "../../shared/fabric/access.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { OpensmLogView, OpensmSettingsView } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { logTime, type LogStamp } from "../../shared/parse/opensm-log.ts";
import type { Handlers } from "../ipc/router.ts";
import { type OpensmFiles, type OpensmLog, readManagersFiles } from "../watch/opensm-files.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { SessionParts } from "./parts.ts";

const eventsShown = 400;
const errorsShown = 50;

function logView({ host, path, records, clock }: OpensmLog): OpensmLogView {
  const time = (stamp: LogStamp): string => new Date(logTime(stamp, clock)).toISOString();
  return {
    host,
    path,
    events: records.events
      .slice(-eventsShown)
      .map(({ stamp, kind, text }) => ({ time: time(stamp), kind, text: text.split("\n")[0] ?? "" })),
    errors: records.errors.slice(0, errorsShown).map(({ text, count, first, last }) => ({
      text: text.split("\n")[0] ?? "",
      count,
      first: time(first),
      last: time(last),
    })),
    eventsDropped: records.eventsDropped + Math.max(0, records.events.length - eventsShown),
  };
}

function settingsView({ host, settings }: OpensmFiles["settings"][number]): OpensmSettingsView {
  const { priority, pollingMs, pollingRetries, sweepSeconds } = settings;
  return {
    host,
    priority: priority ?? null,
    pollingMs: pollingMs ?? null,
    pollingRetries: pollingRetries ?? null,
    sweepSeconds: sweepSeconds ?? null,
  };
}

/** Everything that the window asks of watches and marks. */
export function watchHandlers(
  parts: Pick<SessionParts, "fabrics" | "sources" | "watches" | "counterWatches" | "marks" | "now">,
): Pick<Handlers, Extract<keyof Handlers, `watch.${string}` | `counters.${string}` | `marks.${string}`>> {
  const { fabrics, sources, watches, counterWatches, marks } = parts;
  const withSource = (id: string): Result<{ readonly open: OpenFabric; readonly source: SourceSpec }, AppError> => {
    const open = fabrics.get(id);
    if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id });
    const { source, name } = open.capture;
    if (source !== undefined) return ok({ open, source });
    return err({
      kind: "unsupported",
      what: "Watching",
      detail: `${name} was opened from files, so there is no cluster behind it. Connect over SSH and collect to watch it.`,
    });
  };
  return {
    "watch.start": async ({ fabricId, intervalSeconds }) => {
      const found = withSource(fabricId);
      if (!found.ok) return found;
      const status = await watches.start(found.value.open, found.value.source, intervalSeconds);
      // Closed while an earlier watch was ending: nobody would end this one.
      if (fabrics.get(fabricId) === undefined) await watches.forget(fabricId);
      return ok(status);
    },
    "watch.stop": async ({ fabricId }) => ok(await watches.stop(fabricId)),
    "watch.state": async ({ fabricId }) => {
      const open = fabrics.get(fabricId);
      return open === undefined
        ? err({ kind: "unknown-id", what: "fabric", id: fabricId })
        : ok(await watches.view(open));
    },
    "watch.logs": async ({ fabricId }, { signal }) => {
      const found = withSource(fabricId);
      if (!found.ok) return found;
      const { open, source } = found.value;
      const { fabric } = open.understood;
      const managers = fabric.subnetManagers.map((manager) => {
        const host = hostOfManager(fabric, manager);
        return { guid: manager.guid, ...(host === undefined ? {} : { host: hostName(fabric, host) }) };
      });
      const files = await sources.during(source, async () => {
        const opened = await sources.get(source, signal);
        return opened.ok ? readManagersFiles(opened.value.access, source, managers, signal) : opened;
      });
      if (!files.ok) return files;
      const { logs, unread, settings } = files.value;
      return ok({ logs: logs.map(logView), unread, settings: settings.map(settingsView) });
    },
    "counters.start": ({ fabricId, intervalSeconds }) => {
      const found = withSource(fabricId);
      return found.ok ? ok(counterWatches.start(fabricId, found.value.source, intervalSeconds)) : found;
    },
    "counters.stop": async ({ fabricId }) => ok(await counterWatches.stop(fabricId)),
    "counters.state": ({ fabricId }) =>
      fabrics.get(fabricId) === undefined
        ? err({ kind: "unknown-id", what: "fabric", id: fabricId })
        : ok(counterWatches.view(fabricId)),
    "marks.get": () => ok(marks.get()),
    "marks.set": ({ link, mark, note }) =>
      marks.set(link, mark === null ? undefined : { mark, note, at: new Date(parts.now()).toISOString() }),
  };
}
