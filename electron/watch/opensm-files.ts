/**
 * opensm's log and settings on a machine, where they may be read. A log may have gigabytes: only its tail is fetched.
 * The time of its lines is by that machine's clock, which is asked as well.
 */
import { ok, type Result } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type OpensmSettings, parseOpensmConf } from "../../shared/parse/opensm-conf.ts";
import { type HostClock, type OpensmLogRecords, parseOpensmLog } from "../../shared/parse/opensm-log.ts";
import { runTool, type ToolPlace } from "../collect/step.ts";
import type { CommandRunner } from "../run/runner.ts";

export interface OpensmLog {
  readonly host: string;
  readonly path: string;
  readonly records: OpensmLogRecords;
  readonly clock: HostClock;
}

export interface OpensmFiles {
  readonly logs: readonly OpensmLog[];
  readonly settings?: OpensmSettings;
  /** Where nothing could be read, what the machine said of it. */
  readonly unread: readonly string[];
}

const tailBytes = 4 * 1024 * 1024;
const fileTimeoutMs = 30_000;
const settingsPaths = ["/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"] as const;

/** Default log, and Debian's one log a port. `guids`: as `0x` + 16 digits. */
function logPaths(guids: readonly string[], named: string | undefined): readonly string[] {
  const perPort = guids.flatMap((guid) => [`/var/log/opensm.${guid}.log`]);
  return [...new Set([...(named === undefined ? [] : [named]), "/var/log/opensm.log", ...perPort])];
}

/**
 * Reads what there is. Files that do not exist are passed over; files that may not be read are said.
 * @returns an error only when the machine itself cannot be asked
 */
export async function readOpensmFiles(
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
  let settings: OpensmSettings | undefined;
  for (const path of settingsPaths) {
    const ran = await runTool(place, ["cat", path], fileTimeoutMs);
    if (ran.error === undefined) settings ??= parseOpensmConf(ran.stdout, { file: path }).records;
  }
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
  return ok({ logs, unread, ...(settings === undefined ? {} : { settings }) });
}

/** `1796000000 +0100`; this machine's own clock where the answer is none. */
function readClock(text: string): HostClock {
  const hit = /^(\d{9,11}) ([+-])(\d\d)(\d\d)\s*$/.exec(text);
  if (hit === null) return { now: Date.now(), offsetMinutes: -new Date().getTimezoneOffset() };
  const minutes = Number(hit[3]) * 60 + Number(hit[4]);
  return { now: Number(hit[1]) * 1000, offsetMinutes: hit[2] === "-" ? -minutes : minutes };
}
