/**
 * What can be done with a thing of the fabric: the one list behind the menu of the picture, the buttons of the inspector
 * and the commands of palette and keys.
 */
import { useMemo } from "react";
import { count } from "../../../shared/base/text.ts";
import type { FabricView, LinkMark } from "../../../shared/contract/views.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  linkId,
  nodeGuid,
  nodeKind,
  nodeName,
  portId,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import { type LinkId, none } from "../../../shared/fabric/model.ts";
import type { IconName } from "../../parts/icons.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useMarks } from "../../state/marks-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { foldKey, type Selection, useSelection } from "../../state/selection-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { markChoices, markWords } from "../findings/mark-words.ts";
import { blockFacts, blockTitle, isKnownBlock, switchesOfBlock } from "../inspector/block-facts.ts";
import { systemGuidOf } from "../inspector/director-facts.ts";
import { selectionText } from "../inspector/inspector-text.ts";
import { cannotMeasure, rawPlace } from "../inspector/link-facts.ts";
import { hostsBelow } from "../inspector/node-facts.ts";
import { noCluster, sweepLinks, sweepNode } from "../measure/start-sweep.ts";
import { startMeasuring } from "../measure/start.ts";
import { openRaw } from "../output/open-raw.ts";
import { setQuery } from "../links/table-store.ts";
import { namesQuery, nodesStart } from "../nodes/node-rows.ts";
import { copyText } from "./actions.ts";
import { flyTo, foldBlock, selectionName } from "./go-to.ts";

type MarkChoice = (typeof markChoices)[number];
type ObjectActionId =
  | "inspect"
  | "measure"
  | "sweep-host-links-of"
  | "sweep-links-of"
  | "sweep-uplinks-of"
  | "fold"
  | "alone"
  | "list"
  | "paths"
  | "path-from"
  | `mark-${MarkChoice}`
  | "copy"
  | "copy-guid"
  | "raw"
  | "fly";

export interface ObjectAction {
  readonly id: ObjectActionId;
  /** A verb, sentence case. */
  readonly title: string;
  readonly icon: IconName;
  /** Key of the command that does the same with the selection. */
  readonly keys?: string;
  /** Why it cannot be done at the moment, in a few words; undefined when it can. */
  readonly reason: string | undefined;
  /** Of marks: this is the one. */
  readonly checked?: boolean;
  readonly run: () => void;
}

/** What the list depends on besides the fabric. */
export interface Present {
  readonly routesReady: boolean;
  /** Name of the link that is being measured. */
  readonly running: string | undefined;
  readonly marks: Readonly<Record<string, LinkMark>>;
  /** Pods, groups and planes that the picture draws open, by key; undefined while no picture is shown. */
  readonly drawnOpen: ReadonlySet<string> | undefined;
  /** Pods or groups that the picture shows alone; empty = all. */
  readonly clusters: readonly number[];
}

const noTables = "No forwarding tables: collect again with routes";

/** Everything that can be done with a thing, in the order of a menu; what cannot be done now says why. */
export function objectActions(view: FabricView, target: Selection, present: Present): readonly ObjectAction[] {
  if (target.kind === "nothing") return [];
  if ((target.kind === "block" || target.kind === "plane") && !isKnownBlock(view, target)) return [];
  return [
    action("inspect", "Inspect", "info", { keys: "Enter" }, () => inspect(target)),
    ...folding(view, target, present),
    ...measuring(view, target, present),
    ...routing(target, present),
    ...marking(view, target, present),
    action("copy", "Copy as text", "copy", { keys: "Ctrl C" }, () => copyAsText(view, target)),
    ...copyingGuids(view, target),
    ...rawOutput(view, target),
    action("fly", "Fly to it", "fit", { keys: "Shift 0" }, () => flyTo(target)),
  ];
}

function action(
  id: ObjectActionId,
  title: string,
  icon: IconName,
  {
    keys,
    reason,
    checked,
  }: { readonly keys?: string; readonly reason?: string | undefined; readonly checked?: boolean },
  run: () => void,
): ObjectAction {
  return {
    ...{ id, title, icon, reason, run },
    ...(keys === undefined ? {} : { keys }),
    ...(checked === undefined ? {} : { checked }),
  };
}

function inspect(target: Selection): void {
  useSelection.getState().select(target);
  useUi.getState().setInspectorOpen(true);
}

function linksOf(view: FabricView, nodes: readonly number[]): readonly number[] {
  const { ports } = view.fabric;
  const links = nodes.flatMap((node) => portsOfNode(view.fabric, node).map((port) => at(ports.link, port)));
  return [...new Set(links)].filter((link) => link !== none);
}

