/** What does not fit the pattern: cables that join the wrong tiers, leaves with other uplinks than their siblings. O(links). */
import { mode } from "../base/statistics.ts";
import { count } from "../base/text.ts";
import { at, linkId, linkKind, linkName, nodeGuid, nodeName, peerPort, portsOfNode } from "../fabric/access.ts";
import { type Fabric, none } from "../fabric/model.ts";
import type { Block, Subject, Tier, Topology } from "./results.ts";
import type { SwitchGraph } from "./tiers.ts";

type Exceptions = Topology["exceptions"][number][];

function linkAt(fabric: Fabric, link: number): Subject {
  return { kind: "link", name: linkName(fabric, link), link: linkId(fabric, link), index: link };
}

function nodeAt(fabric: Fabric, node: number): Subject {
  return { kind: "node", name: nodeName(fabric, node), guid: nodeGuid(fabric, node), index: node };
}

const tierWords = ["leaf", "spine", "core"] as const;

function tierWord(tier: number): string {
  return tier < 1 ? "switch outside the tree" : (tierWords[Math.min(tier, 3) - 1] ?? "core");
}

/** Inter-switch links that join other than neighbouring tiers. `allowed` lets some of them be regular. */
export function oddCables(
  fabric: Fabric,
  tier: Int8Array,
  allowed: (a: number, b: number) => boolean,
): readonly number[] {
  const odd: number[] = [];
  for (let link = 0; link < fabric.links.count; link += 1) {
    if (linkKind(fabric, link) !== "inter-switch") continue;
    const a = at(fabric.ports.node, at(fabric.links.a, link));
    const b = at(fabric.ports.node, at(fabric.links.b, link));
    const fits = at(tier, a) > 0 && at(tier, b) > 0 && Math.abs(at(tier, a) - at(tier, b)) === 1;
    if (!fits && !allowed(a, b)) odd.push(link);
  }
  return odd;
}

export function describeOdd(fabric: Fabric, tier: Int8Array, odd: readonly number[], shape: string): Exceptions {
  return odd.map((link) => {
    const a = at(tier, at(fabric.ports.node, at(fabric.links.a, link)));
    const b = at(tier, at(fabric.ports.node, at(fabric.links.b, link)));
    return {
      kind: "odd-cable" as const,
      subject: linkAt(fabric, link),
      message: `${linkName(fabric, link)} joins a ${tierWord(a)} and a ${tierWord(b)}, which ${shape} does not.`,
    };
  });
}

/** Cables from one switch into a set. */
function cablesInto(graph: SwitchGraph, node: number, into: ReadonlySet<number>): number {
  let sum = 0;
  for (const [other, n] of graph.neighbours[node] ?? []) if (into.has(other)) sum += n;
  return sum;
}

const majority = 0.75;

/** Switches of one tier with more or fewer cables upwards than most of their siblings. */
export function unevenUplinks(fabric: Fabric, graph: SwitchGraph, tiers: readonly Tier[]): Exceptions {
  const found: Exceptions = [];
  for (const [i, lower] of tiers.entries()) {
    const upper = tiers[i + 1];
    if (upper === undefined || lower.switches.length < 3) continue;
    const above = new Set(upper.switches);
    const uplinks = lower.switches.map((node) => cablesInto(graph, node, above));
    const usual = mode(uplinks);
    if (usual.times < lower.switches.length * majority) continue;
    for (const [k, node] of lower.switches.entries()) {
      const own = uplinks[k] ?? 0;
      if (own === usual.value) continue;
      found.push({
        kind: "uplinks",
        subject: nodeAt(fabric, node),
        message: `${nodeName(fabric, node)} has ${count(own, "uplink")}; ${usual.times} of its ${lower.switches.length - 1} siblings have ${usual.value}.`,
      });
    }
  }
  return found;
}

/**
 * For a spine, the numbers of the leaves' ports of which most lead to it. O(ports of the leaves), at the first question.
 */
