/** `ibex sm`: all subnet managers once, or their changes as they happen. */
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { successionOf, managerName } from "../../shared/analyse/managers.ts";
import type { Result } from "../../shared/base/result.ts";
import { count, visibleText } from "../../shared/base/text.ts";
import type { ManagerChange } from "../../shared/contract/manager-log.ts";
import { type SourceSpec, sourceLabel } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { Fabric, SubnetManager } from "../../shared/fabric/model.ts";
import { logTime, type LogEvent } from "../../shared/parse/opensm-log.ts";
import { hostNameOf } from "../../shared/parse/names.ts";
import { parseSmpquery } from "../../shared/parse/smpquery.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { interpret, stderrOf } from "../../shared/build/interpret.ts";
import { searchManagers } from "../collect/managers.ts";
import { asOutput, deviceOptions, runTool, type ToolPlace } from "../collect/step.ts";
import { openSource, type OpenSource } from "../session/sources.ts";
import { openWatchTimes } from "../session/watch-times.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { managerLog } from "../watch/sm-log.ts";
import { createWatchMemory, watchManagers } from "../watch/sm-watch.ts";
import { readManagersFiles, type ManagerPlace, type OpensmLog } from "../watch/opensm-files.ts";
import { decodeOutput } from "../threads/decode.ts";
import { cancelBySignal, dataFolder, terminalSsh } from "./environment.ts";
import { readNumber, readOptions, readSource, sourceOptions } from "./options.ts";
import { fail, print, printJson, say } from "./terminal.ts";

const nameTimeoutMs = 15_000;
const smInfoTimeoutMs = 30_000;
/** Between two attempts to connect again. */
const retryMs = 5_000;
/** The time watched is kept this often; a crash loses no more of it. */
const keepEveryMs = 30_000;

/** `ibex sm (--ssh … | --local | --simulated NAME) [--watch SECONDS] [--log] [--json]`. */
export async function smCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, [...sourceOptions, "watch", "log", "json"]);
  if (!options.ok) return fail(options.error, 2);
  const source = readSource(options.value);
  if (!source.ok) return fail(source.error, 2);
  if (source.value === undefined)
    return fail(
      { kind: "bad-request", detail: "name a source: --ssh [user@]host[:port], --local or --simulated NAME" },
      2,
    );
  const seconds = readNumber(options.value.text("watch"), "watch", 1, 3600);
  if (!seconds.ok) return fail(seconds.error, 2);
  const json = options.value.flag("json");
  const signal = cancelBySignal();
  const ssh = terminalSsh(options.value.flag("accept-new-host-key"));
  const opened = await openSource(source.value, ssh, signal);
  if (!opened.ok) return fail(opened.error, opened.error.kind === "unknown-id" ? 2 : 1);
  if (seconds.value === undefined) {
    try {
      return await once(opened.value, source.value, options.value.flag("log"), json, signal);
    } finally {
      await close(opened.value);
    }
  }
  return watch(opened.value, source.value, seconds.value * 1000, json, signal, () =>
    openSource(source.value as SourceSpec, ssh, signal),
  );
}

async function close({ access, connection }: OpenSource): Promise<void> {
  await access.close();
  await connection?.close();
}

