import { count, groupDigits } from "../../base/text.ts";
import { at, nodeName, peerPort, portName } from "../../fabric/access.ts";
import {
  type CounterGrowth,
  counterGrowth,
  type CounterReadings,
  counterValue,
  type ErrorCounter,
  errorCounters,
  isSaturated,
  secondsBetween,
} from "../../fabric/counters.ts";
import { type Fabric, none } from "../../fabric/model.ts";
import type { Severity } from "../../parse/diagnostic.ts";
import type { Finding } from "../results.ts";
import type { Thresholds } from "../thresholds.ts";
import { fabricSubject, finding, linkSubject, portSubject, type RuleInput } from "./rule.ts";

/** Errors that show a bad cable or port at this very end. */
const ownErrors: ReadonlySet<ErrorCounter> = new Set([
  "SymbolErrorCounter",
  "LinkErrorRecoveryCounter",
  "LinkDownedCounter",
  "PortRcvErrors",
  "LocalLinkIntegrityErrors",
  "ExcessiveBufferOverrunErrors",
]);

const errorNames = Object.keys(errorCounters).filter((name): name is ErrorCounter =>
  Object.hasOwn(errorCounters, name),
);

interface Grown {
  readonly name: ErrorCounter;
  readonly growth: CounterGrowth;
  readonly severity: Severity;
}

/**
 * Error counters that grow, by their growth an hour; after one reading what cannot be judged yet. PortXmitWait is
 * congestion and never counts against a cable. O(ports).
 */
export function growingErrors({ fabric }: RuleInput, thresholds: Thresholds): readonly Finding[] {
  const { counters } = fabric;
  if (counters === undefined) return [];
  if (secondsBetween(counters) <= 0)
    return [...unjudged(fabric, counters, thresholds), ...countersMissing(fabric, counters)];
  const growing = new Map<number, readonly Grown[]>();
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const grown = grownAt(counters, port, thresholds);
    if (grown.length > 0) growing.set(port, grown);
  }
  const found: Finding[] = [];
  for (const [port, grown] of growing) {
    const own = grown.filter(({ name }) => ownErrors.has(name));
    const others = grown.filter(({ name }) => !ownErrors.has(name));
    if (own.length > 0) found.push(ownFinding(fabric, port, own));
    for (const one of others) found.push(consequence(fabric, port, one, growing));
  }
  return [...found, ...stuck(fabric, counters), ...countersMissing(fabric, counters)];
}

/** Some cabled ports told their counters and others did not: those are not clean, they are unknown. */
function countersMissing(fabric: Fabric, { latest }: CounterReadings): readonly Finding[] {
  let cabled = 0;
  const silent = new Map<number, number>();
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const node = at(fabric.ports.node, port);
    if (at(fabric.ports.link, port) === none || at(fabric.nodes.discovered, node) !== 1) continue;
    cabled += 1;
    if (latest.told[port] !== 1) silent.set(node, (silent.get(node) ?? 0) + 1);
  }
  const ports = [...silent.values()].reduce((sum, n) => sum + n, 0);
  if (ports === 0 || ports === cabled) return [];
  const most = [...silent].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const names = most.map(([node, n]) => `${nodeName(fabric, node)} (${n})`).join(", ");
  return [
    finding("counters-missing", {
      severity: "note",
      title: "Counters not known everywhere",
      subject: fabricSubject,
      message: `${groupDigits(ports)} of ${count(cabled, "cabled port")} did not tell their error counters, most of them at ${names}. They are unknown, not clean.`,
      evidence: `${groupDigits(cabled - ports)} of ${groupDigits(cabled)} ports read; missing at ${count(silent.size, "node")}`,
      cause:
        "Nodes that did not answer in time, or an output that lists only ports above a threshold and was not read to its end.",
      remedy: "Collect again; if the same nodes stay silent, look whether they answer perfquery.",
    }),
  ];
}

function grownAt(counters: CounterReadings, port: number, thresholds: Thresholds): readonly Grown[] {
  const grown: Grown[] = [];
  for (const name of errorNames) {
    if (name !== "LinkDownedCounter" && thresholds.counters[name] === undefined) continue;
    const growth = counterGrowth(counters, name, port);
    if (growth === undefined || growth.growth === 0) continue;
    const severity = name === "LinkDownedCounter" ? downs(growth, thresholds) : limited(name, growth, thresholds);
    if (severity !== undefined) grown.push({ name, growth, severity });
  }
  return grown;
}

function limited(name: ErrorCounter, { perHour }: CounterGrowth, thresholds: Thresholds): Severity | undefined {
  const limit = thresholds.counters[name];
  if (limit === undefined || perHour <= limit.warnPerHour) return undefined;
  return perHour > limit.errorPerHour ? "error" : "warning";
}

/** Counted, not scaled up: a link that went down once in a minute did not do so 1,440 times a day. */
function downs({ growth, seconds }: CounterGrowth, thresholds: Thresholds): Severity | undefined {
  const days = Math.max(1, seconds / 86_400);
  if (growth / days >= thresholds.linkDowned.errorPerDay) return "error";
  return growth / days >= thresholds.linkDowned.warnPerDay ? "warning" : undefined;
}

