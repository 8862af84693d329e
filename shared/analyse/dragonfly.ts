/**
 * Dragonfly+: groups of leaf–spine blocks whose spines are joined across groups (Shpiner et al., "Dragonfly+: Low Cost
 * Topology for Scaling Datacenters", HiPINEB 2017). O(links).
 */
import { mode } from "../base/statistics.ts";
import { count } from "../base/text.ts";
import { at } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { describeOdd, oddCables } from "./exceptions.ts";
import { blocksOf } from "./blocks.ts";
import type { Block, GroupPair, Subject, Tier, Topology } from "./results.ts";
import type { SwitchGraph } from "./switch-graph.ts";

export interface Dragonfly {
  readonly groups: readonly Block[];
  readonly blockOfNode: Int32Array;
  readonly pairs: readonly GroupPair[];
  readonly evidence: readonly string[];
  readonly exceptions: Topology["exceptions"];
}

/** The groups, when the fabric is a Dragonfly+; undefined when it is not. `force`: whatever it is, the user says so. */
export function dragonflyOf(
  fabric: Fabric,
  graph: SwitchGraph,
  tier: Int8Array,
  tiers: readonly Tier[],
  force: boolean,
): Dragonfly | undefined {
  const leaves = tiers[0]?.switches ?? [];
  const spines = tiers[1]?.switches ?? [];
  const beyond = tiers.slice(2).reduce((sum, { switches }) => sum + switches.length, 0);
  if (!force && (spines.length === 0 || beyond * 10 > graph.switches.length)) return undefined;
  const groups = blocksOf(graph, tier, leaves, spines);
  const blockOfNode = new Int32Array(fabric.nodes.count).fill(-1);
  groups.forEach(({ leaves: own, spines: above }, i) => {
    for (const node of [...own, ...above]) blockOfNode[node] = i;
  });
  const between = new Map<number, number>();
  let global = 0;
  let inside = 0;
  for (const spine of spines) {
    for (let i = at(graph.start, spine); i < at(graph.start, spine + 1); i += 1) {
      const other = at(graph.neighbour, i);
      if (tier[other] !== 2 || other < spine) continue;
      const n = at(graph.cables, i);
      const a = Math.min(at(blockOfNode, spine), at(blockOfNode, other));
      const b = Math.max(at(blockOfNode, spine), at(blockOfNode, other));
      if (a === b || a < 0) {
        inside += n;
        continue;
      }
      global += n;
      between.set(a * groups.length + b, (between.get(a * groups.length + b) ?? 0) + n);
    }
  }
  const allPairs = (groups.length * (groups.length - 1)) / 2;
  const isDragonfly =
    groups.length >= 2 &&
    global > 0 &&
    global > inside * 4 &&
    between.size * 2 > allPairs &&
    areBipartite(graph, tier, groups, blockOfNode);
  if (!isDragonfly && !force) return undefined;
  const pairs: GroupPair[] = [];
  for (let a = 0; a < groups.length; a += 1) {
    for (let b = a + 1; b < groups.length; b += 1) pairs.push({ a, b, links: between.get(a * groups.length + b) ?? 0 });
  }
  const usual = mode(pairs.map(({ links }) => links));
  const odd = oddCables(graph, tier, (a, b) => tier[a] === 2 && tier[b] === 2 && blockOfNode[a] !== blockOfNode[b]);
  const foreign = foreignCables(graph, tier, blockOfNode);
  const fabricAt: Subject = { kind: "fabric", name: "fabric" };
  return {
    groups,
    blockOfNode,
    pairs,
    evidence: [
      `${count(groups.length, "group")}: ${sizes(groups)}.`,
      `${count(global, "cable")} between spines of different groups; ${usual.times} of ${pairs.length} pairs of groups have ${usual.value}.`,
    ],
    exceptions: [
      ...describeOdd(fabric, tier, [...odd, ...foreign], "a Dragonfly+"),
      ...unevenGroups(groups),
      ...pairs
        .filter(({ links }) => links !== usual.value && usual.times * 2 > pairs.length)
        .map(({ a, b, links }) => ({
          kind: "global-links" as const,
          subject: fabricAt,
          blocks: [a, b],
          message: `Groups ${a + 1} and ${b + 1} are joined by ${count(links, "cable")}; most pairs have ${usual.value}.`,
        })),
    ],
  };
}

/** Groups with other numbers of switches than most. */
function unevenGroups(groups: readonly Block[]): Topology["exceptions"] {
  const key = ({ leaves, spines }: Block): number => leaves.length * 1000 + spines.length;
  const usual = mode(groups.map(key));
  if (usual.times * 2 <= groups.length || groups.length < 3) return [];
  return groups.flatMap((group, i) =>
    key(group) === usual.value
      ? []
      : [
          {
            kind: "group-size" as const,
            subject: { kind: "fabric" as const, name: "fabric" },
            blocks: [i],
            message: `Group ${i + 1} has ${count(group.leaves.length, "leaf", "leaves")} and ${count(group.spines.length, "spine")}; most have ${count(Math.floor(usual.value / 1000), "leaf", "leaves")} and ${count(usual.value % 1000, "spine")}.`,
          },
        ],
  );
}

/** Leaf–spine cables that leave their group. */
function foreignCables({ links }: SwitchGraph, tier: Int8Array, blockOfNode: Int32Array): readonly number[] {
  const found: number[] = [];
  for (let link = 0; link < links.count; link += 1) {
    const a = links.a[link] ?? 0;
    const b = links.b[link] ?? 0;
    const leafAndSpine = (tier[a] === 1 && tier[b] === 2) || (tier[a] === 2 && tier[b] === 1);
    if (leafAndSpine && blockOfNode[a] !== blockOfNode[b]) found.push(link);
  }
  return found;
}

/** In every group most leaves reach most of its spines. */
function areBipartite(
  { start, neighbour }: SwitchGraph,
  tier: Int8Array,
  groups: readonly Block[],
  blockOfNode: Int32Array,
): boolean {
  return groups.every(({ leaves, spines }, group) => {
    let joined = 0;
    for (const leaf of leaves) {
      for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) {
        const other = neighbour[i] ?? 0;
        if (tier[other] === 2 && blockOfNode[other] === group) joined += 1;
      }
    }
    return spines.length > 0 && joined * 2 >= leaves.length * spines.length;
  });
}

function sizes(groups: readonly Block[]): string {
  const texts = groups.map(({ leaves, spines }) => `${leaves.length} leaves and ${spines.length} spines`);
  const first = texts[0] ?? "";
  return texts.every((text) => text === first) ? `${first} each` : `not all of one size (first: ${first})`;
}