/** Asks everything once and prints it. */
async function once(
  { access }: OpenSource,
  source: SourceSpec,
  withLog: boolean,
  json: boolean,
  signal: AbortSignal,
): Promise<number> {
  const place: ToolPlace = { runner: access.source, source, signal };
  const local = await runTool(place, ["sminfo", ...deviceOptions(source)], smInfoTimeoutMs);
  if (local.error !== undefined && local.error.kind !== "no-sm") return fail(local.error, 1);
  const search = await searchManagers(place, lidsOf(local.stdout));
  if (signal.aborted) return fail({ kind: "cancelled", what: "asking for subnet managers" }, 130);
  const outputs: CaptureOutput[] = [
    ...(local.output === undefined ? [] : [asOutput("sminfo.txt", local.output)]),
    ...search.outputs,
  ];
  const fabric = fabricOf(outputs);
  const managers = fabric?.subnetManagers ?? [];
  const names = await namesOf(place, managers);
  const files = withLog
    ? await readManagersFiles(
        access,
        source,
        managers.map(({ guid, lid }) => placeOf(guid, names.get(lid))),
        signal,
      )
    : undefined;
  if (files !== undefined && !files.ok) return fail(files.error, 1);
  const polling = files?.value.settings[0]?.settings;
  const known: Fabric | undefined =
    fabric === undefined || polling === undefined
      ? fabric
      : {
          ...fabric,
          smSettings: {
            ...(polling.pollingMs === undefined ? {} : { pollingMs: polling.pollingMs }),
            ...(polling.pollingRetries === undefined ? {} : { pollingRetries: polling.pollingRetries }),
          },
        };
  const notAsked = [
    ...(known?.smUnasked ?? ["No subnet manager answered, and none could be listed."]),
    ...(search.error === undefined ? [] : [explain(search.error).sentence]),
    ...(files?.value.unread ?? []),
  ];
  const succession = known === undefined ? undefined : successionOf(known);
  const findings = known === undefined ? [] : analyse(known).findings;
  const nameOf = (manager: SubnetManager): string =>
    names.get(manager.lid) ?? (known === undefined ? manager.guid : managerName(known, manager));
  const logs = files?.value.logs ?? [];
  if (json) {
    printJson({
      source: sourceLabel(source),
      simulated: access.simulated,
      subnetManagers: managers.map((manager) => ({
        guid: manager.guid,
        lid: manager.lid,
        name: names.get(manager.lid) ?? null,
        state: manager.state,
        priority: manager.priority < 0 ? null : manager.priority,
        activity: manager.activity,
        answers: manager.answers,
      })),
      listed: known?.smListed ?? false,
      takeOver:
        succession === undefined
          ? null
          : {
              guid: succession.heir === null ? null : (managers[succession.heir]?.guid ?? null),
              reason: named(succession.reason, managers, names),
              seconds: succession.takeOverSeconds,
              pollingMs: succession.pollingMs,
              pollingRetries: succession.pollingRetries,
              settingsRead: succession.settingsRead,
            },
      notAsked,
      findings: findings.map(({ rule, severity, subject, title, message, evidence, cause, remedy }) => ({
        ...{ rule, severity, subject: subject.name, title, message, evidence, cause, remedy },
      })),
      ...(withLog ? { logs: logs.map(logReport) } : {}),
    });
  } else {
    const lines = [
      `${sourceLabel(source)}${access.simulated ? "  [simulated]" : ""}: ${count(managers.length, "subnet manager")}`,
      ...managers.map(
        (manager) =>
          `  ${manager.state.padEnd(11)} ${nameOf(manager)}  LID ${manager.lid}  ${manager.guid}  priority ${manager.priority < 0 ? "?" : manager.priority}  activity ${manager.activity}${manager.answers === "yes" ? "" : manager.answers === "no" ? "  does not answer" : "  not asked"}`,
      ),
      ...(succession === undefined ? [] : [named(succession.reason, managers, names)]),
      ...(succession === undefined || succession.takeOverSeconds === null
        ? []
        : [
            `A take-over takes about ${succession.takeOverSeconds} s (${succession.settingsRead ? "opensm.conf" : "opensm's defaults"}: every ${succession.pollingMs / 1000} s, ${succession.pollingRetries} tries).`,
          ]),
      ...notAsked,
      ...findings.map(({ severity, title, message }) => `${severity}: ${title}: ${named(message, managers, names)}`),
      ...logs.flatMap(logText),
    ];
    print(lines.map(visibleText).join("\n"));
  }
  return managers.some(({ state, answers }) => state === "MASTER" && answers === "yes") ? 0 : 1;
}

/** Without a topology managers go by their GUID; the names that smpquery told read better. */
function named(text: string, managers: readonly SubnetManager[], names: ReadonlyMap<number, string>): string {
  let better = text;
  for (const { guid, lid } of managers) {
    const name = names.get(lid);
    if (name !== undefined && guid !== "") better = better.replace(guid, name);
  }
  return better;
}

function lidsOf(stdout: string): readonly number[] {
  return [...stdout.matchAll(/sm lid (\d{1,5}) /g)].flatMap(([, lid]) => (Number(lid) > 0 ? [Number(lid)] : []));
}

function fabricOf(outputs: readonly CaptureOutput[]): Fabric | undefined {
  const interpreted = interpret(
    outputs.flatMap(({ name, stdout, stderr, startedAt }) => {
      const time = startedAt === undefined ? {} : { takenAt: Date.parse(startedAt) };
      const text = { file: name, text: decodeOutput(stdout), bytes: stdout.length, ...time };
      if (stderr === undefined) return [text];
      return [text, { file: stderrOf(name), text: decodeOutput(stderr), bytes: stderr.length, isStderr: true }];
    }),
    "subnet managers",
  );
  return interpreted.ok ? interpreted.value.fabric : undefined;
}

/** Where a manager's log may be: on the host that its node description names. */
function placeOf(guid: string, description: string | undefined): ManagerPlace {
  const host = description === undefined ? undefined : hostNameOf(description);
  // A managed switch keeps its log to itself.
  return { guid, ...(host === undefined || description?.startsWith("MF0;") === true ? {} : { host }) };
}

