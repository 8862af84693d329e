/** The shape of a fabric, with the evidence for it. The majority decides; what differs is an exception. O(links). */
import { mode } from "../base/statistics.ts";
import { count, groupDigits } from "../base/text.ts";
import { compareNatural } from "../build/group-hosts.ts";
import { at, nodeName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { blocksOf } from "./blocks.ts";
import { type Dragonfly, dragonflyOf } from "./dragonfly.ts";
import {
  describeOdd,
  hostsOutsideLeaves,
  oddCables,
  outsideTheTree,
  swappedCables,
  unevenUplinks,
} from "./exceptions.ts";
import { chassisOf, islandsOf } from "./parts-of-fabric.ts";
import { linkCodes } from "./link-table.ts";
import { leafRatios } from "./oversubscription.ts";
import { railsOf } from "./rails.ts";
import type { Block, Tier, Topology, TopologyKind } from "./results.ts";
import { cablesTo, type SwitchGraph } from "./switch-graph.ts";
import { highest, tiersOf } from "./tiers.ts";

const tierNames = ["leaf", "spine", "core"] as const;
/** Share of inter-switch cables that may join other than neighbouring tiers in a fat tree. */
const oddShare = 0.1;
const mostTiers = 4;

/** Decides kind, tiers, pods or groups, rails. `kind`: the user's word instead of ours. */
export function topologyOf(fabric: Fabric, graph: SwitchGraph, kind?: TopologyKind): Topology {
  const tierOfNode = tiersOf(graph);
  const tiers = tiersInOrder(fabric, graph, tierOfNode);
  const dragonfly =
    kind === undefined || kind === "dragonfly+"
      ? dragonflyOf(fabric, graph, tierOfNode, tiers, kind === "dragonfly+")
      : undefined;
  const rails = railsOf(fabric);
  const cables = countCables(graph);
  const odd = oddCables(graph, tierOfNode, () => false);
  const outside = graph.switches.filter((node) => at(tierOfNode, node) === -1).length;
  const isTree =
    tiers.length >= 1 &&
    tiers.length <= mostTiers &&
    odd.length <= cables * oddShare &&
    outside * 2 < graph.switches.length;
  const found: TopologyKind = kind ?? (dragonfly !== undefined ? "dragonfly+" : isTree ? "fat-tree" : "irregular");
  const pods =
    found === "fat-tree" && tiers.length >= 3
      ? blocksOf(graph, tierOfNode, tiers[0]?.switches ?? [], tiers[1]?.switches ?? [])
      : [];
  const islands = islandsOf(graph.links, fabric.nodes.count);
  return {
    kind: found,
    overruled: kind !== undefined,
    tiers,
    tierOfNode,
    pods,
    groups: dragonfly?.groups ?? [],
    groupPairs: dragonfly?.pairs ?? [],
    blockOfNode: dragonfly?.blockOfNode ?? blockColumn(fabric, pods),
    rails: rails.rails,
    railOfNode: rails.railOfNode,
    oversubscription: mode(leafRatios(graph, tierOfNode, tiers[0]?.switches ?? []).map(({ ratio }) => ratio)).value,
    chassis: chassisOf(fabric, graph.switches),
    islands,
    evidence: [
      ...(kind === "irregular"
        ? [`${odd.length} of ${count(cables, "cable")} between switches join others than neighbouring tiers.`]
        : evidenceOf(found, graph, tierOfNode, tiers, pods, cables, odd.length, dragonfly)),
      ...(outside > 0 && found !== "irregular"
        ? [`${count(outside, "switch", "switches")} cannot be reached from any leaf.`]
        : []),
      ...rails.evidence,
      ...(islands.length > 1
        ? [
            `${count(islands.length, "part")} that no cable joins: ${islands.slice(0, 5).join(", ")} nodes${islands.length > 5 ? " and so on" : ""}.`,
          ]
        : []),
    ],
    exceptions:
      found === "irregular"
        ? rails.exceptions
        : [
            ...(dragonfly?.exceptions ?? [
              ...describeOdd(fabric, tierOfNode, odd, "a fat tree"),
              ...swappedCables(fabric, graph, pods.length > 0 ? pods : wholeTree(tiers)),
            ]),
            ...unevenUplinks(fabric, graph, tierOfNode, dragonfly === undefined ? tiers : tiers.slice(0, 2)),
            ...hostsOutsideLeaves(fabric, graph, tierOfNode),
            ...outsideTheTree(fabric, graph, tierOfNode),
            ...rails.exceptions,
          ],
  };
}

function tiersInOrder(fabric: Fabric, graph: SwitchGraph, tierOfNode: Int8Array): readonly Tier[] {
  const members = Array.from({ length: highest(graph, tierOfNode) }, (): { node: number; name: string }[] => []);
  for (const node of graph.switches) members[at(tierOfNode, node) - 1]?.push({ node, name: nodeName(fabric, node) });
  return members.map((switches, i) => ({
    level: i + 1,
    name: tierNames[Math.min(i, 2)] ?? "core",
    switches: switches.sort((a, b) => compareNatural(a.name, b.name) || a.node - b.node).map(({ node }) => node),
  }));
}

function wholeTree(tiers: readonly Tier[]): readonly Block[] {
  return tiers.length < 2 ? [] : [{ leaves: tiers[0]?.switches ?? [], spines: tiers[1]?.switches ?? [], hosts: 0 }];
}

function blockColumn(fabric: Fabric, blocks: readonly Block[]): Int32Array {
  const column = new Int32Array(fabric.nodes.count).fill(-1);
  blocks.forEach(({ leaves, spines }, i) => {
    for (const node of [...leaves, ...spines]) column[node] = i;
  });
  return column;
}

function countCables({ links }: SwitchGraph): number {
  let cables = 0;
  for (let link = 0; link < links.count; link += 1) if (links.kind[link] === linkCodes.interSwitch) cables += 1;
  return cables;
}

function evidenceOf(
  kind: TopologyKind,
  graph: SwitchGraph,
  tierOfNode: Int8Array,
  tiers: readonly Tier[],
  pods: readonly Block[],
  cables: number,
  odd: number,
  dragonfly: Dragonfly | undefined,
): readonly string[] {
  if (kind === "irregular") return whyIrregular(graph, tiers.length, cables, odd);
  const lines = [
    ...(dragonfly?.evidence ?? []),
    ...tierLines(graph, tierOfNode, dragonfly === undefined ? tiers : tiers.slice(0, 2)),
  ];
  if (pods.length > 1) lines.push(`${count(pods.length, "pod")}: leaves that share their spines.`);
  if (dragonfly === undefined && cables > 0) {
    lines.push(
      odd === 0
        ? `All ${groupDigits(cables)} cables between switches join neighbouring tiers.`
        : `${odd} of ${groupDigits(cables)} cables between switches ${odd === 1 ? "does" : "do"} not join neighbouring tiers.`,
    );
  }
  return lines;
}

function plural(name: Tier["name"]): string {
  return name === "leaf" ? "leaves" : name === "switch" ? "switches" : `${name}s`;
}

function tierLines(graph: SwitchGraph, tierOfNode: Int8Array, tiers: readonly Tier[]): readonly string[] {
  const leaves = tiers[0]?.switches ?? [];
  if (tiers.length === 1) return [`${count(leaves.length, "switch", "switches")} with hosts and no switch above.`];
  const lines: string[] = [];
  for (const [i, lower] of tiers.entries()) {
    const upper = tiers[i + 1];
    if (upper === undefined) continue;
    const usual = mode(lower.switches.map((node) => cablesTo(graph, node, tierOfNode, upper.level)));
    const deviating = lower.switches.length - usual.times;
    const which = deviating > 0 ? `${usual.times} of them` : lower.switches.length === 1 ? "it alone" : "each";
    lines.push(
      `${count(lower.switches.length, lower.name, plural(lower.name))}, ${which} with ${count(usual.value, "uplink")} to ${count(upper.switches.length, upper.name)}${deviating === 0 ? "." : `; ${count(deviating, "exception")}.`}`,
    );
  }
  const hosts = mode(leaves.map((leaf) => at(graph.hostLinks, leaf)));
  if (leaves.length > 0) {
    lines.push(
      `${count(leaves.length, "leaf", "leaves")}, ${hosts.times === leaves.length ? "all" : `${hosts.times} of them`} with ${count(hosts.value, "host link")}.`,
    );
  }
  return lines;
}

function whyIrregular(graph: SwitchGraph, levels: number, cables: number, odd: number): readonly string[] {
  if (graph.switches.length === 0) return ["There is no switch."];
  if (levels === 0)
    return [
      `${count(graph.switches.length, "switch", "switches")} and no host link, so no switch can be told to be a leaf.`,
    ];
  if (levels > mostTiers) return [`${levels} tiers above the hosts; fat trees have at most four.`];
  return [
    `${odd} of ${cables} cables between switches join switches of the same tier or skip one; a fat tree has none, and the groups of a Dragonfly+ are not there.`,
  ];
}
