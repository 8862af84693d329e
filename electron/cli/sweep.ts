import { randomUUID } from "node:crypto";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { Analysis } from "../../shared/analyse/results.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { count } from "../../shared/base/text.ts";
import { csvText, type ResultRow } from "../../shared/contract/results-export.ts";
import { sourceLabel, type SourceSpec } from "../../shared/contract/source.ts";
import { sweepConcurrency } from "../../shared/contract/sweeps.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { formatMeasuredGbps } from "../../shared/fabric/rates.ts";
import { createGuide } from "../../shared/measure/guide.ts";
import { selectLinks, type SweepSelection, sweepTitle } from "../../shared/measure/sweep-select.ts";
import { SweepClock } from "../../shared/measure/sweep-clock.ts";
import { sweepTimeText, timeText } from "../../shared/measure/sweep-time.ts";
import { planSweep, type Sweep } from "../../shared/measure/sweep.ts";
import type { Measurement, MeasureOptions } from "../../shared/measure/types.ts";
import { MeasureLocks } from "../measure/locks.ts";
import { randomRendezvousPort } from "../measure/random-port.ts";
import { runMeasurement } from "../measure/run-measurement.ts";
import { runSweep, type SweepResult } from "../measure/run-sweep.ts";
import { sourceTools } from "../measure/source-tools.ts";
import { recoverDone } from "../measure/sweep-recover.ts";
import { cleanSweeps, findUnfinished } from "../measure/sweep-list.ts";
import { beginSweep, type SweepJournal } from "../measure/sweep-state.ts";
import type { HostAccess } from "../run/access.ts";
import { captureRoutes } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import { openSource } from "../session/sources.ts";
import { fileError } from "../store/file-error.ts";
import { type History, openHistory } from "../store/history.ts";
import { openPaths } from "../store/open-paths.ts";
import { openSettings } from "../store/settings.ts";
import { readEngine } from "./limits.ts";
import { cancelBySignal, dataFolder, makeDataFolder, terminalSsh } from "./environment.ts";
import { measureOptionNames, readMeasureOptions } from "./measure-options.ts";
import { type Options, readNumber, readOptions, readSource, sourceOptions } from "./options.ts";
import { readLink, readNode } from "./places.ts";
import { dryRunReport, sweepLine } from "./sweep-report.ts";
import { ask, fail, isInteractive, print, printJson, say } from "./terminal.ts";

function usage(detail: string): Result<never, AppError> {
  return err({ kind: "bad-request", detail });
}

/** The one selection that the options name. */
function readSelection(options: Options, fabric: Fabric): Result<SweepSelection, AppError> {
  const chosen: Result<SweepSelection, AppError>[] = [];
  if (options.flag("all-inter-switch")) chosen.push(ok({ kind: "all-inter-switch" }));
  if (options.flag("all-host-links")) chosen.push(ok({ kind: "all-host-links" }));
  if (options.flag("degraded")) chosen.push(ok({ kind: "degraded" }));
  for (const kind of ["host-links-of", "links-of"] as const) {
    const name = options.text(kind);
    if (name === undefined) continue;
    const node = readNode(fabric, kind, name);
    chosen.push(node.ok ? ok({ kind, node: node.value }) : node);
  }
  const ids = options.texts("link");
  if (ids.length > 0) {
    const links: number[] = [];
    for (const id of ids) {
      const link = readLink(fabric, id);
      if (!link.ok) return link;
      links.push(link.value);
    }
    chosen.push(ok({ kind: "links", links }));
  }
  const [only, second] = chosen;
  if (only === undefined || second !== undefined) {
    return usage(
      "give one of --all-inter-switch, --all-host-links, --host-links-of NODE, --links-of NODE, --degraded, --link NODE:PORT …",
    );
  }
  return only;
}

interface Prepared {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly source: SourceSpec | undefined;
  readonly simulated: boolean;
  readonly sweep: Sweep;
  readonly title: string;
  readonly concurrency: number;
  readonly options: MeasureOptions;
}

/** Reads the capture and plans. */
async function prepare(options: Options): Promise<Result<Prepared, AppError>> {
  const { words } = options;
  if (words.length === 0) return usage("ibex sweep needs a capture: ibex sweep PATH --all-inter-switch");
  const wanted = readMeasureOptions(options);
  if (!wanted.ok) return wanted;
  const concurrency = readNumber(options.text("concurrency"), "concurrency", 1, 1000);
  if (!concurrency.ok) return concurrency;
  const named = readSource(options);
  if (!named.ok) return named;
  const capture = await openPaths(words);
  if (!capture.ok) return capture;
  const engine = await readEngine(options);
  if (!engine.ok) return engine;
  const loaded = await understandCapture(capture.value, engine.value, new AbortController().signal);
  if (!loaded.ok) return loaded;
  const { fabric, analysis } = loaded.value.understood;
  const selection = readSelection(options, fabric);
  if (!selection.ok) return selection;
  const source = named.value ?? capture.value.source;
  const simulated = source === undefined ? capture.value.simulated : source.kind === "simulated";
  if (simulated !== capture.value.simulated && capture.value.how !== "file") {
    return usage("a simulated capture is measured on the simulated fabric only, a real one on the real one");
  }
  const network = captureRoutes(capture.value, loaded.value.understood)?.network;
  const sweep = planSweep(fabric, analysis, {
    links: selectLinks(fabric, analysis, selection.value),
    fabricId: capture.value.name,
    options: wanted.value,
    simulated,
    ...(network === undefined ? {} : { routes: network }),
    concurrency: concurrency.value ?? sweepConcurrency.usual,
  });
  const title = sweepTitle(fabric, selection.value);
  const most = concurrency.value ?? sweepConcurrency.usual;
  return ok({ fabric, analysis, source, simulated, sweep, title, concurrency: most, options: wanted.value });
}

