/**
 * From counters before and after a run to what they prove: by which cable the data left the switch in question, and
 * which errors came meanwhile. The client's own port tells how much was sent; what others send is subtracted at the
 * rate at which they sent right before.
 */
import { dataCounters, type ErrorCounter, errorCounters } from "../fabric/counters.ts";
import type { CountedPort, CounterSnapshot, PortCounts } from "./counted-ports.ts";
import type { LinkShare, NewErrors, PortTraffic, RouteProof, RunEvidence } from "./types.ts";

const bytesPerWord = 4;

/** Less than this cannot be told from the fabric's own management packets. */
const leastBytes = 1_000_000;
/** Shares of what the client sent: of one way that was taken, and of all of it. */
const shares = { all: 0.9, tooMuch: 1.15 } as const;

/** A link with a smaller share than this is not said to have carried the test: management packets and counters read a moment apart. */
const noiseShare = 0.04;

/** Over how many links a proof says that the data went, the measured one included. */
export function linksCarrying({ share = 0, others }: Pick<RouteProof, "share" | "others">): number {
  return others.length + (share > noiseShare ? 1 : 0);
}
/** Traffic of others on the measured port beside the test's, above which it may have changed too much meanwhile. */
const ambientMax = 0.25;

/** Three readings around a run; the first a second before the second, to know what others send. */
export interface CounterReadings {
  readonly ambient?: CounterSnapshot;
  readonly before: CounterSnapshot;
  readonly after: CounterSnapshot;
}

/** What one port did, or why it does not count. */
type PortChange =
  | { readonly problem: string }
  | {
      readonly sent: number;
      readonly received: number;
      readonly ambientSent: number;
      readonly ambientReceived: number;
      readonly errorsRead: boolean;
      readonly errors: readonly {
        readonly counter: ErrorCounter;
        readonly growth: number;
        readonly atLeast: boolean;
      }[];
    };

type Field = "sent" | "received";
const ceilings = { sent: dataCounters.PortXmitData, received: dataCounters.PortRcvData } as const;

/** Words between two readings of a port, or why they do not tell. */
function growth(from: PortCounts, to: PortCounts, field: Field): number | string {
  const [first, last] = [from[field], to[field]];
  if (first === undefined || last === undefined) return "it told no data counters";
  // One reading of 64 bits and one of 32 are two counters.
  if (from.wide !== to.wide) return "its extended counters could be read only before or only after the run";
  if (!to.wide && last === ceilings[field]) return "its 32-bit data counter has stopped at its highest value";
  if (last < first) {
    return to.wide
      ? "its counters were cleared during the run"
      : "its 32-bit data counter has wrapped or was cleared during the run";
  }
  return last - first;
}

function ratesBefore(readings: CounterReadings, index: number): { readonly sent: number; readonly received: number } {
  const { ambient, before } = readings;
  const from = ambient?.ports[index];
  const to = before.ports[index];
  const seconds = ambient === undefined ? 0 : (before.at - ambient.at) / 1000;
  const rate = (field: Field): number => {
    if (from === undefined || to === undefined || seconds <= 0) return 0;
    const words = growth(from, to, field);
    return typeof words === "string" ? 0 : (words * bytesPerWord) / seconds;
  };
  return { sent: rate("sent"), received: rate("received") };
}

function newErrors(from: PortCounts, to: PortCounts) {
  const found: { counter: ErrorCounter; growth: number; atLeast: boolean }[] = [];
  for (const [name, ceiling] of Object.entries(errorCounters)) {
    // Waiting for credits is the work of other traffic and no error.
    if (name === "PortXmitWait") continue;
    const counter = name as ErrorCounter;
    const first = from.errors[counter];
    const last = to.errors[counter];
    if (first === undefined || last === undefined) continue;
    const reset = last < first;
    const rise = reset ? last : last - first;
    if (rise > 0) found.push({ counter, growth: rise, atLeast: reset || last === ceiling });
  }
  return found;
}

