/** Words on what is in the picture: for the hover card, the list that is read aloud, and announcements. Pure. */
import { healths, type Analysis, type Finding, type Health } from "../../../shared/analyse/results.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  linkGbps,
  linkId,
  linkName,
  nodeKind,
  nodeName,
  physState,
  portName,
  portsOfNode,
  portState,
} from "../../../shared/fabric/access.ts";
import { namesInShort } from "../../../shared/analyse/host-names.ts";
import { count } from "../../../shared/base/text.ts";
import { none, type Fabric } from "../../../shared/fabric/model.ts";
import { formatGbps, formatRate } from "../../../shared/fabric/rates.ts";
import type { BlockTarget } from "../../graph/block-frames.ts";
import type { GraphModel } from "../../graph/graph-model.ts";
import type { Measured } from "../../graph/overlay.ts";
import { membersOf, missingOf, type ViewLinks, type ViewNode } from "../../graph/view-types.ts";
import { isBlock } from "../../graph/view-links.ts";
import { blockFacts } from "../inspector/block-facts.ts";
import { chipsText, linksInside } from "../inspector/director-facts.ts";
import { hostsBelow, nodeAndLinkHealth } from "../inspector/node-facts.ts";

export interface Description {
  readonly health: Health;
  readonly title: string;
  /** The first line under the title: kind and place, or rate and state. */
  readonly facts: readonly string[];
  readonly findings: readonly Finding[];
  readonly measured: MeasurementSummary | undefined;
  /** Quiet last line. */
  readonly hint: string;
}

function healthOf(code: number): Health {
  return healths[code] ?? "unknown";
}

const kindWords = { switch: "Switch", hca: "Adapter", router: "Router", aggregation: "Aggregation node" } as const;

function findingsOf(analysis: Analysis, about: (finding: Finding) => boolean): readonly Finding[] {
  return analysis.findings.filter(about).slice(0, 3);
}

/** `4x HDR, 200 Gb/s`, or what is known of it. */
function rateText(fabric: Fabric, link: number): string {
  const ends = [at(fabric.links.a, link), at(fabric.links.b, link)];
  const known = ends.find((port) => at(fabric.ports.lanes, port) > 0 && at(fabric.ports.speed, port) > 0);
  if (known === undefined) return "rate not known";
  const gbps = linkGbps(fabric, link);
  return `${formatRate(at(fabric.ports.lanes, known), at(fabric.ports.speed, known))}, ${formatGbps(gbps)} Gb/s`;
}

function endState(fabric: Fabric, port: number): string {
  const state = portState(fabric, port);
  const phys = physState(fabric, port);
  if (state === "unknown" && phys === "unknown") return "";
  return phys === "unknown" || phys === "LinkUp" ? state : `${state} / ${phys}`;
}

/** `Active`, or both ends when they differ. */
function stateText(fabric: Fabric, a: number, b: number): string {
  const [first, second] = [endState(fabric, a), endState(fabric, b)];
  if (first === "" && second === "") return "state not known";
  if (first === second || second === "") return first;
  return first === "" ? second : `${first}, other end ${second}`;
}

/** One fabric link. */
function describeLink(model: GraphModel, link: number, measured: Measured): Description {
  const { fabric, analysis } = model;
  const summary = measured.get(linkId(fabric, link));
  const a = at(fabric.links.a, link);
  const b = at(fabric.links.b, link);
  return {
    health: healthOf(at(analysis.linkHealth, link)),
    title: linkName(fabric, link),
    facts: [rateText(fabric, link), stateText(fabric, a, b)],
    findings: findingsOf(
      analysis,
      ({ subject }) =>
        (subject.kind === "link" && subject.index === link) ||
        (subject.kind === "port" && (subject.index === a || subject.index === b)),
    ),
    measured: summary,
    hint: summary === undefined ? "Not measured. Press M to measure" : "",
  };
}

