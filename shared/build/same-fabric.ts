/** Whether two texts are about one fabric: by the GUIDs and names that both have. */
import type { Guid } from "../base/guid.ts";
import type { DiscoverRecords } from "../parse/records.ts";

/** GUIDs with the description that the text gives them. */
export type Names = ReadonlyMap<Guid, string>;

/** Names of the nodes that have a record. */
export function namesOf(records: {
  readonly nodes: readonly { readonly guid: Guid; readonly description: string }[];
}): Names {
  return new Map(records.nodes.map((node) => [node.guid, node.description]));
}

/** The same of a discovery, whose GUIDs are numbers. */
export function namesOfDiscovery({ guids, nodes }: DiscoverRecords): Names {
  return new Map(nodes.map((node) => [guids.guidOf(node.guid), node.description]));
}

/** At least half of the smaller set is in the other one, and at least half of those bear the same name in both. */
export function sameFabric(a: Names, b: Names): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0) return true;
  let both = 0;
  let alike = 0;
  for (const [guid, name] of small) {
    const other = large.get(guid);
    if (other === undefined) continue;
    both += 1;
    if (other === name || other === "" || name === "") alike += 1;
  }
  return both * 2 >= small.size && alike * 2 >= both;
}
