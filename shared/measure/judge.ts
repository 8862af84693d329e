/**
 * From numbers to a verdict: against the data rate of the slowest cable, and for latency against bands by the number
 * of switches. Numbers from the field: pass at 95 %, never below 90 %; under 70 % something is broken.
 */
import { count } from "../base/text.ts";
import { explain } from "../errors/explain.ts";
import { formatGbps } from "../fabric/rates.ts";
import type { BandwidthRow, LatencyRow } from "../parse/records.ts";
import { bands, bandwidthLevel, latencyLevel } from "./bands.ts";
import { comparisonShare } from "./baseline.ts";
import { causeSteps } from "./causes.ts";
import { evidenceWords } from "./judge-evidence.ts";
import { nextSteps } from "./next-steps.ts";
import type { JudgeInput } from "./judge-input.ts";
import type { Measurement, PathHop, Verdict, VerdictLevel } from "./types.ts";

export type Judgement = Pick<
  Measurement,
  | "bandwidthGbps"
  | "latencyUs"
  | "latencyP99Us"
  | "loadedLatencyUs"
  | "loadedLatencyP99Us"
  | "bothWaysGbps"
  | "expectedGbps"
  | "percent"
  | "verdict"
  | "baselineGbps"
  | "siblingsGbps"
>;

const order: readonly VerdictLevel[] = ["good", "fair", "slow", "bad"];
const noBreakSpace = "\u00a0";

/** `61 %`; with a decimal where rounding would move it into another band. */
export function formatPercent(percent: number, passPercent: number): string {
  const rounded = Math.round(percent);
  const same = bandwidthLevel(rounded, passPercent) === bandwidthLevel(percent, passPercent);
  const shown = same ? String(rounded) : (Math.floor(percent * 10) / 10).toFixed(1);
  return `${shown}${noBreakSpace}%`;
}

/** `121.4 Gb/s`. */
function gbpsText(gbps: number): string {
  return `${formatGbps(gbps)} Gb/s`;
}

function microseconds(us: number): string {
  return `${us.toFixed(2)} µs`;
}

