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
import type { SwitchGraph } from "./tiers.ts";

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
    for (const [other, n] of graph.neighbours[spine] ?? []) {
      if (at(tier, other) !== 2 || other < spine) continue;
      const [a, b] = [at(blockOfNode, spine), at(blockOfNode, other)].sort((x, y) => x - y);
      if (a === undefined || b === undefined || a === b || a < 0) {
        inside += n;
        continue;
      }
      global += n;
      between.set(a * groups.length + b, (between.get(a * groups.length + b) ?? 0) + n);
    }
  }
  const allPairs = (groups.length * (groups.length - 1)) / 2;
  const dense = groups.every((group) => isBipartite(graph, group));
  const isDragonfly = groups.length >= 2 && global > 0 && global > inside * 4 && between.size * 2 > allPairs && dense;
  if (!isDragonfly && !force) return undefined;
  const pairs: GroupPair[] = [];
  for (let a = 0; a < groups.length; a += 1) {
    for (let b = a + 1; b < groups.length; b += 1) pairs.push({ a, b, links: between.get(a * groups.length + b) ?? 0 });
  }
  const usual = mode(pairs.map(({ links }) => links));
  const odd = oddCables(
    fabric,
    tier,
    (a, b) => at(tier, a) === 2 && at(tier, b) === 2 && at(blockOfNode, a) !== at(blockOfNode, b),
  );
  const foreign = foreignCables(fabric, tier, blockOfNode);
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
            message: `Group ${i + 1} has ${count(group.leaves.length, "leaf", "leaves")} and ${count(group.spines.length, "spine")}; most have ${count(Math.floor(usual.value / 1000), "leaf", "leaves")} and ${count(usual.value % 1000, "spine")}.`,
          },
        ],
  );
}

/** Leaf–spine cables that leave their group. */
function foreignCables(fabric: Fabric, tier: Int8Array, blockOfNode: Int32Array): readonly number[] {
  const found: number[] = [];
  for (let link = 0; link < fabric.links.count; link += 1) {
    const a = at(fabric.ports.node, at(fabric.links.a, link));
    const b = at(fabric.ports.node, at(fabric.links.b, link));
    const leafAndSpine = at(tier, a) + at(tier, b) === 3 && at(tier, a) > 0 && at(tier, b) > 0;
    if (leafAndSpine && at(blockOfNode, a) !== at(blockOfNode, b)) found.push(link);
  }
  return found;
}

/** Most leaves reach most spines of their own group. */
function isBipartite(graph: SwitchGraph, { leaves, spines }: Block): boolean {
  if (spines.length === 0) return false;
  let joined = 0;
  for (const leaf of leaves) for (const spine of spines) if (graph.neighbours[leaf]?.has(spine) === true) joined += 1;
  return joined * 2 >= leaves.length * spines.length;
}

function sizes(groups: readonly Block[]): string {
  const texts = groups.map(({ leaves, spines }) => `${leaves.length} leaves and ${spines.length} spines`);
  const first = texts[0] ?? "";
  return texts.every((text) => text === first) ? `${first} each` : `not all of one size (first: ${first})`;
}
