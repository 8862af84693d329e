/** Suspect cables, ranked by evidence: rate, errors, went down, measured, structure. Pure; no React. */
import type { Finding } from "../../../shared/analyse/results.ts";
import { defaultThresholds, type Thresholds } from "../../../shared/analyse/thresholds.ts";
import { groupDigits, visibleText } from "../../../shared/base/text.ts";
import type { FabricView, LinkMark, MeasurementSummary } from "../../../shared/contract/views.ts";
import {
  at,
  findLink,
  linkGbps,
  linkIsActive,
  nodeDescription,
  nodeGuid,
  physState,
  portId,
  portName,
  portState,
} from "../../../shared/fabric/access.ts";
import {
  cableErrors,
  counterGrowth,
  counterValue,
  type ErrorCounter,
  secondsBetween,
} from "../../../shared/fabric/counters.ts";
import { type Fabric, type LinkId, none } from "../../../shared/fabric/model.ts";
import { formatGbps, formatRate } from "../../../shared/fabric/rates.ts";
import { placeText } from "../../../shared/fabric/socket.ts";
import type { Severity } from "../../../shared/parse/diagnostic.ts";
import type { Selection } from "../../state/selection-store.ts";
import { cableText } from "../inspector/cable-facts.ts";
import { selectionOf } from "./finding-index.ts";
import { perHourText, type PortGrowth } from "./growth.ts";

export const evidenceColumns = ["rate", "errors", "down", "measured", "structure"] as const;
export type EvidenceColumn = (typeof evidenceColumns)[number];

/** `quiet`: nothing against the cable. `unknown`: nobody looked, or it cannot be told. */
export type EvidenceLevel = Severity | "quiet" | "unknown";

export interface Evidence {
  readonly level: EvidenceLevel;
  readonly text: string;
  readonly detail: string;
}

export interface Suspect {
  readonly id: LinkId;
  readonly name: string;
  /** Port indices of the two ends. */
  readonly a: number;
  readonly b: number;
  readonly selection: Selection;
  /** Link index; undefined for a cable that is expected and not there. */
  readonly link: number | undefined;
  /** Worst of its evidence; `ok` for one that is marked and shows nothing any more. */
  readonly level: Severity | "ok";
  readonly cells: Readonly<Record<EvidenceColumn, Evidence>>;
  /** What speaks against it, worst first. */
  readonly findings: readonly Finding[];
}

export interface Hunt {
  readonly suspects: readonly Suspect[];
  /** Findings that no cable is to blame for, worst first. */
  readonly notCables: readonly Finding[];
}

const weight: Readonly<Record<EvidenceLevel, number>> = { error: 10_000, warning: 100, note: 1, quiet: 0, unknown: 0 };

/** Column of a rule that speaks of a cable; undefined for those that do not. */
function columnOf({ rule }: Finding): EvidenceColumn | undefined {
  if (rule === "growing-errors" || rule === "errors-not-judged" || rule === "counter-full") return "errors";
  if (rule === "bit-errors" || rule === "bit-errors-not-judged" || rule === "hot-module") return "errors";
  if (rule === "link-flaps") return "down";
  if (rule.startsWith("structure-")) return "structure";
  // Damage that another place makes, and congestion: not this cable.
  if (rule.startsWith("consequence-") || rule === "congestion") return undefined;
  return "rate";
}

function worstOf(levels: readonly EvidenceLevel[]): Severity | "ok" {
  return (["error", "warning", "note"] as const).find((level) => levels.includes(level)) ?? "ok";
}

function found(findings: readonly Finding[], column: EvidenceColumn): Finding | undefined {
  const own = findings.filter((finding) => columnOf(finding) === column);
  return (
    own.find(({ severity }) => severity === "error") ?? own.find(({ severity }) => severity === "warning") ?? own[0]
  );
}

