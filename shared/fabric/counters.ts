/** Port counters as columns of one Fabric, from one or two readings. Survives structured cloning. */

/** Error counters of the PortCounters attribute, as infiniband-diags names them since 2010, with where each stops. */
export const errorCounters = {
  SymbolErrorCounter: 65_535,
  LinkErrorRecoveryCounter: 255,
  LinkDownedCounter: 255,
  PortRcvErrors: 65_535,
  PortRcvRemotePhysicalErrors: 65_535,
  PortRcvSwitchRelayErrors: 65_535,
  PortXmitDiscards: 65_535,
  PortXmitConstraintErrors: 255,
  PortRcvConstraintErrors: 255,
  LocalLinkIntegrityErrors: 15,
  ExcessiveBufferOverrunErrors: 15,
  VL15Dropped: 65_535,
  PortXmitWait: 4_294_967_295,
} as const;
export type ErrorCounter = keyof typeof errorCounters;

/** Errors that a cable or one of its ends makes; the others come from elsewhere, or are congestion. */
export const cableErrors: readonly ErrorCounter[] = [
  "SymbolErrorCounter",
  "PortRcvErrors",
  "LinkErrorRecoveryCounter",
  "LocalLinkIntegrityErrors",
  "ExcessiveBufferOverrunErrors",
];

/** Traffic counters. Data counts words of four bytes. */
export const dataCounters = {
  PortXmitData: 4_294_967_295,
  PortRcvData: 4_294_967_295,
  PortXmitPkts: 4_294_967_295,
  PortRcvPkts: 4_294_967_295,
} as const;
export type DataCounter = keyof typeof dataCounters;

export type CounterName = ErrorCounter | DataCounter;

const ceilings: Readonly<Record<string, number>> = { ...errorCounters, ...dataCounters };

/** True for a counter that Ibex keeps. */
export function isCounterName(name: string): name is CounterName {
  return Object.hasOwn(ceilings, name);
}

/**
 * True when a counter has stopped at its ceiling, so that the true number is this or more. Wide (64-bit) counters pass
 * the ceilings of the narrow ones; a value above one is therefore exact.
 */
export function isSaturated(name: CounterName, value: number): boolean {
  return value === ceilings[name];
}

/** All ports of one reading. */
export interface CounterReading {
  /** Milliseconds since 1970; 0 when nobody knows. */
  readonly takenAt: number;
  /** 1 where the port was read (a clean port counts as read); by port index. */
  readonly told: Uint8Array;
  /** By port index; a counter that is 0 on all ports has no column. Values above 2^53 are rounded. */
  readonly values: { readonly [Name in CounterName]?: Float64Array };
}

/** What one capture knows of counters. */
export interface CounterReadings {
  readonly latest: CounterReading;
  /** An earlier reading of the same ports, with a time that is known. */
  readonly earlier?: CounterReading;
}

/** A counter's value; undefined when the port was not read. */
export function counterValue(reading: CounterReading, name: CounterName, port: number): number | undefined {
  if (reading.told[port] !== 1) return undefined;
  return reading.values[name]?.[port] ?? 0;
}

/** What a counter did between two readings. */
export interface CounterGrowth {
  readonly from: number;
  readonly to: number;
  /** Counted between the readings; after a reset what has come since. */
  readonly growth: number;
  readonly seconds: number;
  readonly perHour: number;
  /** It fell: somebody cleared it, or the node started anew. */
  readonly reset: boolean;
  /** It stands at its ceiling, so the growth is this or more. */
  readonly saturated: boolean;
}

/** Seconds between the two readings; 0 when there are not two, or their times are not known. */
export function secondsBetween({ latest, earlier }: CounterReadings): number {
  if (earlier === undefined || earlier.takenAt === 0 || latest.takenAt === 0) return 0;
  return Math.max(0, (latest.takenAt - earlier.takenAt) / 1000);
}

/** Growth of a counter; undefined without two readings of this port with some time between them. */
export function counterGrowth(readings: CounterReadings, name: CounterName, port: number): CounterGrowth | undefined {
  const seconds = secondsBetween(readings);
  if (readings.earlier === undefined || seconds <= 0) return undefined;
  const from = counterValue(readings.earlier, name, port);
  const to = counterValue(readings.latest, name, port);
  if (from === undefined || to === undefined) return undefined;
  const reset = to < from;
  const growth = reset ? to : to - from;
  return { from, to, growth, seconds, perHour: (growth * 3600) / seconds, reset, saturated: isSaturated(name, to) };
}