/** A drawn link: one cable, a missing one, or a bundle. */
export function describeDrawnLink(model: GraphModel, drawn: number, measured: Measured): Description {
  const { fabric, analysis, graph } = model;
  const members = membersOf(graph.links, drawn);
  const missing = missingOf(graph.links, drawn);
  const only = members.length === 1 && missing.length === 0 ? members[0] : undefined;
  if (only !== undefined) {
    const one = describeLink(model, only, measured);
    const lacking = lackingBeside(model, drawn);
    return lacking === "" ? one : { ...one, facts: [...one.facts, lacking] };
  }
  const gap = members.length === 0 ? analysis.missingLinks[missing[0] ?? none] : undefined;
  if (gap !== undefined) {
    return {
      health: "down",
      title: `${portName(fabric, gap.a)} to ${portName(fabric, gap.b)}`,
      facts: [stateText(fabric, gap.a, gap.b)],
      findings: findingsOf(
        analysis,
        ({ subject }) => subject.kind === "port" && (subject.index === gap.a || subject.index === gap.b),
      ),
      measured: undefined,
      hint: gap.reason,
    };
  }
  const source = graph.nodes[at(graph.links.source, drawn)]?.label ?? "";
  const target = graph.nodes[at(graph.links.target, drawn)]?.label ?? "";
  const inBundle = new Set(members);
  const total = members.length + missing.length;
  const present = at(graph.links.present, drawn);
  const expected = at(graph.links.usual, drawn);
  const beside = present - members.length;
  return {
    health: healthOf(at(graph.links.health, drawn)),
    title: `${source} to ${target}`,
    facts: [
      expected > present ? `${present} of ${expected} links` : count(beside > 0 ? present : total, "link"),
      ...(beside > 0 ? [`${beside} of them drawn beside it`] : []),
      bundleRates(fabric, members),
    ],
    findings: findingsOf(analysis, ({ subject }) => subject.kind === "link" && inBundle.has(subject.index)),
    measured: undefined,
    hint: "",
  };
}

/** `3 of 4 cables are there` of the two nodes of a cable that is drawn alone; empty where none is expected to be missing. */
function lackingBeside({ graph: { links }, incidence }: GraphModel, drawn: number): string {
  const [source, target] = [at(links.source, drawn), at(links.target, drawn)];
  const ends = [source, target];
  // One of the links of two nodes speaks for all.
  const speaker = incidence.link
    .subarray(at(incidence.start, source), at(incidence.start, source + 1))
    .find(
      (link) =>
        at(links.usual, link) > at(links.present, link) &&
        ends.includes(at(links.source, link)) &&
        ends.includes(at(links.target, link)),
    );
  return speaker === undefined || source === target
    ? ""
    : `${at(links.present, speaker)} of ${at(links.usual, speaker)} cables are there`;
}

/** Looked at once for each picture: the largest have tens of thousands of links. */
const lackingIn = new WeakMap<ViewLinks, boolean>();

/** What the amber counts in the picture mean; empty where every pair of switches has as many cables as its siblings. */
export function lackingRemark({ graph: { links } }: Pick<GraphModel, "graph">): string {
  let lacks = lackingIn.get(links);
  if (lacks === undefined) {
    lacks = links.usual.some((usual, link) => usual > 1 && at(links.present, link) < usual);
    lackingIn.set(links, lacks);
  }
  return lacks ? "Amber “3 of 4”: fewer cables than its siblings" : "";
}

function bundleRates(fabric: Fabric, members: Uint32Array): string {
  const counts = new Map<string, number>();
  for (const link of members) counts.set(rateText(fabric, link), (counts.get(rateText(fabric, link)) ?? 0) + 1);
  const parts = [...counts].sort((x, y) => y[1] - x[1]).slice(0, 2);
  return parts.length === 1 ? (parts[0]?.[0] ?? "") : parts.map(([rate, n]) => `${n}x ${rate}`).join("; ");
}

/** A drawn node. */
export function describeDrawnNode(model: GraphModel, drawn: number): Description {
  const { fabric, analysis, graph, rowNames } = model;
  const view = graph.nodes[drawn];
  if (view === undefined) return { health: "ok", title: "", facts: [], findings: [], measured: undefined, hint: "" };
  if (isBlock(view)) return describeBlock(view, model.structure.directors.length > 0);
  if (view.director !== undefined) return describeDirector(model, view.director, view.health);
  const nodes = view.kind === "host" ? adaptersOfHost(fabric, view.host) : view.node === none ? [] : [view.node];
  const own = new Set(view.kind === "fold" ? [] : nodes);
  const managers = fabric.subnetManagers.filter((manager) => manager.node !== undefined && own.has(manager.node));
  const manager = managers.map((entry) => `SM ${entry.state}, priority ${entry.priority}`);
  const facts =
    view.kind === "fold"
      ? [
          ...(view.part === undefined
            ? []
            : [namesInShort(Array.from(view.part.hosts, (host) => hostName(fabric, host)))]),
          view.node === none ? "on no switch" : `on ${nodeName(fabric, view.node)}`,
        ]
      : view.kind === "host"
        ? [
            ["Host", count(nodes.length, "HCA"), portsText(fabric, nodes), lidText(fabric, nodes)]
              .filter(Boolean)
              .join(", "),
          ]
        : [
            [
              view.kind === "switch"
                ? `${rowNames.get(view.level) ?? ""} switch`.trim()
                : kindWords[nodeKind(fabric, view.node)],
              portsText(fabric, nodes),
              lidText(fabric, nodes),
            ]
              .filter(Boolean)
              .join(", "),
            ...(view.aggregations > 0 ? [count(view.aggregations, "aggregation node")] : []),
          ];
  return {
    health: healthOf(view.health),
    title: titleOf(fabric, view),
    facts: [...facts, ...manager, ...(view.reached ? [] : ["only seen as a neighbour, not reached"])],
    findings: findingsOf(
      analysis,
      ({ subject }) =>
        (subject.kind === "node" && own.has(subject.index)) || (subject.kind === "port" && own.has(subject.node)),
    ),
    measured: undefined,
    hint: view.kind === "fold" ? "Double-click or zoom in to unfold" : "",
  };
}

