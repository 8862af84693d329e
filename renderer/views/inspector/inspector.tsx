import { useDeferredValue, useState } from "react";
import { nodeKind } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { type Selection, useSelection } from "../../state/selection-store.ts";
import { isKnownBlock } from "./block-facts.ts";
import { BlockInspector } from "./block-inspector.tsx";
import { DirectorInspector } from "./director-inspector.tsx";
import { FabricInspector } from "./fabric-inspector.tsx";
import type { HeadControls } from "./head.tsx";
import { HostInspector } from "./host-inspector.tsx";
import { LinkInspector } from "./link-inspector.tsx";
import { MissingLinkInspector } from "./missing-link-inspector.tsx";
import { NodeInspector } from "./node-inspector.tsx";
import "./inspector.css";
import "./measured.css";
import "./ports.css";

/** The one inspector: shows what is selected, or the fabric. A pin keeps it while the user clicks on. */
export function Inspector() {
  // A moment after the click, so that the picture answers first. Both together: indices belong to one collection.
  const view = useDeferredValue(useFabric((state) => state.view));
  const selection = useDeferredValue(useSelection((state) => state.selection));
  const select = useSelection((state) => state.select);
  // Indices belong to one collection: a pin of an earlier one has fallen out.
  const [pin, setPin] = useState<{ readonly view: FabricView; readonly selection: Selection } | undefined>(undefined);
  if (view === undefined) return null;
  const pinned = pin?.view === view ? pin.selection : undefined;
  const shown = pinned ?? selection;
  const something = shown.kind !== "nothing";
  const controls: HeadControls = {
    pinned: pinned !== undefined,
    onPin: something ? () => setPin(pinned === undefined ? { view, selection: shown } : undefined) : undefined,
    onClose: something
      ? () => {
          setPin(undefined);
          select({ kind: "nothing" });
        }
      : undefined,
  };
  return (
    <div className="inspector">
      <Shown key={JSON.stringify(shown)} view={view} selection={shown} controls={controls} />
    </div>
  );
}

function Shown({
  view,
  selection,
  controls,
}: {
  readonly view: FabricView;
  readonly selection: Selection;
  readonly controls: HeadControls;
}) {
  const { fabric, analysis } = view;
  switch (selection.kind) {
    case "link":
      if (selection.link < fabric.links.count) {
        return <LinkInspector view={view} link={selection.link} controls={controls} />;
      }
      break;
    case "missing-link": {
      const missing = analysis.missingLinks[selection.missing];
      if (missing !== undefined) return <MissingLinkInspector view={view} missing={missing} controls={controls} />;
      break;
    }
    case "host":
      if (selection.host < fabric.hosts.count) {
        return <HostInspector view={view} host={selection.host} controls={controls} />;
      }
      break;
    case "node":
      if (selection.node < fabric.nodes.count) {
        const isAdapter = nodeKind(fabric, selection.node) === "hca";
        const host = isAdapter ? fabric.nodes.host[selection.node] : undefined;
        return host !== undefined && host < fabric.hosts.count ? (
          <HostInspector view={view} host={host} controls={controls} />
        ) : (
          <NodeInspector view={view} node={selection.node} controls={controls} />
        );
      }
      break;
    case "director":
      if (analysis.topology.chassis[selection.director] !== undefined) {
        return <DirectorInspector view={view} director={selection.director} controls={controls} />;
      }
      break;
    case "block":
    case "plane":
      if (isKnownBlock(view, selection)) return <BlockInspector view={view} target={selection} controls={controls} />;
      break;
    case "nothing":
      break;
  }
  return <FabricInspector view={view} controls={controls} />;
}