/** Words of four bytes that a 32-bit counter holds: 16 GiB, which 200 Gb/s move in less than a second. */
const narrowWords = 2 ** 32;

/**
 * True when 32-bit counters say nothing of this run: a 64-bit one shows that more was moved than they hold, or one of
 * them has wrapped or stopped, so that the others may have gone around just as well.
 */
function narrowTooSmall({ before, after }: CounterReadings): boolean {
  return after.ports.some((to, index) => {
    const from = before.ports[index];
    if (from === undefined || to === undefined) return false;
    return (["sent", "received"] as const).some((field) => {
      const words = growth(from, to, field);
      if (to.wide) return typeof words === "number" && words >= narrowWords;
      return typeof words === "string" && from[field] !== undefined && to[field] !== undefined && !from.wide;
    });
  });
}

function changeOf(readings: CounterReadings, index: number, narrowUseless: boolean): PortChange {
  const from = readings.before.ports[index];
  const to = readings.after.ports[index];
  if (from === undefined || to === undefined) return { problem: "its counters could not be read" };
  const [sent, received] = [growth(from, to, "sent"), growth(from, to, "received")];
  if (typeof sent === "string") return { problem: sent };
  if (typeof received === "string") return { problem: received };
  if (narrowUseless && !to.wide) {
    return { problem: "it has 32-bit data counters only, which wrap or stop within such a run" };
  }
  const seconds = Math.max(0, (readings.after.at - readings.before.at) / 1000);
  const rates = ratesBefore(readings, index);
  return {
    sent: Math.max(0, sent * bytesPerWord - rates.sent * seconds),
    received: Math.max(0, received * bytesPerWord - rates.received * seconds),
    ambientSent: rates.sent,
    ambientReceived: rates.received,
    errors: newErrors(from, to),
    errorsRead: Object.keys(from.errors).length > 0 && Object.keys(to.errors).length > 0,
  };
}

/** Bytes of the test over one cable of the path, from either end that tells; with what others sent there a second. */
function acrossHop(
  ports: readonly CountedPort[],
  changes: readonly PortChange[],
  hop: number,
  first: CountedPort["side"],
): { readonly bytes: number; readonly ambient: number } | undefined {
  const ends = ports.flatMap((port, index) => (port.hop === hop ? [{ port, change: changes[index] }] : []));
  const ordered = [...ends].sort((a, b) => Number(b.port.side === first) - Number(a.port.side === first));
  for (const { port, change } of ordered) {
    if (change === undefined || "problem" in change) continue;
    return port.side === "out"
      ? { bytes: change.sent, ambient: change.ambientSent }
      : { bytes: change.received, ambient: change.ambientReceived };
  }
  return undefined;
}

const noBreakSpace = "\u00a0";

