/** What the tool bar offers of a fabric: rows, pods or groups, rails, racks, directors. Pure. */
import type { HostGroups } from "../../../shared/analyse/host-names.ts";
import type { Topology } from "../../../shared/analyse/results.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { at } from "../../../shared/fabric/access.ts";
import type { FabricParts } from "../../graph/fabric-parts.ts";
import type { FabricFilters, Shown } from "../../graph/filter.ts";
import type { GraphModel } from "../../graph/graph-model.ts";

export const noParts: FabricFilters = { rails: [], clusters: [], hostGroups: [], text: "" };

/** A row of the picture that can be shown alone. */
export interface RowChoice {
  readonly level: number;
  readonly name: string;
  readonly count: number;
}

/** A pod, a group, a rail or a rack that can be shown alone. */
export interface PartChoice {
  readonly index: number;
  readonly name: string;
  readonly note: string;
}

export interface Choices {
  readonly clusters: readonly PartChoice[];
  /** `Pod` or `Group`. */
  readonly clusterWord: string;
  readonly rails: readonly PartChoice[];
  readonly directors: readonly PartChoice[];
  /** Hosts by rack and by name, where their names tell; undefined while that is not known. */
  readonly groupings: FabricParts["groupings"] | undefined;
}

/** `16 leaves, 128 hosts, 512 links`. */
function shownWords({ leaves, hosts, links }: Shown): string {
  return [count(leaves, "leaf", "leaves"), count(hosts, "host"), count(links, "link")].join(", ");
}

/** Parts to choose from. */
export function choicesOf(topology: Topology, parts: FabricParts | undefined): Choices {
  const clusterWord = topology.groups.length > 0 ? "Group" : "Pod";
  const blocks = topology.groups.length > 0 ? topology.groups : topology.pods;
  return {
    clusterWord,
    clusters: blocks.map((block, index) => ({
      index,
      name: `${clusterWord} ${index + 1}`,
      note: count(block.hosts, "host"),
    })),
    rails: (parts?.rails ?? []).map((shown, index) => ({
      index,
      name: `Rail ${index + 1}`,
      note: `${count(shown.leaves, "leaf", "leaves")}, ${count(shown.hosts, "host")}`,
    })),
    directors: topology.chassis.map(({ name, switches }, index) => ({
      index,
      name,
      note: count(switches.length, "chip"),
    })),
    groupings: parts?.groupings,
  };
}

/** Racks or names to choose from. */
export function groupChoices(groups: HostGroups | undefined): readonly PartChoice[] {
  return (groups?.names ?? []).map((name, index) => ({
    index,
    name,
    note: count(at(groups?.sizes ?? [], index), "host"),
  }));
}

const mostNamed = 2;

/** `Rail 3, Pod 2: 16 leaves, 128 hosts, 512 links`; empty when no filter leaves anything out. */
export function filterWords(
  filters: FabricFilters,
  choices: Choices,
  groups: readonly PartChoice[],
  shown: Shown,
): string {
  const named = (chosen: readonly number[], parts: readonly PartChoice[], many: string): readonly string[] =>
    chosen.length > mostNamed
      ? [`${groupDigits(chosen.length)} ${many}`]
      : parts.filter(({ index }) => chosen.includes(index)).map(({ name }) => name);
  const text = filters.text.trim();
  const words = [
    ...named(filters.rails, choices.rails, "rails"),
    ...named(filters.clusters, choices.clusters, `${choices.clusterWord.toLowerCase()}s`),
    ...named(filters.hostGroups, groups, "groups of hosts"),
    ...(text === "" ? [] : [`“${text}”`]),
  ];
  return words.length === 0 ? "" : `${words.join(", ")}: ${shownWords(shown)}`;
}

/** Rows of the picture with how much stands in them, from the top. */
export function rowChoices(model: GraphModel | undefined): readonly RowChoice[] {
  if (model === undefined) return [];
  const totals = new Map<number, number>();
  const { boxLevel, blockHost } = model.structure;
  for (const level of boxLevel) totals.set(level, (totals.get(level) ?? 0) + 1);
  if (blockHost.length > 0) totals.set(0, blockHost.length);
  return [...totals]
    .sort(([a], [b]) => b - a)
    .map(([level, total]) => ({ level, name: model.rowNames.get(level) ?? `Tier ${level}`, count: total }));
}