function saySweep({ sweep, simulated }: Prepared): void {
  const links = sweep.rounds.reduce((sum, round) => sum + round.length, 0);
  const hosts = new Set(sweep.rounds.flatMap((round) => round.flatMap((item) => [item.clientHost, item.serverHost])));
  say(
    `${count(links, "link")} between ${count(hosts.size, "host")} in ${count(sweep.rounds.length, "round")} (at least ${sweep.lowerBound} are needed), up to ${Math.max(0, ...sweep.rounds.map((round) => round.length))} at a time, about ${sweepTimeText(sweep)} at line rate${simulated ? " (simulated)" : ""}`,
  );
  const unproven = sweep.rounds.flat().filter(({ basis }) => basis === "shortest-path").length;
  if (unproven > 0) {
    say(
      `${count(unproven, "link")} planned by shortest path: collect with --routes to choose pairs that surely cross them. Without, a pair whose traced way misses its link is exchanged and has its turn after the others, which takes longer.`,
    );
  }
  for (const { linkName, reason } of sweep.refused.slice(0, 20)) say(`  cannot be measured: ${linkName}: ${reason}`);
  if (sweep.refused.length > 20) say(`  and ${sweep.refused.length - 20} more that cannot be measured`);
}

async function confirmed({ simulated }: Prepared, yes: boolean, signal: AbortSignal): Promise<boolean> {
  if (yes || simulated) return true;
  if (!isInteractive) {
    say("ibex: a sweep loads these hosts at line rate. Add --yes to start without being asked.");
    return false;
  }
  return (await ask("Start? [yes/no] ", false, signal))?.trim().toLowerCase() === "yes";
}

async function openJournal(
  prepared: Prepared,
  source: SourceSpec,
  resume: boolean,
  history: History,
): Promise<Result<SweepJournal, AppError>> {
  const links = prepared.sweep.rounds.flatMap((round) => round.map(({ link }) => link));
  const head = { source: sourceLabel(source), options: prepared.options, links };
  const found = resume ? await findUnfinished(dataFolder(), head) : ok(undefined);
  if (!found.ok) return found;
  const known = found.value;
  if (known !== undefined) {
    const recovered = await recoverDone(known, history.list().measurements);
    if (!recovered.ok) return recovered;
    say(`Going on with the sweep of ${known.head.startedAt}: ${known.done.size} of ${links.length} links are done.`);
    return ok(known);
  }
  if (resume) say("There is no unfinished sweep of these links with these options: starting anew.");
  const startedAt = new Date().toISOString();
  const names = prepared.sweep.rounds.flatMap((round) => round.map(({ linkName }) => linkName));
  return beginSweep(dataFolder(), {
    format: "ibex-sweep",
    version: 1,
    id: randomUUID(),
    startedAt,
    ...head,
    names,
    title: prepared.title,
    simulated: prepared.simulated,
    concurrency: prepared.concurrency,
  });
}

function sayResult({ item, measurement, error, slow, siblingsGbps }: SweepResult): void {
  if (measurement === undefined) {
    say(`  not measured: ${item.linkName}: ${error === undefined ? "" : explain(error).sentence}`);
    return;
  }
  const siblings = siblingsGbps === undefined ? "" : ` Its siblings reach ${formatMeasuredGbps(siblingsGbps)} Gb/s.`;
  say(`  ${slow ? "SLOW  " : ""}${item.linkName}: ${measurement.verdict.sentence}${slow ? siblings : ""}`);
}

