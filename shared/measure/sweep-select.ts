/** Which links a sweep measures. */
import { healths, type Analysis } from "../analyse/results.ts";
import { count } from "../base/text.ts";
import { at, linkIsActive, linkKind, linkName, nodeGuid, nodeName, peerPort, portsOfNode } from "../fabric/access.ts";
import { type Fabric, none } from "../fabric/model.ts";

export type SweepSelection =
  | { readonly kind: "all-inter-switch" }
  | { readonly kind: "all-host-links" }
  /** Node index of a switch. */
  | { readonly kind: "host-links-of"; readonly node: number }
  | { readonly kind: "links-of"; readonly node: number }
  /** Links that a finding of at least a warning is on, or whose ends say that they could be faster. */
  | { readonly kind: "degraded" }
  | { readonly kind: "links"; readonly links: readonly number[] };

const warning = healths.indexOf("warning");

function linksOfNode(fabric: Fabric, node: number): readonly number[] {
  return portsOfNode(fabric, node).flatMap((port) => {
    const link = at(fabric.ports.link, port);
    return link === none || peerPort(fabric, port) === undefined ? [] : [link];
  });
}

function couldBeFaster(fabric: Fabric, link: number): boolean {
  return [fabric.links.a, fabric.links.b].some((end) => {
    const port = at(end, link);
    const [lanes, speed] = [at(fabric.ports.couldBeLanes, port), at(fabric.ports.couldBeSpeed, port)];
    const known = at(fabric.ports.lanes, port) > 0;
    return known && (lanes > at(fabric.ports.lanes, port) || speed > at(fabric.ports.speed, port));
  });
}

/** Node index by GUID (`0x…`) or name; undefined when there is none, or several have that name. */
export function findNode(fabric: Fabric, text: string): number | undefined {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (nodeGuid(fabric, node) === wanted) return node;
    if (nodeName(fabric, node) === text) found.push(node);
  }
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Link indices of a selection, by rising index, each once. Links that are down, or lead to routers or aggregation nodes,
 * are left out of everything but an explicit list: nothing can be measured there.
 */
export function selectLinks(
  fabric: Fabric,
  analysis: Pick<Analysis, "linkHealth">,
  selection: SweepSelection,
): readonly number[] {
  const all = (): number[] => Array.from({ length: fabric.links.count }, (_, link) => link);
  const measurable = (link: number): boolean =>
    linkIsActive(fabric, link) && ["host", "inter-switch"].includes(linkKind(fabric, link));
  const chosen = (): readonly number[] => {
    switch (selection.kind) {
      case "all-inter-switch":
        return all().filter((link) => linkKind(fabric, link) === "inter-switch" && measurable(link));
      case "all-host-links":
        return all().filter((link) => linkKind(fabric, link) === "host" && measurable(link));
      case "host-links-of":
        return linksOfNode(fabric, selection.node).filter(
          (link) => linkKind(fabric, link) === "host" && measurable(link),
        );
      case "links-of":
        return linksOfNode(fabric, selection.node).filter(measurable);
      case "degraded":
        return all().filter(
          (link) => ((analysis.linkHealth[link] ?? 0) >= warning || couldBeFaster(fabric, link)) && measurable(link),
        );
      case "links":
        return selection.links;
    }
  };
  return [...new Set(chosen())].sort((a, b) => a - b);
}

/** What a selection is called: `Host links of leaf-03`. */
export function sweepTitle(fabric: Fabric, selection: SweepSelection): string {
  switch (selection.kind) {
    case "all-inter-switch":
      return "Inter-switch links";
    case "all-host-links":
      return "Host links";
    case "degraded":
      return "Degraded links";
    case "host-links-of":
      return `Host links of ${nodeName(fabric, selection.node)}`;
    case "links-of":
      return `Links of ${nodeName(fabric, selection.node)}`;
    case "links": {
      const [first] = selection.links;
      return selection.links.length === 1 && first !== undefined
        ? linkName(fabric, first)
        : count(selection.links.length, "link");
    }
  }
}

/** A title of a sweep in the middle of a sentence: `host links of leaf-03`; names of links stay as they are. */
export function titleInside(title: string): string {
  return /^(Inter-switch|Host|Degraded|Suspect) links|^Links of /.test(title)
    ? `${title.charAt(0).toLowerCase()}${title.slice(1)}`
    : title;
}
