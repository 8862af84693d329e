/** What the inspector says about a link. Pure; no React. */
import type { Analysis, MissingLink } from "../../../shared/analyse/results.ts";
import {
  at,
  linkIsActive,
  type LinkKind,
  linkKind,
  linkName,
  nodeGuid,
  nodeName,
  physState,
  portGuid,
  portName,
  portState,
} from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";
import { dataRateGbps, formatGbps, formatRate, speedName } from "../../../shared/fabric/rates.ts";
import { placeText } from "../../../shared/fabric/socket.ts";
import type { RawFileInfo, MeasurementSummary } from "../../../shared/contract/views.ts";
import type { TagTone } from "../../parts/tag.tsx";
import { portStateText } from "../links/link-rows.ts";

const kindWords: Readonly<Record<LinkKind, string>> = {
  host: "Host link",
  "inter-switch": "Inter-switch",
  aggregation: "Aggregation",
  router: "Router link",
};

export interface TagText {
  readonly text: string;
  readonly tone: TagTone;
}

/** Width and speed that a port claims at least: what it runs at, or what iblinkinfo's hint says both ends could. */
function claimedRate(fabric: Fabric, port: number): { readonly lanes: number; readonly speed: number } {
  return {
    lanes: Math.max(at(fabric.ports.lanes, port), at(fabric.ports.couldBeLanes, port)),
    speed: Math.max(at(fabric.ports.speed, port), at(fabric.ports.couldBeSpeed, port)),
  };
}

/** `4x HDR, 200 Gb/s`; empty when nothing is known. */
function rateText(lanes: number, speed: number): string {
  if (lanes === 0 && speed === 0) return "";
  const gbps = dataRateGbps(lanes, speed);
  return gbps === 0 ? formatRate(lanes, speed) : `${formatRate(lanes, speed)}, ${formatGbps(gbps)} Gb/s`;
}

/** Active width and speed of a link: the lower of its ends. */
export function linkRate(fabric: Fabric, link: number): { readonly lanes: number; readonly speed: number } {
  const a = at(fabric.links.a, link);
  const b = at(fabric.links.b, link);
  const lower = (x: number, y: number): number => (x === 0 ? y : y === 0 ? x : Math.min(x, y));
  return {
    lanes: lower(at(fabric.ports.lanes, a), at(fabric.ports.lanes, b)),
    speed: lower(at(fabric.ports.speed, a), at(fabric.ports.speed, b)),
  };
}

/** State of both ends in a few words. */
function bothEndsText(fabric: Fabric, link: number): TagText {
  const a = portStateText(fabric, at(fabric.links.a, link));
  const b = portStateText(fabric, at(fabric.links.b, link));
  const down = a.startsWith("Down") || b.startsWith("Down");
  if (a === b) {
    const text = a === "Active" ? "Active both ends" : a === "not asked" ? "State not asked" : a;
    return { text, tone: a === "Active" ? "ok" : a === "not asked" ? "plain" : down ? "error" : "warning" };
  }
  const odd = a === "Active" ? b : a;
  if (a === "not asked" || b === "not asked") {
    const known = a === "not asked" ? b : a;
    return { text: `${known}, other end not asked`, tone: known === "Active" ? "ok" : down ? "error" : "warning" };
  }
  return { text: `${odd} at one end`, tone: down ? "error" : "warning" };
}

/** Tags under the title of a link. */
export function linkTags(fabric: Fabric, link: number): readonly TagText[] {
  const { lanes, speed } = linkRate(fabric, link);
  const rate = rateText(lanes, speed);
  return [
    { text: kindWords[linkKind(fabric, link)], tone: "plain" },
    ...(rate === "" ? [] : [{ text: rate, tone: "plain" } as const]),
    bothEndsText(fabric, link),
  ];
}

/** One line of the table of both ends. `source`: where a raw output says so. */
export interface EndsRow {
  readonly label: string;
  readonly a: EndCell;
  readonly b: EndCell;
}
export interface EndCell {
  readonly text: string;
  readonly tone?: "error" | "warning" | "ok";
  readonly mono?: boolean;
  readonly source?: { readonly file: string; readonly line: number };
}

const unknown = "–";

