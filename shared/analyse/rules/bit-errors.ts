import { count } from "../../base/text.ts";
import { at, portName } from "../../fabric/access.ts";
import { type Fabric, none } from "../../fabric/model.ts";
import { formatBer, type PhysicalColumns, physicalNumber, physicalText } from "../../fabric/physical.ts";
import { speedCode } from "../../fabric/rates.ts";
import type { Severity } from "../../parse/diagnostic.ts";
import type { Finding } from "../results.ts";
import type { Limit, Thresholds } from "../thresholds.ts";
import { fabricSubject, finding, linkSubject, portSubject, type RuleInput } from "./rule.ts";

/** From here on links are PAM4 with error correction always on, and their raw BER is never zero. */
const pam4From = speedCode("HDR");

interface Judged {
  readonly name: "symbol BER" | "effective BER" | "raw BER";
  readonly rate: number;
  readonly limit: { readonly warn: number; readonly error?: number };
}

/** `enough`: bits or minutes suffice. `unknown`: nobody told for how long the errors were counted. */
type Weight = "enough" | "too-little" | "unknown";

/**
 * Bit error rates against their limits by speed and reach: the symbol BER is what applications feel on HDR and newer,
 * the effective one on EDR and older. A rate over too few bits is neither good nor bad. O(ports).
 */
export function bitErrors({ fabric }: RuleInput, { ber }: Thresholds): readonly Finding[] {
  const { physical } = fabric;
  if (physical === undefined) return [];
  const found: Finding[] = [];
  let waiting = 0;
  let longest = 0;
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const rates = ratesOf(fabric, physical, port, ber);
    if (rates.length === 0) continue;
    const over = rates.filter(({ rate, limit }) => rate >= limit.warn);
    const weight = weightOf(physical, port, rates, ber);
    if (weight === "too-little") {
      waiting += 1;
      longest = Math.max(longest, physicalNumber(physical, "minutes", port) ?? 0);
      if (over.length > 0) found.push(notYet(fabric, physical, port, over, ber));
    } else if (over.length > 0) found.push(tooMany(fabric, physical, port, over, weight));
  }
  if (waiting > 0) found.push(allWaiting(waiting, longest, ber));
  return found;
}

/** Links whose bit error rate was told and cannot be judged yet: neither green nor red. */
export function linksWithoutEnoughBits(fabric: Fabric, { ber }: Thresholds): readonly number[] {
  const { physical } = fabric;
  if (physical === undefined) return [];
  const links = new Set<number>();
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const link = at(fabric.ports.link, port);
    const rates = link === none ? [] : ratesOf(fabric, physical, port, ber);
    if (rates.length > 0 && weightOf(physical, port, rates, ber) === "too-little") links.add(link);
  }
  return [...links];
}

function ratesOf(fabric: Fabric, physical: PhysicalColumns, port: number, ber: Thresholds["ber"]): readonly Judged[] {
  const speed = at(fabric.ports.speed, port);
  if (physical.told[port] !== 1 || speed === 0) return [];
  const isPam4 = speed >= pam4From;
  const isLong = (physicalNumber(physical, "meters", port) ?? 0) > ber.longReachMeters;
  const rates: Judged[] = [];
  const take = (name: Judged["name"], rate: number | undefined, limit: Judged["limit"]): void => {
    if (rate !== undefined) rates.push({ name, rate, limit });
  };
  const effective: Limit = !isPam4 ? ber.effectiveOld : isLong ? ber.effectiveLong : ber.effective;
  if (isPam4) take("symbol BER", physicalNumber(physical, "symbolBer", port), ber.symbol);
  take("effective BER", physicalNumber(physical, "effectiveBer", port), effective);
  if (isPam4) take("raw BER", physicalNumber(physical, "rawBer", port), { warn: ber.raw });
  return rates;
}

function weightOf(physical: PhysicalColumns, port: number, rates: readonly Judged[], ber: Thresholds["ber"]): Weight {
  const minutes = physicalNumber(physical, "minutes", port);
  const bits = physicalNumber(physical, "bits", port);
  if (minutes === undefined && bits === undefined) return "unknown";
  const strictest = Math.min(...rates.map(({ limit }) => limit.error ?? limit.warn));
  const enough = (minutes ?? 0) >= ber.minutes || (bits ?? 0) * strictest >= ber.errorsExpected;
  return enough ? "enough" : "too-little";
}

function words({ name, rate }: Judged): string {
  return `${name} ${formatBer(rate)}`;
}

