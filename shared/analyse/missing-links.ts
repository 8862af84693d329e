/**
 * Cables that the siblings' pattern expects and that are not up: a leaf's down port whose number leads to the same
 * spine on most other leaves, and a down port on that spine which the other spines cable to this leaf.
 * O(inter-switch links).
 */
import type { Fabric } from "../fabric/model.ts";
import { none } from "../fabric/model.ts";
import { at, portByNumber, portName } from "../fabric/access.ts";
import type { MissingLink, Topology } from "./results.ts";

/** Share of the siblings that must agree. */
const agreement = 0.75;
const minimumSiblings = 3;
const downCode = 1;

interface Votes {
  readonly times: Map<number, number>;
  total: number;
}

function vote(table: Map<number, Votes>, key: number, value: number): void {
  const votes = table.get(key) ?? { times: new Map<number, number>(), total: 0 };
  votes.times.set(value, (votes.times.get(value) ?? 0) + 1);
  votes.total += 1;
  table.set(key, votes);
}

function winner(votes: Votes | undefined): number | undefined {
  if (votes === undefined || votes.total < minimumSiblings - 1) return undefined;
  for (const [value, times] of votes.times) if (times >= votes.total * agreement) return value;
  return undefined;
}

function isDown(fabric: Fabric, port: number): boolean {
  return at(fabric.ports.link, port) === none && at(fabric.ports.state, port) === downCode;
}

/** Expected cables that are down, lower tier first. */
export function missingLinksOf(fabric: Fabric, topology: Topology): readonly MissingLink[] {
  const found: MissingLink[] = [];
  for (let i = 0; i + 1 < topology.tiers.length; i += 1) {
    const lower = topology.tiers[i]?.switches ?? [];
    const upper = topology.tiers[i + 1]?.switches ?? [];
    found.push(...betweenTiers(fabric, lower, upper));
  }
  return found;
}

function betweenTiers(fabric: Fabric, lower: readonly number[], upper: readonly number[]): readonly MissingLink[] {
  const { ports, links } = fabric;
  const isLower = new Set(lower);
  const isUpper = new Set(upper);
  const upperByPort = new Map<number, Votes>();
  /** Per lower switch: the port number at which the upper switches take it, by its own port's rank among parallels. */
  const landing = new Map<number, Votes>();
  for (let link = 0; link < links.count; link += 1) {
    const a = at(links.a, link);
    const b = at(links.b, link);
    const [low, high] = isLower.has(at(ports.node, a)) ? [a, b] : [b, a];
    if (!isLower.has(at(ports.node, low)) || !isUpper.has(at(ports.node, high))) continue;
    vote(upperByPort, at(ports.number, low), at(ports.node, high));
    vote(landing, at(ports.node, low), at(ports.number, high));
  }
  const found: MissingLink[] = [];
  const taken = new Set<number>();
  for (const node of lower) {
    for (let port = at(fabric.nodes.portStart, node); port < at(fabric.nodes.portStart, node + 1); port += 1) {
      if (!isDown(fabric, port)) continue;
      const expected = winner(upperByPort.get(at(ports.number, port)));
      if (expected === undefined) continue;
      const far = farPort(fabric, landing.get(node), expected, taken);
      if (far === undefined) continue;
      taken.add(far);
      const siblings = upperByPort.get(at(ports.number, port))?.times.get(expected) ?? 0;
      found.push({
        a: port,
        b: far,
        reason: `${siblings} of ${lower.length - 1} siblings have their port ${at(ports.number, port)} cabled to the same switch; here it and ${portName(fabric, far)} are down.`,
      });
    }
  }
  return found;
}

/** A down port of the upper switch, at a number where other upper switches take this lower switch. */
function farPort(
  fabric: Fabric,
  landing: Votes | undefined,
  upperNode: number,
  taken: ReadonlySet<number>,
): number | undefined {
  const numbers = [...(landing?.times.entries() ?? [])].sort((a, b) => b[1] - a[1]);
  for (const [number] of numbers) {
    const port = portByNumber(fabric, upperNode, number);
    if (port !== undefined && isDown(fabric, port) && !taken.has(port)) return port;
  }
  return undefined;
}
