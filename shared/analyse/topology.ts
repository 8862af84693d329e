/** The shape of a fabric, with the evidence for it. Dragonfly+ is not told from other irregular shapes yet. */
import { count } from "../base/text.ts";
import type { Fabric } from "../fabric/model.ts";
import { at, linkId, linkKind, linkName, nodeName } from "../fabric/access.ts";
import { compareNatural } from "../build/group-hosts.ts";
import type { Tier, Topology } from "./results.ts";
import { type SwitchGraph, tiersOf } from "./tiers.ts";

const tierNames = ["leaf", "spine", "core"] as const;
/** Share of inter-switch cables that may join other than neighbouring tiers in a fat tree. */
const oddShare = 0.1;

function mode(values: readonly number[]): { readonly value: number; readonly times: number } {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  let best = { value: 0, times: 0 };
  for (const [value, n] of times) if (n > best.times) best = { value, times: n };
  return best;
}

/** Decides tiers and kind. O(links). */
export function topologyOf(fabric: Fabric, graph: SwitchGraph): Topology {
  const tierOfNode = tiersOf(fabric, graph);
  const levels = Math.max(0, ...graph.switches.map((node) => at(tierOfNode, node)));
  const tiers: Tier[] = [];
  for (let level = 1; level <= levels; level += 1) {
    const switches = graph.switches
      .filter((node) => at(tierOfNode, node) === level)
      .sort((a, b) => compareNatural(nodeName(fabric, a), nodeName(fabric, b)) || a - b);
    tiers.push({ level, name: tierNames[Math.min(level, 3) - 1] ?? "core", switches });
  }
  const odd: number[] = [];
  let cables = 0;
  for (let link = 0; link < fabric.links.count; link += 1) {
    if (linkKind(fabric, link) !== "inter-switch") continue;
    cables += 1;
    const a = at(tierOfNode, at(fabric.ports.node, at(fabric.links.a, link)));
    const b = at(tierOfNode, at(fabric.ports.node, at(fabric.links.b, link)));
    if (a === -1 || b === -1 || Math.abs(a - b) !== 1) odd.push(link);
  }
  const outside = graph.switches.filter((node) => at(tierOfNode, node) === -1);
  const regular =
    levels >= 1 && levels <= 4 && odd.length <= cables * oddShare && outside.length * 2 < graph.switches.length;
  const exceptions = regular ? oddCables(fabric, tierOfNode, odd) : [];
  return {
    kind: regular ? "fat-tree" : "irregular",
    tiers,
    tierOfNode,
    evidence: regular
      ? evidenceOf(graph, tiers, cables, odd.length, outside.length)
      : whyIrregular(graph, levels, cables, odd.length),
    exceptions,
  };
}

function oddCables(fabric: Fabric, tierOfNode: Int8Array, odd: readonly number[]): Topology["exceptions"] {
  const name = (tier: number): string =>
    tier < 1 ? "switch outside the tree" : (tierNames[Math.min(tier, 3) - 1] ?? "core");
  return odd.map((link) => {
    const a = at(tierOfNode, at(fabric.ports.node, at(fabric.links.a, link)));
    const b = at(tierOfNode, at(fabric.ports.node, at(fabric.links.b, link)));
    return {
      subject: { kind: "link" as const, name: linkName(fabric, link), link: linkId(fabric, link), index: link },
      message: `${linkName(fabric, link)} joins a ${name(a)} and a ${name(b)}; in a fat tree cables run between neighbouring tiers.`,
    };
  });
}

function evidenceOf(
  graph: SwitchGraph,
  tiers: readonly Tier[],
  cables: number,
  odd: number,
  outside: number,
): readonly string[] {
  const lines: string[] = [];
  const leaves = tiers[0]?.switches ?? [];
  const hosts = mode(leaves.map((leaf) => at(graph.hostLinks, leaf)));
  if (tiers.length === 1) {
    lines.push(`${count(leaves.length, "switch", "switches")} with hosts and no switch above.`);
  }
  for (let i = 0; i + 1 < tiers.length; i += 1) {
    const lower = tiers[i];
    const upper = tiers[i + 1];
    if (lower === undefined || upper === undefined) continue;
    const above = new Set(upper.switches);
    const uplinks = lower.switches.map((node) => {
      let sum = 0;
      for (const [other, n] of graph.neighbours[node] ?? []) if (above.has(other)) sum += n;
      return sum;
    });
    const usual = mode(uplinks);
    const deviating = lower.switches.length - usual.times;
    const plural = lower.name === "leaf" ? "leaves" : `${lower.name}s`;
    lines.push(
      `${count(lower.switches.length, lower.name, plural)}, ${deviating > 0 ? `${usual.times} of them` : lower.switches.length === 1 ? "it alone" : "each"} with ${count(usual.value, "uplink")} to ${count(upper.switches.length, upper.name)}${deviating === 0 ? "." : `; ${count(deviating, "exception")}.`}`,
    );
  }
  if (leaves.length > 0)
    lines.push(
      `${count(leaves.length, "leaf", "leaves")}: ${hosts.times === leaves.length ? "all" : hosts.times} with ${count(hosts.value, "host link")}.`,
    );
  if (cables > 0)
    lines.push(
      odd === 0
        ? `All ${cables} cables between switches join neighbouring tiers.`
        : `${odd} of ${cables} cables between switches ${odd === 1 ? "does" : "do"} not join neighbouring tiers.`,
    );
  if (outside > 0) lines.push(`${count(outside, "switch", "switches")} cannot be reached from any leaf.`);
  return lines;
}

function whyIrregular(graph: SwitchGraph, levels: number, cables: number, odd: number): readonly string[] {
  if (graph.switches.length === 0) return ["There is no switch."];
  if (levels === 0)
    return [
      `${count(graph.switches.length, "switch", "switches")} and no host link, so no switch can be told to be a leaf.`,
    ];
  if (levels > 4) return [`${levels} tiers above the hosts; fat trees have at most four.`];
  return [
    `${odd} of ${cables} cables between switches join switches of the same tier or skip one; a fat tree has none.`,
  ];
}
