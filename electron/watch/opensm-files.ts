/**
 * opensm's log and settings on a machine, where they may be read. A log may have gigabytes: only its tail is fetched.
 * The time of its lines is by that machine's clock, which is asked as well.
 */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type OpensmSettings, parseOpensmConf } from "../../shared/parse/opensm-conf.ts";
import { type HostClock, type OpensmLogRecords, parseOpensmLog } from "../../shared/parse/opensm-log.ts";
import { readOpensmConf } from "../collect/opensm-conf.ts";
import { runTool, type ToolPlace } from "../collect/step.ts";
import type { HostAccess } from "../run/access.ts";
import type { CommandRunner } from "../run/runner.ts";
import { decodeOutput } from "../threads/decode.ts";

export interface OpensmLog {
  readonly host: string;
  readonly path: string;
  readonly records: OpensmLogRecords;
  readonly clock: HostClock;
}

export interface OpensmFiles {
  readonly logs: readonly OpensmLog[];
  /** opensm.conf of each machine that has a readable one; where the tools run comes first. */
  readonly settings: readonly { readonly host: string; readonly settings: OpensmSettings }[];
  /** Where nothing could be read, what the machine said of it. */
  readonly unread: readonly string[];
}

const tailBytes = 4 * 1024 * 1024;
const fileTimeoutMs = 30_000;
/** Default log, and Debian's one log a port. `guids`: as `0x` + 16 digits. */
function logPaths(guids: readonly string[], named: string | undefined): readonly string[] {
  const perPort = guids.flatMap((guid) => [`/var/log/opensm.${guid}.log`]);
  return [...new Set([...(named === undefined ? [] : [named]), "/var/log/opensm.log", ...perPort])];
}

/**
 * Reads what there is. Files that do not exist are passed over; files that may not be read are said.
 * @returns an error only when the machine itself cannot be asked
 */
async function readOpensmFiles(
  runner: CommandRunner,
  source: SourceSpec,
  guids: readonly string[],
  signal: AbortSignal,
): Promise<Result<OpensmFiles, AppError>> {
  const place: ToolPlace = { runner, source, signal };
  const dated = await runTool(place, ["date", "+%s %z"], fileTimeoutMs);
  if (dated.error?.kind === "connection-lost" || dated.error?.kind === "cancelled")
    return { ok: false, error: dated.error };
  const clock = readClock(dated.stdout);
  const unread: string[] = [];
  const conf = await readOpensmConf(place);
  if (conf.error !== undefined) return err(conf.error);
  const text = conf.output;
  const settings =
    text === undefined ? undefined : parseOpensmConf(decodeOutput(text.stdout), { file: text.name }).records;
  const logs: OpensmLog[] = [];
  for (const path of logPaths(guids, settings?.logFile)) {
    const ran = await runTool(place, ["tail", "-c", String(tailBytes), path], fileTimeoutMs);
    if (ran.error !== undefined) {
      if (/Permission denied/i.test(ran.stderr)) unread.push(`${path} on ${runner.host} may not be read`);
      continue;
    }
    const { records } = parseOpensmLog(ran.stdout, { file: path });
    if (records.first !== undefined) logs.push({ host: runner.host, path, records, clock });
  }
  const seen = settings === undefined ? [] : [{ host: runner.host, settings }];
  return ok({ logs, unread, settings: seen });
}

/** A subnet manager, and the host that it runs on where it is one. */
export interface ManagerPlace {
  /** `0x` + 16 digits; empty when not known. */
  readonly guid: string;
  readonly host?: string;
}

/** The name without its domain, as it compares. */
function shortName(name: string): string {
  return (name.trim().split(".")[0] ?? "").toLowerCase();
}

/**
 * Reads the files where the tools run, and on the managers' own hosts as far as one can log in there; where not, that is
 * said.
 * @returns an error only when the source's own machine cannot be asked
 */
export async function readManagersFiles(
  access: HostAccess,
  source: SourceSpec,
  managers: readonly ManagerPlace[],
  signal: AbortSignal,
): Promise<Result<OpensmFiles, AppError>> {
  const guids = managers.flatMap(({ guid }) => (guid === "" ? [] : [guid]));
  const own = await readOpensmFiles(access.source, source, guids, signal);
  if (!own.ok) return own;
  const named = await runTool({ runner: access.source, source, signal }, ["hostname"], fileTimeoutMs);
  const here = new Set([shortName(named.stdout), shortName(access.source.host)]);
  const hosts = [...new Set(managers.flatMap(({ host }) => (host === undefined ? [] : [host])))];
  let all: OpensmFiles = own.value;
  for (const host of hosts.filter((name) => !here.has(shortName(name)))) {
    const reached = await access.host(host, signal);
    const read = reached.ok
      ? await readOpensmFiles(
          reached.value.runner,
          source,
          managers.flatMap((manager) => (manager.host === host && manager.guid !== "" ? [manager.guid] : [])),
          signal,
        )
      : reached;
    if (signal.aborted) return err({ kind: "cancelled", what: "reading opensm's logs" });
    all = read.ok
      ? {
          logs: [...all.logs, ...read.value.logs],
          unread: [...all.unread, ...read.value.unread],
          settings: [...all.settings, ...read.value.settings],
        }
      : {
          ...all,
          unread: [...all.unread, `opensm's files on ${host} could not be read: ${explain(read.error).sentence}`],
        };
  }
  return ok(all);
}

/** `1796000000 +0100`; this machine's own clock where the answer is none. */
function readClock(text: string): HostClock {
  const hit = /^(\d{9,11}) ([+-])(\d\d)(\d\d)\s*$/.exec(text);
  if (hit === null) return { now: Date.now(), offsetMinutes: -new Date().getTimezoneOffset() };
  const minutes = Number(hit[3]) * 60 + Number(hit[4]);
  return { now: Number(hit[1]) * 1000, offsetMinutes: hit[2] === "-" ? -minutes : minutes };
}
