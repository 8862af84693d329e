/** What the inspector, the lists and a ticket say about a pod, a group or a plane of the core. Pure; no React. */
import {
  type Analysis,
  blockOf,
  type Finding,
  type Health,
  healths,
  type Topology,
} from "../../../shared/analyse/results.ts";
import { median, mode } from "../../../shared/base/statistics.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import {
  adaptersOfHost,
  at,
  hostOfNode,
  linkGbps,
  linkIsActive,
  nodeKind,
  nodeName,
} from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";
import { formatGbps, formatRate } from "../../../shared/fabric/rates.ts";
import type { BlockSelection, Selection } from "../../state/selection-store.ts";
import { bySeverity, findingIndex } from "../findings/finding-index.ts";
import { linkRate } from "./link-facts.ts";
import { cellText, groupRow, ratioText } from "./shape-facts.ts";

const downCode = healths.indexOf("down");
const warningCode = healths.indexOf("warning");
/** One for all: to make it anew for each two names takes longer than all else here. */
const inOrder = new Intl.Collator("en", { numeric: true });

/** What is at the far end of cables that leave a block. */
export interface Neighbour {
  readonly selection: Selection;
  /** `Group 4`, `core-3`, a director's name. */
  readonly name: string;
  readonly links: number;
  /** Cables that the pattern expects and that are down. */
  readonly missing: number;
  readonly health: Health;
  /** What is odd about it; empty when nothing is. */
  readonly remark: string;
}

export interface BlockFacts {
  readonly name: string;
  /** `Pod`, `Group`, `Core plane`. */
  readonly word: string;
  /** Worst of what is inside, as the picture draws it: its switches, hosts and the cables among them. */
  readonly health: Health;
  /** `8 leaves, 4 spines, 64 hosts`. */
  readonly size: string;
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  /** Cables inside by rate, most first. */
  readonly rates: readonly { readonly label: string; readonly links: number }[];
  /** Of what is inside, worst first. */
  readonly findings: readonly Finding[];
  /** Of the cables that leave it. */
  readonly findingsOut: readonly Finding[];
  /** The worst first, otherwise by name. */
  readonly neighbours: readonly Neighbour[];
  readonly exceptions: Topology["exceptions"];
  /** Fabric nodes of its switches: leaves, spines, then core switches. */
  readonly switches: readonly number[];
  /** Cables up and to other groups; of a plane those down. */
  readonly leaving: readonly number[];
}

/** `Pod 3`, `Group 5`, `Plane 2`, as the picture has them. */
export function blockTitle(topology: Topology, target: BlockSelection): string {
  if (target.kind === "plane") return target.name;
  return `${topology.groups.length > 0 ? "Group" : "Pod"} ${target.block + 1}`;
}

/** False for what an analysis does not know: an index of another one, or of a picture that found pods of its own. */
export function isKnownBlock(
  { fabric, analysis }: Pick<FabricView, "fabric" | "analysis">,
  target: BlockSelection,
): boolean {
  if (target.kind === "block") return blockOf(analysis.topology, target.block) !== undefined;
  return target.switches.length > 0 && target.switches.every((node) => node < fabric.nodes.count);
}

interface Members {
  readonly leaves: readonly number[];
  readonly spines: readonly number[];
  readonly cores: readonly number[];
  /** Spines that are chips of directors: they stand above the pods. */
  readonly above: readonly number[];
}

function membersOf({ topology }: Analysis, target: BlockSelection): Members {
  if (target.kind === "plane") return { leaves: [], spines: [], cores: target.switches, above: [] };
  const block = blockOf(topology, target.block);
  const { tierOfNode, kind } = topology;
  const high =
    kind === "fat-tree"
      ? topology.chassis.filter(({ switches }) => switches.some((node) => at(tierOfNode, node) >= 3))
      : [];
  const chips = new Set(high.flatMap(({ switches }) => switches));
  const spines = block?.spines ?? [];
  return {
    leaves: block?.leaves ?? [],
    spines: spines.filter((node) => !chips.has(node)),
    cores: [],
    above: spines.filter((node) => chips.has(node)),
  };
}

/** Switches of a pod, a group or a plane as the picture shows them. */
export function switchesOfBlock(analysis: Analysis, target: BlockSelection): readonly number[] {
  const { leaves, spines, cores } = membersOf(analysis, target);
  return [...leaves, ...spines, ...cores];
}

/** Cables of a block: those with both ends in it and those that leave it, with the node at the far end. */
interface Cables {
  readonly nodes: ReadonlySet<number>;
  readonly hosts: number;
  readonly inside: readonly number[];
  readonly out: readonly { readonly link: number; readonly far: number }[];
  readonly hostGbps: number;
}

