/** What the inspector shows, as plain text for a ticket. Pure; no React. Times are ISO 8601. */
import type { Finding, MissingLink } from "../../../shared/analyse/results.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  linkName,
  nodeDescription,
  nodeGuid,
  nodeName,
  portName,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import { count, groupDigits, visibleText } from "../../../shared/base/text.ts";
import { none } from "../../../shared/fabric/model.ts";
import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import type { BlockSelection, Selection } from "../../state/selection-store.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { endsRows, linkRate, linkTags, missingLinkName, walkText } from "./link-facts.ts";
import { blockFacts, isKnownBlock } from "./block-facts.ts";
import { directorFacts } from "./director-facts.ts";
import { hexId, nodeWord, portsText, shapeText } from "./node-facts.ts";
import { blockName, shapeRows } from "./shape-facts.ts";

function findingLines(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap((finding) => [
    `${finding.severity}: ${finding.title}, ${finding.subject.name}. ${finding.message}`,
    ...(finding.cause === "" ? [] : [`  likely: ${finding.cause}`]),
    ...(finding.remedy === "" ? [] : [`  next: ${finding.remedy}`]),
  ]);
}

function captureLine(view: FabricView): string {
  const { capture } = view;
  const when = capture.collectedAt === null ? "" : `, ${capture.collectedAt}`;
  return `${capture.simulated ? "SIMULATED, " : ""}${capture.name}${when}`;
}

function join(lines: readonly string[]): string {
  return lines.map(visibleText).join("\n");
}

function endsLines(view: FabricView, a: number, b: number): readonly string[] {
  const rows = endsRows(view.fabric, a, b, view.capture.files, { lanes: 0, speed: 0 });
  return rows.map((row) => `${row.label}: ${row.a.text} | ${row.b.text}`);
}

/** A link with both ends, its findings and its results, newest first. */
export function linkText(view: FabricView, link: number, runs: readonly MeasurementSummary[]): string {
  const { fabric, analysis } = view;
  return join([
    linkName(fabric, link),
    captureLine(view),
    linkTags(fabric, link)
      .map((tag) => tag.text)
      .join(", "),
    ...findingLines(findingIndex(fabric, analysis).byLink.get(link) ?? []),
    ...endsLines(view, at(fabric.links.a, link), at(fabric.links.b, link)),
    ...runs.map((run) => `measured ${run.at}${run.simulated ? " (simulated)" : ""}: ${run.sentence}`),
  ]);
}

export function missingLinkText(view: FabricView, missing: MissingLink): string {
  return join([
    `${missingLinkName(view.fabric, missing)} is missing`,
    captureLine(view),
    missing.reason,
    walkText(view.fabric, missing.a, missing.b),
    ...endsLines(view, missing.a, missing.b),
  ]);
}

function portLines(view: FabricView, node: number): readonly string[] {
  const { fabric } = view;
  return portsOfNode(fabric, node).flatMap((port) => {
    const link = at(fabric.ports.link, port);
    if (link === none) return [];
    const a = at(fabric.links.a, link);
    const far = a === port ? at(fabric.links.b, link) : a;
    const { lanes, speed } = linkRate(fabric, link);
    const rate = lanes === 0 && speed === 0 ? "" : `, ${linkTags(fabric, link)[1]?.text ?? ""}`;
    return [`port ${at(fabric.ports.number, port)} to ${portName(fabric, far)}${rate}`];
  });
}

export function nodeText(view: FabricView, node: number): string {
  const { fabric, analysis } = view;
  const lid = at(fabric.nodes.lid, node);
  const device = hexId(at(fabric.nodes.deviceId, node));
  const block = blockName(analysis.topology, node);
  return join([
    `${nodeName(fabric, node)}, ${nodeWord(fabric, analysis, node).toLowerCase()}${block === undefined ? "" : `, ${block.toLowerCase()}`}`,
    captureLine(view),
    `${nodeDescription(fabric, node)}, ${nodeGuid(fabric, node)}${lid === 0 ? "" : `, LID ${lid}`}${device === "" ? "" : `, device ${device}`}`,
    `ports: ${portsText(fabric, node)}`,
    ...findingLines(findingIndex(fabric, analysis).byNode.get(node) ?? []),
    ...portLines(view, node),
  ]);
}