/** `ibex sweep PATH (--all-inter-switch | …)`: measures many links; one JSON line for each result on stdout. */
export async function sweepCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, [
    ...sourceOptions,
    ...measureOptionNames,
    "all-inter-switch",
    "all-host-links",
    "host-links-of",
    "links-of",
    "degraded",
    "link",
    "dry-run",
    "concurrency",
    "csv",
    "resume",
    "yes",
    "allow-busy",
    "json",
  ]);
  if (!options.ok) return fail(options.error, 2);
  const planned = await prepare(options.value);
  if (!planned.ok) return fail(planned.error, 2);
  const prepared = planned.value;
  const { sweep, source } = prepared;
  saySweep(prepared);
  if (options.value.flag("dry-run")) {
    if (options.value.flag("json")) printJson(dryRunReport(sweep));
    else {
      for (const [index, round] of sweep.rounds.entries()) {
        print(`Round ${index + 1}`);
        for (const item of round)
          print(`  ${item.linkName}: ${item.clientHost} to ${item.serverHost}, ${count(item.cables, "cable")}`);
      }
    }
    return 0;
  }
  if (sweep.rounds.length === 0)
    return fail({ kind: "bad-request", detail: "no link of this selection can be measured" }, 1);
  if (source === undefined)
    return fail({ kind: "bad-request", detail: "the capture names no source; add --ssh [user@]host[:port]" }, 2);
  const signal = cancelBySignal();
  if (!(await confirmed(prepared, options.value.flag("yes"), signal))) return 2;
  const folder = makeDataFolder();
  if (!folder.ok) return fail(folder.error, 1);
  const history = await openHistory(join(dataFolder(), "measurements.jsonl"));
  if (!history.ok) return fail(history.error, 1);
  await cleanSweeps(dataFolder(), Date.now());
  const journal = await openJournal(prepared, source, options.value.flag("resume"), history.value);
  if (!journal.ok) return fail(journal.error, 1);
  const opened = await openSource(source, terminalSsh(options.value.flag("accept-new-host-key")), signal);
  if (!opened.ok) {
    const how = opened.error.kind === "cancelled" ? "cancelled" : "stopped";
    await sayUnwritten(journal.value.end(how, new Date().toISOString()));
    await journal.value.close();
    return fail(opened.error, 1);
  }
  const { access, connection } = opened.value;
  try {
    return await run(
      prepared,
      source,
      { access, history: history.value, journal: journal.value },
      options.value,
      signal,
    );
  } finally {
    await journal.value.close();
    await access.close();
    await connection?.close();
  }
}

/** Without its end line the sweep counts as interrupted, which can go on just as well. */
async function sayUnwritten(written: Promise<Result<void, AppError>>): Promise<void> {
  const end = await written;
  if (!end.ok) say(`ibex: ${explain(end.error).sentence}`);
}

interface Open {
  readonly access: HostAccess;
  readonly history: History;
  readonly journal: SweepJournal;
}

async function run(
  { sweep, fabric, analysis, simulated }: Prepared,
  source: SourceSpec,
  { access, history, journal }: Open,
  options: Options,
  signal: AbortSignal,
): Promise<number> {
  const lines: ResultRow[] = [];
  const locks = new MeasureLocks(join(dataFolder(), "locks"));
  const { passPercent } = (await openSettings(dataFolder())).get();
  let lastRound = 0;
  const left = sweep.rounds.map((round) => round.filter(({ link }) => !journal.done.has(link)));
  const clock = new SweepClock(sweep.secondsPerRound, left, Date.now);
  const outcome = await runSweep(
    sweep,
    {
      journal,
      now: Date.now,
      async measure(item, itemSignal) {
        const measured = await runMeasurement(
          item.plan(),
          {
            access,
            now: Date.now,
            passPercent,
            locks,
            allowBusy: options.flag("allow-busy"),
            randomPort: randomRendezvousPort,
            tools: sourceTools(source),
            guide: createGuide(fabric, analysis, item.input()),
            past: () => history.newestFirst(),
            sourceInfo: { kind: source.kind, label: sourceLabel(source), simulated },
          },
          { signal: itemSignal, onProgress: () => undefined },
        );
        if (!measured.ok) return measured;
        const result: Measurement = { ...measured.value, sweep: journal.head.id };
        const kept = await history.append(result);
        if (!kept.ok) say(`ibex: not in the history: ${explain(kept.error).sentence}`);
        return ok(result);
      },
    },
    {
      signal,
      onProgress(progress) {
        const { round, rounds, done, total } = progress;
        clock.take(progress);
        if (round === lastRound) return;
        lastRound = round;
        say(`Round ${round} of ${rounds}, ${done} of ${total} links done, about ${timeText(clock.secondsLeft)} left`);
      },
      onResult(result) {
        const line = sweepLine(result);
        lines.push(line);
        print(JSON.stringify(line));
        sayResult(result);
      },
    },
  );
  const ended = outcome.error !== undefined ? "stopped" : outcome.cancelled ? "cancelled" : undefined;
  if (ended !== undefined) await sayUnwritten(journal.end(ended, new Date().toISOString()));
  const csv = options.text("csv");
  if (csv !== undefined) {
    try {
      await writeFileAtomic(csv, csvText(lines));
    } catch (cause) {
      return fail(fileError(cause, csv, "write"), 1);
    }
  }
  const before = outcome.before > 0 ? `, ${outcome.before} from before` : "";
  say(`${outcome.measured} measured${before}, ${outcome.slow} slow, ${outcome.failed} without a result`);
  if (outcome.cancelled) {
    say("ibex: cancelled. The same command with --resume goes on where it stopped.");
    return 130;
  }
  if (outcome.error !== undefined) return fail(outcome.error, 1);
  return outcome.failed > 0 ? 1 : 0;
}
