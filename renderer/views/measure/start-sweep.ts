/** Ways to a sweep: each opens the dry run, nothing starts by itself. */
import { linkId, nodeGuid, nodeName } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { count } from "../../../shared/base/text.ts";
import { useSweeps } from "../../state/sweep-store.ts";

/** Why nothing can be measured in a capture that was opened from files. */
export const noCluster = "Opened from files: there is no cluster behind it";

/** All links of a kind of the whole fabric. */
export function sweepAll(kind: "all-inter-switch" | "all-host-links" | "degraded"): void {
  const titles = {
    "all-inter-switch": "inter-switch links",
    "all-host-links": "host links",
    degraded: "degraded links",
  } as const;
  useSweeps.getState().openSheet({ kind }, titles[kind]);
}

/** All links of a switch or an adapter, or the host links of a switch only. */
export function sweepNode({ fabric }: FabricView, node: number, kind: "links-of" | "host-links-of"): void {
  const title = `${kind === "links-of" ? "links" : "host links"} of ${nodeName(fabric, node)}`;
  useSweeps.getState().openSheet({ kind, node: nodeGuid(fabric, node) }, title);
}

/** Chosen links. `title`: what they are called, when not by their number. */
export function sweepLinks({ fabric }: FabricView, links: readonly number[], title?: string): void {
  const wish = { kind: "links" as const, links: links.map((link) => linkId(fabric, link)) };
  useSweeps.getState().openSheet(title === undefined ? wish : { ...wish, title }, title ?? count(links.length, "link"));
}