function rateCell(fabric: Fabric, link: number | undefined, a: number, findings: readonly Finding[]): Evidence {
  const finding = found(findings, "rate");
  if (link === undefined || !linkIsActive(fabric, link)) {
    return { level: finding?.severity ?? "unknown", text: portState(fabric, a), detail: physState(fabric, a) };
  }
  const lanes = at(fabric.ports.lanes, a);
  const speed = at(fabric.ports.speed, a);
  const gbps = linkGbps(fabric, link);
  const text = lanes === 0 || speed === 0 ? "not known" : formatRate(lanes, speed);
  if (finding === undefined) {
    return { level: gbps > 0 ? "quiet" : "unknown", text, detail: gbps > 0 ? `${formatGbps(gbps)} Gb/s` : "" };
  }
  // The rules of rates name last what the link could or its siblings do carry.
  const could = /([\d.]+) Gb\/s(?: or more)?$/.exec(finding.evidence)?.[1];
  const detail = could === undefined ? finding.title : `${formatGbps(gbps)} of ${could} Gb/s`;
  return { level: finding.severity, text, detail };
}

function errorsCell(fabric: Fabric, ports: readonly number[], findings: readonly Finding[]): Evidence {
  const { counters } = fabric;
  const finding = found(findings, "errors");
  const bits = bitErrorsCell(finding);
  if (bits !== undefined) return bits;
  if (counters === undefined) return { level: "unknown", text: "no counters", detail: "" };
  if (secondsBetween(counters) <= 0) {
    const total = ports.reduce(
      (sum, port) => sum + cableErrors.reduce((own, name) => own + (counterValue(counters.latest, name, port) ?? 0), 0),
      0,
    );
    return total === 0
      ? { level: "unknown", text: "0 counted", detail: "one reading" }
      : { level: finding?.severity ?? "unknown", text: `${groupDigits(total)} counted`, detail: "one reading" };
  }
  let told = false;
  let perHour = 0;
  let worst: { readonly name: ErrorCounter; readonly perHour: number } | undefined;
  for (const port of ports) {
    for (const name of cableErrors) {
      const growth = counterGrowth(counters, name, port);
      if (growth === undefined) continue;
      told = true;
      perHour += growth.perHour;
      if (growth.perHour > (worst?.perHour ?? 0)) worst = { name, perHour: growth.perHour };
    }
  }
  if (!told) return { level: finding?.severity ?? "unknown", text: "no data", detail: "" };
  return {
    level: finding?.severity ?? "quiet",
    text: `${groupDigits(Math.round(perHour))} per hour`,
    detail: worst?.name ?? finding?.title ?? "",
  };
}

/** When a bit error rate or a hot module is the worst of it; undefined when it is not. */
function bitErrorsCell(finding: Finding | undefined): Evidence | undefined {
  if (finding === undefined) return undefined;
  const { rule, severity, evidence } = finding;
  const first = evidence.split(",")[0] ?? "";
  const rate = /^(\w+) (BER .*)$/.exec(first);
  if (rule === "bit-errors") return { level: severity, text: rate?.[2] ?? first, detail: rate?.[1] ?? "" };
  if (rule === "hot-module") return { level: severity, text: first, detail: "module" };
  if (rule !== "bit-errors-not-judged") return undefined;
  return { level: severity, text: "not enough bits", detail: /[\d]+ of [\d.]+ min/.exec(evidence)?.[0] ?? "" };
}

function downCell(fabric: Fabric, ports: readonly number[], findings: readonly Finding[]): Evidence {
  const { counters } = fabric;
  const finding = found(findings, "down");
  const seconds = counters === undefined ? 0 : secondsBetween(counters);
  if (counters === undefined) return { level: "unknown", text: "no counters", detail: "" };
  if (seconds <= 0) {
    const times = Math.max(...ports.map((port) => counterValue(counters.latest, "LinkDownedCounter", port) ?? 0));
    return { level: "unknown", text: `${times} counted`, detail: "one reading" };
  }
  const grown = ports.flatMap((port) => counterGrowth(counters, "LinkDownedCounter", port)?.growth ?? []);
  if (grown.length === 0) return { level: finding?.severity ?? "unknown", text: "no data", detail: "" };
  const times = Math.max(...grown);
  return {
    level: finding?.severity ?? (times > 0 ? "note" : "quiet"),
    text: times === 0 ? "none" : `${times} in ${spanText(seconds)}`,
    detail: times === 0 ? `in ${spanText(seconds)}` : "",
  };
}

