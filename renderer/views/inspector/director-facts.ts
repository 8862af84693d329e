/** What the inspector, the hover card and a ticket say about a director: a box of several switch chips. Pure; no React. */
import { type Analysis, type Finding, type Health, healths } from "../../../shared/analyse/results.ts";
import { formatGuid, guidFromBigint } from "../../../shared/base/guid.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { at, linkGbps, linkIsActive, nodeGuid, nodeName, portsOfNode } from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import { bySeverity, findingIndex } from "../findings/finding-index.ts";
import { type Cabling, cablingOf, hostsBelow, nodeAndLinkHealth, nodeWord, portsText, portsUp } from "./node-facts.ts";

const downCode = healths.indexOf("down");
const warningCode = healths.indexOf("warning");

/** One switch in the box. */
export interface Chip {
  readonly node: number;
  /** Its name, or its GUID where two chips of the box are called alike. */
  readonly name: string;
  readonly guid: string;
  /** `Leaf`, `Spine` … */
  readonly word: string;
  /** `24 of 40 up`. */
  readonly ports: string;
  readonly health: Health;
}

export interface DirectorFacts {
  readonly name: string;
  /** Worst of its chips, their cables, and what is missing inside. */
  readonly health: Health;
  /** `8 line, 4 spine chips`; `12 chips` where all are on one tier. */
  readonly boards: string;
  /** Cables between its chips and what leads out of it, in words. */
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  /** Hosts cabled to it. */
  readonly hosts: number;
  /** System image GUID that all chips share; empty when they have none or several. */
  readonly systemGuid: string;
  /** Of its chips, their ports and cables, worst first. */
  readonly findings: readonly Finding[];
  /** From the lowest tier up, by name. */
  readonly chips: readonly Chip[];
}

/** The system image GUID that all nodes share; empty when they have none or several. */
export function systemGuidOf(fabric: Fabric, nodes: readonly number[]): string {
  const guids = new Set(nodes.map((node) => fabric.nodes.systemGuid[node] ?? 0n));
  const [guid] = guids;
  return guids.size !== 1 || guid === undefined || guid === 0n ? "" : formatGuid(guidFromBigint(guid));
}

/** `8 line, 4 spine chips`: those of the lowest tier are the line chips. */
export function chipsText(analysis: Analysis, chips: readonly number[]): string {
  const tiers = chips.map((chip) => at(analysis.topology.tierOfNode, chip));
  const lowest = Math.min(...tiers);
  const lines = tiers.filter((tier) => tier === lowest).length;
  return lines === chips.length
    ? count(chips.length, "chip")
    : `${groupDigits(lines)} line, ${groupDigits(chips.length - lines)} spine chips`;
}

/** Cables with both ends in the box, each once. */
export function linksInside(fabric: Fabric, chips: readonly number[]): readonly number[] {
  const own = new Set(chips);
  const inside = new Set<number>();
  for (const chip of chips) {
    for (const port of portsOfNode(fabric, chip)) {
      const link = at(fabric.ports.link, port);
      if (link === none) continue;
      const ends = [at(fabric.links.a, link), at(fabric.links.b, link)];
      if (ends.every((end) => own.has(at(fabric.ports.node, end)))) inside.add(link);
    }
  }
  return [...inside];
}

