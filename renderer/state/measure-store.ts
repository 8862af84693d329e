import { create } from "zustand";
import type { AdapterUse, AppError } from "../../shared/errors/kinds.ts";
import {
  defaultMeasureOptions,
  type Measurement,
  type MeasureOptions,
  type MeasurePlan,
  type Preset,
} from "../../shared/measure/types.ts";
import { presetOptions } from "../../shared/measure/steps.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import type { Baseline } from "../../shared/contract/sweeps.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import { api } from "./api-context.ts";
import { useSettings } from "./settings-store.ts";
import { useTasks } from "./task-store.ts";

/** Changes of options; `undefined` takes an optional one away. */
export type MeasureOptionsPatch = { readonly [K in keyof MeasureOptions]?: MeasureOptions[K] | undefined };

/** Hosts that the user has chosen instead of the planner's. */
export interface HostChoice {
  readonly client?: string;
  readonly server?: string;
}

export interface PlanSheet {
  readonly link: LinkId;
  /** While the same link is planned anew, the plan before stays to be looked at. */
  readonly plan: MeasurePlan | undefined;
  readonly error: AppError | undefined;
  readonly planning: boolean;
  readonly choice: HostChoice;
  /** Who uses the adapters: the plan was started and did not run, and the user is asked. */
  readonly inUse?: readonly AdapterUse[];
}

/** Newest results among which a new one could already be: the history may have been read while it came. */
const recentLooked = 1000;

/**
 * Results of a sweep are added at most once in so many milliseconds: tables, picture and findings go through all results
 * with each change of the history, and a sweep tells up to five times a second.
 */
const addGapMs = 1000;

/** Results that wait to be added, newest last. */
let waiting: MeasurementSummary[] = [];
let addTimer: ReturnType<typeof setTimeout> | undefined;

/** Kind of the open fabric's source, as it was told last: an answer or a wait may outlive a fabric. */
let openSimulated = false;

/** Counts plans asked for: only the answer to the newest is shown. */
let planRequests = 0;

interface MeasureState {
  /** Newest first. */
  readonly history: readonly MeasurementSummary[];
  readonly damaged: number;
  /** Newest summary per link that has a number, from the same kind of source (real or simulated) as the open fabric. */
  readonly latest: ReadonlyMap<LinkId, MeasurementSummary>;
  /** The open plan sheet. */
  readonly sheet: PlanSheet | undefined;
  /** The running measurement, at most one from this window. */
  readonly running: { readonly plan: MeasurePlan; readonly taskId: number } | undefined;
  /** Result of the run that ended last, shown in the link's inspector. */
  readonly last:
    | { readonly link: LinkId; readonly measurement: Measurement | undefined; readonly error: AppError | undefined }
    | undefined;
  readonly options: MeasureOptions;
  /** What was chosen in this window for each kind of measurement, started or not. */
  readonly chosen: Readonly<Partial<Record<Preset, MeasureOptions>>>;
  /** Results that links are held against. */
  readonly baselines: readonly Baseline[];
  readonly loadHistory: (simulated: boolean) => Promise<void>;
  /**
   * Results that have just come, newest last; `simulated`: kind of the open fabric's source. The first are added at once, those
   * of the second after it together.
   */
  readonly addResults: (results: readonly MeasurementSummary[], simulated: boolean) => void;
  /** Makes a result its link's baseline, or takes the baseline away; the error when that did not work. */
  readonly setBaseline: (measurement: string, on: boolean) => Promise<AppError | undefined>;
  /** Plans and opens the sheet. */
  readonly openSheet: (fabricId: string, link: LinkId, choice?: HostChoice) => Promise<void>;
  readonly setOptions: (options: MeasureOptionsPatch) => void;
  /** Another kind of measurement, with what was chosen for it last. */
  readonly choosePreset: (preset: Preset) => void;
  readonly closeSheet: () => void;
  /** Runs a plan; where others use an adapter, the sheet comes back and asks, unless `allowBusy` is given. */
  readonly run: (plan: MeasurePlan, allowBusy?: boolean) => Promise<void>;
  /** Loads a full record into `last`. */
  readonly showMeasurement: (id: string) => Promise<void>;
}

function latestByLink(
  history: readonly MeasurementSummary[],
  simulated: boolean,
): ReadonlyMap<LinkId, MeasurementSummary> {
  const latest = new Map<LinkId, MeasurementSummary>();
  for (const entry of history) {
    if (entry.simulated !== simulated || latest.has(entry.link)) continue;
    if (entry.bandwidthGbps !== null || entry.latencyUs !== null) latest.set(entry.link, entry);
  }
  return latest;
}

/** Results never change: the same ones in the same order are the same history. */
function sameResults(a: readonly MeasurementSummary[], b: readonly MeasurementSummary[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]?.id);
}

/** The history and its newest results; what has not changed stays the same object. */
function withHistory(
  before: Pick<MeasureState, "history" | "latest">,
  history: readonly MeasurementSummary[],
  simulated: boolean,
): Pick<MeasureState, "history" | "latest"> {
  const latest = latestByLink(history, simulated);
  return {
    history: sameResults(before.history, history) ? before.history : history,
    latest: sameResults([...before.latest.values()], [...latest.values()]) ? before.latest : latest,
  };
}

/** The history with results that have come, newest last; the same object when it has them all. */
function withFresh(
  history: readonly MeasurementSummary[],
  results: readonly MeasurementSummary[],
): readonly MeasurementSummary[] {
  const known = new Set(history.slice(0, results.length + recentLooked).map(({ id }) => id));
  const fresh = results.filter(({ id }) => !known.has(id)).reverse();
  return fresh.length === 0 ? history : [...fresh, ...history];
}

