/** The steps of a measurement one after the other, each with the counters of the path around it. */
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { formatMeasuredGbps } from "../../shared/fabric/rates.ts";
import { alsoStopsOthers } from "../../shared/measure/result.ts";
import { isBandwidthTool, runStepOf, type TestStep } from "../../shared/measure/steps.ts";
import type { RunRecord } from "../../shared/measure/types.ts";
import { linkedController } from "./commands.ts";
import type { PathCounters } from "./evidence.ts";
import type { PreparedSide } from "./prepare.ts";
import type { ProgressReporter } from "./progress.ts";
import { type PairDeps, type PairWatcher, runPair } from "./run-pair.ts";

export interface StepsDeps extends PairDeps {
  /** Counters of the path for one step. */
  readonly counters: () => PathCounters;
}

export interface Sides {
  readonly client: PreparedSide;
  readonly server: PreparedSide;
}

/** How long a load may take until its data flows: rendezvous and start of perftest take about 2 s. */
const loadStartMs = 4_000;

function numberOf(run: RunRecord): string {
  const gbps = Math.max(0, ...run.bandwidth.map((row) => row.averageGbps));
  if (gbps > 0) return `${formatMeasuredGbps(gbps)} Gb/s`;
  const latency = run.latency[0];
  return latency === undefined ? "" : `${latency.avgUs.toFixed(2)} µs`;
}

/** Runs the steps until one fails in a way that would stop the others too. */
export async function runSteps(
  steps: readonly TestStep[],
  sides: Sides,
  deps: StepsDeps,
  signal: AbortSignal,
  progress: ProgressReporter,
): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = [];
  for (const step of steps) {
    if (runs.some(({ error }) => error !== undefined && alsoStopsOthers(error))) {
      progress.skip(step.id, "Not tried: it would fail for the same reason");
      continue;
    }
    progress.begin(step.id);
    const watcher: PairWatcher = {
      onNote: (note) => progress.say(note),
      onRate: (gbps) => progress.rate(gbps),
    };
    const counters = deps.counters();
    progress.say("Reading the counters of the path");
    await counters.begin(signal);
    const ran =
      step.load === undefined
        ? [await runOne(step, sides, deps, signal, watcher)]
        : await runUnderLoad(step, step.load, sides, deps, signal, watcher);
    const counted = await counters.end(signal);
    // The counters cannot tell the load from what runs beside it: the load moves nearly all of it.
    const counting = ran.find(({ tool }) => isBandwidthTool(tool)) ?? ran[0];
    runs.push(...ran.map((run) => (run === counting ? { ...run, ...counted } : run)));
    const error = ran.find((run) => run.error !== undefined)?.error;
    if (error === undefined) progress.end("done", ran.map(numberOf).join(", "));
    else progress.end(error.kind === "cancelled" ? "cancelled" : "failed", explain(error).sentence);
  }
  return runs;
}

async function runOne(
  step: TestStep,
  sides: Sides,
  deps: PairDeps,
  signal: AbortSignal,
  watcher: PairWatcher,
): Promise<RunRecord> {
  const run = await runPair({ tool: step.tool, options: step.options, ...sides }, deps, signal, watcher);
  return { ...run, step: runStepOf(step) };
}

const loadLost = "the load beside it had ended before: choose a longer duration or fewer latency messages";

/** A step that there was no time for. */
function neverRan(step: TestStep, { client, server }: Sides, now: number): RunRecord {
  const side = ({ endpoint }: PreparedSide) => ({ host: endpoint.host, commandLine: "", stdout: "", stderr: "" });
  return {
    tool: step.tool,
    step: runStepOf(step),
    startedAt: new Date(now).toISOString(),
    durationMs: 0,
    server: side(server),
    client: side(client),
    bandwidth: [],
    latency: [],
  };
}

/**
 * The load first, and the latency test once its data flows, on another rendezvous port. The latency counts only when
 * the load went on until after it.
 *
 * @returns both runs, that with the first cause first; the load alone when it failed before its data flowed
 */
async function runUnderLoad(
  step: TestStep,
  load: TestStep,
  sides: Sides,
  deps: PairDeps,
  signal: AbortSignal,
  watcher: PairWatcher,
): Promise<readonly RunRecord[]> {
  const waiting = linkedController(signal);
  let started = (): void => undefined;
  const flowing = new Promise<void>((resolve) => (started = resolve));
  // An object, as both change while something else is awaited.
  const seen = { loadOver: false, lasted: false };
  const loadEnded = runOne(load, sides, deps, signal, {
    onNote: watcher.onNote,
    onRate: (gbps) => {
      watcher.onRate(gbps);
      if (gbps > 0) started();
    },
    onClientStart: () => void deps.sleep(loadStartMs, waiting.controller.signal).then(started),
    onClientEnd: () => {
      seen.loadOver = true;
    },
  });
  await Promise.race([flowing, loadEnded]);
  waiting.controller.abort();
  waiting.release();
  const host = sides.client.endpoint.host;
  const lost = (): AppError => ({ kind: "no-result", tool: step.tool, host, problem: loadLost, output: "" });
  if (seen.loadOver || signal.aborted) {
    const alone = await loadEnded;
    return alone.error === undefined ? [{ ...neverRan(step, sides, deps.now()), error: lost() }, alone] : [alone];
  }
  const latency = await runOne(step, sides, deps, signal, {
    onNote: watcher.onNote,
    onRate: () => undefined,
    onClientEnd: () => {
      seen.lasted = !seen.loadOver;
    },
  });
  const ended = await loadEnded;
  // Without its load the latency says nothing of what was asked; what the load met is the first reason then.
  const beside: RunRecord =
    seen.lasted || latency.error !== undefined ? latency : { ...latency, latency: [], error: lost() };
  return ended.error !== undefined && latency.error === undefined ? [ended, beside] : [beside, ended];
}