/** Everything about one director. O(ports of its chips + missing links). @param director position in `topology.chassis` */
export function directorFacts({ fabric, analysis }: FabricView, director: number): DirectorFacts {
  const chassis = analysis.topology.chassis[director];
  const nodes = chassis?.switches ?? [];
  const own = new Set(nodes);
  const inside = linksInside(fabric, nodes);
  const nodeOf = (port: number): number => at(fabric.ports.node, port);
  const missing = analysis.missingLinks.filter(({ a, b }) => own.has(nodeOf(a)) && own.has(nodeOf(b))).length;
  const index = findingIndex(fabric, analysis);
  const findings = new Set(nodes.flatMap((node): readonly Finding[] => index.byNode.get(node) ?? []));
  const worst = nodes.reduce((code, node) => Math.max(code, nodeAndLinkHealth(fabric, analysis, node)), 0);
  const hosts = new Set(nodes.flatMap((node) => [...hostsBelow(fabric, node)])).size;
  const up = nodes.map((node) => portsUp(fabric, node));
  return {
    name: chassis?.name ?? "",
    health: healths[missing > 0 ? downCode : worst] ?? "unknown",
    boards: chipsText(analysis, nodes),
    rows: [
      { label: "Inside", value: insideText(fabric, analysis, inside, missing) },
      ...cablingOut(fabric, analysis, nodes, inside).map(({ label, links, gbps }) => ({
        label,
        value: `${count(links, "link")}, ${gbpsText(gbps)}`,
      })),
      ...(hosts === 0 ? [] : [{ label: "Hosts on it", value: groupDigits(hosts) }]),
      {
        label: "Ports",
        value: `${groupDigits(up.reduce((sum, one) => sum + one.up, 0))} of ${groupDigits(up.reduce((sum, one) => sum + one.of, 0))} up`,
      },
    ],
    hosts,
    systemGuid: systemGuidOf(fabric, nodes),
    findings: bySeverity([...findings]),
    chips: chipsOf(fabric, analysis, nodes),
  };
}

function gbpsText(gbps: number): string {
  return `${gbps >= 1000 ? groupDigits(gbps) : formatGbps(gbps)} Gb/s`;
}

/** `64 links, 12,800 Gb/s, 1 with a finding, 2 missing`. */
function insideText(fabric: Fabric, analysis: Analysis, links: readonly number[], missing: number): string {
  const gbps = links.reduce((sum, link) => sum + (linkIsActive(fabric, link) ? linkGbps(fabric, link) : 0), 0);
  const bad = links.filter((link) => at(analysis.linkHealth, link) >= warningCode).length;
  return [
    count(links.length, "link"),
    gbpsText(gbps),
    ...(bad === 0 ? [] : [`${groupDigits(bad)} with a finding`]),
    ...(missing === 0 ? [] : [`${groupDigits(missing)} missing`]),
  ].join(", ");
}

/** Cables that lead out of the box, by what is at the far end. */
function cablingOut(
  fabric: Fabric,
  analysis: Analysis,
  nodes: readonly number[],
  inside: readonly number[],
): readonly Cabling[] {
  const within = new Set(inside);
  const groups = new Map<string, { links: number; gbps: number }>();
  for (const node of nodes) {
    for (const { label, links, gbps } of cablingOf(fabric, analysis, node, (link) => !within.has(link))) {
      const group = groups.get(label) ?? { links: 0, gbps: 0 };
      groups.set(label, { links: group.links + links, gbps: group.gbps + gbps });
    }
  }
  return [...groups].map(([label, group]) => ({ label, ...group }));
}

function chipsOf(fabric: Fabric, analysis: Analysis, nodes: readonly number[]): readonly Chip[] {
  const times = new Map<string, number>();
  for (const node of nodes) times.set(nodeName(fabric, node), (times.get(nodeName(fabric, node)) ?? 0) + 1);
  const tier = (node: number): number => at(analysis.topology.tierOfNode, node);
  return [...nodes]
    .sort(
      (x, y) => tier(x) - tier(y) || nodeName(fabric, x).localeCompare(nodeName(fabric, y), "en", { numeric: true }),
    )
    .map((node) => ({
      node,
      name: (times.get(nodeName(fabric, node)) ?? 0) > 1 ? nodeGuid(fabric, node) : nodeName(fabric, node),
      guid: nodeGuid(fabric, node),
      word: nodeWord(fabric, analysis, node),
      ports: portsText(fabric, node),
      health: healths[nodeAndLinkHealth(fabric, analysis, node)] ?? "unknown",
    }));
}