function titleOf(fabric: Fabric, view: ViewNode): string {
  if (view.kind === "host") return view.label;
  if (view.kind !== "fold") return nodeName(fabric, view.node);
  const name = view.part?.name ?? "";
  return name === "" ? view.label : `${name}, ${view.label}`;
}

/** A director, open or closed. @param director position in `topology.chassis`; @param health code of the drawn one */
export function describeDirector({ fabric, analysis }: GraphModel, director: number, health?: number): Description {
  const chassis = analysis.topology.chassis[director];
  const switches = chassis?.switches ?? [];
  const chips = new Set(switches);
  const inside = new Set(linksInside(fabric, switches));
  const hosts = new Set(switches.flatMap((chip) => [...hostsBelow(fabric, chip)])).size;
  const worst = health ?? switches.reduce((code, chip) => Math.max(code, nodeAndLinkHealth(fabric, analysis, chip)), 0);
  return {
    health: healthOf(worst),
    title: chassis?.name ?? "",
    facts: [
      `Director, ${chipsText(analysis, switches)}`,
      `${count(inside.size, "link")} inside`,
      ...(hosts === 0 ? [] : [`${count(hosts, "host")} on it`]),
    ],
    findings: findingsOf(
      analysis,
      ({ subject }) =>
        (subject.kind === "node" && chips.has(subject.index)) ||
        (subject.kind === "port" && chips.has(subject.node)) ||
        (subject.kind === "link" && inside.has(subject.index)),
    ),
    measured: undefined,
    hint: "Double-click or Space opens it chip by chip",
  };
}

function describeBlock(view: ViewNode, hasDirectors: boolean): Description {
  const facts =
    view.kind === "plane"
      ? [count(view.spines, "core switch", "core switches")]
      : [
          [
            count(view.leaves, "leaf", "leaves"),
            // Spines in directors stand above the pods.
            ...(view.spines === 0 ? [] : [count(view.spines, "spine")]),
            count(view.hosts, "host"),
          ].join(", "),
          ...(view.kind === "pod" && view.spines === 0 && hasDirectors
            ? ["Its spines are chips of the directors above"]
            : []),
        ];
  return {
    health: healthOf(view.health),
    title: view.label,
    facts,
    findings: [],
    measured: undefined,
    hint: "Double-click, Space or zooming in opens it",
  };
}

/** A pod, a group or a plane in words, open or closed: `Pod 3, 8 leaves, 4 spines, 64 hosts`. */
export function spokenBlock({ fabric, analysis }: GraphModel, target: BlockTarget): string {
  const { name, size, health } = blockFacts({ fabric, analysis }, target);
  return [name, size, ...(health === "ok" ? [] : [health])].join(", ");
}

function lidText(fabric: Fabric, nodes: readonly number[]): string {
  const lids = nodes.map((node) => at(fabric.nodes.lid, node)).filter((lid) => lid > 0);
  if (lids.length === 0) return "no LID";
  return lids.length > 3
    ? `LIDs ${lids.slice(0, 3).join(", ")} …`
    : `${lids.length > 1 ? "LIDs" : "LID"} ${lids.join(", ")}`;
}

function portsText(fabric: Fabric, nodes: readonly number[]): string {
  let cabled = 0;
  let all = 0;
  for (const node of nodes) {
    const ports = portsOfNode(fabric, node);
    cabled += ports.filter((port) => at(fabric.ports.link, port) !== none).length;
    all += Math.max(ports.length, at(fabric.nodes.declaredPorts, node));
  }
  return all === 0 ? "" : `${cabled} of ${count(all, "port")} cabled`;
}

/** What is read aloud for a link: `leaf-03:38 to spine-6:3, error, 61 percent of 200 gigabits per second`. */
export function spokenLink(model: GraphModel, link: number, measured: Measured): string {
  const { fabric, analysis } = model;
  const summary = measured.get(linkId(fabric, link));
  const words = [linkName(fabric, link), healthOf(at(analysis.linkHealth, link)).replaceAll("-", " ")];
  if (summary?.percent != null) {
    words.push(`${Math.floor(summary.percent)} percent of ${formatGbps(summary.expectedGbps)} gigabits per second`);
  } else words.push(rateText(fabric, link));
  return words.join(", ");
}