/** The history and its newest results with those that have come, newest last. */
function withResults(
  before: Pick<MeasureState, "history" | "latest">,
  results: readonly MeasurementSummary[],
  simulated: boolean,
): Pick<MeasureState, "history" | "latest"> {
  const history = withFresh(before.history, results);
  if (history === before.history) return before;
  const fresh = history.slice(0, history.length - before.history.length);
  const latest = new Map(before.latest);
  for (const [link, run] of latestByLink(fresh, simulated)) latest.set(link, run);
  return { history, latest };
}

/** What was chosen last for a kind of measurement: in this window, or when one was started before. */
function optionsFor(preset: Preset, chosen: MeasureState["chosen"]): MeasureOptions {
  return chosen[preset] ?? useSettings.getState().settings.measureOptions[preset] ?? presetOptions(preset);
}

/** The options with a patch; what the patch sets to undefined is gone. */
function patched(options: MeasureOptions, patch: MeasureOptionsPatch): MeasureOptions {
  const { preset, bytes, queuePairs, seconds, bidirectional, latencyIterations } = options;
  const required = { preset, bytes, queuePairs, seconds, bidirectional, latencyIterations };
  const present = Object.entries({ ...options, ...patch }).filter(([, value]) => value !== undefined);
  return Object.assign(required, Object.fromEntries(present));
}

export const useMeasure = create<MeasureState>((set, get) => ({
  history: [],
  damaged: 0,
  latest: new Map(),
  sheet: undefined,
  running: undefined,
  last: undefined,
  options: defaultMeasureOptions,
  chosen: {},
  baselines: [],
  loadHistory: async (simulated) => {
    openSimulated = simulated;
    // What is known already is shown with the fabric; a change while it mounts would have the window mount it again.
    set((state) => withHistory(state, state.history, simulated));
    const newestAsked = get().history[0]?.id;
    const list = await api().call("measure.list", {});
    const baselines = await api().call("baseline.list", {});
    if (baselines.ok) set({ baselines: baselines.value });
    if (!list.ok) return;
    const { measurements, damaged } = list.value;
    set((state) => {
      const known = state.history.findIndex(({ id }) => id === newestAsked);
      // What has come since it was asked may not be in the answer.
      const since = state.history.slice(0, known < 0 ? state.history.length : known).reverse();
      const history = withFresh(measurements, since);
      return { ...withHistory(state, history, openSimulated), damaged };
    });
  },
  addResults: (results, simulated) => {
    openSimulated = simulated;
    waiting.push(...results);
    if (waiting.length === 0 || addTimer !== undefined) return;
    const added = waiting;
    waiting = [];
    set((state) => withResults(state, added, simulated));
    addTimer = setTimeout(() => {
      addTimer = undefined;
      get().addResults([], openSimulated);
    }, addGapMs);
  },
  setBaseline: async (measurement, on) => {
    const baselines = await api().call(on ? "baseline.set" : "baseline.clear", { measurement });
    if (!baselines.ok) return baselines.error;
    set({ baselines: baselines.value });
    return undefined;
  },
  openSheet: async (fabricId, link, choice = {}) => {
    planRequests += 1;
    const request = planRequests;
    const before = get().sheet;
    if (before === undefined) set((state) => ({ options: optionsFor(state.options.preset, state.chosen) }));
    const plan = before?.link === link ? before.plan : undefined;
    set({ sheet: { link, plan, error: undefined, planning: true, choice } });
    const planned = await api().call("measure.plan", { fabricId, link, options: get().options, ...choice });
    if (request !== planRequests || get().sheet?.link !== link) return;
    set({
      sheet: {
        link,
        plan: planned.ok ? planned.value : undefined,
        error: planned.ok ? undefined : planned.error,
        planning: false,
        choice,
      },
    });
  },
  setOptions: (patch) =>
    set((state) => {
      const options = patched(state.options, patch);
      return { options, chosen: { ...state.chosen, [options.preset]: options } };
    }),
  choosePreset: (preset) => set((state) => ({ options: optionsFor(preset, state.chosen) })),
  closeSheet: () => set({ sheet: undefined }),
  run: async (plan, allowBusy = false) => {
    const choice = get().sheet?.choice ?? {};
    const task = useTasks.getState().begin("measure", `Measure ${plan.linkName}`);
    set({ sheet: undefined, running: { plan, taskId: task.id }, last: undefined });
    const result = await api().call(
      "measure.run",
      { planId: plan.id, allowBusy },
      { signal: task.signal, onProgress: task.progress },
    );
    if (result.ok) {
      const failed = result.value.runs.find((run) => run.error !== undefined)?.error;
      task.end(result.value.verdict.level === "cancelled" ? { kind: "cancelled", what: plan.linkName } : failed);
      set({ running: undefined, last: { link: plan.link, measurement: result.value, error: undefined } });
    } else if (result.error.kind === "in-use") {
      task.end(result.error);
      const { uses: inUse } = result.error;
      const sheet = { link: plan.link, plan, error: undefined, planning: false, choice, inUse };
      set({ running: undefined, sheet });
    } else {
      task.end(result.error);
      set({ running: undefined, last: { link: plan.link, measurement: undefined, error: result.error } });
    }
    await get().loadHistory(plan.simulated);
  },
  showMeasurement: async (id) => {
    const full = await api().call("measure.get", { id });
    if (full.ok) set({ last: { link: full.value.link, measurement: full.value, error: undefined } });
  },
}));
