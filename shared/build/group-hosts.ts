import { hostNameOf, shortName } from "../parse/names.ts";
import type { NodeDraft } from "./draft.ts";

export interface HostDraft {
  readonly name: string;
  readonly adapters: readonly NodeDraft[];
}

/** Names that many machines have because nobody set them. */
const unsetNames = new Set(["localhost", "localhost.localdomain", "(none)", "none", "unknown"]);

/**
 * Groups adapters into hosts: same system image GUID (one card), or same host part of the description. Adapters whose
 * name was never set stand alone unless they share a card. Order: by name, digits by value.
 */
export function groupHosts(adapters: readonly NodeDraft[]): readonly HostDraft[] {
  const group = new Map<string, NodeDraft[]>();
  const keyOfSystem = new Map<string, string>();
  for (const node of adapters) {
    const name = hostNameOf(node.description);
    const named = name !== undefined && !unsetNames.has(name.toLowerCase());
    const known = node.systemGuid === undefined ? undefined : keyOfSystem.get(node.systemGuid);
    const key = named ? `name ${name}` : (known ?? `guid ${node.systemGuid ?? node.guid}`);
    if (node.systemGuid !== undefined && known === undefined) keyOfSystem.set(node.systemGuid, key);
    const members = group.get(key);
    if (members === undefined) group.set(key, [node]);
    else members.push(node);
  }
  const hosts = [...group.values()].map((members) => {
    const adaptersInOrder = [...members].sort(
      (a, b) => compareNatural(a.description, b.description) || (a.guid < b.guid ? -1 : 1),
    );
    const first = adaptersInOrder[0];
    const name = first === undefined ? "" : (hostNameOf(first.description) ?? shortName(first.description));
    return { name: name === "" && first !== undefined ? `0x${first.guid}` : name, adapters: adaptersInOrder };
  });
  return hosts.sort(
    (a, b) => compareNatural(a.name, b.name) || ((a.adapters[0]?.guid ?? "") < (b.adapters[0]?.guid ?? "") ? -1 : 1),
  );
}

/** Order in which people count: `n2` before `n10`; independent of locale. */
export function compareNatural(a: string, b: string): number {
  const parts = /(\d+)|(\D+)/g;
  const left = a.match(parts) ?? [];
  const right = b.match(parts) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const x = left[i] ?? "";
    const y = right[i] ?? "";
    if (x === y) continue;
    const bothNumbers = /^\d/.test(x) && /^\d/.test(y);
    if (bothNumbers && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