function words({ name, growth }: Grown): string {
  const more = growth.saturated || growth.reset ? "at least " : "";
  return `${name} ${groupDigits(growth.from)} to ${growth.saturated ? "≥ " : ""}${groupDigits(growth.to)} in ${duration(growth.seconds)} (${more}${groupDigits(Math.round(growth.perHour))} an hour${growth.reset ? ", cleared in between" : ""})`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function worst(severities: readonly Severity[]): Severity {
  return severities.includes("error") ? "error" : severities.includes("warning") ? "warning" : "note";
}

function subjectOf(fabric: Fabric, port: number): Finding["subject"] {
  const link = at(fabric.ports.link, port);
  return link === none ? portSubject(fabric, port) : linkSubject(fabric, link);
}

/** Rule and port: a link whose two ends both take errors has a finding for each, and tables show which end it is. */
function idAt(fabric: Fabric, rule: string, port: number, found: Finding): Finding {
  const end = portName(fabric, port);
  return { ...found, id: `${rule} ${end}`, evidence: `${end}: ${found.evidence}` };
}

function ownFinding(fabric: Fabric, port: number, grown: readonly Grown[]): Finding {
  const down = grown.some(({ name }) => name === "LinkDownedCounter");
  const onlyDown = down && grown.length === 1;
  const severity = worst(grown.map((one) => one.severity));
  // A link that comes up counts errors while it trains.
  const graced = down && !onlyDown && severity === "error" && grown.every((one) => isTraining(one));
  const subject = subjectOf(fabric, port);
  const rule = onlyDown ? "link-flaps" : "growing-errors";
  const times = grown.find(({ name }) => name === "LinkDownedCounter")?.growth.growth ?? 0;
  return idAt(
    fabric,
    rule,
    port,
    finding(rule, {
      severity: graced ? "warning" : severity,
      title: onlyDown ? "Link went down" : "Errors grow",
      subject,
      message: onlyDown
        ? `${portName(fabric, port)} went down ${count(times, "time")}: ${grown.map(words).join(", ")}.`
        : `${portName(fabric, port)} takes errors: ${grown.map(words).join(", ")}.`,
      evidence: grown.map(words).join("; "),
      cause: onlyDown
        ? "The far end was restarted or unplugged, or the link does not hold: a bad cable, transceiver or port."
        : down
          ? "The link went down and came up, and errors are counted while a link trains; if they go on without that, the cable, a transceiver or a dirty connector."
          : "A bad or dirty cable or transceiver, a bad port, or a cable bent too much.",
      remedy: onlyDown
        ? "Check whether somebody worked on the far end; if not, reseat both ends, then swap the cable."
        : "Reseat and clean both ends and watch the counters; then swap the cable, then the port.",
    }),
  );
}

/** Symbol errors and recoveries come with training; damaged packets do not. */
function isTraining({ name }: Grown): boolean {
  return ["LinkDownedCounter", "SymbolErrorCounter", "LinkErrorRecoveryCounter"].includes(name);
}

/** Errors that another place causes: the neighbour is pointed at, and the cable is not accused. */
function consequence(
  fabric: Fabric,
  port: number,
  one: Grown,
  growing: ReadonlyMap<number, readonly Grown[]>,
): Finding {
  const peer = peerPort(fabric, port);
  const neighbour = peer === undefined ? "the far end" : nodeName(fabric, at(fabric.ports.node, peer));
  const origin = peer === undefined ? undefined : sickPortOf(fabric, at(fabric.ports.node, peer), peer, growing);
  const rule = `consequence-${one.name}`;
  const sideEffect = one.name === "PortRcvRemotePhysicalErrors" || one.name === "PortRcvSwitchRelayErrors";
  const text = explained(one.name, neighbour, origin);
  return idAt(
    fabric,
    rule,
    port,
    finding(rule, {
      // With the origin known its own finding is the one to act on.
      severity: sideEffect && origin !== undefined ? "note" : sideEffect ? "warning" : one.severity,
      title: text.title,
      subject: sideEffect ? neighbourSubject(fabric, port, peer) : subjectOf(fabric, port),
      message: `${portName(fabric, port)}: ${words(one)}. ${text.points}`,
      evidence: words(one),
      cause: text.cause,
      remedy: text.remedy,
    }),
  );
}

/** The node upstream is the subject: that is where to look. */
function neighbourSubject(fabric: Fabric, port: number, peer: number | undefined): Finding["subject"] {
  return portSubject(fabric, peer ?? port);
}

/** Another port of the neighbour that takes errors of its own. */
function sickPortOf(
  fabric: Fabric,
  node: number,
  except: number,
  growing: ReadonlyMap<number, readonly Grown[]>,
): string | undefined {
  for (let port = at(fabric.nodes.portStart, node); port < at(fabric.nodes.portStart, node + 1); port += 1) {
    if (port === except) continue;
    if (growing.get(port)?.some(({ name }) => ownErrors.has(name)) === true) return portName(fabric, port);
  }
  return undefined;
}

function explained(
  name: ErrorCounter,
  neighbour: string,
  origin: string | undefined,
): { readonly title: string; readonly points: string; readonly cause: string; readonly remedy: string } {
  const look =
    origin === undefined ? `look at the other ports of ${neighbour}` : `look at ${origin}, which takes errors`;
  if (name === "PortRcvRemotePhysicalErrors") {
    return {
      title: "Damaged packets from upstream",
      points: `They came damaged through ${neighbour}: ${look}.`,
      cause: "Another link on the way to here damages packets; this one only passes on the mark.",
      remedy: `Not this cable: ${look}.`,
    };
  }
  if (name === "PortRcvSwitchRelayErrors") {
    return {
      title: "Packets that could not be relayed",
      points: `With multicast this is normal; else ${look}.`,
      cause: "Multicast that would go back where it came from, or packets without a route.",
      remedy: `Not this cable: if multicast does not explain it, ${look} and check the routes.`,
    };
  }
  if (name === "PortXmitDiscards") {
    return {
      title: "Packets discarded",
      points: `${neighbour} does not take them in time.`,
      cause: "Congestion: the far side drains too slowly, or the link was down for a moment.",
      remedy: `Look at what ${neighbour} and the hosts behind it are doing, and at PortXmitWait; this is no sign of a bad cable.`,
    };
  }
  if (name === "VL15Dropped") {
    return {
      title: "Management packets dropped",
      points: "Management packets came faster than they could be taken.",
      cause: "Many sweeps or queries at a time; a subnet manager that sweeps without a pause.",
      remedy: "Look at the subnet manager's log, and run fewer tools at a time.",
    };
  }
  return {
    title: "Packets refused",
    points: "They broke a partition or raw-packet rule.",
    cause: "Partitions (P_Keys) of the two ends do not agree.",
    remedy: "Compare the partitions of the hosts behind this port with the subnet manager's.",
  };
}

/** Counters that stand at their ceiling cannot grow any more. */
function stuck(fabric: Fabric, counters: CounterReadings): readonly Finding[] {
  const found: Finding[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const full = errorNames.filter((name) => {
      const growth = ownErrors.has(name) ? counterGrowth(counters, name, port) : undefined;
      return growth?.saturated === true && growth.growth === 0;
    });
    if (full.length === 0) continue;
    const list = full.map((name) => `${name} ≥ ${groupDigits(errorCounters[name])}`).join(", ");
    found.push(
      idAt(
        fabric,
        "counter-full",
        port,
        finding("counter-full", {
          severity: "note",
          title: "Counter at its ceiling",
          subject: subjectOf(fabric, port),
          message: `${portName(fabric, port)}: ${list}. A counter that is full cannot show whether errors go on.`,
          evidence: list,
          cause: "The counter was not cleared for a long time, or the link is bad.",
          remedy: `Clear the counters of this port (perfquery -R, which Ibex never does) and read them again.`,
        }),
      ),
    );
  }
  return found;
}

/** After one reading: what was counted since nobody knows when, most first, the rest in one line. */
function unjudged(fabric: Fabric, counters: CounterReadings, thresholds: Thresholds): readonly Finding[] {
  const rows: { readonly port: number; readonly total: number; readonly list: string }[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    let total = 0;
    const parts: string[] = [];
    for (const name of errorNames) {
      const value = ownErrors.has(name) ? (counterValue(counters.latest, name, port) ?? 0) : 0;
      if (value === 0) continue;
      total += value;
      parts.push(`${name} ${isSaturated(name, value) ? "≥ " : ""}${groupDigits(value)}`);
    }
    if (total > 0) rows.push({ port, total, list: parts.join(", ") });
  }
  rows.sort((a, b) => b.total - a.total);
  const named = rows.slice(0, thresholds.unjudgedPorts).map(({ port, list }) =>
    idAt(
      fabric,
      "errors-not-judged",
      port,
      finding("errors-not-judged", {
        severity: "note",
        title: "Errors, growth not known",
        subject: subjectOf(fabric, port),
        message: `${portName(fabric, port)} has counted ${list} since its counters were cleared last. One reading does not tell whether they still grow.`,
        evidence: `${list}; not enough data`,
        cause: "Errors of today, or of long ago: totals alone say neither.",
        remedy: "Collect again after some minutes: growth by the hour is what counts.",
      }),
    ),
  );
  const rest = rows.length - named.length;
  if (rest <= 0) return named;
  return [
    ...named,
    finding("errors-not-judged", {
      severity: "note",
      title: "Errors, growth not known",
      subject: fabricSubject,
      message: `${count(rest, "more port")} have counted errors; one reading does not tell whether they still grow.`,
      evidence: `${groupDigits(rows.length)} ports with errors, ${groupDigits(named.length)} listed`,
      cause: "Counters that were not cleared for a long time.",
      remedy: "Collect again after some minutes: growth by the hour is what counts.",
    }),
  ];
}