function inWords({ name, rate }: Judged): string {
  return `${name === "effective BER" ? "an" : "a"} ${name} of ${formatBer(rate)}`;
}

function evidence(physical: PhysicalColumns, port: number, over: readonly Judged[]): string {
  const limits = over.map(
    (one) =>
      `${words(one)}, warning from ${formatBer(one.limit.warn)}${one.limit.error === undefined ? "" : `, error from ${formatBer(one.limit.error)}`}`,
  );
  const fec = physicalText(physical, "fec", port);
  const raw = physicalNumber(physical, "rawBer", port);
  const beside = raw === undefined || over.some(({ name }) => name === "raw BER") ? [] : [`raw BER ${formatBer(raw)}`];
  return [...limits, ...beside, span(physical, port), ...(fec === "" ? [] : [fec])].join("; ");
}

function span(physical: PhysicalColumns, port: number): string {
  const minutes = physicalNumber(physical, "minutes", port);
  const bits = physicalNumber(physical, "bits", port);
  if (minutes === undefined)
    return bits === undefined ? "counted for an unknown time" : `${bits.toExponential(1)} bits`;
  if (minutes < 180) return `counted for ${Math.round(minutes)} min`;
  return minutes < 2880 ? `counted for ${Math.round(minutes / 60)} h` : `counted for ${Math.round(minutes / 1440)} d`;
}

function subjectOf(fabric: Fabric, port: number): Finding["subject"] {
  const link = at(fabric.ports.link, port);
  return link === none ? portSubject(fabric, port) : linkSubject(fabric, link);
}

function tooMany(
  fabric: Fabric,
  physical: PhysicalColumns,
  port: number,
  over: readonly Judged[],
  weight: Weight,
): Finding {
  const isError = over.some(({ rate, limit }) => limit.error !== undefined && rate >= limit.error);
  // How long it was counted decides what a rate is worth; unknown, it is not enough for an error.
  const severity: Severity = isError && weight === "enough" ? "error" : "warning";
  const onlyRaw = over.every(({ name }) => name === "raw BER");
  const name = portName(fabric, port);
  const part = physicalText(physical, "part", port);
  return {
    ...finding("bit-errors", {
      severity,
      title: onlyRaw ? "Raw bit errors high" : "Bit errors above the limit",
      subject: subjectOf(fabric, port),
      message: `${name} receives with ${over.map(inWords).join(" and ")}, above the limit for its speed${onlyRaw ? "; error correction still hides it" : ""}.`,
      evidence: `${evidence(physical, port, over)}${part === "" ? "" : `; cable ${part}`}`,
      cause:
        "A dirty or badly seated connector, a cable bent too much or too long for its speed, a failing transceiver at either end.",
      remedy: `Clean and reseat both ends, clear the physical counters, and look again after ${onlyRaw ? "a day" : "two hours"}; then swap the cable, then the transceiver of the far end.`,
    }),
    id: `bit-errors ${name}`,
  };
}

function notYet(
  fabric: Fabric,
  physical: PhysicalColumns,
  port: number,
  over: readonly Judged[],
  ber: Thresholds["ber"],
): Finding {
  const name = portName(fabric, port);
  const minutes = physicalNumber(physical, "minutes", port);
  const far = minutes === undefined ? "too few bits" : `${Math.floor(minutes)} of ${ber.minutes} min`;
  return {
    ...finding("bit-errors-not-judged", {
      severity: "note",
      title: "Not enough bits yet",
      subject: subjectOf(fabric, port),
      message: `${name} shows ${over.map(inWords).join(" and ")}, but not enough bits have passed to judge it: ${far}.`,
      evidence: `not enough bits yet, ${far}; ${over.map(words).join("; ")}`,
      cause: "The link came up, or its counters were cleared, a short time ago: links count errors while they train.",
      remedy: `Look again when the counters have run for ${ber.minutes} min.`,
    }),
    id: `bit-errors-not-judged ${name}`,
  };
}

function allWaiting(ports: number, longest: number, ber: Thresholds["ber"]): Finding {
  return finding("bit-errors-not-judged", {
    severity: "note",
    title: "Not enough bits yet",
    subject: fabricSubject,
    message: `The bit error rates of ${count(ports, "port")} cannot be judged yet: they were counted for ${Math.floor(longest)} of ${ber.minutes} min at most.`,
    evidence: `${count(ports, "port")}, ${Math.floor(longest)} of ${ber.minutes} min`,
    cause: "Links that came up, or counters that were cleared, a short time ago.",
    remedy: `Read them again when they have run for ${ber.minutes} min.`,
  });
}