/** O(ports of its switches). */
function cablesOf(fabric: Fabric, switches: readonly number[]): Cables {
  const { ports, links, nodes: columns } = fabric;
  const nodes = new Set(switches);
  const hosts = new Set<number>();
  const cables: { readonly link: number; readonly far: number }[] = [];
  let hostGbps = 0;
  for (const node of switches) {
    for (let port = at(columns.portStart, node); port < at(columns.portStart, node + 1); port += 1) {
      const link = at(ports.link, port);
      if (link === none) continue;
      const a = at(links.a, link);
      const far = at(ports.node, a === port ? at(links.b, link) : a);
      const host = hostOfNode(fabric, far);
      if (host !== undefined) {
        if (linkIsActive(fabric, link)) hostGbps += linkGbps(fabric, link);
        if (!hosts.has(host)) for (const adapter of adaptersOfHost(fabric, host)) nodes.add(adapter);
        hosts.add(host);
      } else if (nodeKind(fabric, far) === "aggregation") nodes.add(far);
      cables.push({ link, far });
    }
  }
  const inside = new Set<number>();
  const out: { readonly link: number; readonly far: number }[] = [];
  for (const cable of cables) {
    if (nodes.has(cable.far)) inside.add(cable.link);
    else out.push(cable);
  }
  return { nodes, hosts: hosts.size, inside: [...inside], out, hostGbps };
}

/** The last one asked for: inspector, announcement and copied text ask for the same. */
const last = new WeakMap<Analysis, { readonly target: BlockSelection; readonly facts: BlockFacts }>();

/** Everything about a pod, a group or a plane. O(ports of its switches + findings in it + missing links + exceptions). */
export function blockFacts(view: Pick<FabricView, "fabric" | "analysis">, target: BlockSelection): BlockFacts {
  const before = last.get(view.analysis);
  if (before?.target === target) return before.facts;
  const facts = factsOf(view, target);
  last.set(view.analysis, { target, facts });
  return facts;
}

function factsOf({ fabric, analysis }: Pick<FabricView, "fabric" | "analysis">, target: BlockSelection): BlockFacts {
  const { topology } = analysis;
  const members = membersOf(analysis, target);
  const switches = [...members.leaves, ...members.spines, ...members.cores];
  const cables = cablesOf(fabric, switches);
  const isGroup = target.kind === "block" && topology.groups.length > 0;
  const outFindings = new Set<Finding>();
  const inFindings = new Set<Finding>();
  const insideLinks = new Set(cables.inside);
  const { byNode } = findingIndex(fabric, analysis);
  for (const node of cables.nodes) {
    for (const finding of byNode.get(node) ?? []) {
      const leaves = finding.subject.kind === "link" && !insideLinks.has(finding.subject.index);
      (leaves ? outFindings : inFindings).add(finding);
    }
  }
  const leaving = leavingOf(analysis, cables, target);
  return {
    name: blockTitle(topology, target),
    word: target.kind === "plane" ? "Core plane" : isGroup ? "Group" : "Pod",
    health: worstInside(fabric, analysis, cables),
    size: sizeText(members, cables.hosts),
    rows: rowsOf(fabric, analysis, { members, cables, leaving, isGroup, isPlane: target.kind === "plane" }),
    rates: ratesOf(fabric, cables.inside),
    findings: bySeverity([...inFindings]),
    findingsOut: bySeverity([...outFindings]),
    neighbours: neighboursOf(fabric, analysis, cables, target),
    exceptions: exceptionsOf(topology, target, cables),
    switches,
    leaving,
  };
}

/** `4 leaves, 4 spines, 64 hosts`; a plane: `4 core switches`. */
function sizeText({ leaves, spines, cores }: Members, hosts: number): string {
  if (cores.length > 0) return count(cores.length, "core switch", "core switches");
  return [
    count(leaves.length, "leaf", "leaves"),
    ...(spines.length === 0 ? [] : [count(spines.length, "spine")]),
    count(hosts, "host"),
  ].join(", ");
}

function worstInside(fabric: Fabric, analysis: Analysis, { nodes, inside }: Cables): Health {
  let worst = 0;
  for (const node of nodes) worst = Math.max(worst, at(analysis.nodeHealth, node));
  for (const link of inside) worst = Math.max(worst, at(analysis.linkHealth, link));
  const has = (port: number): boolean => nodes.has(at(fabric.ports.node, port));
  if (analysis.missingLinks.some(({ a, b }) => has(a) && has(b))) worst = Math.max(worst, downCode);
  return healths[worst] ?? "unknown";
}