export function hostText(view: FabricView, host: number): string {
  const { fabric, analysis } = view;
  const adapters = adaptersOfHost(fabric, host);
  const index = findingIndex(fabric, analysis);
  return join([
    `${hostName(fabric, host)}, host, ${count(adapters.length, "HCA")}`,
    captureLine(view),
    ...findingLines([...new Set(adapters.flatMap((node): readonly Finding[] => index.byNode.get(node) ?? []))]),
    ...adapters.flatMap((node) => [
      `${nodeDescription(fabric, node)}, ${nodeGuid(fabric, node)}`,
      ...portLines(view, node),
    ]),
  ]);
}

/** A director with its boards, its cables and all findings in it. */
export function directorText(view: FabricView, director: number): string {
  const facts = directorFacts(view, director);
  return join([
    `${facts.name}, director, ${facts.boards}`,
    captureLine(view),
    ...facts.rows.map((row) => `${row.label}: ${row.value}`),
    ...findingLines(facts.findings),
    ...facts.chips.map((chip) => `${chip.name}, ${chip.word.toLowerCase()}, ports: ${chip.ports}, ${chip.health}`),
  ]);
}

/** A pod, a group or a plane: its size, its cables, what is at their far ends, and all findings in it. */
export function blockText(view: FabricView, target: BlockSelection): string {
  const facts = blockFacts(view, target);
  return join([
    `${facts.name}, ${facts.size}`,
    captureLine(view),
    ...facts.rows.map((row) => `${row.label}: ${row.value}`),
    ...facts.rates.map(({ label, links }) => `${label}: ${count(links, "link")} inside`),
    ...findingLines(facts.findings),
    ...findingLines(facts.findingsOut),
    ...facts.exceptions.map(({ message }) => `exception: ${message}`),
    ...facts.neighbours.map(
      ({ name, links, health, remark }) =>
        `to ${name}: ${count(links, "link")}, ${health}${remark === "" ? "" : `, ${remark}`}`,
    ),
  ]);
}

export function fabricText(view: FabricView): string {
  const { counts, topology, findings } = view.analysis;
  return join([
    captureLine(view),
    `${shapeText(view.analysis)}: ${count(counts.switches, "switch", "switches")}, ${count(counts.hosts, "host")}, ${count(counts.links, "link")} (${groupDigits(counts.linksActive)} active)`,
    ...shapeRows(topology).map((row) => `${row.label}: ${row.value}`),
    ...topology.evidence,
    ...view.fabric.subnetManagers.map(
      (manager) => `SM ${manager.guid}: ${manager.state}, priority ${manager.priority}, LID ${manager.lid}`,
    ),
    ...findingLines(findings),
  ]);
}

/** What Copy puts on the clipboard for a selection. `history`: of all links, newest first. */
export function selectionText(view: FabricView, selection: Selection, history: readonly MeasurementSummary[]): string {
  switch (selection.kind) {
    case "nothing":
      return fabricText(view);
    case "node":
      return nodeText(view, selection.node);
    case "host":
      return hostText(view, selection.host);
    case "link": {
      const name = linkName(view.fabric, selection.link);
      const runs = history.filter((run) => run.linkName === name && run.simulated === view.capture.simulated);
      return linkText(view, selection.link, runs);
    }
    case "missing-link": {
      const missing = view.analysis.missingLinks[selection.missing];
      return missing === undefined ? fabricText(view) : missingLinkText(view, missing);
    }
    case "director":
      return view.analysis.topology.chassis[selection.director] === undefined
        ? fabricText(view)
        : directorText(view, selection.director);
    case "block":
    case "plane":
      return isKnownBlock(view, selection) ? blockText(view, selection) : fabricText(view);
  }
}
