/**
 * Deterministic forwarding as minhop routing would set it: every switch sends a LID out of one of the ports on a
 * shortest path, chosen by the LID and its own, so that the LIDs behind a leaf spread over the spines and two leaves
 * reach one host by different spines.
 */
import { lidOf, type SimulatedNode, type SimulatedPort } from "./model.ts";

/** Hop by hop from a source port: the ports that transmit, in order. */
export type Path = readonly SimulatedPort[];

function usablePeer(port: SimulatedPort | undefined): SimulatedPort | undefined {
  if (port?.state !== "Active" || port.cable?.state !== "Active") return undefined;
  return port.cable;
}

export class SimulatedRoutes {
  private readonly distances = new Map<SimulatedNode, Map<SimulatedNode, number>>();

  /** The port by which `from` forwards what is meant for `target`; undefined when there is no way. */
  forwardingPort(from: SimulatedNode, target: SimulatedPort): SimulatedPort | undefined {
    const targetSwitch = target.node.kind === "switch" ? target.node : usablePeer(target)?.node;
    if (targetSwitch === undefined) return undefined;
    if (from === targetSwitch) return target.node.kind === "switch" ? undefined : target.cable;
    const distances = this.distancesTo(targetSwitch);
    const distance = distances.get(from);
    if (distance === undefined) return undefined;
    const candidates = from.ports.filter((port): port is SimulatedPort => {
      const peer = usablePeer(port);
      return peer !== undefined && peer.node.kind === "switch" && distances.get(peer.node) === distance - 1;
    });
    return candidates[(lidOf(target) + from.lid) % candidates.length];
  }

  /** The way of a packet from an adapter port to another; undefined when the target cannot be reached. */
  path(source: SimulatedPort, target: SimulatedPort): Path | undefined {
    if (lidOf(source) === 0 || lidOf(target) === 0) return undefined;
    if (source === target) return [];
    if (usablePeer(source) === undefined) return undefined;
    const hops: SimulatedPort[] = [source];
    let at = source.cable;
    while (at !== undefined && at !== target && hops.length < 64) {
      const out = this.forwardingPort(at.node, target);
      if (out === undefined) return undefined;
      hops.push(out);
      at = out.cable;
    }
    return at === target ? hops : undefined;
  }

  /** Whether a packet from an adapter port can reach a switch by its LID. */
  reachesSwitch(source: SimulatedPort, target: SimulatedNode): boolean {
    const first = usablePeer(source)?.node;
    return first !== undefined && lidOf(source) !== 0 && target.lid !== 0 && this.distancesTo(target).has(first);
  }

  private distancesTo(target: SimulatedNode): Map<SimulatedNode, number> {
    const known = this.distances.get(target);
    if (known !== undefined) return known;
    const distances = new Map<SimulatedNode, number>([[target, 0]]);
    for (const [node, distance] of distances) {
      for (const port of node.ports) {
        const peer = usablePeer(port)?.node;
        if (peer === undefined || peer.kind !== "switch" || distances.has(peer)) continue;
        distances.set(peer, distance + 1);
      }
    }
    this.distances.set(target, distances);
    return distances;
  }
}
