import type { Finding, Subject } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { at, hostOfNode, linkName, hostName, nodeName, nodeGuid, portName } from "../../../shared/fabric/access.ts";
import { none } from "../../../shared/fabric/model.ts";
import { type BlockSelection, foldKey, type Selection, useSelection } from "../../state/selection-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { blockTitle, isKnownBlock } from "../inspector/block-facts.ts";

/** What a subject of a finding selects: the object that can be drawn. A port selects its cable, or its node. */
export function selectionOf(view: FabricView, subject: Subject): Selection {
  const { fabric } = view;
  switch (subject.kind) {
    case "fabric":
      return { kind: "nothing" };
    case "link":
      return { kind: "link", link: subject.index };
    case "port": {
      const missing = view.analysis.missingLinks.findIndex(
        (link) => link.a === subject.index || link.b === subject.index,
      );
      if (missing >= 0) return { kind: "missing-link", missing };
      const link = at(fabric.ports.link, subject.index);
      return link === none ? { kind: "node", node: subject.node } : { kind: "link", link };
    }
    case "node": {
      const host = hostOfNode(fabric, subject.index);
      return host === undefined ? { kind: "node", node: subject.index } : { kind: "host", host };
    }
  }
}

/** Selects, shows the picture and brings the selection into view. */
export function flyTo(selection: Selection): void {
  useUi.getState().show("topology");
  useSelection.getState().select(selection, { fly: true });
}

/** Opens a closed pod, group or plane in the picture, closes an open one; it is selected, as what is selected inside would keep it open. */
export function foldBlock(target: BlockSelection): void {
  const { folds, drawnOpen, setFolds, select } = useSelection.getState();
  const key = foldKey(target);
  const isOpen = drawnOpen?.has(key) ?? folds.get(key) ?? false;
  useUi.getState().show("topology");
  select(target);
  setFolds(new Map([...folds, [key, !isOpen]]));
}

const worstFirst = { error: 0, warning: 1, note: 2 } as const;

/** Findings in the order in which one walks through them: worst first, otherwise as they come. */
export function findingsInOrder(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => worstFirst[a.severity] - worstFirst[b.severity]);
}

function same(a: Selection, b: Selection): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The finding after (or before) the one whose subject is selected, that can be shown; undefined when there is none. */
export function nextFinding(view: FabricView, selection: Selection, step: 1 | -1): Selection | undefined {
  const stops: Selection[] = [];
  for (const finding of findingsInOrder(view.analysis.findings)) {
    const stop = selectionOf(view, finding.subject);
    if (stop.kind !== "nothing" && !stops.some((other) => same(other, stop))) stops.push(stop);
  }
  const here = stops.findIndex((stop) => same(stop, selection));
  if (here < 0) return step === 1 ? stops[0] : stops.at(-1);
  return stops[(here + step + stops.length) % stops.length];
}

/** The selection in a few words; undefined when nothing is selected. */
export function selectionName(view: FabricView, selection: Selection): string | undefined {
  const { fabric } = view;
  switch (selection.kind) {
    case "nothing":
      return undefined;
    case "link":
      return linkName(fabric, selection.link);
    case "node":
      return `${nodeName(fabric, selection.node)} ${nodeGuid(fabric, selection.node)}`;
    case "host":
      return hostName(fabric, selection.host);
    case "missing-link": {
      const missing = view.analysis.missingLinks[selection.missing];
      return missing === undefined ? undefined : `${portName(fabric, missing.a)} to ${portName(fabric, missing.b)}`;
    }
    case "director":
      return view.analysis.topology.chassis[selection.director]?.name;
    case "block":
    case "plane":
      return isKnownBlock(view, selection) ? blockTitle(view.analysis.topology, selection) : undefined;
  }
}
