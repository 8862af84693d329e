/** What a result says about its proof: the way that the data took, and the counters that changed. Pure; no React. */
import { groupDigits } from "../../../shared/base/text.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { linksCarrying } from "../../../shared/measure/evidence.ts";
import { routeProofOf } from "../../../shared/measure/judge-evidence.ts";
import type {
  Measurement,
  MeasurePlan,
  NewErrors,
  PathHop,
  RouteProof,
  RunEvidence,
} from "../../../shared/measure/types.ts";
import { levelWord } from "./words.ts";

const noBreakSpace = "\u00a0";

/** How sure it is that a plan's or a result's traffic takes its path. */
export type Planned = Pick<MeasurePlan, "basis" | "path" | "link"> & Pick<Measurement, "traced">;

/** What tells of a result's proof. */
export type Proved = Pick<Measurement, "basis" | "path" | "link" | "linkName" | "traced" | "runs">;

/** What was known before the run. A host link lies at one end of its path. */
export function basisText({ basis, path, link, traced }: Planned): string {
  if (traced?.crosses === true) return "by ibtracert before the run";
  if (basis === "routes") return "by the forwarding tables";
  if (basis === "shortest-path") return "by shortest path, not proven";
  const last = path[path.length - 1];
  const host = last?.link === link ? last.toName : (path[0]?.fromName ?? "the host");
  return `every route of ${host} crosses it`;
}

/** `99.6 %` of a share from 0 to 1; a whole number where it is one. */
export function shareText(share: number): string {
  const percent = Math.round(share * 1000) / 10;
  return `${String(percent)}${noBreakSpace}%`;
}

/** What the counters of all runs of a result say; empty when none were read. */
export function evidenceOf({ runs }: Pick<Measurement, "runs">): readonly RunEvidence[] {
  return runs.flatMap(({ evidence }) => (evidence === undefined ? [] : [evidence]));
}

export interface ProofHead {
  readonly tone: "ok" | "note" | "warning" | "unknown";
  /** For the head of a section. */
  readonly text: string;
  /** More, where there is more to say. */
  readonly detail?: string;
}

const linksNamed = 4;

/** `98 % over leaf-03:36 to spine-4:3, 2 % over …`, most first. */
function carried({ others }: RouteProof): string {
  const named = others.slice(0, linksNamed).map(({ name, share }) => `${shareText(share)} over ${name}`);
  const more = others.length - named.length;
  return [...named, ...(more > 0 ? [`and over ${more} more`] : [])].join(", ");
}

function firstUpper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Proof of the way in few words: by the run that tells most. Undefined when no counters were read. */
export function proofHead(record: Pick<Measurement, "runs">): ProofHead | undefined {
  const proof = routeProofOf(evidenceOf(record));
  if (proof === undefined) return undefined;
  const share = proof.share ?? 0;
  switch (proof.kind) {
    case "proven":
      return { tone: "ok", text: `Proven, ${shareText(share)} of the bytes crossed it` };
    case "spread": {
      return {
        tone: "note",
        text: `Spread over ${linksCarrying(proof)} links`,
        detail: `${shareText(share)} of the bytes crossed this link; ${carried(proof)}.`,
      };
    }
    case "elsewhere":
      return { tone: "warning", text: "Crossed another link", detail: `The bytes went elsewhere: ${carried(proof)}.` };
    case "unknown": {
      const [, why] = / cannot be told: (.*)$/s.exec(proof.sentence) ?? [];
      return { tone: "unknown", text: "Cannot tell", detail: firstUpper(why ?? proof.sentence) };
    }
  }
}

/**
 * The word behind the percentage. A number above the pass line is still not good when the cable made errors meanwhile,
 * and is none of this link when the data went another way: then the proof says so, not the number.
 */
export function resultWord(record: Pick<Measurement, "runs" | "verdict" | "percent">, passPercent: number): string {
  const { level } = record.verdict;
  const evidence = evidenceOf(record);
  if (level === "failed" && routeProofOf(evidence)?.kind === "elsewhere") return "not of this link";
  const passed = record.percent !== undefined && record.percent >= passPercent;
  const errors = evidence.some(({ newErrors }) => newErrors.some(({ measured }) => measured));
  return level === "fair" && errors && (passed || record.percent === undefined) ? "new errors" : levelWord(level);
}

