import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { sourceLabel } from "../../shared/contract/source.ts";
import { adapterUseText } from "../../shared/errors/explain-measuring.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { createGuide } from "../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../shared/measure/plan.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";
import { MeasureLocks } from "../measure/locks.ts";
import { triangulate } from "./triangulate.ts";
import { randomRendezvousPort } from "../measure/random-port.ts";
import { type MeasureDeps, type MeasureHooks, runMeasurement } from "../measure/run-measurement.ts";
import { sourceTools } from "../measure/source-tools.ts";
import { captureRoutes } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import { openSource } from "../session/sources.ts";
import { openHistory } from "../store/history.ts";
import { openPaths } from "../store/open-paths.ts";
import { openSettings } from "../store/settings.ts";
import { readEngine } from "./limits.ts";
import { cancelBySignal, dataFolder, makeDataFolder, terminalSsh } from "./environment.ts";
import { measureOptionNames, readMeasureOptions } from "./measure-options.ts";
import { readOptions, readSource, sourceOptions } from "./options.ts";
import { readLink } from "./places.ts";
import { ask, fail, isInteractive, print, say } from "./terminal.ts";

async function confirmed(plan: MeasurePlan, yes: boolean, signal: AbortSignal): Promise<boolean> {
  say(
    `${plan.linkName}: ${plan.client.host} to ${plan.server.host}, ${plan.path.length} links at line rate for about ${plan.seconds} s${plan.simulated ? " (simulated)" : ""}`,
  );
  say(plan.will);
  if (plan.cannot !== "") say(plan.cannot);
  if (yes || plan.simulated) return true;
  if (!isInteractive) {
    say("ibex: measuring loads these hosts at line rate. Add --yes to start without being asked.");
    return false;
  }
  return (await ask("Start? [yes/no] ", false, signal))?.trim().toLowerCase() === "yes";
}

/** Asks whether those who use the hosts may be disturbed; without a terminal the answer is no. */
async function mayDisturb(error: Extract<AppError, { kind: "in-use" }>, signal: AbortSignal): Promise<boolean> {
  if (!isInteractive) return false;
  for (const use of error.uses) say(`ibex: ${adapterUseText(use)}`);
  return (
    (await ask("Measure all the same? It disturbs them. [yes/no] ", false, signal))?.trim().toLowerCase() === "yes"
  );
}

/** `ibex measure PATH --link NODE:PORT`: plans, asks, runs, prints one JSON line on stdout, keeps the record in the history. */
export async function measureCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, [
    ...sourceOptions,
    "link",
    "client",
    "server",
    ...measureOptionNames,
    "yes",
    "allow-busy",
    "triangulate",
    "json",
  ]);
  if (!options.ok) return fail(options.error, 2);
  const [path] = options.value.words;
  const link = options.value.text("link");
  if (path === undefined || link === undefined)
    return fail(
      { kind: "bad-request", detail: "ibex measure needs a capture and a link: ibex measure PATH --link NODE:PORT" },
      2,
    );
  const wanted = readMeasureOptions(options.value);
  if (!wanted.ok) return fail(wanted.error, 2);
  const named = readSource(options.value);
  if (!named.ok) return fail(named.error, 2);
  const capture = await openPaths([path]);
  if (!capture.ok) return fail(capture.error, 2);
  const source = named.value ?? capture.value.source;
  if (source === undefined)
    return fail({ kind: "bad-request", detail: `${path} names no source; add --ssh [user@]host[:port]` }, 2);
  const simulated = source.kind === "simulated";
  if (simulated !== capture.value.simulated && capture.value.how !== "file") {
    return fail(
      {
        kind: "bad-request",
        detail: "a simulated capture is measured on the simulated fabric only, a real one on the real one",
      },
      2,
    );
  }
  const engine = await readEngine(options.value);
  if (!engine.ok) return fail(engine.error, 2);
  const loaded = await understandCapture(capture.value, engine.value, new AbortController().signal);
  if (!loaded.ok) return fail(loaded.error, 2);
  const { fabric, analysis } = loaded.value.understood;
  const index = readLink(fabric, link);
  if (!index.ok) return fail(index.error, 2);
  const client = options.value.text("client");
  const server = options.value.text("server");
  const network = captureRoutes(capture.value, loaded.value.understood)?.network;
  const planInput: PlanInput = {
    link: index.value,
    ...(network === undefined ? {} : { routes: network }),
    fabricId: path,
    planId: randomUUID(),
    options: wanted.value,
    simulated,
    ...(client === undefined ? {} : { client }),
    ...(server === undefined ? {} : { server }),
  };
  const plan = planMeasurement(fabric, analysis, planInput);
  if (!plan.ok) return fail(plan.error, 1);
  const signal = cancelBySignal();
  if (!(await confirmed(plan.value, options.value.flag("yes"), signal))) return 2;
  const folder = makeDataFolder();
  if (!folder.ok) return fail(folder.error, 1);
  const history = await openHistory(join(dataFolder(), "measurements.jsonl"));
  if (!history.ok) return fail(history.error, 1);
  const opened = await openSource(source, terminalSsh(options.value.flag("accept-new-host-key")), signal);
  if (!opened.ok) return fail(opened.error, 1);
  const { access, connection } = opened.value;
  try {
    let lastNote = "";
    const deps: MeasureDeps = {
      access,
      now: Date.now,
      passPercent: (await openSettings(dataFolder())).get().passPercent,
      locks: new MeasureLocks(join(dataFolder(), "locks")),
      allowBusy: options.value.flag("allow-busy"),
      randomPort: randomRendezvousPort,
      tools: sourceTools(source),
      guide: createGuide(fabric, analysis, planInput),
      past: () => history.value.newestFirst(),
      sourceInfo: { kind: source.kind, label: sourceLabel(source), simulated },
    };
    const hooks: MeasureHooks = {
      signal,
      onProgress: ({ note }) => {
        if (note !== "" && note !== lastNote) say(`  ${note}`);
        lastNote = note;
      },
    };
    let measured = await runMeasurement(plan.value, deps, hooks);
    if (!measured.ok && measured.error.kind === "in-use" && (await mayDisturb(measured.error, signal))) {
      measured = await runMeasurement(plan.value, { ...deps, allowBusy: true }, hooks);
    }
    if (!measured.ok) return fail(measured.error, 1);
    const kept = await history.value.append(measured.value);
    print(JSON.stringify(measured.value));
    say(measured.value.verdict.sentence);
    if (!kept.ok) return fail(kept.error, 1);
    if (options.value.flag("triangulate")) {
      const base = {
        fabricId: path,
        planId: planInput.planId,
        simulated,
        ...(network === undefined ? {} : { routes: network }),
      };
      const code = await triangulate(
        measured.value,
        { fabric, analysis, base, deps, hooks, history: history.value },
        options.value.flag("yes"),
      );
      if (code !== undefined) return code;
    }
    const { level } = measured.value.verdict;
    return level === "cancelled" ? 130 : level === "failed" ? 1 : 0;
  } finally {
    await access.close();
    await connection?.close();
  }
}