function measuring(view: FabricView, target: Selection, { running }: Present): readonly ObjectAction[] {
  const { fabric, analysis, fabricId } = view;
  const measure = (link: number, title: string): ObjectAction => {
    const reason = cannotMeasure(fabric, link) ?? (running === undefined ? undefined : `${running} is being measured`);
    return action(
      "measure",
      title,
      "measure",
      { keys: "M", reason },
      () => void startMeasuring(fabricId, linkId(fabric, link)),
    );
  };
  const reason = view.capture.source === null ? noCluster : undefined;
  const sweepOf = (links: readonly number[], of: string): readonly ObjectAction[] =>
    links.length === 0
      ? []
      : [
          action("sweep-links-of", "Measure all links", "measure", { reason }, () =>
            sweepLinks(view, links, `links of ${of}`.slice(0, 100)),
          ),
        ];
  switch (target.kind) {
    case "link":
      return [measure(target.link, "Measure")];
    case "host": {
      const links = linksOf(view, adaptersOfHost(fabric, target.host));
      const [only] = links;
      if (only !== undefined && links.length === 1) return [measure(only, "Measure its link")];
      return sweepOf(links, hostName(fabric, target.host));
    }
    case "node": {
      const { node } = target;
      if (nodeKind(fabric, node) !== "switch") return [];
      return [
        ...(hostsBelow(fabric, node).size === 0
          ? []
          : [
              action("sweep-host-links-of", "Measure host links", "measure", { reason }, () =>
                sweepNode(view, node, "host-links-of"),
              ),
            ]),
        action("sweep-links-of", "Measure all links", "measure", { reason }, () => sweepNode(view, node, "links-of")),
      ];
    }
    case "director": {
      const chassis = analysis.topology.chassis[target.director];
      return sweepOf(linksOf(view, chassis?.switches ?? []), chassis?.name ?? "");
    }
    case "block":
    case "plane": {
      const title = target.kind === "plane" ? "Measure its links down" : uplinksTitle(view);
      const of = `${title.replace(/^Measure its /, "")} of ${blockTitle(analysis.topology, target)}`;
      return [
        action("sweep-uplinks-of", title, "measure", { reason }, () =>
          sweepLinks(view, blockFacts(view, target).leaving, of.slice(0, 100)),
        ),
      ];
    }
    case "missing-link":
    case "nothing":
      return [];
  }
}

function uplinksTitle({ analysis }: FabricView): string {
  return analysis.topology.groups.length > 0 ? "Measure its global links" : "Measure its uplinks";
}

/** What can be done with a pod, a group or a plane in the picture and the tables. */
function folding(view: FabricView, target: Selection, { drawnOpen, clusters }: Present): readonly ObjectAction[] {
  if (target.kind !== "block" && target.kind !== "plane") return [];
  const { analysis } = view;
  const { topology } = analysis;
  const word = topology.groups.length > 0 ? "group" : "pod";
  const several = Math.max(topology.groups.length, topology.pods.length) > 1;
  const isOpen = drawnOpen?.has(foldKey(target)) === true;
  const alone = target.kind === "block" && clusters.length === 1 && clusters[0] === target.block;
  return [
    ...(several
      ? [
          action("fold", isOpen ? "Close to one block" : "Open switch by switch", "sort", { keys: "Space" }, () =>
            foldBlock(target),
          ),
        ]
      : []),
    ...(several && target.kind === "block"
      ? [
          action("alone", alone ? `Show all ${word}s again` : `Show only this ${word}`, "filter", {}, () => {
            useUi.getState().show("topology");
            useSelection.getState().setClusters(alone ? [] : [target.block]);
          }),
        ]
      : []),
    action("list", "List its switches", "nodes", {}, () => {
      const query =
        target.kind === "block"
          ? `kind:switch ${word}:${target.block + 1}`
          : namesQuery(target.switches.map((node) => nodeName(view.fabric, node)));
      setQuery("nodes", nodesStart, query);
      useUi.getState().show("nodes");
    }),
  ];
}

function routing(target: Selection, { routesReady }: Present): readonly ObjectAction[] {
  const reason = routesReady ? undefined : noTables;
  if (target.kind === "link") {
    return [
      action("paths", "Show paths through it", "topology", { keys: "P", reason }, () => {
        inspect(target);
        useRoutes.setState({ pairsOpen: true });
      }),
    ];
  }
  if (target.kind !== "host") return [];
  const { host } = target;
  return [
    action("path-from", "Path to another host", "topology", { reason }, () =>
      useUi.getState().openDialog({ kind: "path", from: host }),
    ),
  ];
}

/** The two ends of a cable, there or missing. */
function endsOf({ fabric, analysis }: FabricView, target: Selection): readonly number[] {
  if (target.kind === "link") return [at(fabric.links.a, target.link), at(fabric.links.b, target.link)];
  const missing = target.kind === "missing-link" ? analysis.missingLinks[target.missing] : undefined;
  return missing === undefined ? [] : [missing.a, missing.b];
}

