/** From the dumps of one text to its records: the newest whole dump, each node once, and what it lacks. */
import type { GuidTable } from "../base/guid-table.ts";
import { count } from "../base/text.ts";
import type { DiagnosticList } from "./diagnostic.ts";
import { type DiscoverDump, sameRecord, timeOf } from "./discover-dump.ts";
import type { DiscoverPorts } from "./discover-ports.ts";
import type { DiscoverNode, DiscoverRecords } from "./records.ts";

/** @param dumps at least one, in the order of the text */
export function wholeRecords(
  dumps: readonly [DiscoverDump, ...DiscoverDump[]],
  ports: DiscoverPorts,
  guids: GuidTable,
  diagnostics: DiagnosticList,
): DiscoverRecords {
  const dump = chooseDump(dumps, diagnostics);
  const recorded = new Uint8Array(guids.count);
  const nodes = withoutRepeats(dump.nodes, ports, guids, recorded, diagnostics);
  const bare = reportBareNodes(nodes, diagnostics);
  const missing = reportMissingPeers(nodes, ports, recorded, diagnostics) || bare;
  if (nodes.length === 0) {
    diagnostics.add({
      severity: "error",
      code: "no-records",
      message: "There is no node in this text: the tool failed, or it is not ibnetdiscover's default output.",
    });
  }
  return {
    guids,
    nodes,
    ports,
    ...(dump.generatedOn === undefined ? {} : { generatedOn: dump.generatedOn }),
    ...(dump.initiatedFrom === undefined ? {} : { initiatedFrom: dump.initiatedFrom }),
    complete: dump.complete && !dump.cut && !missing && nodes.length > 0,
  };
}

/** The newest dump that is not cut; when all are, the newest. */
function chooseDump(dumps: readonly [DiscoverDump, ...DiscoverDump[]], diagnostics: DiagnosticList): DiscoverDump {
  const full = dumps.filter((dump) => dump.nodes.length > 0);
  // Of dumps without a node the last one says why there is none.
  let chosen = full[0] ?? dumps.at(-1) ?? dumps[0];
  for (const dump of full.slice(1)) {
    if (dump.cut !== chosen.cut) {
      if (!dump.cut) chosen = dump;
    } else if (timeOf(dump) >= timeOf(chosen)) chosen = dump;
  }
  if (full.length > 1) {
    diagnostics.add({
      severity: "warning",
      code: "two-dumps",
      line: chosen.firstLine,
      message: `The text has ${full.length} outputs one after the other; the newest whole one was taken, lines ${chosen.firstLine} to ${chosen.lastLine}.`,
    });
  }
  return chosen;
}

/**
 * `-g` prints chassis switches twice: equal records become one. Different ones with one GUID are all kept and said.
 * `recorded` is set for the GUIDs of all nodes.
 */
function withoutRepeats(
  nodes: readonly DiscoverNode[],
  ports: DiscoverPorts,
  guids: GuidTable,
  recorded: Uint8Array,
  diagnostics: DiagnosticList,
): DiscoverNode[] {
  const first: DiscoverNode[] = [];
  const kept: DiscoverNode[] = [];
  let repeats = 0;
  for (const node of nodes) {
    if (recorded[node.guid] === 0) {
      recorded[node.guid] = 1;
      first[node.guid] = node;
      kept.push(node);
      continue;
    }
    const known = first[node.guid] ?? node;
    if (sameRecord(ports, known, node)) {
      repeats += 1;
      continue;
    }
    diagnostics.add({
      severity: "error",
      code: "duplicate-guid",
      line: node.line,
      message: `Two different records have the GUID 0x${guids.guidOf(node.guid)}, here and in line ${known.line}.`,
      excerpt: node.description,
    });
    kept.push(node);
  }
  if (repeats > 0) {
    diagnostics.add({
      severity: "note",
      code: "printed-twice",
      message: `${count(repeats, "record")} printed twice (chassis grouping); each was taken once.`,
    });
  }
  return kept;
}

/** A node is found over a link, so that each has a port line; but for the first, when its own link is down. */
function reportBareNodes(nodes: readonly DiscoverNode[], diagnostics: DiagnosticList): boolean {
  const bare = nodes.filter((node) => node.firstPort === node.endPort);
  const first = bare[0];
  if (first === undefined) return false;
  const alone = nodes.length === 1;
  diagnostics.add({
    severity: "warning",
    code: alone ? "no-links" : "node-without-ports",
    line: first.line,
    message: alone
      ? "The tool saw its own node only: no link of this adapter is up, or the text was cut off here."
      : `${count(bare.length, "node")} without a port line: the text was cut off, or ports did not answer.`,
    excerpt: first.description,
  });
  return true;
}

/** @param recorded not 0 for the GUIDs of all nodes; those of missing ones are set as they are met */
function reportMissingPeers(
  nodes: readonly DiscoverNode[],
  ports: DiscoverPorts,
  recorded: Uint8Array,
  diagnostics: DiagnosticList,
): boolean {
  const { peerGuid } = ports;
  let missing = 0;
  let line = 0;
  let excerpt = "";
  for (const { firstPort, endPort } of nodes) {
    for (let row = firstPort; row < endPort; row += 1) {
      const peer = peerGuid[row] ?? 0;
      if (recorded[peer] !== 0) continue;
      recorded[peer] = 1;
      missing += 1;
      if (line > 0) continue;
      line = ports.line[row] ?? 0;
      excerpt = ports.peerDescription[row] ?? "";
    }
  }
  if (missing === 0) return false;
  diagnostics.add({
    severity: "warning",
    code: "peer-without-record",
    line,
    message: `${count(missing, "node is", "nodes are")} known only as somebody's neighbour: the output is incomplete.`,
    excerpt,
  });
  return true;
}
