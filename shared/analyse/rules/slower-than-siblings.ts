import type { Fabric } from "../../fabric/model.ts";
import { at, linkGbps, linkIsActive, linkKind, nodeName } from "../../fabric/access.ts";
import { formatGbps } from "../../fabric/rates.ts";
import type { Finding, Topology } from "../results.ts";
import { finding, linkSubject, type RuleInput } from "./rule.ts";

/** Share of the siblings that must be faster, and how many siblings there must be. */
const share = 0.75;
const minimumSiblings = 3;

interface Group {
  readonly links: number[];
  readonly words: string;
}

/**
 * Siblings: the uplinks of one switch to the next tier; host links of adapters of one device type below one leaf. A
 * link much slower than most of them is odd even when no tool says that it could run faster. O(links).
 */
export function slowerThanSiblings(
  { fabric, topology }: RuleInput,
  alreadyFound: ReadonlySet<number>,
): readonly Finding[] {
  const found: Finding[] = [];
  for (const group of siblings(fabric, topology)) {
    const rates = group.links.map((link) => linkGbps(fabric, link));
    for (const [i, link] of group.links.entries()) {
      const own = rates[i] ?? 0;
      if (own === 0 || alreadyFound.has(link)) continue;
      const others = rates.filter((rate, j) => j !== i && rate > 0);
      const faster = others.filter((rate) => rate > own * 1.01);
      if (others.length < minimumSiblings || faster.length < others.length * share) continue;
      const usual = faster.sort((x, y) => x - y)[0] ?? 0;
      const subject = linkSubject(fabric, link);
      found.push(
        finding("slower-than-siblings", {
          severity: "warning",
          title: "Slower than its siblings",
          subject,
          message: `${subject.name} runs at ${formatGbps(own)} Gb/s; ${faster.length} of ${others.length} ${group.words} run at ${formatGbps(usual)} Gb/s or more.`,
          evidence: `${formatGbps(own)} Gb/s, ${faster.length} of ${others.length} siblings ${formatGbps(usual)} Gb/s or more`,
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

function siblings(fabric: Fabric, topology: Topology): Iterable<Group> {
  const groups = new Map<string, Group>();
  const { ports, links, nodes } = fabric;
  for (let link = 0; link < links.count; link += 1) {
    if (!linkIsActive(fabric, link)) continue;
    const kind = linkKind(fabric, link);
    if (kind !== "host" && kind !== "inter-switch") continue;
    const a = at(ports.node, at(links.a, link));
    const b = at(ports.node, at(links.b, link));
    const key =
      kind === "host"
        ? `host ${a} ${at(nodes.vendorId, b)} ${at(nodes.deviceId, b)}`
        : `up ${a} ${at(topology.tierOfNode, a)} ${at(topology.tierOfNode, b)}`;
    const words =
      kind === "host"
        ? `host links of the same adapter type at ${nodeName(fabric, a)}`
        : `uplinks of ${nodeName(fabric, a)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { links: [link], words });
    else group.links.push(link);
  }
  return groups.values();
}
