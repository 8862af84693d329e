/** What does not fit the pattern: cables that join the wrong tiers, leaves with other uplinks than their siblings. O(links). */
import { mode } from "../base/statistics.ts";
import { count } from "../base/text.ts";
import { at, linkId, linkName, nodeGuid, nodeName, peerPort } from "../fabric/access.ts";
import { type Fabric, none } from "../fabric/model.ts";
import { linkCodes } from "./link-table.ts";
import type { Block, Subject, Tier, Topology } from "./results.ts";
import { cablesTo, type SwitchGraph } from "./switch-graph.ts";

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
  { links }: SwitchGraph,
  tier: Int8Array,
  allowed: (a: number, b: number) => boolean,
): readonly number[] {
  const odd: number[] = [];
  for (let link = 0; link < links.count; link += 1) {
    if (links.kind[link] !== linkCodes.interSwitch) continue;
    const a = links.a[link] ?? 0;
    const b = links.b[link] ?? 0;
    const [lower, upper] = [tier[a] ?? -1, tier[b] ?? -1];
    const fits = lower > 0 && upper > 0 && Math.abs(lower - upper) === 1;
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

const majority = 0.75;

/** Switches of one tier with more or fewer cables upwards than most of their siblings. */
export function unevenUplinks(fabric: Fabric, graph: SwitchGraph, tier: Int8Array, tiers: readonly Tier[]): Exceptions {
  const found: Exceptions = [];
  for (const [i, lower] of tiers.entries()) {
    const upper = tiers[i + 1];
    if (upper === undefined || lower.switches.length < 3) continue;
    const uplinks = lower.switches.map((node) => cablesTo(graph, node, tier, upper.level));
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

/** Port numbers of the leaves with the spine that they lead to on most. O(ports of the leaves). */
function spineOfPorts(
  fabric: Fabric,
  leaves: readonly number[],
  spines: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const farEnds = new Map<number, number[]>();
  for (const leaf of leaves) {
    for (const { number, far } of cablesOf(fabric, leaf)) {
      if (!spines.has(far)) continue;
      const known = farEnds.get(number);
      if (known === undefined) farEnds.set(number, [far]);
      else known.push(far);
    }
  }
  const spineOf = new Map<number, number>();
  for (const [number, fars] of farEnds) {
    const usual = mode(fars);
    if (usual.times >= fars.length * majority) spineOf.set(number, usual.value);
  }
  return spineOf;
}

interface Cabled {
  readonly number: number;
  readonly link: number;
  /** Node at the far end. */
  readonly far: number;
}

/** Cabled ports of a node. */
function cablesOf(fabric: Fabric, node: number): readonly Cabled[] {
  const found: Cabled[] = [];
  for (let port = at(fabric.nodes.portStart, node); port < at(fabric.nodes.portStart, node + 1); port += 1) {
    const link = at(fabric.ports.link, port);
    const peer = peerPort(fabric, port);
    if (link !== none && peer !== undefined)
      found.push({ number: at(fabric.ports.number, port), link, far: at(fabric.ports.node, peer) });
  }
  return found;
}

/** Cables from each leaf (row) to each spine (column) of a block, row by row. */
function cableMatrix({ start, neighbour, cables }: SwitchGraph, { leaves, spines }: Block): Uint32Array {
  const columnOf = new Map(spines.map((spine, column) => [spine, column]));
  const matrix = new Uint32Array(leaves.length * spines.length);
  for (const [row, leaf] of leaves.entries()) {
    for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) {
      const column = columnOf.get(neighbour[i] ?? 0);
      if (column !== undefined) matrix[row * spines.length + column] = cables[i] ?? 0;
    }
  }
  return matrix;
}

/**
 * Leaves that have one cable too many to one spine of their block and one too few to another, against the number that
 * most pairs of the block have: a cable plugged into the wrong spine.
 */
export function swappedCables(fabric: Fabric, graph: SwitchGraph, blocks: readonly Block[]): Exceptions {
  const found: Exceptions = [];
  for (const block of blocks) {
    const { leaves, spines } = block;
    if (leaves.length < 3 || spines.length < 2) continue;
    const matrix = cableMatrix(graph, block);
    const usual = mode(matrix);
    if (usual.times === matrix.length || usual.times < matrix.length * majority || usual.value === 0) continue;
    let spineOf: ReadonlyMap<number, number> | undefined;
    for (const [row, leaf] of leaves.entries()) {
      const own = matrix.subarray(row * spines.length, (row + 1) * spines.length);
      const more = spines.filter((_, column) => (own[column] ?? 0) > usual.value);
      const fewer = spines.filter((_, column) => (own[column] ?? 0) < usual.value);
      for (let i = 0; i < Math.min(more.length, fewer.length); i += 1) {
        const [wrong, right] = [more[i] ?? 0, fewer[i] ?? 0];
        spineOf ??= spineOfPorts(fabric, leaves, new Set(spines));
        const cables = (spine: number): string =>
          `${count(own[spines.indexOf(spine)] ?? 0, "cable")} to ${nodeName(fabric, spine)}`;
        const astray = cablesOf(fabric, leaf).filter(
          ({ number, far }) => far === wrong && spineOf?.get(number) === right,
        );
        // With several at such ports nobody can tell which it is.
        const link = astray.length === 1 ? astray[0]?.link : undefined;
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