/** Cables up out of a pod, between groups, or down from a plane. */
function leavingOf({ topology }: Analysis, { out }: Cables, target: BlockSelection): readonly number[] {
  const tier = (node: number): number => at(topology.tierOfNode, node);
  const counts =
    target.kind === "plane"
      ? ({ far }: { readonly far: number }) => tier(far) === 2
      : topology.groups.length > 0
        ? ({ far }: { readonly far: number }) => tier(far) >= 1 && at(topology.blockOfNode, far) !== target.block
        : ({ far }: { readonly far: number }) => tier(far) >= 2;
  return [...new Set(out.filter(counts).map(({ link }) => link))];
}

function sumGbps(fabric: Fabric, links: readonly number[]): number {
  return links.reduce((sum, link) => sum + (linkIsActive(fabric, link) ? linkGbps(fabric, link) : 0), 0);
}

/** Two decimals, as the analysis has its own. */
function ratio(down: number, up: number): number {
  return up === 0 || down === 0 ? 0 : Math.round((down / up) * 100) / 100;
}

/** `64 links, 12,800 Gb/s, 1 with a finding`. */
function cablesText(
  fabric: Fabric,
  analysis: Analysis,
  links: readonly number[],
  more: readonly string[] = [],
): string {
  const gbps = sumGbps(fabric, links);
  const bad = links.filter((link) => at(analysis.linkHealth, link) >= warningCode).length;
  return [
    count(links.length, "link"),
    `${gbps >= 1000 ? groupDigits(gbps) : formatGbps(gbps)} Gb/s`,
    ...(bad === 0 ? [] : [`${groupDigits(bad)} with a finding`]),
    ...more,
  ].join(", ");
}

function rowsOf(
  fabric: Fabric,
  analysis: Analysis,
  of: {
    readonly members: Members;
    readonly cables: Cables;
    readonly leaving: readonly number[];
    readonly isGroup: boolean;
    readonly isPlane: boolean;
  },
): BlockFacts["rows"] {
  const { members, cables, leaving, isGroup, isPlane } = of;
  const { leaves, spines, cores, above } = members;
  const has = (port: number): boolean => cables.nodes.has(at(fabric.ports.node, port));
  const inside = analysis.missingLinks.filter(({ a, b }) => has(a) && has(b)).length;
  const missing = inside === 0 ? [] : [`${groupDigits(inside)} missing`];
  if (isPlane) {
    return [
      { label: "Core switches", value: groupDigits(cores.length) },
      { label: "Down to spines", value: cablesText(fabric, analysis, leaving) },
      ...(cables.inside.length === 0 ? [] : [{ label: "Inside", value: cablesText(fabric, analysis, cables.inside) }]),
    ];
  }
  return [
    { label: "Leaves", value: groupDigits(leaves.length) },
    {
      label: "Spines",
      value: [
        ...(spines.length > 0 || above.length === 0 ? [groupDigits(spines.length)] : []),
        ...(above.length === 0 ? [] : [`${count(above.length, "chip")} of directors above`]),
      ].join(", "),
    },
    { label: "Hosts", value: groupDigits(cables.hosts) },
    { label: "Inside", value: cablesText(fabric, analysis, cables.inside, missing) },
    { label: "Leaf uplinks", value: ratioText(leafRatio(fabric, analysis, leaves)) },
    { label: isGroup ? "Global links" : "Links up", value: cablesText(fabric, analysis, leaving) },
    {
      label: isGroup ? "Group uplinks" : "Pod uplinks",
      value: ratioText(ratio(cables.hostGbps, sumGbps(fabric, leaving))),
    },
  ];
}

/** Usual ratio of host to uplink bandwidth of some leaves, as the analysis has it of all; 0 where there are no uplinks. */
function leafRatio(fabric: Fabric, { topology }: Analysis, leaves: readonly number[]): number {
  const { ports, links, nodes } = fabric;
  const ratios: number[] = [];
  for (const leaf of leaves) {
    let down = 0;
    let up = 0;
    for (let port = at(nodes.portStart, leaf); port < at(nodes.portStart, leaf + 1); port += 1) {
      const link = at(ports.link, port);
      if (link === none || !linkIsActive(fabric, link)) continue;
      const a = at(links.a, link);
      const far = at(ports.node, a === port ? at(links.b, link) : a);
      if (at(topology.tierOfNode, far) === 2) up += linkGbps(fabric, link);
      else if (hostOfNode(fabric, far) !== undefined) down += linkGbps(fabric, link);
    }
    if (up > 0 && down > 0) ratios.push(ratio(down, up));
  }
  const usual = mode(ratios);
  // Where each has another one, the one in the middle speaks for them.
  return usual.times > 1 ? usual.value : median(ratios);
}