function stateCell(text: string): EndCell {
  if (text === "Active" || text === "LinkUp" || text === "unknown")
    return { text: text === "unknown" ? unknown : text };
  return { text, tone: text === "Down" ? "error" : "warning" };
}

function sourceCell(files: readonly RawFileInfo[], tools: readonly string[], line: number): EndCell {
  const file = files.find((entry) => entry.tool !== null && tools.includes(entry.tool));
  if (line === 0) return { text: unknown };
  return file === undefined ? { text: `line ${line}` } : { text: `line ${line}`, source: { file: file.name, line } };
}

const discoverTools = ["ibnetdiscover"];
const linkinfoTools = ["iblinkinfo", "iblinkinfo-line"];

/** Where the raw outputs first tell of one of the ports: ibnetdiscover's line, else iblinkinfo's; undefined when none is kept. */
export function rawPlace(
  { ports }: Fabric,
  of: readonly number[],
  files: readonly RawFileInfo[],
): EndCell["source"] | undefined {
  for (const [tools, lines] of [
    [discoverTools, ports.discoverLine],
    [linkinfoTools, ports.linkinfoLine],
  ] as const) {
    for (const port of of) {
      const { source } = sourceCell(files, tools, at(lines, port));
      if (source !== undefined) return source;
    }
  }
  return undefined;
}

/** Both ends of a cable side by side. Deviations from the other end and from what is supported are coloured. */
export function endsRows(
  fabric: Fabric,
  a: number,
  b: number,
  files: readonly RawFileInfo[],
  wanted: { readonly lanes: number; readonly speed: number },
): readonly EndsRow[] {
  const { ports, nodes } = fabric;
  const row = (label: string, cell: (port: number) => EndCell): EndsRow => ({ label, a: cell(a), b: cell(b) });
  const lid = (port: number): number => {
    const own = at(ports.lid, port);
    return own === 0 ? at(nodes.lid, at(ports.node, port)) : own;
  };
  return [
    row("Node GUID", (port) => ({ text: nodeGuid(fabric, at(ports.node, port)), mono: true })),
    row("LID", (port) => ({ text: lid(port) === 0 ? unknown : String(lid(port)) })),
    row("Port GUID", (port) => ({ text: portGuid(fabric, port) || unknown, mono: portGuid(fabric, port) !== "" })),
    row("State", (port) => stateCell(portState(fabric, port))),
    row("Physical", (port) => stateCell(physState(fabric, port))),
    row("Width", (port) => {
      const lanes = at(ports.lanes, port);
      if (lanes === 0) return { text: unknown };
      return { text: `${lanes}x`, ...(lanes < wanted.lanes ? { tone: "error" as const } : {}) };
    }),
    row("Speed", (port) => {
      const speed = at(ports.speed, port);
      if (speed === 0) return { text: unknown };
      return { text: speedName(speed), ...(speed < wanted.speed ? { tone: "warning" as const } : {}) };
    }),
    row("Could be", (port) => {
      const lanes = at(ports.couldBeLanes, port);
      const speed = at(ports.couldBeSpeed, port);
      if (lanes === 0 && speed === 0) return { text: unknown };
      return { text: [lanes === 0 ? "" : `${lanes}x`, speed === 0 ? "" : speedName(speed)].join(" ").trim() };
    }),
    row("Supports", (port) => {
      const { lanes, speed } = claimedRate(fabric, port);
      return { text: lanes === 0 && speed === 0 ? unknown : `at least ${formatRate(lanes, speed)}` };
    }),
    row("ibnetdiscover", (port) => sourceCell(files, discoverTools, at(ports.discoverLine, port))),
    row("iblinkinfo", (port) => sourceCell(files, linkinfoTools, at(ports.linkinfoLine, port))),
  ];
}

interface SiblingGroup {
  readonly rate: string;
  readonly gbps: number;
  readonly links: readonly number[];
  /** The link itself is one of them. */
  readonly own: boolean;
}

export interface Siblings {
  /** `Uplinks of leaf-03`, `Hosts on leaf-06`. */
  readonly title: string;
  /** Without the link itself. */
  readonly others: number;
  /** Fastest first. */
  readonly groups: readonly SiblingGroup[];
  /** All links compared, the link itself included. */
  readonly links: readonly number[];
}

