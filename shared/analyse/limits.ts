/** The limits that a user may change, as a table; what was changed → thresholds. */
import type { ErrorCounter } from "../fabric/counters.ts";
import { type CounterLimit, defaultThresholds, type Thresholds } from "./thresholds.ts";

/** Changed limits by rule; a value that is not there stands at its default. */
export type LimitChanges = Readonly<Record<string, { readonly warn?: number; readonly error?: number }>>;

export interface LimitRow {
  readonly id: string;
  readonly group: "Error counters" | "Bit errors and modules" | "Routes" | "Structure and time";
  readonly title: string;
  readonly unit: string;
  /** Defaults; absent where the rule has no such level. */
  readonly warn?: number;
  readonly error?: number;
  /** Largest value that makes sense; `whole`: no fractions. */
  readonly most: number;
  readonly whole?: boolean;
}

const d = defaultThresholds;

const counterRows: readonly LimitRow[] = Object.entries(d.counters).map(([id, limit]) => ({
  ...{ id, group: "Error counters", title: id, unit: "per hour" },
  ...{ warn: limit.warnPerHour, error: limit.errorPerHour, most: 1e9 },
}));

/** Every limit, in the order in which they are shown. */
export const limitRows: readonly LimitRow[] = [
  ...counterRows,
  {
    ...{ id: "link-down", group: "Error counters", title: "Link went down", unit: "in 24 h", whole: true },
    ...{ warn: d.linkDowned.warnPerDay, error: d.linkDowned.errorPerDay, most: 1e6 },
  },
  berRow("symbol-ber", "Symbol BER, HDR and newer", d.ber.symbol),
  berRow("effective-ber", "Effective BER, HDR and newer", d.ber.effective),
  berRow("effective-ber-long", `Effective BER, cables over ${d.ber.longReachMeters} m`, d.ber.effectiveLong),
  berRow("effective-ber-old", "Effective BER, EDR and older", d.ber.effectiveOld),
  berRow("raw-ber", "Raw BER, HDR and newer", { warn: d.ber.raw }),
  {
    ...{ id: "ber-minutes", group: "Bit errors and modules", title: "Counted before a BER is judged", unit: "min" },
    ...{ warn: d.ber.minutes, most: 100_000 },
  },
  {
    ...{ id: "module-temperature", group: "Bit errors and modules", title: "Module temperature", unit: "°C" },
    ...{ warn: d.celsius.warn, error: d.celsius.error, most: 150 },
  },
  {
    ...{ id: "route-imbalance", group: "Routes", title: "Destinations, times the median of the siblings" },
    ...{ unit: "×", warn: d.routes.imbalance, most: 1e6 },
  },
  {
    ...{ id: "route-excess", group: "Routes", title: "Destinations above the median of the siblings" },
    ...{ unit: "", warn: d.routes.excess, most: 1e6, whole: true },
  },
  {
    ...{ id: "route-siblings", group: "Routes", title: "Cables that are compared, at least" },
    ...{ unit: "", warn: d.routes.siblings, most: 1000, whole: true },
  },
  {
    ...{ id: "oversubscription", group: "Structure and time", title: "Hosts to uplinks of the fabric", unit: ": 1" },
    ...{ warn: d.oversubscription, most: 1000 },
  },
  {
    ...{
      id: "activity-seconds",
      group: "Structure and time",
      title: "Activity of a manager that stands still",
      unit: "s",
    },
    ...{ warn: d.activitySeconds, most: 1e6 },
  },
];

function berRow(id: string, title: string, limit: { readonly warn: number; readonly error?: number }): LimitRow {
  return { id, group: "Bit errors and modules", title, unit: "", most: 1, ...limit };
}

/** Why changed limits cannot be used, a sentence each; none when they can. */
export function limitProblems(changes: LimitChanges): readonly string[] {
  const problems: string[] = [];
  for (const [id, change] of Object.entries(changes)) {
    const row = limitRows.find((known) => known.id === id);
    if (row === undefined) {
      problems.push(`There is no limit called "${id}".`);
      continue;
    }
    for (const level of ["warn", "error"] as const) {
      const value = change[level];
      if (value === undefined) continue;
      if (row[level] === undefined) problems.push(`${id} has no ${level} limit.`);
      else if (!Number.isFinite(value) || value < 0 || value > row.most)
        problems.push(`${id}: ${level} is a number from 0 to ${row.most}.`);
      else if (row.whole === true && !Number.isInteger(value)) problems.push(`${id}: ${level} is a whole number.`);
    }
    const [warn, error] = [change.warn ?? row.warn, change.error ?? row.error];
    if (warn !== undefined && error !== undefined && warn > error)
      problems.push(`${id}: the warning ${formatLimit(warn)} is above the error ${formatLimit(error)}.`);
  }
  return problems;
}

/** `5e-15`, `10`, `0.5`. */
export function formatLimit(value: number): string {
  return value !== 0 && value < 1e-3 ? value.toExponential().replace("+", "") : String(value);
}

/** Thresholds with changed limits in them. Changes of rules that do not exist, or that contradict, are passed over. */
export function thresholdsOf(changes: LimitChanges): Thresholds {
  const limit = (id: string): { readonly warn: number; readonly error: number } => {
    const row = limitRows.find((known) => known.id === id);
    const own = changes[id];
    const good = own !== undefined && limitProblems({ [id]: own }).length === 0 ? own : {};
    return { warn: good.warn ?? row?.warn ?? 0, error: good.error ?? row?.error ?? 0 };
  };
  const counters: { [Name in ErrorCounter]?: CounterLimit } = {};
  for (const name of Object.keys(d.counters)) {
    if (!isJudged(name)) continue;
    const { warn, error } = limit(name);
    counters[name] = { warnPerHour: warn, errorPerHour: error };
  }
  const down = limit("link-down");
  return {
    ...d,
    counters,
    linkDowned: { warnPerDay: down.warn, errorPerDay: down.error },
    activitySeconds: limit("activity-seconds").warn,
    oversubscription: limit("oversubscription").warn,
    ber: {
      ...d.ber,
      symbol: limit("symbol-ber"),
      effective: limit("effective-ber"),
      effectiveLong: limit("effective-ber-long"),
      effectiveOld: limit("effective-ber-old"),
      raw: limit("raw-ber").warn,
      minutes: limit("ber-minutes").warn,
    },
    celsius: limit("module-temperature"),
    routes: {
      ...d.routes,
      imbalance: limit("route-imbalance").warn,
      excess: limit("route-excess").warn,
      siblings: limit("route-siblings").warn,
    },
  };
}

function isJudged(name: string): name is ErrorCounter {
  return Object.hasOwn(d.counters, name);
}