/** `8 s`, `12 min`, `6 h`. */
function spanText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Under this a result is as bad as a lost lane. */
const badPercent = 80;

function measuredCell(run: MeasurementSummary | undefined, passPercent: number): Evidence {
  if (run === undefined) return { level: "unknown", text: "not measured", detail: "" };
  const { percent, expectedGbps } = run;
  if (percent === null) return { level: "unknown", text: "latency only", detail: run.at };
  const level = percent >= passPercent ? "quiet" : percent >= badPercent ? "warning" : "error";
  return { level, text: `${Math.round(percent)} % of ${formatGbps(expectedGbps)}`, detail: run.at };
}

function structureCell(findings: readonly Finding[]): Evidence {
  const finding = found(findings, "structure");
  return finding === undefined
    ? { level: "quiet", text: "fits pattern", detail: "" }
    : { level: finding.severity, text: finding.title, detail: "" };
}

/** What a watch saw grow at one of the two ends; the fastest counter stands for all. */
function watchedCell(growths: readonly PortGrowth[], limits: Thresholds["counters"], otherwise: Evidence): Evidence {
  const [fastest] = growths;
  if (fastest === undefined) return otherwise;
  const perHour = growths.reduce((sum, one) => sum + one.perHour, 0);
  const over = ({ counter, perHour: rate }: PortGrowth): boolean =>
    rate > (limits[counter]?.errorPerHour ?? Number.POSITIVE_INFINITY);
  const level = growths.some(over) ? "error" : "warning";
  return { level, text: perHourText(perHour), detail: `${fastest.counter}, watched` };
}

/** Adds up: one error outweighs any number of warnings that a cable can have. */
function scoreOf({ cells }: Suspect): number {
  return evidenceColumns.reduce((sum, column) => sum + weight[cells[column].level], 0);
}

/**
 * One row per cable with evidence against it, worst first; and cables that are marked fixed and show nothing any more.
 * O(findings + measured links + growths). `growths`: what a watch of counters saw, fastest first.
 */
export function huntOf(
  view: FabricView,
  latest: ReadonlyMap<LinkId, MeasurementSummary>,
  marks: Readonly<Record<string, LinkMark>>,
  passPercent: number,
  growths: readonly PortGrowth[] = [],
  limits: Thresholds["counters"] = defaultThresholds.counters,
): Hunt {
  const { fabric, analysis } = view;
  const byCable = new Map<string, { readonly selection: Selection; readonly findings: Finding[] }>();
  const cable = (selection: Selection): { readonly findings: Finding[] } => {
    const key = JSON.stringify(selection);
    const known = byCable.get(key) ?? { selection, findings: [] };
    byCable.set(key, known);
    return known;
  };
  const notCables: Finding[] = [];
  for (const finding of analysis.findings) {
    const selection = selectionOf(finding.subject, fabric, analysis);
    const isCable = selection.kind === "link" || selection.kind === "missing-link";
    if (!isCable || columnOf(finding) === undefined) notCables.push(finding);
    else cable(selection).findings.push(finding);
  }
  for (const [id, run] of latest) {
    const link = run.percent !== null && run.percent < passPercent ? findLink(fabric, id) : undefined;
    if (link !== undefined) cable({ kind: "link", link });
  }
  for (const [id, { mark }] of Object.entries(marks)) {
    const link = mark === "fixed" ? findLink(fabric, id) : undefined;
    if (link !== undefined) cable({ kind: "link", link });
  }
  const watched = new Map<number, PortGrowth[]>();
  for (const growth of growths) {
    const link = at(fabric.ports.link, growth.port);
    if (link === none || !cableErrors.includes(growth.counter)) continue;
    cable({ kind: "link", link });
    watched.set(link, [...(watched.get(link) ?? []), growth]);
  }
  const suspects = [...byCable.values()].flatMap(({ selection, findings }) => {
    const ends = endsOf(view, selection);
    if (ends === undefined) return [];
    const [a, b] = ends;
    const link = selection.kind === "link" ? selection.link : undefined;
    const id = portId(fabric, a);
    const cells = {
      rate: rateCell(fabric, link, a, findings),
      errors: watchedCell(
        (link === undefined ? undefined : watched.get(link)) ?? [],
        limits,
        errorsCell(fabric, ends, findings),
      ),
      down: downCell(fabric, ends, findings),
      measured: measuredCell(latest.get(id), passPercent),
      structure: structureCell(findings),
    };
    const name = `${portName(fabric, a)} to ${portName(fabric, b)}`;
    const level = worstOf(evidenceColumns.map((column) => cells[column].level));
    return [{ id, name, a, b, selection, link, level, cells, findings }];
  });
  suspects.sort((x, y) => scoreOf(y) - scoreOf(x) || (x.name < y.name ? -1 : 1));
  return { suspects, notCables };
}

