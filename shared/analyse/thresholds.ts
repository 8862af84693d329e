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

export interface Thresholds {
  readonly counters: { readonly [Name in ErrorCounter]?: CounterLimit };
  /** Times a link went down in 24 hours. */
  readonly linkDowned: { readonly warnPerDay: number; readonly errorPerDay: number };
  /** Seconds between two readings before "did not grow" says anything. */
  readonly counterSeconds: number;
  /** Ports named one by one when there is only one reading; the rest is counted. */
  readonly unjudgedPorts: number;
  /** Seconds between two answers of a subnet manager before an activity count that stands still says anything. */
  readonly activitySeconds: number;
  /** Hosts-to-uplinks ratio above which a fabric is called oversubscribed. */
  readonly oversubscription: number;
  /** A leaf's ratio over the usual one from which it is said, and from which it is a warning: some management hosts are usual. */
  readonly oversubscriptionExcess: { readonly note: number; readonly warn: number };
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
  counterSeconds: 60,
  unjudgedPorts: 50,
  activitySeconds: 2,
  oversubscription: 1,
  oversubscriptionExcess: { note: 1.1, warn: 2 },
};
