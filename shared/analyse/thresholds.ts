/**
 * The numbers that rules judge by, as data. Defaults: practice on large InfiniBand clusters (field guides, ibdiagnet's
 * and UFM's own limits).
 */
import type { ErrorCounter } from "../fabric/counters.ts";

export interface CounterLimit {
  /** Growth an hour above which it is a warning, and an error. */
  readonly warnPerHour: number;
  readonly errorPerHour: number;
}

/** A value from which it is a warning, and from which an error. */
export interface Limit {
  readonly warn: number;
  readonly error: number;
}

export interface Thresholds {
  readonly counters: { readonly [Name in ErrorCounter]?: CounterLimit };
  /** Times a link went down in 24 hours. */
  readonly linkDowned: { readonly warnPerDay: number; readonly errorPerDay: number };
  /** Ports named one by one when there is only one reading; the rest is counted. */
  readonly unjudgedPorts: number;
  /** Seconds between two answers of a subnet manager before an activity count that stands still says anything. */
  readonly activitySeconds: number;
  /** Hosts-to-uplinks ratio above which a fabric is called oversubscribed. */
  readonly oversubscription: number;
  /** A leaf's ratio over the usual one from which it is said, and from which it is a warning: some management hosts are usual. */
  readonly oversubscriptionExcess: { readonly note: number; readonly warn: number };
  /** Bit error rates of one port. */
  readonly ber: {
    /** HDR and newer: what applications feel. */
    readonly symbol: Limit;
    /** HDR and newer behind error correction, on short reach and on cables over {@link longReachMeters}. */
    readonly effective: Limit;
    readonly effectiveLong: Limit;
    /** EDR and older. */
    readonly effectiveOld: Limit;
    /** Before error correction, HDR and newer, where some errors are normal: a warning at most. */
    readonly raw: number;
    readonly longReachMeters: number;
    /** Minutes of counting before a rate says anything. */
    readonly minutes: number;
    /** Errors that a link at its limit would have shown in the bits received, which also says enough. */
    readonly errorsExpected: number;
  };
  /** Temperature of a cable's module. */
  readonly celsius: Limit;
  readonly routes: {
    /** Times the median of its siblings' destinations above which a cable is called unbalanced, and by how many at least. */
    readonly imbalance: number;
    readonly excess: number;
    /** Cables that must be siblings before one of them is compared with the others. */
    readonly siblings: number;
    /** Findings of one rule that are named one by one. */
    readonly places: number;
  };
}

/** Errors of the link itself. */
const link: CounterLimit = { warnPerHour: 0, errorPerHour: 10 };
/** Errors that often come from elsewhere, or are congestion. */
const consequence: CounterLimit = { warnPerHour: 0, errorPerHour: 100 };

export const defaultThresholds: Thresholds = {
  counters: {
    SymbolErrorCounter: link,
    LinkErrorRecoveryCounter: link,
    PortRcvErrors: link,
    LocalLinkIntegrityErrors: link,
    ExcessiveBufferOverrunErrors: link,
    PortRcvRemotePhysicalErrors: consequence,
    PortRcvSwitchRelayErrors: consequence,
    PortXmitDiscards: consequence,
    PortXmitConstraintErrors: consequence,
    PortRcvConstraintErrors: consequence,
    VL15Dropped: consequence,
  },
  linkDowned: { warnPerDay: 1, errorPerDay: 2 },
  unjudgedPorts: 50,
  activitySeconds: 2,
  oversubscription: 1,
  oversubscriptionExcess: { note: 1.1, warn: 2 },
  ber: {
    symbol: { warn: 5e-15, error: 1e-14 },
    effective: { warn: 5e-12, error: 1e-11 },
    effectiveLong: { warn: 5e-15, error: 1e-14 },
    effectiveOld: { warn: 1e-13, error: 1e-12 },
    raw: 1e-5,
    longReachMeters: 100,
    minutes: 125,
    errorsExpected: 10,
  },
  celsius: { warn: 70, error: 80 },
  routes: { imbalance: 2, excess: 4, siblings: 3, places: 50 },
};
