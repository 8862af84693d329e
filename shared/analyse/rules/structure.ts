import { mode } from "../../base/statistics.ts";
import { count } from "../../base/text.ts";
import { nodeName } from "../../fabric/access.ts";
import { leafRatios } from "../oversubscription.ts";
import type { ExceptionKind, Finding } from "../results.ts";
import type { SwitchGraph } from "../switch-graph.ts";
import type { Thresholds } from "../thresholds.ts";
import { fabricSubject, finding, nodeSubject, type RuleInput } from "./rule.ts";

const words: Readonly<
  Record<ExceptionKind, { readonly title: string; readonly cause: string; readonly remedy: string }>
> = {
  uplinks: {
    title: "Other uplinks than its siblings",
    cause: "A cable that is not plugged, plugged elsewhere, or was never planned.",
    remedy: "Compare its cables with the cabling plan and with a sibling's.",
  },
  "swapped-cable": {
    title: "Cable in the wrong switch",
    cause: "Two cables were swapped, or one was plugged into the neighbouring switch.",
    remedy: "Compare the cables of this leaf with the cabling plan, and swap them back.",
  },
  "odd-cable": {
    title: "Cable that fits no tier",
    cause: "A cable plugged into the wrong switch, or a link that was added on purpose.",
    remedy: "Check it against the cabling plan. Cables within a tier can make routes that never end (credit loops).",
  },
  "stray-host": {
    title: "Host above the leaves",
    cause: "A host plugged into a spine or core: a management host on purpose, or a wrong cable.",
    remedy: "If it is no management host, move it to a leaf.",
  },
  "unreachable-switch": {
    title: "Switch that no leaf reaches",
    cause: "Its cables to the rest are missing, or it is not part of this tree.",
    remedy: "Check its uplinks and downlinks against the cabling plan.",
  },
  rail: {
    title: "Adapter on another rail",
    cause: "The cables of one host's adapters were swapped, or its adapters are numbered in another order.",
    remedy: "Compare the host's cables with those of its neighbours, and swap them back.",
  },
  "group-size": {
    title: "Group of another size",
    cause: "Switches that are off, not cabled yet, or taken for another group by their cables.",
    remedy: "Compare the switches of this group with the plan.",
  },
  "global-links": {
    title: "Uneven links between groups",
    cause: "Cables between groups that are missing, or were plugged into another group.",
    remedy: "Compare the cables between these groups with the cabling plan.",
  },
};

/**
 * What does not fit the pattern of the topology, one finding for each kind and subject.
 * @param explained nodes that lack a cable for a reason that has a finding already
 */
export function structure({ topology }: RuleInput, explained: ReadonlySet<number>): readonly Finding[] {
  const groups = new Map<string, { readonly found: Finding; readonly messages: string[] }>();
  for (const { kind, subject, message } of topology.exceptions) {
    const node = subject.kind === "node" ? subject.index : undefined;
    if ((kind === "uplinks" || kind === "swapped-cable") && node !== undefined && explained.has(node)) continue;
    const rule = `structure-${kind}`;
    const found = finding(rule, { severity: "warning", subject, message, evidence: message, ...words[kind] });
    const known = groups.get(found.id);
    if (known === undefined) groups.set(found.id, { found, messages: [message] });
    else known.messages.push(message);
  }
  return [...groups.values()].map(({ found, messages }) =>
    messages.length === 1
      ? found
      : {
          ...found,
          message: `${messages.slice(0, 3).join(" ")}${messages.length > 3 ? ` And ${messages.length - 3} more.` : ""}`,
          evidence: messages.join(" "),
        },
  );
}

/** The spine that all uplinks of a leaf go to, and how many there are; undefined with none or several. */
function onlySpine(
  { start, neighbour, cables }: SwitchGraph,
  tier: Int8Array,
  leaf: number,
): { readonly spine: number; readonly cables: number } | undefined {
  let only: { readonly spine: number; readonly cables: number } | undefined;
  for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) {
    const spine = neighbour[i] ?? 0;
    if (tier[spine] !== 2) continue;
    if (only !== undefined) return undefined;
    only = { spine, cables: cables[i] ?? 0 };
  }
  return only;
}

