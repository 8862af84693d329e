/** What the inspector says about nodes, hosts and the whole fabric. Pure; no React. */
import { type Analysis, type Finding, type Health, healths, type Tier } from "../../../shared/analyse/results.ts";
import {
  adaptersOfHost,
  at,
  hostOfNode,
  linkGbps,
  linkIsActive,
  linkKind,
  nodeKind,
  nodeName,
  peerPort,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { type Fabric, none, portStates } from "../../../shared/fabric/model.ts";
import { dataRateGbps, formatRate } from "../../../shared/fabric/rates.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { missingLinkOfPort } from "../findings/finding-index.ts";
import { rateToken } from "../../graph/overlay.ts";
import { linkRate } from "./link-facts.ts";

/** One socket of a front panel. */
export interface PanelPort {
  readonly number: number;
  /** Port index; undefined when the capture has no record of this port. */
  readonly port: number | undefined;
  readonly link: number | undefined;
  readonly missing: number | undefined;
  readonly health: Health | "empty";
  /** `Port 11 to spine-3:5, 2x HDR`. */
  readonly title: string;
}

function panelPort(fabric: Fabric, analysis: Analysis, number: number, port: number | undefined): PanelPort {
  if (port === undefined) {
    return {
      number,
      port,
      link: undefined,
      missing: undefined,
      health: "empty",
      title: `Port ${number}, not reported`,
    };
  }
  const link = at(fabric.ports.link, port);
  if (link !== none) {
    const peer = peerPort(fabric, port);
    const { lanes, speed } = linkRate(fabric, link);
    const far =
      peer === undefined ? "" : ` to ${nodeName(fabric, at(fabric.ports.node, peer))}:${at(fabric.ports.number, peer)}`;
    const rate = lanes === 0 && speed === 0 ? "" : `, ${formatRate(lanes, speed)}`;
    const state = linkIsActive(fabric, link) ? "" : `, ${portStates[at(fabric.ports.state, port)] ?? "unknown"}`;
    return {
      number,
      port,
      link,
      missing: undefined,
      health: healths[at(analysis.linkHealth, link)] ?? "unknown",
      title: `Port ${number}${far}${rate}${state}`,
    };
  }
  const missing = missingLinkOfPort(analysis, port);
  if (missing === undefined) {
    return { number, port, link: undefined, missing, health: "empty", title: `Port ${number}, no cable` };
  }
  return {
    number,
    port,
    link: undefined,
    missing,
    health: "down",
    title: `Port ${number}, down, a cable belongs here`,
  };
}

/** Sockets in columns of two, odd above even, as on the box. Ports that the node declares but no tool lists are there too. */
export function frontPanel(
  fabric: Fabric,
  analysis: Analysis,
  node: number,
): readonly { readonly top: PanelPort; readonly bottom: PanelPort | undefined }[] {
  const byNumber = new Map(portsOfNode(fabric, node).map((port) => [at(fabric.ports.number, port), port]));
  const last = Math.max(at(fabric.nodes.declaredPorts, node), ...byNumber.keys(), 0);
  const columns = [];
  for (let number = 1; number <= last; number += 2) {
    const panel = (n: number): PanelPort => panelPort(fabric, analysis, n, byNumber.get(n));
    columns.push({ top: panel(number), bottom: number + 1 <= last ? panel(number + 1) : undefined });
  }
  return columns;
}

/** How many ports of a node carry an active link, of how many. */
export function portsUp(fabric: Fabric, node: number): { readonly up: number; readonly of: number } {
  let up = 0;
  const ports = portsOfNode(fabric, node);
  for (const port of ports) {
    const link = at(fabric.ports.link, port);
    if (link !== none && linkIsActive(fabric, link)) up += 1;
  }
  return { up, of: Math.max(at(fabric.nodes.declaredPorts, node), ports.length) };
}

/** Host indices directly below a switch. */
export function hostsBelow(fabric: Fabric, node: number): ReadonlySet<number> {
  const hosts = new Set<number>();
  for (const port of portsOfNode(fabric, node)) {
    const peer = peerPort(fabric, port);
    const host = peer === undefined ? undefined : hostOfNode(fabric, at(fabric.ports.node, peer));
    if (host !== undefined) hosts.add(host);
  }
  return hosts;
}

export interface Cabling {
  /** Links by what is at the far end, with their summed rate. */
  readonly label: string;
  readonly links: number;
  readonly gbps: number;
}

/**
 * Cables of a switch: up, down, sideways, hosts; those that there are none of are left out.
 * @param counts which of its cables are meant; all without it
 */
export function cablingOf(
  fabric: Fabric,
  analysis: Analysis,
  node: number,
  counts: (link: number) => boolean = () => true,
): readonly Cabling[] {
  const tier = at(analysis.topology.tierOfNode, node);
  const tierName = (level: number): string =>
    analysis.topology.tiers.find((entry) => entry.level === level)?.name ?? "switch";
  const groups = new Map<string, { links: number; gbps: number; order: number }>();
  for (const port of portsOfNode(fabric, node)) {
    const link = at(fabric.ports.link, port);
    const peer = peerPort(fabric, port);
    if (link === none || peer === undefined || !counts(link)) continue;
    const far = at(fabric.ports.node, peer);
    const kind = linkKind(fabric, link);
    const level = at(analysis.topology.tierOfNode, far);
    const label =
      kind === "inter-switch"
        ? level > tier
          ? `Up to ${tierName(level)}`
          : level < tier
            ? `Down to ${tierName(level)}`
            : "Same tier"
        : kind === "host"
          ? "Hosts"
          : kind === "router"
            ? "Routers"
            : "Aggregation";
    const group = groups.get(label) ?? { links: 0, gbps: 0, order: kind === "inter-switch" ? -level : 1 };
    group.links += 1;
    if (linkIsActive(fabric, link)) group.gbps += linkGbps(fabric, link);
    groups.set(label, group);
  }
  return [...groups].sort((x, y) => x[1].order - y[1].order).map(([label, group]) => ({ label, ...group }));
}

/** Worst health of a host: of its adapters and of their links. */
export function hostHealth(fabric: Fabric, analysis: Analysis, host: number): Health {
  let worst = 0;
  for (const node of adaptersOfHost(fabric, host)) worst = Math.max(worst, nodeAndLinkHealth(fabric, analysis, node));
  return healths[worst] ?? "unknown";
}

/** Worst health code of a node, its ports and its links. */
export function nodeAndLinkHealth(fabric: Fabric, analysis: Analysis, node: number): number {
  let worst = at(analysis.nodeHealth, node);
  for (const port of portsOfNode(fabric, node)) {
    const link = at(fabric.ports.link, port);
    if (link !== none) worst = Math.max(worst, at(analysis.linkHealth, link));
  }
  return worst;
}

/** `Leaf`, `Spine`, `Switch`, `HCA` … */
export function nodeWord(fabric: Fabric, analysis: Analysis, node: number): string {
  const kind = nodeKind(fabric, node);
  if (kind === "hca") return "HCA";
  if (kind === "router") return "Router";
  if (kind === "aggregation") return "Aggregation node";
  const level = at(analysis.topology.tierOfNode, node);
  const tier = analysis.topology.tiers.find((entry) => entry.level === level);
  return tier === undefined ? "Switch" : capital(tier.name);
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `0x15b3`, empty when not known. */
export function hexId(id: number): string {
  return id === 0 ? "" : `0x${id.toString(16).padStart(4, "0")}`;
}

const knownVendors: Readonly<Record<number, string>> = {
  // IEEE organisation identifiers as they stand in the node information's vendor field.
  0x0002c9: "Mellanox / NVIDIA",
  0x00066a: "QLogic / Intel",
  0x001175: "Intel",
  0x005045: "IBM",
  0x0015b3: "Mellanox / NVIDIA",
};

/** `0x2c9, Mellanox / NVIDIA`. */
export function vendorText(id: number): string {
  const name = knownVendors[id];
  return id === 0 ? "" : name === undefined ? hexId(id) : `${hexId(id)}, ${name}`;
}

/** `2-level fat tree`, `Dragonfly+`, `irregular`. */
export function shapeText(analysis: Analysis): string {
  const { kind, tiers } = analysis.topology;
  if (kind === "fat-tree") return `${tiers.length}-level fat tree`;
  return kind === "dragonfly+" ? "Dragonfly+" : "Irregular";
}

/** Tier line of the fabric inspector: `16 switches, 8 uplinks each`. */
export function tierText(tier: Tier): string {
  return count(tier.switches.length, "switch", "switches");
}

export interface Share {
  readonly label: string;
  readonly value: number;
  /** CSS colour. */
  readonly colour: string;
  readonly health?: Health;
}

/** Links by health, best first. */
export function sharesByHealth(analysis: Analysis): readonly Share[] {
  const colours: Readonly<Record<Health, string>> = {
    ok: "var(--ok-line)",
    note: "var(--note)",
    unknown: "var(--unknown-line)",
    "not-enough-data": "var(--unknown-line)",
    warning: "var(--warn-line)",
    error: "var(--error-line)",
    down: "var(--error-line)",
  };
  const values = new Array<number>(healths.length).fill(0);
  for (const code of analysis.linkHealth) values[code] = (values[code] ?? 0) + 1;
  const down = healths.indexOf("down");
  values[down] = (values[down] ?? 0) + analysis.missingLinks.length;
  return healths
    .map((health, code) => ({ label: health, value: values[code] ?? 0, colour: colours[health], health }))
    .filter((share) => share.value > 0);
}

/** Colours of entries of one rate, as `2x HDR` and `4x EDR`: the rarer ones paler, as in the picture their lines are broken. */
function shade(token: string, before: number): string {
  return before === 0 ? `var(${token})` : `color-mix(in oklab, var(${token}) ${before === 1 ? 55 : 30}%, var(--panel))`;
}

/** Links by rate, most frequent first. */
export function sharesByRate(fabric: Fabric): readonly Share[] {
  const groups = new Map<string, { label: string; value: number; gbps: number }>();
  for (let link = 0; link < fabric.links.count; link += 1) {
    const { lanes, speed } = linkRate(fabric, link);
    const label = lanes === 0 && speed === 0 ? "not known" : formatRate(lanes, speed);
    const group = groups.get(label) ?? { label, value: 0, gbps: dataRateGbps(lanes, speed) };
    group.value += 1;
    groups.set(label, group);
  }
  const times = new Map<string, number>();
  return [...groups.values()]
    .sort((x, y) => y.value - x.value)
    .map(({ label, value, gbps }) => {
      const token = rateToken(gbps);
      const before = times.get(token) ?? 0;
      times.set(token, before + 1);
      return { label, value, colour: shade(token, before) };
    });
}

/** Findings by title, worst and most first. */
export function findingsByRule(findings: readonly Finding[]): readonly {
  readonly rule: string;
  readonly title: string;
  readonly severity: Finding["severity"];
  readonly times: number;
}[] {
  const groups = new Map<string, { rule: string; title: string; severity: Finding["severity"]; times: number }>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.severity} ${finding.title}`;
    const group = groups.get(key) ?? {
      rule: finding.rule,
      title: finding.title,
      severity: finding.severity,
      times: 0,
    };
    group.times += 1;
    groups.set(key, group);
  }
  const worst = { error: 0, warning: 1, note: 2 } as const;
  return [...groups.values()].sort((x, y) => worst[x.severity] - worst[y.severity] || y.times - x.times);
}

/** Newest results of this fabric's links in one line: median, lowest and highest per cent. */
export function measuredOverall(
  summaries: Iterable<MeasurementSummary>,
  pass: number,
):
  | {
      readonly links: number;
      readonly median: number;
      readonly low: number;
      readonly high: number;
      readonly below: number;
    }
  | undefined {
  const percents = [...summaries]
    .flatMap((summary) => (summary.percent === null ? [] : [summary.percent]))
    .sort((x, y) => x - y);
  const low = percents[0];
  const high = percents[percents.length - 1];
  const median = percents[percents.length >> 1];
  if (low === undefined || high === undefined || median === undefined) return undefined;
  return { links: percents.length, median, low, high, below: percents.filter((percent) => percent < pass).length };
}

/** `24 of 40 up`. */
export function portsText(fabric: Fabric, node: number): string {
  const { up, of } = portsUp(fabric, node);
  return `${groupDigits(up)} of ${groupDigits(of)} up`;
}
