import type { Fabric } from "../../fabric/model.ts";
import { nodeName } from "../../fabric/access.ts";
import { formatGbps } from "../../fabric/rates.ts";
import { linkCodes, type LinkTable } from "../link-table.ts";
import type { Finding } from "../results.ts";
import { finding, linkSubject, type RuleInput } from "./rule.ts";

/** Share of the siblings that must be faster, and how many siblings there must be. */
const share = 0.75;
const minimumSiblings = 3;
/** Rates closer than this are the same. */
const tolerance = 1.01;

interface Group {
  readonly node: number;
  readonly kind: number;
  /** Vendor and device of the adapters; for uplinks the tier that they lead to. */
  readonly far: readonly [number, number];
  readonly links: number[];
}

/**
 * Siblings: the uplinks of one switch to the next tier; host links of adapters of one device type below one leaf. A
 * link much slower than most of them is odd even when no tool says that it could run faster. O(links).
 */
export function slowerThanSiblings(
  { fabric, graph, topology }: RuleInput,
  alreadyFound: ReadonlySet<number>,
): readonly Finding[] {
  const found: Finding[] = [];
  const { gbps } = graph.links;
  for (const { node, kind, links } of siblings(fabric, graph.links, topology.tierOfNode)) {
    const times = new Map<number, number>();
    for (const link of links) times.set(gbps[link] ?? 0, (times.get(gbps[link] ?? 0) ?? 0) + 1);
    const others = links.length - (times.get(0) ?? 0) - 1;
    for (const link of links) {
      const own = gbps[link] ?? 0;
      if (own === 0 || alreadyFound.has(link) || others < minimumSiblings) continue;
      let faster = 0;
      let usual = Infinity;
      for (const [rate, count] of times) {
        if (rate <= own * tolerance) continue;
        faster += count;
        usual = Math.min(usual, rate);
      }
      if (faster < others * share) continue;
      const name = nodeName(fabric, node);
      const words = kind === linkCodes.host ? `host links of the same adapter type at ${name}` : `uplinks of ${name}`;
      const subject = linkSubject(fabric, link);
      found.push(
        finding("slower-than-siblings", {
          severity: "warning",
          title: "Slower than its siblings",
          subject,
          message: `${subject.name} runs at ${formatGbps(own)} Gb/s; ${faster} of ${others} ${words} run at ${formatGbps(usual)} Gb/s or more.`,
          evidence: `${formatGbps(own)} Gb/s, ${faster} of ${others} siblings ${formatGbps(usual)} Gb/s or more`,
          cause:
            "A slower cable or transceiver, an adapter or port with a lower speed set, or lanes that did not come up.",
          remedy:
            "Compare cable type and port settings with a sibling's; reseat or swap the cable, then collect again.",
        }),
      );
    }
  }
  return found;
}

/** Groups of siblings at switches whose links of one kind do not all run at one rate. */
function siblings({ nodes }: Fabric, links: LinkTable, tier: Int8Array): readonly Group[] {
  const differs = switchesWithDifferentRates(links, nodes.count);
  const groups: Group[] = [];
  const groupsOf = new Map<number, Group[]>();
  for (let link = 0; link < links.count; link += 1) {
    const kind = links.kind[link] ?? 0;
    const node = links.a[link] ?? 0;
    if (links.active[link] === 0 || kind > linkCodes.host || differs[node * 2 + kind] === 0) continue;
    const b = links.b[link] ?? 0;
    const [x, y] = kind === linkCodes.host ? [nodes.vendorId[b] ?? 0, nodes.deviceId[b] ?? 0] : [tier[b] ?? 0, 0];
    const known = groupsOf.get(node) ?? [];
    const group = known.find((one) => one.kind === kind && one.far[0] === x && one.far[1] === y);
    if (group !== undefined) {
      group.links.push(link);
      continue;
    }
    const fresh: Group = { node, kind, far: [x, y], links: [link] };
    groups.push(fresh);
    groupsOf.set(node, [...known, fresh]);
  }
  return groups;
}

/** 1 at position 2 × switch + kind of link where active links of that kind run at different rates. */
function switchesWithDifferentRates({ count, a, kind, active, gbps }: LinkTable, nodes: number): Uint8Array {
  const first = new Float64Array(nodes * 2);
  const differs = new Uint8Array(nodes * 2);
  for (let link = 0; link < count; link += 1) {
    const rate = gbps[link] ?? 0;
    const code = kind[link] ?? 0;
    if (rate === 0 || active[link] === 0 || code > linkCodes.host) continue;
    const position = (a[link] ?? 0) * 2 + code;
    if (first[position] === 0) first[position] = rate;
    else if (first[position] !== rate) differs[position] = 1;
  }
  return differs;
}