/** Links of the same kind at the same switch (end A), towards the same tier. */
export function siblingsOf(fabric: Fabric, analysis: Analysis, link: number): Siblings {
  const tier = (port: number): number => at(analysis.topology.tierOfNode, at(fabric.ports.node, port));
  const nodeA = at(fabric.ports.node, at(fabric.links.a, link));
  const kind = linkKind(fabric, link);
  const peerTier = tier(at(fabric.links.b, link));
  const links: number[] = [];
  const start = at(fabric.nodes.portStart, nodeA);
  const end = at(fabric.nodes.portStart, nodeA + 1);
  for (let port = start; port < end; port += 1) {
    const other = at(fabric.ports.link, port);
    if (other === none || linkKind(fabric, other) !== kind) continue;
    const a = at(fabric.links.a, other);
    const peer = a === port ? at(fabric.links.b, other) : a;
    if (tier(peer) === peerTier) links.push(other);
  }
  const groups = new Map<string, { rate: string; gbps: number; links: number[]; own: boolean }>();
  for (const other of links) {
    const { lanes, speed } = linkRate(fabric, other);
    const active = linkIsActive(fabric, other);
    const rate = !active ? "not active" : lanes === 0 && speed === 0 ? "rate not known" : formatRate(lanes, speed);
    const group = groups.get(rate) ?? { rate, gbps: active ? dataRateGbps(lanes, speed) : -1, links: [], own: false };
    group.links.push(other);
    if (other === link) group.own = true;
    groups.set(rate, group);
  }
  const name = nodeName(fabric, nodeA);
  return {
    title: kind === "host" ? `Host links of ${name}` : `Links of ${name} to the same tier`,
    others: links.length - 1,
    groups: [...groups.values()].sort((x, y) => y.gbps - x.gbps),
    links,
  };
}

/** Names of the far ends of links, seen from one node: `n040, n041 and 5 more`. */
export function farEndNames(fabric: Fabric, node: number, links: readonly number[], most = 3): string {
  const names = links.map((link) => {
    const a = at(fabric.links.a, link);
    const near = at(fabric.ports.node, a) === node;
    return nodeName(fabric, at(fabric.ports.node, near ? at(fabric.links.b, link) : a));
  });
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
}

/** Measured range of the siblings, the link itself left out: `97 to 98 %` of how many; undefined when none is measured. */
export function siblingsMeasured(
  siblings: Siblings,
  link: number,
  summaryOf: (link: number) => MeasurementSummary | undefined,
): { readonly links: number; readonly low: number; readonly high: number } | undefined {
  const percents = siblings.links.flatMap((other) => {
    const percent = other === link ? null : (summaryOf(other)?.percent ?? null);
    return percent === null ? [] : [percent];
  });
  if (percents.length === 0) return undefined;
  return { links: percents.length, low: Math.min(...percents), high: Math.max(...percents) };
}

/** Why nothing can be measured over a link, in one sentence; undefined when it can be tried. */
export function cannotMeasure(fabric: Fabric, link: number): string | undefined {
  const kind = linkKind(fabric, link);
  if (kind === "aggregation") return "It joins a switch to the aggregation node inside it; no host traffic crosses it.";
  if (kind === "router") return "It leaves this subnet; both hosts of a measurement must be in one.";
  if (linkIsActive(fabric, link)) return undefined;
  const state = bothEndsText(fabric, link).text;
  return state.startsWith("Initialize")
    ? "Initialize means that no subnet manager has configured the ports, so no traffic crosses."
    : `${state}: nothing can cross it.`;
}

/** Where to go and what to do there: `Walk to leaf-12 port 34 and spine-2 port 12. …` */
export function walkText(fabric: Fabric, a: number, b: number): string {
  return `Walk to ${placeText(fabric, a)} and ${placeText(fabric, b)}. Check that the cable is there, reseat both ends.`;
}

export function missingLinkName(fabric: Fabric, missing: MissingLink): string {
  return `${portName(fabric, missing.a)} to ${portName(fabric, missing.b)}`;
}

/** The two ends of a link as they are written. */
export function endNames(fabric: Fabric, link: number): readonly [string, string] {
  const [a = "", b = ""] = linkName(fabric, link).split(" to ");
  return [a, b];
}
