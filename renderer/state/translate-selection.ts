import { blockOf, type Topology } from "../../shared/analyse/results.ts";
import type { FabricView } from "../../shared/contract/views.ts";
import {
  adaptersOfHost,
  findLink,
  hostName,
  hostOfNode,
  linkId,
  nodeGuid,
  portId,
} from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import type { Selection } from "./selection-store.ts";

function nodeByGuid(fabric: Fabric, guid: string): number | undefined {
  const node = fabric.nodes.guid.indexOf(BigInt(guid));
  return node < 0 ? undefined : node;
}

function hostLike(before: Fabric, host: number, after: Fabric): number | undefined {
  for (const adapter of adaptersOfHost(before, host)) {
    const node = nodeByGuid(after, nodeGuid(before, adapter));
    const found = node === undefined ? undefined : hostOfNode(after, node);
    if (found !== undefined) return found;
  }
  // All adapters replaced: the name is what is left.
  const name = hostName(before, host);
  for (let other = 0; other < after.hosts.count; other += 1) if (hostName(after, other) === name) return other;
  return undefined;
}

/** Where most of some switches are now; undefined when none of them is in a pod or a group. */
function blockOfMost(topology: Topology, switches: readonly number[]): number | undefined {
  const votes = new Map<number, number>();
  for (const node of switches) {
    const block = topology.blockOfNode[node] ?? -1;
    if (block >= 0) votes.set(block, (votes.get(block) ?? 0) + 1);
  }
  return [...votes].sort((x, y) => y[1] - x[1] || x[0] - y[0])[0]?.[0];
}

/** Those of some nodes that are in a later collection too, as they are numbered there. O(nodes). */
function nodesNow(nodes: readonly number[], before: Fabric, after: Fabric): readonly number[] {
  const wanted = new Set(nodes.map((node) => before.nodes.guid[node] ?? 0n));
  const found: number[] = [];
  after.nodes.guid.forEach((guid, node) => {
    if (wanted.has(guid)) found.push(node);
  });
  return found;
}

const nothing: Selection = { kind: "nothing" };

/** The same object in a later collection of the same fabric, found by GUID and port; nothing when it is gone. */
export function translateSelection(selection: Selection, before: FabricView, after: FabricView): Selection {
  switch (selection.kind) {
    case "nothing":
      return nothing;
    case "node": {
      const node = nodeByGuid(after.fabric, nodeGuid(before.fabric, selection.node));
      return node === undefined ? nothing : { kind: "node", node };
    }
    case "host": {
      const host = hostLike(before.fabric, selection.host, after.fabric);
      return host === undefined ? nothing : { kind: "host", host };
    }
    case "link": {
      const link = findLink(after.fabric, linkId(before.fabric, selection.link));
      return link === undefined ? nothing : { kind: "link", link };
    }
    case "missing-link": {
      const missing = before.analysis.missingLinks[selection.missing];
      if (missing === undefined) return nothing;
      const id = portId(before.fabric, missing.a);
      const found = after.analysis.missingLinks.findIndex((other) => portId(after.fabric, other.a) === id);
      if (found >= 0) return { kind: "missing-link", missing: found };
      // Cabled meanwhile: the cable is what the eye rests on now.
      const link = findLink(after.fabric, id);
      return link === undefined ? nothing : { kind: "link", link };
    }
    case "director": {
      const chips = before.analysis.topology.chassis[selection.director]?.switches ?? [];
      const now = new Set(chips.map((chip) => nodeByGuid(after.fabric, nodeGuid(before.fabric, chip))));
      const director = after.analysis.topology.chassis.findIndex(({ switches }) =>
        switches.some((chip) => now.has(chip)),
      );
      return director < 0 ? nothing : { kind: "director", director };
    }
    case "block": {
      const { topology } = before.analysis;
      const own = blockOf(topology, selection.block);
      // Numbers are given anew at each collection: it is the one with most of its switches.
      const now = nodesNow(own === undefined ? [] : [...own.leaves, ...own.spines], before.fabric, after.fabric);
      const block = blockOfMost(after.analysis.topology, now);
      return block === undefined ? nothing : { kind: "block", block };
    }
    case "plane": {
      const switches = nodesNow(selection.switches, before.fabric, after.fabric);
      const top = new Set(after.analysis.topology.tiers.at(-1)?.switches);
      // Position and name are the picture's: it puts them right once it is laid out.
      return after.analysis.topology.tiers.length >= 3 && switches.some((node) => top.has(node))
        ? { ...selection, switches }
        : nothing;
    }
  }
}
