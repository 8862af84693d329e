/**
 * Cables that the siblings' pattern expects and that are not up: a leaf's down port whose number leads to the same
 * spine on most other leaves, and a down port on that spine which the other spines cable to this leaf.
 * O(ports of the switches).
 */
import { mode } from "../base/statistics.ts";
import type { Fabric } from "../fabric/model.ts";
import { none } from "../fabric/model.ts";
import { at, peerPort, portByNumber, portName } from "../fabric/access.ts";
import type { MissingLink, Topology } from "./results.ts";

/** Share of the siblings that must agree. */
const agreement = 0.75;
const minimumSiblings = 3;
const downCode = 1;

function isDown({ ports }: Fabric, port: number): boolean {
  return ports.link[port] === none && ports.state[port] === downCode;
}

function hasDownPort(fabric: Fabric, node: number): boolean {
  const end = fabric.nodes.portStart[node + 1] ?? 0;
  for (let port = fabric.nodes.portStart[node] ?? 0; port < end; port += 1) if (isDown(fabric, port)) return true;
  return false;
}

/** Expected cables that are down, lower tier first. */
export function missingLinksOf(fabric: Fabric, topology: Topology): readonly MissingLink[] {
  const found: MissingLink[] = [];
  for (const { level, switches } of topology.tiers.slice(0, -1))
    found.push(...fromTier(fabric, topology.tierOfNode, level, switches));
  return found;
}

/** Where the ports of one number lead on most switches of a tier. */
interface Usual {
  readonly upper: number;
  readonly siblings: number;
}

function fromTier(fabric: Fabric, tier: Int8Array, level: number, lower: readonly number[]): readonly MissingLink[] {
  const { portStart } = fabric.nodes;
  // Without a port that is down no cable is missing, whatever is usual.
  if (!lower.some((node) => hasDownPort(fabric, node))) return [];
  const usualAt = usualUplinks(fabric, tier, level, lower);
  const found: MissingLink[] = [];
  const taken = new Set<number>();
  for (const node of lower) {
    const end = at(portStart, node + 1);
    for (let port = at(portStart, node); port < end; port += 1) {
      if (!isDown(fabric, port)) continue;
      const number = at(fabric.ports.number, port);
      const usual = usualAt.get(number);
      const far = usual && farPort(fabric, tier, node, usual.upper, taken);
      if (usual === undefined || far === undefined) continue;
      taken.add(far);
      found.push({
        a: port,
        b: far,
        reason: `${usual.siblings} of ${lower.length - 1} siblings have their port ${number} cabled to the same switch; here it and ${portName(fabric, far)} are down.`,
      });
    }
  }
  return found;
}

/** By port number, the switch of the next tier that it leads to on most of `lower`. */
function usualUplinks(
  { nodes, ports, links }: Fabric,
  tier: Int8Array,
  level: number,
  lower: readonly number[],
): ReadonlyMap<number, Usual> {
  const farEnds: number[][] = [];
  for (const node of lower) {
    const end = nodes.portStart[node + 1] ?? 0;
    for (let port = nodes.portStart[node] ?? 0; port < end; port += 1) {
      const link = ports.link[port] ?? none;
      if (link === none) continue;
      const far = ports.node[links.a[link] === port ? (links.b[link] ?? 0) : (links.a[link] ?? 0)] ?? 0;
      if (tier[far] === level + 1) (farEnds[ports.number[port] ?? 0] ??= []).push(far);
    }
  }
  const usual = new Map<number, Usual>();
  farEnds.forEach((uppers, number) => {
    const { value, times } = mode(uppers);
    if (uppers.length >= minimumSiblings - 1 && times >= uppers.length * agreement)
      usual.set(number, { upper: value, siblings: times });
  });
  return usual;
}

/** A down port of the upper switch, at a number where other upper switches take this lower switch, the most usual first. */
function farPort(
  fabric: Fabric,
  tier: Int8Array,
  node: number,
  upper: number,
  taken: ReadonlySet<number>,
): number | undefined {
  const landing = new Map<number, number>();
  for (let port = at(fabric.nodes.portStart, node); port < at(fabric.nodes.portStart, node + 1); port += 1) {
    const peer = peerPort(fabric, port);
    if (peer === undefined || tier[at(fabric.ports.node, peer)] !== at(tier, node) + 1) continue;
    const number = at(fabric.ports.number, peer);
    landing.set(number, (landing.get(number) ?? 0) + 1);
  }
  for (const [number] of [...landing].sort((a, b) => b[1] - a[1])) {
    const port = portByNumber(fabric, upper, number);
    if (port !== undefined && isDown(fabric, port) && !taken.has(port)) return port;
  }
  return undefined;
}
