import type { FabricView } from "../../../shared/contract/views.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { linkFinder } from "../links/link-finder.ts";
import { flyTo } from "../shell/go-to.ts";

/** Selects a link and shows it in the topology; nothing when the open fabric does not have it. */
export function showLink(view: FabricView, id: LinkId): void {
  const link = linkFinder(view.fabric)(id);
  if (link !== undefined) flyTo({ kind: "link", link });
}