/** Leaves whose loss of one cable or one spine cuts their hosts off. */
export function singlePoints(
  { fabric, graph, topology }: RuleInput,
  explained: ReadonlySet<number>,
): readonly Finding[] {
  if (topology.tiers.length < 2) return [];
  const leaves = (topology.tiers[0]?.switches ?? []).filter((leaf) => (graph.hostLinks[leaf] ?? 0) > 0);
  const weak = leaves.flatMap((leaf) => {
    const only = onlySpine(graph, topology.tierOfNode, leaf);
    return only === undefined ? [] : [{ leaf, ...only }];
  });
  if (weak.length > 1 && weak.length * 2 > leaves.length) {
    return [
      finding("structure-single-point", {
        severity: "warning",
        title: "Single points of failure",
        subject: fabricSubject,
        message: `${weak.length} of ${leaves.length} leaves reach the rest through one switch only.`,
        evidence: `${weak.length} of ${leaves.length} leaves with one switch above`,
        cause: "The fabric was built with one switch above its leaves, or the others are off.",
        remedy: "If it was not ordered so, check which switches are missing.",
      }),
    ];
  }
  return weak
    .filter(({ leaf }) => !explained.has(leaf))
    .map(({ leaf, spine, cables }) => {
      const name = nodeName(fabric, leaf);
      return finding("structure-single-point", {
        severity: "warning",
        title: "Single point of failure",
        subject: nodeSubject(fabric, leaf),
        message:
          cables === 1
            ? `${name} has one uplink: when that cable fails, its hosts are cut off.`
            : `All ${cables} uplinks of ${name} go to ${nodeName(fabric, spine)}: when that switch fails, the hosts of ${name} are cut off.`,
        evidence: `${count(cables, "uplink")} to ${count(1, "switch", "switches")}`,
        cause: "Cables that are missing or were all plugged into one switch.",
        remedy: "Compare its uplinks with the cabling plan.",
      });
    });
}

/** Leaves with more host bandwidth over uplink bandwidth than their siblings, and fabrics that are oversubscribed. */
export function oversubscribed(
  { fabric, graph, topology }: RuleInput,
  thresholds: Thresholds,
  explained: ReadonlySet<number>,
): readonly Finding[] {
  if (topology.tiers.length < 2) return [];
  const ratios = leafRatios(graph, topology.tierOfNode, topology.tiers[0]?.switches ?? []);
  const usual = mode(ratios.map(({ ratio }) => ratio));
  const found: Finding[] = [];
  if (usual.value > thresholds.oversubscription) {
    found.push(
      finding("structure-oversubscription", {
        severity: "note",
        title: "Oversubscribed",
        subject: fabricSubject,
        message: `${usual.times} of ${ratios.length} leaves have ${usual.value} times as much bandwidth to their hosts as to the switches above.`,
        evidence: `hosts to uplinks ${usual.value} : 1`,
        cause: "Built so, to save switches and cables.",
        remedy: "Nothing to do if it was ordered so; expect less than line rate between leaves when all send.",
      }),
    );
  }
  const base = Math.max(thresholds.oversubscription, usual.value);
  const { note, warn } = thresholds.oversubscriptionExcess;
  for (const { leaf, ratio } of ratios) {
    if (ratio <= base * note || explained.has(leaf)) continue;
    found.push(
      finding("structure-oversubscription", {
        severity: ratio > base * warn ? "warning" : "note",
        title: "Leaf more oversubscribed than others",
        subject: nodeSubject(fabric, leaf),
        message: `${nodeName(fabric, leaf)} has ${ratio} times as much bandwidth to its hosts as to the switches above; ${usual.times} of ${ratios.length} leaves have ${usual.value}.`,
        evidence: `hosts to uplinks ${ratio} : 1, usual ${usual.value} : 1`,
        cause: "More hosts than on other leaves, or fewer or slower uplinks.",
        remedy: "Move hosts to other leaves or add uplinks, if the hosts need the bandwidth.",
      }),
    );
  }
  return found;
}