/** Where the shown path comes from, when the head of its section says what came out instead. */
export function wayText(planned: Planned): string {
  const { traced } = planned;
  if (traced?.crosses === true) {
    const others = traced.othersTraced;
    if (others === 0) return "Way by ibtracert before the run.";
    return `Way by ibtracert before the run; ${others === 1 ? "1 other pair" : `${others} other pairs`} went another way.`;
  }
  if (planned.basis === "routes") return "Way by the forwarding tables.";
  if (planned.basis === "shortest-path") return "Way by shortest path.";
  return `${firstUpper(basisText(planned))}.`;
}

/** Why ibtracert told nothing; undefined when it did or was not asked. */
export function notTracedText({ traced }: Pick<Measurement, "traced">): string | undefined {
  if (traced?.problem === undefined) return undefined;
  return `Not traced before the run: ${traced.problem.replace(/\.$/, "")}.`;
}

export interface ErrorsText {
  readonly text: string;
  readonly tone: "error" | "quiet";
  /** Which counters grew at which port, or why they were not read. */
  readonly title: string;
}

function growthText(growth: number, atLeast: boolean): string {
  return `+${groupDigits(growth)}${atLeast ? " or more" : ""}`;
}

interface Growth {
  readonly growth: number;
  readonly atLeast: boolean;
}

function sumOf(errors: readonly NewErrors[]): Growth {
  return {
    growth: errors.reduce((sum, { growth }) => sum + growth, 0),
    atLeast: errors.some(({ atLeast }) => atLeast),
  };
}

function endsOf(hop: PathHop): readonly [string, string] {
  return [`${hop.fromName}:${hop.fromPort}`, `${hop.toName}:${hop.toPort}`];
}

function wasRead(evidence: readonly RunEvidence[], end: string): boolean {
  return evidence.some(({ ports }) => ports.some(({ name }) => name === end));
}

/** False only where a port told its data and not its errors. */
function errorsWereRead(evidence: readonly RunEvidence[], end: string): boolean {
  return evidence.some(({ ports }) => ports.some(({ name, errorsRead }) => name === end && errorsRead !== false));
}

/** Reasons why the counters of these ports were not used, each once. */
function unreadOf(evidence: readonly RunEvidence[], ends: readonly string[]): readonly string[] {
  const lines = evidence.flatMap(({ unread }) => unread);
  return [...new Set(lines.filter((line) => ends.some((end) => line.startsWith(`${end}: `))))];
}

/** New errors at both ports of a hop during all runs; undefined when no counters of the result were read. */
export function hopErrors(evidence: readonly RunEvidence[], hop: PathHop): ErrorsText | undefined {
  if (evidence.length === 0) return undefined;
  const ends = endsOf(hop);
  const errors = evidence
    .flatMap(({ newErrors }) => newErrors)
    .filter(({ link, port }) => link === hop.link && ends.includes(port));
  const unread = unreadOf(evidence, ends);
  const { growth, atLeast } = sumOf(errors);
  if (growth > 0) {
    const grown = errors.map((error) => `${error.port} ${error.counter} ${growthText(error.growth, error.atLeast)}`);
    return {
      text: atLeast ? growthText(growth, true) : `+${groupDigits(growth)} ${growth === 1 ? "error" : "errors"}`,
      tone: "error",
      title: [...grown, ...unread].join("\n"),
    };
  }
  const read = ends.filter((end) => errorsWereRead(evidence, end));
  const silent = ends
    .filter((end) => wasRead(evidence, end) && !read.includes(end))
    .map((end) => `${end}: it told no error counters`);
  const title =
    read.length === 2 ? "No error counter of either port grew" : [...unread, ...silent].join("\n") || "Not read";
  const text = read.length === 2 ? "0 errors" : read.length === 1 ? "0 at one end" : "–";
  return { text, tone: "quiet", title };
}