function marking(view: FabricView, target: Selection, { marks }: Present): readonly ObjectAction[] {
  const [first] = endsOf(view, target);
  if (first === undefined) return [];
  const id: LinkId = portId(view.fabric, first);
  const known = marks[id];
  const suspect =
    known !== undefined ||
    target.kind === "missing-link" ||
    (target.kind === "link" && (findingIndex(view.fabric, view.analysis).byLink.get(target.link) ?? []).length > 0);
  const reason = suspect ? undefined : "No finding on it";
  return markChoices.map((choice) =>
    action(
      `mark-${choice}`,
      markWords[choice],
      "check",
      { reason, checked: (known?.mark ?? "new") === choice },
      () => void setMark(id, choice, known?.note ?? ""),
    ),
  );
}

async function setMark(id: LinkId, choice: MarkChoice, note: string): Promise<void> {
  await useMarks.getState().mark(id, choice === "new" ? null : choice, note);
  const { error } = useMarks.getState();
  if (error !== undefined) useUi.getState().toast({ kind: "error", text: "The mark was not kept.", error });
}

function copyAsText(view: FabricView, target: Selection): void {
  const name = selectionName(view, target) ?? "";
  void copy(selectionText(view, target, useMeasure.getState().history), `${name} as text`);
}

async function copy(text: string, what: string): Promise<void> {
  if (await copyText(text)) useUi.getState().toast({ kind: "done", text: `Copied ${what}` });
}

function copyingGuids(view: FabricView, target: Selection): readonly ObjectAction[] {
  const { fabric, analysis } = view;
  const of = (guids: readonly string[], title: string): readonly ObjectAction[] => [
    action(
      "copy-guid",
      title,
      "copy",
      {},
      () => void copy(guids.join("\n"), guids.length > 4 ? count(guids.length, "GUID") : guids.join(", ")),
    ),
  ];
  const ofNodes = (nodes: readonly number[]): readonly ObjectAction[] =>
    of(
      nodes.map((node) => nodeGuid(fabric, node)),
      nodes.length > 1 ? "Copy node GUIDs" : "Copy node GUID",
    );
  switch (target.kind) {
    case "node":
      return ofNodes([target.node]);
    case "host":
      return ofNodes(adaptersOfHost(fabric, target.host));
    case "director": {
      const guid = systemGuidOf(fabric, analysis.topology.chassis[target.director]?.switches ?? []);
      return guid === "" ? [] : of([guid], "Copy system image GUID");
    }
    case "block":
    case "plane":
      return of(
        switchesOfBlock(analysis, target).map((node) => nodeGuid(fabric, node)),
        "Copy GUIDs of its switches",
      );
    case "link":
    case "missing-link":
      return of(
        endsOf(view, target).map((port) => portId(fabric, port)),
        "Copy GUID and port of both ends",
      );
    case "nothing":
      return [];
  }
}

/** The first line of a tool's output that tells of the thing. */
function rawOutput(view: FabricView, target: Selection): readonly ObjectAction[] {
  const { fabric } = view;
  const ports =
    target.kind === "node"
      ? portsOfNode(fabric, target.node)
      : target.kind === "host"
        ? adaptersOfHost(fabric, target.host).flatMap((node) => portsOfNode(fabric, node))
        : endsOf(view, target);
  if (["director", "block", "plane", "nothing"].includes(target.kind)) return [];
  const place = rawPlace(fabric, ports, view.capture.files);
  const reason = place === undefined ? "No tool's output is kept of it" : undefined;
  return [
    action("raw", "Show raw output", "terminal", { reason }, () => {
      if (place !== undefined) openRaw(place.file, place.line);
    }),
  ];
}

/** What the list depends on, now. */
function presentOf(view: FabricView): Present {
  const routes = useRoutes.getState();
  return {
    routesReady: routes.of === view.fabric && routes.state === "ready",
    running: useMeasure.getState().running?.plan.linkName,
    marks: useMarks.getState().marks,
    drawnOpen: useSelection.getState().drawnOpen,
    clusters: useSelection.getState().clusters,
  };
}

/** One action on what is selected; undefined when there is none of this kind. */
export function selectedAction(id: ObjectActionId): ObjectAction | undefined {
  const { view } = useFabric.getState();
  if (view === undefined) return undefined;
  return objectActions(view, useSelection.getState().selection, presentOf(view)).find((one) => one.id === id);
}

/** The list for a thing, kept up to date. */
export function useObjectActions(view: FabricView, target: Selection): readonly ObjectAction[] {
  const routesReady = useRoutes((state) => state.of === view.fabric && state.state === "ready");
  const running = useMeasure((state) => state.running?.plan.linkName);
  const marks = useMarks((state) => state.marks);
  const drawnOpen = useSelection((state) => state.drawnOpen);
  const clusters = useSelection((state) => state.clusters);
  return useMemo(
    () => objectActions(view, target, { routesReady, running, marks, drawnOpen, clusters }),
    [view, target, routesReady, running, marks, drawnOpen, clusters],
  );
}