function percentText(share: number): string {
  const percent = Math.min(100, share * 100);
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : String(Math.round(percent))}${noBreakSpace}%`;
}

/** What the judgement needs to know of the plan. */
export interface EvidenceSubject {
  /** Position of the measured cable in the path. */
  readonly hop: number;
  readonly linkName: string;
  readonly clientHost: string;
  /** The way is known before: a host's own cable, or tables or a trace tell that it crosses. */
  readonly wayKnown: boolean;
}

function judgeRoute(
  subject: EvidenceSubject,
  ports: readonly CountedPort[],
  changes: readonly PortChange[],
  seconds: number,
): RouteProof {
  const { hop, linkName, clientHost } = subject;
  const unknown = (why: string): RouteProof => ({
    kind: "unknown",
    others: [],
    sentence: `Whether the data crossed ${linkName} cannot be told: ${why}.`,
  });
  const own = acrossHop(ports, changes, 0, "out");
  if (own === undefined) return unknown(`the counters of ${clientHost}'s own cable could not be read`);
  if (own.bytes < leastBytes) return unknown("the test sent too little to be seen in the counters");
  // Of the client's own cable the far end is the proof: the near one is what it is compared with.
  const measured = acrossHop(ports, changes, hop, hop === 0 ? "in" : "out");
  if (measured === undefined) return unknown("the counters of neither end could be read");
  const beside: LinkShare[] = [];
  let unreadBeside = 0;
  ports.forEach((port, index) => {
    if (port.hop !== undefined) return;
    const change = changes[index];
    if (change === undefined || "problem" in change) {
      unreadBeside += 1;
      return;
    }
    const share = change.sent / own.bytes;
    if (share > noiseShare) beside.push({ link: port.link, name: port.linkName, share });
  });
  const others = beside.sort((a, b) => b.share - a.share);
  const share = measured.bytes / own.bytes;
  const elsewhere = others.reduce((sum, other) => sum + other.share, 0);
  if (measured.ambient * seconds > ambientMax * own.bytes || share > shares.tooMuch) {
    return { ...unknown("others sent over it at the same time"), share: Math.min(1, share), others };
  }
  const crossed = `${percentText(share)} of what ${clientHost} sent crossed ${linkName}`;
  if (share >= shares.all && elsewhere < 1 - shares.all) {
    return { kind: "proven", share: Math.min(1, share), others, sentence: `Proven by the counters: ${crossed}.` };
  }
  if (share >= shares.all && subject.wayKnown) {
    // Other traffic beside, such as the other tests of a sweep: the counters alone could be mistaken.
    const sentence = `Proven by its route, and the counters agree: ${crossed}.`;
    return { kind: "proven", share: Math.min(1, share), others, sentence };
  }
  const sum = share + elsewhere;
  if (sum > shares.tooMuch)
    return { ...unknown("others sent over the links beside it at the same time"), share, others };
  if (sum < shares.all) {
    const why =
      unreadBeside > 0
        ? `only ${percentText(sum)} of it is found in the counters, and ${unreadBeside} of the ports beside could not be read`
        : `only ${percentText(sum)} of it is found in the counters of this switch`;
    return { ...unknown(why), share, others };
  }
  const [first] = others;
  if (first !== undefined && share <= noiseShare && first.share >= shares.all) {
    return {
      kind: "elsewhere",
      share,
      others,
      sentence: `The data did not cross ${linkName}: ${percentText(first.share)} of it went over ${first.name}.`,
    };
  }
  const links = linksCarrying({ share, others });
  return {
    kind: "spread",
    share,
    others,
    sentence: `The data was spread over ${links} links, as adaptive routing does: ${percentText(share)} of it crossed ${linkName}.`,
  };
}

/** What the counters of a run prove. Pure; `ports` as in {@link CounterSnapshot.ports}. */
export function judgeEvidence(
  subject: EvidenceSubject,
  ports: readonly CountedPort[],
  readings: CounterReadings,
): RunEvidence {
  const narrowUseless = narrowTooSmall(readings);
  const changes = ports.map((_, index) => changeOf(readings, index, narrowUseless));
  const seconds = Math.max(0, (readings.after.at - readings.before.at) / 1000);
  const traffic: PortTraffic[] = [];
  const errors: NewErrors[] = [];
  const unread: string[] = [];
  ports.forEach(({ name, link, hop }, index) => {
    const change = changes[index];
    if (change === undefined || "problem" in change) {
      unread.push(`${name}: ${change?.problem ?? "its counters could not be read"}`);
      return;
    }
    const { sent, received, ambientSent, ambientReceived, errorsRead } = change;
    if (hop !== undefined || sent >= leastBytes) {
      traffic.push({ name, sentBytes: sent, receivedBytes: received, ambientSent, ambientReceived, errorsRead });
    }
    // Errors of links beside the path are not this test's.
    if (hop === undefined) return;
    for (const { counter, growth: rise, atLeast } of change.errors) {
      errors.push({ link, port: name, counter, growth: rise, atLeast, measured: hop === subject.hop });
    }
  });
  return { route: judgeRoute(subject, ports, changes, seconds), ports: traffic, newErrors: errors, unread };
}