/** `152 GB`, `812 kB`: what crossed a port, with three digits. */
export function trafficText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit] ?? ""}`;
}

export interface ChangeCell {
  readonly text: string;
  readonly tone?: "error";
}

export interface EvidenceTable {
  /** Both ends of the measured link, in the order of its name. */
  readonly ends: readonly [string, string];
  /** Counters that changed at either end. */
  readonly rows: readonly { readonly label: string; readonly cells: readonly [ChangeCell, ChangeCell] }[];
  /** What was left out or subtracted, sentence by sentence. */
  readonly notes: readonly string[];
}

/** Others' traffic that is worth a sentence, in Gb/s. */
const ambientTold = 0.1;

function ambientNotes(evidence: readonly RunEvidence[], ends: readonly string[]): readonly string[] {
  return ends.flatMap((end) => {
    const ports = evidence.flatMap((run) => run.ports).filter(({ name }) => name === end);
    const most = Math.max(0, ...ports.map(({ ambientSent }) => ambientSent));
    const gbps = (most * 8) / 1e9;
    return gbps < ambientTold ? [] : [`Others sent ${gbps.toFixed(1)} Gb/s from ${end} right before: subtracted.`];
  });
}

/**
 * What both ends of the measured link counted during the runs, summed over them. A string is the reason why there is
 * nothing; undefined when nothing had run.
 */
export function evidenceTable(record: Proved): EvidenceTable | string | undefined {
  const { runs, path, link, linkName } = record;
  if (runs.length === 0) return undefined;
  const evidence = evidenceOf(record);
  const hop = path.find((entry) => entry.link === link);
  if (evidence.length === 0 || hop === undefined) return notReadText(record);
  const [from, to] = endsOf(hop);
  const ends = linkName.startsWith(`${to} to `) ? ([to, from] as const) : ([from, to] as const);
  const unread = unreadOf(evidence, ends).map((line) => `Not read at ${line}.`);
  if (!ends.some((end) => wasRead(evidence, end))) return unread.join(" ") || notReadText(record);

  const silent = ends
    .filter((end) => wasRead(evidence, end) && !errorsWereRead(evidence, end))
    .map((end) => `${end} told its data only: nobody knows whether it took errors.`);
  const cells = (draw: (end: string) => ChangeCell): readonly [ChangeCell, ChangeCell] => {
    const cell = (end: string): ChangeCell => (wasRead(evidence, end) ? draw(end) : { text: "–" });
    return [cell(ends[0]), cell(ends[1])];
  };
  const bytes = (field: "sentBytes" | "receivedBytes") =>
    cells((end) => {
      const ports = evidence.flatMap((run) => run.ports).filter(({ name }) => name === end);
      return { text: trafficText(ports.reduce((sum, port) => sum + port[field], 0)) };
    });
  const errors = evidence.flatMap((run) => run.newErrors).filter((error) => error.link === link);
  const counters = [...new Set(errors.map(({ counter }) => counter))];
  return {
    ends,
    rows: [
      { label: "Data sent", cells: bytes("sentBytes") },
      { label: "Data received", cells: bytes("receivedBytes") },
      ...counters.map((counter) => ({
        label: counter,
        cells: cells((end): ChangeCell => {
          const { growth, atLeast } = sumOf(errors.filter((error) => error.counter === counter && error.port === end));
          return growth === 0 ? { text: "0" } : { text: growthText(growth, atLeast), tone: "error" };
        }),
      })),
    ],
    notes: [
      ...(counters.length === 0 && unread.length === 0 && silent.length === 0
        ? ["No error counter grew at either end."]
        : []),
      ...silent,
      ...unread,
      ...ambientNotes(evidence, ends),
    ],
  };
}

function notReadText({ path, link, runs }: Proved): string {
  const hop = path.find((entry) => entry.link === link);
  if (hop === undefined) return "Not read: the path as kept does not have this link.";
  if (hop.fromLid === undefined && hop.toLid === undefined) {
    return "Not read: the result is of a version that did not read counters.";
  }
  if (path.every(({ fromLid = 0, toLid = 0 }) => fromLid === 0 && toLid === 0)) {
    return "Not read: the LIDs of this path are not known.";
  }
  if (runs.every(({ error }) => error?.kind === "cancelled")) return "Not read: the run was cancelled.";
  const error = runs.find(({ countersError }) => countersError !== undefined)?.countersError;
  if (error === undefined) return "Not read: perfquery gave no counters before or after the run.";
  const { sentence, remedy } = explain(error);
  return `Not read: ${[sentence, ...remedy.slice(0, 1)].join(" ")}`;
}