function endsOf({ fabric, analysis }: FabricView, selection: Selection): readonly [number, number] | undefined {
  if (selection.kind === "link") return [at(fabric.links.a, selection.link), at(fabric.links.b, selection.link)];
  const missing = selection.kind === "missing-link" ? analysis.missingLinks[selection.missing] : undefined;
  return missing === undefined ? undefined : [missing.a, missing.b];
}

/** `leaf-03 port 38 to spine-6 port 3`, then both ends with description and GUIDs, to send to whoever stands at the rack. */
export function walkToText(fabric: Fabric, { a, b }: Pick<Suspect, "a" | "b">): string {
  const place = (port: number): string => placeText(fabric, port);
  return [`${place(a)} to ${place(b)}`, ...[a, b].map((port) => `${place(port)}: ${endText(fabric, port)}`)]
    .map(visibleText)
    .join("\n");
}

/** Description, node GUID and, where a tool told them, port GUID and cable of one end. */
export function endText(fabric: Fabric, port: number): string {
  const node = at(fabric.ports.node, port);
  const guid = fabric.ports.guid[port] ?? 0n;
  const own = guid === 0n ? "" : `, port GUID 0x${guid.toString(16).padStart(16, "0")}`;
  const cable = cableText(fabric.physical, [port]);
  return `"${nodeDescription(fabric, node)}", node GUID ${nodeGuid(fabric, node)}${own}${cable === "" ? "" : `, cable ${cable}`}`;
}

export interface Looked {
  /** `19 of 20 links`: with counters on both ends. */
  readonly checked: string;
  /** `2 samples over 12 min`. */
  readonly over: string;
  /** Links without a measurement. */
  readonly notMeasured: string;
}

/** What was looked at, over which time, and what was not. O(links). */
export function lookedAt(fabric: Fabric, latest: ReadonlyMap<LinkId, MeasurementSummary>): Looked {
  const { links, counters } = fabric;
  let checked = 0;
  let measured = 0;
  for (let link = 0; link < links.count; link += 1) {
    const a = at(links.a, link);
    const b = at(links.b, link);
    const told = counters?.latest.told;
    if (told?.[a] === 1 && told[b] === 1) checked += 1;
    if (latest.get(portId(fabric, a)) !== undefined) measured += 1;
  }
  const seconds = counters === undefined ? 0 : secondsBetween(counters);
  return {
    checked: `${groupDigits(checked)} of ${groupDigits(links.count)} links have counters on both ends`,
    over:
      counters === undefined
        ? "no counters were collected"
        : seconds <= 0
          ? "one reading: collect again for growth"
          : `two readings, ${spanText(seconds)} apart`,
    notMeasured: `${groupDigits(links.count - measured)} links not measured`,
  };
}
