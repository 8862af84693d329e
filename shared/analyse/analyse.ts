/** Fabric → counts, topology, findings, health. Pure; O(links + ports). */
import { type Fabric, nodeKinds, portStates } from "../fabric/model.ts";
import { at } from "../fabric/access.ts";
import { capabilityOf } from "./capability.ts";
import type { LinkTable } from "./link-table.ts";
import { successionOf } from "./managers.ts";
import { missingLinksOf } from "./missing-links.ts";
import { type Analysis, type Counts, type Finding, healths, type TopologyKind } from "./results.ts";
import { belowCapability } from "./rules/below-capability.ts";
import { bitErrors, linksWithoutEnoughBits } from "./rules/bit-errors.ts";
import { congestion } from "./rules/congestion.ts";
import { equalPriorities } from "./rules/equal-priorities.ts";
import { growingErrors } from "./rules/growing-errors.ts";
import { hotModule } from "./rules/hot-module.ts";
import { identity } from "./rules/identity.ts";
import { managerOnComputeHost } from "./rules/manager-on-compute-host.ts";
import { managerSilent } from "./rules/manager-silent.ts";
import { managerStandsStill } from "./rules/manager-stands-still.ts";
import { noStandby } from "./rules/no-standby.ts";
import { noSubnetManager } from "./rules/no-subnet-manager.ts";
import { portNotActive } from "./rules/port-not-active.ts";
import { priorityContradicts } from "./rules/priority-contradicts.ts";
import type { RuleInput } from "./rules/rule.ts";
import { slowerThanSiblings } from "./rules/slower-than-siblings.ts";
import { oversubscribed, singlePoints, structure } from "./rules/structure.ts";
import { twoMasters } from "./rules/two-masters.ts";
import { switchGraph } from "./switch-graph.ts";
import { defaultThresholds, type Thresholds } from "./thresholds.ts";
import { topologyOf } from "./topology.ts";

const severityOrder = { error: 0, warning: 1, note: 2 } as const;

function bySeverity(a: Finding, b: Finding): number {
  return severityOrder[a.severity] - severityOrder[b.severity];
}

/**
 * An analysis with more findings, in their order. What colours links and nodes stays: findings on routes are about
 * tables, not about the cable that they are seen at.
 */
export function withFindings(analysis: Analysis, more: readonly Finding[]): Analysis {
  return { ...analysis, findings: [...analysis.findings, ...more].sort(bySeverity) };
}

/** Everything Ibex says about a fabric on its own. `kind`: the user's word on the shape instead of ours. */
export function analyse(fabric: Fabric, thresholds: Thresholds = defaultThresholds, kind?: TopologyKind): Analysis {
  const graph = switchGraph(fabric);
  const topology = topologyOf(fabric, graph, kind);
  const missingLinks = missingLinksOf(fabric, topology);
  const input: RuleInput = { fabric, graph, topology, missingLinks };
  const capability = capabilityOf(fabric, graph.links);
  const belowIt = belowCapability(input, capability);
  const below = new Set(belowIt.flatMap((finding) => (finding.subject.kind === "link" ? [finding.subject.index] : [])));
  const slower = slowerThanSiblings(input, below);
  const notActive = portNotActive(input);
  // A switch that lacks a cable which is down has its finding already.
  const lacking = new Set([
    ...missingLinks.flatMap(({ a, b }) => [at(fabric.ports.node, a), at(fabric.ports.node, b)]),
    ...notActive.flatMap(({ subject }) => (subject.kind === "port" ? [subject.node] : [])),
  ]);
  const misbuilt = structure(input, lacking);
  const lopsided = new Set([
    ...lacking,
    ...misbuilt.flatMap(({ subject }) => (subject.kind === "node" ? [subject.index] : [])),
    ...[...belowIt, ...slower].flatMap(({ subject }) =>
      subject.kind === "link" ? [at(fabric.ports.node, at(fabric.links.a, subject.index))] : [],
    ),
  ]);
  const findings = [
    ...noSubnetManager(input),
    ...twoMasters(input),
    ...noStandby(input),
    ...priorityContradicts(input),
    ...equalPriorities(input),
    ...managerSilent(input),
    ...managerStandsStill(input, thresholds),
    ...managerOnComputeHost(input),
    ...notActive,
    ...belowIt,
    ...slower,
    ...growingErrors(input, thresholds),
    ...congestion(input),
    ...bitErrors(input, thresholds),
    ...hotModule(input, thresholds),
    ...identity(input),
    ...misbuilt,
    ...singlePoints(input, lacking),
    ...oversubscribed(input, thresholds, lopsided),
  ].sort(bySeverity);
  const degraded = new Set(
    [...belowIt, ...slower].flatMap((finding) => (finding.subject.kind === "link" ? [finding.subject.index] : [])),
  );
  return {
    counts: countsOf(fabric, graph.links, degraded.size),
    topology,
    findings,
    missingLinks,
    succession: successionOf(fabric),
    linkHealth: linkHealthOf(fabric, findings, linksWithoutEnoughBits(fabric, thresholds)),
    nodeHealth: nodeHealthOf(fabric, findings),
    capability,
  };
}

/**
 * Counts of a fabric. `ports` are the cabled and the reported ports of all nodes; `linksDegraded` run below their
 * ends' capability or their siblings.
 */
function countsOf(fabric: Fabric, { active }: LinkTable, linksDegraded: number): Counts {
  const kinds = new Uint32Array(nodeKinds.length);
  for (const kind of fabric.nodes.kind) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const of = (kind: (typeof nodeKinds)[number]): number => kinds[nodeKinds.indexOf(kind)] ?? 0;
  let linksActive = 0;
  for (const one of active) linksActive += one;
  return {
    switches: of("switch"),
    hcas: of("hca"),
    routers: of("router"),
    aggregationNodes: of("aggregation"),
    hosts: fabric.hosts.count,
    ports: fabric.ports.count,
    links: fabric.links.count,
    linksActive,
    linksDegraded,
  };
}

const code = { note: healths.indexOf("note"), warning: healths.indexOf("warning"), error: healths.indexOf("error") };
const down = healths.indexOf("down");
const notEnoughData = healths.indexOf("not-enough-data");
const [downCode, initializeCode, armedCode] = [
  portStates.indexOf("Down"),
  portStates.indexOf("Initialize"),
  portStates.indexOf("Armed"),
];

function linkHealthOf(fabric: Fabric, findings: readonly Finding[], undecided: readonly number[]): Uint8Array {
  const { links, ports } = fabric;
  const health = new Uint8Array(links.count);
  for (const link of undecided) health[link] = notEnoughData;
  for (let link = 0; link < links.count; link += 1) {
    const a = ports.state[links.a[link] ?? 0] ?? 0;
    const b = ports.state[links.b[link] ?? 0] ?? 0;
    // A link in Initialize or Armed carries nothing, also where one finding speaks for all of them.
    if (a === downCode || b === downCode) health[link] = down;
    else if (a === initializeCode || a === armedCode || b === initializeCode || b === armedCode)
      health[link] = code.error;
  }
  for (const { subject, severity } of findings) {
    if (subject.kind === "link") health[subject.index] = Math.max(health[subject.index] ?? 0, code[severity]);
  }
  return health;
}

function nodeHealthOf(fabric: Fabric, findings: readonly Finding[]): Uint8Array {
  const health = new Uint8Array(fabric.nodes.count);
  for (const { subject, severity } of findings) {
    const node = subject.kind === "node" ? subject.index : subject.kind === "port" ? subject.node : undefined;
    if (node !== undefined) health[node] = Math.max(health[node] ?? 0, code[severity]);
  }
  return health;
}