function spineByPort(
  fabric: Fabric,
  leaves: readonly number[],
  spines: ReadonlySet<number>,
): (spine: number) => ReadonlySet<number> {
  let byNumber: Map<number, number[]> | undefined;
  return (spine) => {
    byNumber ??= leaves
      .flatMap((leaf) => cablesOf(fabric, leaf))
      .filter(({ far }) => spines.has(far))
      .reduce(
        (map, { number, far }) => map.set(number, [...(map.get(number) ?? []), far]),
        new Map<number, number[]>(),
      );
    const numbers = new Set<number>();
    for (const [number, fars] of byNumber) {
      const usual = mode(fars);
      if (usual.value === spine && usual.times >= fars.length * majority) numbers.add(number);
    }
    return numbers;
  };
}

/** Cabled ports of a node: number, link and the node at the far end. */
function cablesOf(
  fabric: Fabric,
  node: number,
): readonly { readonly number: number; readonly link: number; readonly far: number }[] {
  return portsOfNode(fabric, node).flatMap((port) => {
    const link = at(fabric.ports.link, port);
    const peer = peerPort(fabric, port);
    if (link === none || peer === undefined) return [];
    return [{ number: at(fabric.ports.number, port), link, far: at(fabric.ports.node, peer) }];
  });
}

/** The one cable to the wrong spine at a port that leads elsewhere on the siblings; undefined when it cannot be told. */
function misplaced(fabric: Fabric, leaf: number, wrong: number, numbers: ReadonlySet<number>): number | undefined {
  const odd = cablesOf(fabric, leaf).filter(({ number, far }) => far === wrong && numbers.has(number));
  return odd.length === 1 ? odd[0]?.link : undefined;
}

/**
 * Leaves that have one cable too many to one spine of their block and one too few to another, against the number that
 * most pairs of the block have: a cable plugged into the wrong spine.
 */
export function swappedCables(fabric: Fabric, graph: SwitchGraph, blocks: readonly Block[]): Exceptions {
  const found: Exceptions = [];
  for (const { leaves, spines } of blocks) {
    if (leaves.length < 3 || spines.length < 2) continue;
    const pairs = leaves.flatMap((leaf) => spines.map((spine) => graph.neighbours[leaf]?.get(spine) ?? 0));
    const usual = mode(pairs);
    if (usual.times < pairs.length * majority || usual.value === 0) continue;
    const leadsTo = spineByPort(fabric, leaves, new Set(spines));
    for (const leaf of leaves) {
      const more = spines.filter((spine) => (graph.neighbours[leaf]?.get(spine) ?? 0) > usual.value);
      const fewer = spines.filter((spine) => (graph.neighbours[leaf]?.get(spine) ?? 0) < usual.value);
      for (let i = 0; i < Math.min(more.length, fewer.length); i += 1) {
        const [wrong, right] = [more[i] ?? 0, fewer[i] ?? 0];
        const cables = (spine: number): string =>
          `${count(graph.neighbours[leaf]?.get(spine) ?? 0, "cable")} to ${nodeName(fabric, spine)}`;
        const link = misplaced(fabric, leaf, wrong, leadsTo(right));
        const which = link === undefined ? "One seems" : `${linkName(fabric, link)} seems`;
        found.push({
          kind: "swapped-cable",
          subject: link === undefined ? nodeAt(fabric, leaf) : linkAt(fabric, link),
          message: `${nodeName(fabric, leaf)} has ${cables(wrong)} and ${cables(right)}; its siblings have ${usual.value} to each. ${which} plugged into the wrong switch.`,
        });
      }
    }
  }
  return found;
}

/** Switches that carry hosts and are no leaf. */
export function hostsOutsideLeaves(fabric: Fabric, graph: SwitchGraph, tier: Int8Array): Exceptions {
  return graph.switches
    .filter((node) => at(graph.hostLinks, node) > 0 && at(tier, node) !== 1)
    .map((node) => ({
      kind: "stray-host" as const,
      subject: nodeAt(fabric, node),
      message: `${nodeName(fabric, node)} is a ${tierWord(at(tier, node))} and carries ${count(at(graph.hostLinks, node), "host link")}.`,
    }));
}

/** Switches that no leaf reaches. */
export function outsideTheTree(fabric: Fabric, graph: SwitchGraph, tier: Int8Array): Exceptions {
  return graph.switches
    .filter((node) => at(tier, node) === -1)
    .map((node) => ({
      kind: "unreachable-switch" as const,
      subject: nodeAt(fabric, node),
      message: `${nodeName(fabric, node)} cannot be reached from any leaf.`,
    }));
}