function ratesOf(fabric: Fabric, links: readonly number[]): BlockFacts["rates"] {
  const rates = new Map<string, number>();
  for (const link of links) {
    const { lanes, speed } = linkRate(fabric, link);
    const label = lanes === 0 && speed === 0 ? "not known" : formatRate(lanes, speed);
    rates.set(label, (rates.get(label) ?? 0) + 1);
  }
  return [...rates].sort((x, y) => y[1] - x[1]).map(([label, number]) => ({ label, links: number }));
}

/** Cables by what is at their far end; of a group also every other group, with what the matrix says of the two. */
function neighboursOf(
  fabric: Fabric,
  analysis: Analysis,
  { out, nodes }: Cables,
  target: BlockSelection,
): readonly Neighbour[] {
  const { topology, linkHealth } = analysis;
  const groups = target.kind === "block" ? groupRow(fabric, analysis, target.block) : undefined;
  const director = new Map<number, number>();
  topology.chassis.forEach(({ switches }, box) => {
    for (const node of switches) director.set(node, box);
  });
  const ownerOf = (far: number): { readonly key: string; readonly selection: Selection; readonly name: string } => {
    const box = director.get(far);
    if (box !== undefined) {
      const name = topology.chassis[box]?.name ?? "";
      return { key: `director ${box}`, selection: { kind: "director", director: box }, name };
    }
    const block = topology.blockOfNode[far] ?? -1;
    if (blockOf(topology, block) !== undefined) {
      const selection: BlockSelection = { kind: "block", block };
      return { key: `block ${block}`, selection, name: blockTitle(topology, selection) };
    }
    return { key: `node ${far}`, selection: { kind: "node", node: far }, name: nodeName(fabric, far) };
  };
  const found = new Map<
    string,
    { selection: Selection; name: string; links: number; missing: number; worst: number; remark: string }
  >();
  const entryOf = (far: number) => {
    const { key, selection, name } = ownerOf(far);
    let entry = found.get(key);
    if (entry === undefined) found.set(key, (entry = { selection, name, links: 0, missing: 0, worst: 0, remark: "" }));
    return entry;
  };
  const inMatrix = (far: number): boolean => groups !== undefined && (topology.blockOfNode[far] ?? -1) >= 0;
  for (const { link, far } of out) {
    // What the matrix counts comes from there, so that both say the same.
    if (inMatrix(far)) continue;
    const entry = entryOf(far);
    entry.links += 1;
    entry.worst = Math.max(entry.worst, at(linkHealth, link));
  }
  for (const { a, b } of analysis.missingLinks) {
    const [x, y] = [at(fabric.ports.node, a), at(fabric.ports.node, b)];
    if (nodes.has(x) === nodes.has(y)) continue;
    const far = nodes.has(x) ? y : x;
    if (inMatrix(far)) continue;
    const entry = entryOf(far);
    entry.missing += 1;
    entry.worst = downCode;
    entry.remark = `${groupDigits(entry.missing)} missing`;
  }
  for (const cell of groups?.cells ?? []) {
    if (cell.b === cell.a) continue;
    const selection: BlockSelection = { kind: "block", block: cell.b };
    const odd = cell.deviates || cell.missing > 0;
    found.set(`block ${cell.b}`, {
      ...{ selection, name: blockTitle(topology, selection), links: cell.links, missing: cell.missing },
      worst: healths.indexOf(cell.health),
      remark: odd ? cellText({ usual: groups?.usual ?? 0 }, cell).replace(/^[^:]*: [^,]*,? ?/, "") : "",
    });
  }
  return [...found.values()]
    .sort((x, y) => y.worst - x.worst || inOrder.compare(x.name, y.name))
    .map(({ worst, ...entry }) => ({ ...entry, health: healths[worst] ?? "unknown" }));
}

function exceptionsOf(
  { exceptions }: Topology,
  target: BlockSelection,
  { nodes, inside, out }: Cables,
): Topology["exceptions"] {
  const links = new Set([...inside, ...out.map(({ link }) => link)]);
  return exceptions.filter(({ subject, blocks }) => {
    switch (subject.kind) {
      case "fabric":
        return target.kind === "block" && blocks?.includes(target.block) === true;
      case "link":
        return links.has(subject.index);
      case "port":
        return nodes.has(subject.node);
      case "node":
        return nodes.has(subject.index);
    }
  });
}