function messageSize(bytes: number): string {
  if (bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : count(bytes, "byte");
}

const levelWords: Readonly<Record<VerdictLevel, string>> = {
  good: "as expected",
  fair: "fair, a little below what is expected",
  slow: "slow",
  bad: "bad",
  failed: "no result",
  cancelled: "cancelled",
};

interface Part {
  /** Absent when there is a number that no limit applies to. */
  readonly level?: VerdictLevel;
  readonly sentence: string;
}

/** Slowest cable and what a path can carry, both directions counted when both are measured. 0 when no rate is known. */
export function expectedGbpsOf(path: readonly PathHop[], bidirectional: boolean): number {
  const rates = path.map((hop) => hop.gbps).filter((gbps) => gbps > 0);
  return rates.length === 0 ? 0 : Math.min(...rates) * (bidirectional ? 2 : 1);
}

function isJudged({ bytes }: BandwidthRow, { allSizes = false }: JudgeInput): boolean {
  return allSizes || bytes >= bands.judgedBytes;
}

function judgeBandwidth(input: JudgeInput, row: BandwidthRow, expected: number, both: boolean): Part {
  const { passPercent } = input;
  const { averageGbps: gbps, bytes } = row;
  if (expected === 0) {
    return { sentence: `${gbpsText(gbps)}. Not judged: the capture knows no rate of any cable on the path.` };
  }
  if (!isJudged(row, input)) {
    return {
      sentence: `${gbpsText(gbps)} with messages of ${messageSize(bytes)}. Not judged: small messages are bound by their number, not by the link.`,
    };
  }
  const percent = (gbps / expected) * 100;
  const level = bandwidthLevel(percent, passPercent);
  const best = input.allSizes === true ? ` at best, with messages of ${messageSize(bytes)}` : "";
  const of = `${gbpsText(gbps)}${best}, ${formatPercent(percent, passPercent)} of ${formatGbps(expected)} Gb/s`;
  if (percent > bands.suspiciousPercent) {
    return {
      level,
      sentence: `${of}: more than the slowest cable of the path can carry, so this is not the rate of that path.`,
    };
  }
  return { level, sentence: `${of}${both ? " in both directions" : ""}: ${levelWords[level]}.` };
}

function latencyWords(us: number, switches: number, level: VerdictLevel): string {
  if (us > bands.latencyNotRdmaUs) return "so high that it was hardly RDMA";
  if (level === "bad") return "far too high";
  if (level === "good") return us < bands.latencyOneSwitchUs ? "excellent" : "good";
  return switches <= 1 && us < bands.latencyGoodUs ? "higher than one switch explains" : "high";
}

/** Reads print the whole round trip, the other tools half of it: the bands are of one way. */
function oneWayUs(us: number, { options }: JudgeInput): number {
  return options.latencyTool === "ib_read_lat" ? us / 2 : us;
}

function latencyNumbers(row: LatencyRow): string {
  const p99 = row.p99Us === undefined ? "" : `, ${microseconds(row.p99Us)} at 99${noBreakSpace}%`;
  return `${microseconds(row.avgUs)} average${p99}`;
}

function judgeLatency(input: JudgeInput, row: LatencyRow): Part {
  const switches = input.path.length - 1;
  const oneWay = oneWayUs(row.avgUs, input);
  const level = latencyLevel(oneWay, switches);
  const over = switches <= 0 ? "without a switch" : `over ${count(switches, "switch", "switches")}`;
  const what = oneWay === row.avgUs ? "Latency" : "Read latency there and back";
  return { level, sentence: `${what} ${latencyNumbers(row)}, ${over}: ${latencyWords(oneWay, switches, level)}.` };
}

/** Under load there is no pass line: queues fill on the way. Only a latency that is none of RDMA's is judged. */
function judgeLoadedLatency(input: JudgeInput, row: LatencyRow): Part {
  const idle = input.latency?.avgUs ?? 0;
  const times = idle > 0 ? `, ${(row.avgUs / idle).toFixed(1)} times the idle one` : "";
  const high = oneWayUs(row.avgUs, input) > bands.latencyNotRdmaUs;
  return {
    ...(high ? { level: "fair" as const } : {}),
    sentence: `Under load ${latencyNumbers(row)}${times}.`,
  };
}

/** Routes are of one direction: the way back may take other cables, slower ones or faster ones. */
function judgeBothWays(input: JudgeInput, row: BandwidthRow, expected: number): Part {
  if (expected === 0 || (row.averageGbps / expected) * 100 <= bands.suspiciousPercent) {
    return judgeBandwidth(input, row, expected, true);
  }
  return {
    sentence: `${gbpsText(row.averageGbps)} in both directions at once: the way back takes faster cables than this path has, so the sum is not judged.`,
  };
}

/** `With 1 QP 150.2, 4 QPs 196.0, 16 QPs 196.4 Gb/s.` */
function queuePairSentence(tried: NonNullable<JudgeInput["byQueuePairs"]>): string {
  const numbers = tried.map(
    ({ queuePairs, gbps }) => `${count(queuePairs, "QP")} ${gbpsText(gbps).replace(" Gb/s", "")}`,
  );
  return `With ${numbers.join(", ")} Gb/s.`;
}

function bandwidthParts(input: JudgeInput, expected: number): readonly Part[] {
  const { bandwidth, bothWays, byQueuePairs = [], options } = input;
  return [
    ...(bandwidth === undefined ? [] : [judgeBandwidth(input, bandwidth, expected, options.bidirectional)]),
    ...(byQueuePairs.length < 2 ? [] : [{ sentence: queuePairSentence(byQueuePairs) }]),
    ...(bothWays === undefined ? [] : [judgeBothWays(input, bothWays, 2 * expected)]),
  ];
}

function worst(parts: readonly Part[]): VerdictLevel | undefined {
  const levels = parts.flatMap((part) => (part.level === undefined ? [] : [order.indexOf(part.level)]));
  return levels.length === 0 ? undefined : order[Math.max(...levels)];
}

/** A sentence about a cable that caps the path below what the measured one can carry. */
function capSentence(input: JudgeInput): string | undefined {
  const measured = input.path.find((hop) => hop.linkIndex === input.link)?.gbps ?? 0;
  const slowest = input.path.reduce<PathHop | undefined>(
    (least, hop) => (hop.gbps > 0 && hop.gbps < (least?.gbps ?? measured) ? hop : least),
    undefined,
  );
  if (slowest === undefined || measured === 0) return undefined;
  return `The path is capped by ${slowest.fromName}:${slowest.fromPort} to ${slowest.toName}:${slowest.toPort} at ${formatGbps(slowest.gbps)} Gb/s; ${input.linkName} can carry ${formatGbps(measured)}.`;
}

/** The cable that sets the limit runs below what its ends support: as expected of how it runs, not of what it could. */
function belowSentence({ path, link, linkName }: JudgeInput, bothWays: boolean, expected: number): string | undefined {
  const rate = expected / (bothWays ? 2 : 1);
  const limiting = path.filter((hop) => hop.below !== undefined && hop.gbps === rate);
  const hop = limiting.find(({ linkIndex }) => linkIndex === link) ?? limiting[0];
  if (hop?.below === undefined) return undefined;
  const { couldGbps, finding } = hop.below;
  const name = hop.linkIndex === link ? linkName : `${hop.fromName}:${hop.fromPort} to ${hop.toName}:${hop.toPort}`;
  return `Both ends of ${name} support ${formatGbps(couldGbps)} Gb/s; it runs below that at ${formatGbps(hop.gbps)}: see its finding “${finding}”.`;
}

function problemVerdict(parts: readonly Part[], problem: NonNullable<JudgeInput["problem"]>): Verdict {
  const { error, step, skipped } = problem;
  const numbers = parts.map((part) => part.sentence);
  if (error.kind === "cancelled") {
    const before = numbers.length === 0 ? "" : ` Measured before: ${numbers.join(" ")}`;
    return { level: "cancelled", sentence: `Cancelled during the ${step} test.${before}`, next: [] };
  }
  const words = explain(error);
  const [only] = skipped;
  const what = skipped.length === 1 && only !== undefined ? `The ${only} test` : `The ${skipped.length} tests after it`;
  const tail =
    skipped.length === 0
      ? ""
      : ` ${what} would fail for the same reason and ${skipped.length === 1 ? "was" : "were"} not tried.`;
  return {
    level: "failed",
    sentence: [...numbers, `The ${step} test gave no result: ${words.sentence}${tail}`].join(" "),
    next: words.remedy,
  };
}

/** Sentences on what the same path, and links like it, have reached before. */
function comparisonSentences(
  { comparisons = {}, linkName }: JudgeInput,
  gbps: number | undefined,
): { readonly sentences: readonly string[]; readonly below: boolean } {
  if (gbps === undefined) return { sentences: [], below: false };
  const sentences: string[] = [];
  const { baseline, siblings } = comparisons;
  const share = (of: number): string => `${Math.round((1 - gbps / of) * 100)}${noBreakSpace}%`;
  const below = baseline !== undefined && gbps < baseline.gbps * comparisonShare;
  if (below) {
    const runs = baseline.runs === 1 ? "its last good run" : `the median of its last ${baseline.runs} good runs`;
    sentences.push(`That is ${share(baseline.gbps)} below its baseline of ${gbpsText(baseline.gbps)}, ${runs}.`);
  }
  if (siblings !== undefined && gbps < siblings.gbps * comparisonShare) {
    sentences.push(
      `${siblings.runs} links like ${linkName} reach ${gbpsText(siblings.gbps)}: it is ${share(siblings.gbps)} below them.`,
    );
  }
  return { sentences, below: sentences.length > 0 };
}

/** The worse of two levels; `failed` is worse than any number. */
function notBetterThan(level: VerdictLevel, atBest: VerdictLevel | undefined): VerdictLevel {
  if (atBest === undefined || level === "failed" || level === "cancelled") return level;
  if (atBest === "failed") return "failed";
  return order[Math.max(order.indexOf(level), order.indexOf(atBest))] ?? level;
}

/** Puts the numbers of a measurement into a verdict with next steps. Pure. */
export function judge(input: JudgeInput): Judgement {
  const { bandwidth, bothWays, latency, loadedLatency, options, evidence = [] } = input;
  const expectedGbps = expectedGbpsOf(input.path, options.bidirectional);
  const parts: readonly Part[] = [
    ...bandwidthParts(input, expectedGbps),
    ...(latency === undefined ? [] : [judgeLatency(input, latency)]),
    ...(loadedLatency === undefined ? [] : [judgeLoadedLatency(input, loadedLatency)]),
  ];
  const proof = evidenceWords(evidence, input.linkName, bandwidth !== undefined);
  const percent =
    bandwidth === undefined || expectedGbps === 0 ? undefined : (bandwidth.averageGbps / expectedGbps) * 100;
  const judged = percent !== undefined && bandwidth !== undefined && isJudged(bandwidth, input);
  const cap = judged ? capSentence(input) : undefined;
  const below = judged ? belowSentence(input, options.bidirectional, expectedGbps) : undefined;
  const numbers: Verdict =
    input.problem === undefined
      ? {
          level: worst(parts) ?? "fair",
          sentence: [...parts.map((part) => part.sentence), cap, below].filter((text) => text !== undefined).join(" "),
          next: proof.otherLink ? [] : nextSteps(input, judged ? percent : undefined),
        }
      : problemVerdict(parts, input.problem);
  // What went over another link is no result of this one.
  const own = bandwidth !== undefined && !proof.otherLink;
  const { comparisons } = input;
  const compared = comparisonSentences(input, own && judged ? bandwidth.averageGbps : undefined);
  const verdict: Verdict = {
    level: notBetterThan(notBetterThan(numbers.level, proof.atBest), compared.below ? "fair" : undefined),
    sentence: [numbers.sentence, ...compared.sentences, ...proof.sentences].join(" "),
    next: [...causeSteps(input.checks ?? []), ...proof.next, ...numbers.next],
  };
  return {
    ...(own ? { bandwidthGbps: bandwidth.averageGbps } : {}),
    ...(latency === undefined ? {} : { latencyUs: latency.avgUs }),
    ...(latency?.p99Us === undefined ? {} : { latencyP99Us: latency.p99Us }),
    ...(loadedLatency === undefined ? {} : { loadedLatencyUs: loadedLatency.avgUs }),
    ...(loadedLatency?.p99Us === undefined ? {} : { loadedLatencyP99Us: loadedLatency.p99Us }),
    ...(own && bothWays !== undefined ? { bothWaysGbps: bothWays.averageGbps } : {}),
    expectedGbps,
    ...(own && judged ? { percent } : {}),
    ...(comparisons?.baseline === undefined ? {} : { baselineGbps: comparisons.baseline.gbps }),
    ...(comparisons?.siblings === undefined ? {} : { siblingsGbps: comparisons.siblings.gbps }),
    verdict,
  };
}