/** Node descriptions by LID; one that does not answer has none. */
async function namesOf(place: ToolPlace, managers: readonly SubnetManager[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (const { lid } of managers.slice(0, 16)) {
    if (lid === 0) continue;
    const argv = ["smpquery", ...deviceOptions(place.source), "nodedesc", String(lid)] as const;
    const ran = await runTool(place, argv, nameTimeoutMs);
    if (ran.error?.kind === "tool-missing") break;
    const text = parseSmpquery(ran.stdout, { file: "" }).records.descriptions[0]?.text;
    if (text !== undefined && text !== "") names.set(lid, text);
  }
  return names;
}

const eventsShown = 40;
const errorsShown = 10;

function stampOf(event: Pick<LogEvent, "stamp">, { clock }: OpensmLog): string {
  return new Date(logTime(event.stamp, clock)).toISOString();
}

function logReport(log: OpensmLog): unknown {
  const { events, eventsDropped, errors, traps, boundTo } = log.records;
  return {
    host: log.host,
    path: log.path,
    guid: boundTo === undefined ? null : `0x${boundTo}`,
    events: events.map((event) => ({
      time: stampOf(event, log),
      kind: event.kind,
      value: event.value,
      text: event.text,
      line: event.line,
    })),
    eventsDropped,
    errors: errors.map(({ code, text, count: times, first, last }) => ({
      ...{ code, text, count: times },
      first: stampOf({ stamp: first }, log),
      last: stampOf({ stamp: last }, log),
    })),
    traps: traps.map(({ code, count: times, last }) => ({ code, count: times, last: stampOf({ stamp: last }, log) })),
  };
}

function logText(log: OpensmLog): readonly string[] {
  const { events, errors } = log.records;
  return [
    `${log.path} on ${log.host}:`,
    ...events.slice(-eventsShown).map((event) => `  ${stampOf(event, log)}  ${event.text}`),
    ...errors
      .slice(0, errorsShown)
      .map(
        (group) =>
          `  ${count(group.count, "time")}, last ${stampOf({ stamp: group.last }, log)}: ${group.text.split("\n")[0] ?? ""}`,
      ),
  ];
}

/** Prints changes until it is cancelled; a lost connection is made anew. */
async function watch(
  first: OpenSource,
  source: SourceSpec,
  intervalMs: number,
  json: boolean,
  signal: AbortSignal,
  reopen: () => ReturnType<typeof openSource>,
): Promise<number> {
  const log = managerLog(join(dataFolder(), "managers.jsonl"));
  const memory = createWatchMemory();
  const times = await openWatchTimes(dataFolder());
  const from = new Date().toISOString();
  let keptAt = 0;
  const onRound = (): void => {
    const now = Date.now();
    if (Math.abs(now - keptAt) < keepEveryMs) return;
    keptAt = now;
    void keep(new Date(now).toISOString());
  };
  const keep = async (to: string): Promise<void> => {
    const written = await times.keep(sourceLabel(source), { from, to, intervalSeconds: intervalMs / 1000 });
    tellOnce(written);
  };
  let saidTrouble = false;
  const tellOnce = (written: Result<void, AppError>): void => {
    if (written.ok || saidTrouble) return;
    saidTrouble = true;
    say(`ibex: ${explain(written.error).sentence}`);
  };
  const onChange = (change: ManagerChange): void => {
    if (json) print(JSON.stringify({ ...change, ...(first.access.simulated ? { simulated: true } : {}) }));
    else print(visibleText(changeText(change)));
    void log
      .append({ version: 1, source: sourceLabel(source), simulated: first.access.simulated, ...change })
      .then(tellOnce);
  };
  const clock = {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (milliseconds: number, until: AbortSignal) =>
      sleep(milliseconds, undefined, { signal: until }).catch(() => undefined),
  };
  say(`Watching ${sourceLabel(source)}${first.access.simulated ? " (simulated)" : ""} every ${intervalMs / 1000} s`);
  let open: OpenSource | undefined = first;
  for (;;) {
    if (open !== undefined) {
      const ended = await watchManagers(open.access, { source, intervalMs, clock, onChange, onRound, memory }, signal);
      await close(open);
      open = undefined;
      if (ended.ok) break;
      if (ended.error.kind !== "connection-lost") return fail(ended.error, 1);
      say(`ibex: ${explain(ended.error).sentence} Connecting again.`);
    }
    await clock.sleep(retryMs, signal);
    if (signal.aborted) break;
    const again = await reopen();
    if (again.ok) open = again.value;
  }
  if (keptAt > 0) await keep(new Date().toISOString());
  // The last change may still be on its way to the disk.
  await log.read();
  return 0;
}

const kindWords: Readonly<Record<ManagerChange["kind"], string>> = {
  seen: "seen",
  state: "changed",
  handover: "HANDOVER",
  lost: "LOST",
  returned: "returned",
  "stands-still": "activity stands still",
  "moves-again": "activity moves again",
  priority: "priority changed",
  clock: "this machine's clock jumped",
};

function changeText({ time, kind, guid, lid, from, to, priority, activity, before, jumpMs }: ManagerChange): string {
  if (kind === "clock") return `${time}  ${kindWords.clock} by ${((jumpMs ?? 0) / 1000).toFixed(1)} s`;
  return `${time}  ${kindWords[kind]}  ${guid} LID ${lid}  ${from} to ${to}  priority ${priority}  activity ${activity}${before === undefined ? "" : `  master before: ${before}`}`;
}
