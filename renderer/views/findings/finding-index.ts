/** Findings by what they are about, and what a click on one selects. Pure; no React. */
import type { Analysis, Finding, Subject } from "../../../shared/analyse/results.ts";
import { at, hostOfNode, linkIsActive } from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";
import type { Severity } from "../../../shared/parse/diagnostic.ts";
import type { Selection } from "../../state/selection-store.ts";

/** From worst to least. */
export const severityOrder: readonly Severity[] = ["error", "warning", "note"];

export interface FindingIndex {
  /** By link index: findings on the link and on its two ports. */
  readonly byLink: ReadonlyMap<number, readonly Finding[]>;
  /** By position in analysis.missingLinks: findings on either of its ports. */
  readonly byMissing: ReadonlyMap<number, readonly Finding[]>;
  /** By node index: findings on the node, its ports and its links. */
  readonly byNode: ReadonlyMap<number, readonly Finding[]>;
  readonly ofFabric: readonly Finding[];
}

const known = new WeakMap<Analysis, FindingIndex>();

/** Worst first, otherwise in the order they were found. */
export function bySeverity(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((x, y) => severityOrder.indexOf(x.severity) - severityOrder.indexOf(y.severity));
}

/** Position in analysis.missingLinks of a port; undefined when no missing link ends there. */
export function missingLinkOfPort(analysis: Analysis, port: number): number | undefined {
  const missing = analysis.missingLinks.findIndex((entry) => entry.a === port || entry.b === port);
  return missing < 0 ? undefined : missing;
}

/** Made once per analysis; O(findings × missing links). */
export function findingIndex(fabric: Fabric, analysis: Analysis): FindingIndex {
  const before = known.get(analysis);
  if (before !== undefined) return before;
  const byLink = new Map<number, Finding[]>();
  const byMissing = new Map<number, Finding[]>();
  const byNode = new Map<number, Finding[]>();
  const ofFabric: Finding[] = [];
  const add = (map: Map<number, Finding[]>, key: number, finding: Finding): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [finding]);
    else if (!list.includes(finding)) list.push(finding);
  };
  for (const finding of bySeverity(analysis.findings)) {
    const { subject } = finding;
    if (subject.kind === "fabric") ofFabric.push(finding);
    else if (subject.kind === "node") add(byNode, subject.index, finding);
    else if (subject.kind === "link") {
      add(byLink, subject.index, finding);
      for (const port of [at(fabric.links.a, subject.index), at(fabric.links.b, subject.index)]) {
        add(byNode, at(fabric.ports.node, port), finding);
      }
    } else {
      add(byNode, subject.node, finding);
      const link = at(fabric.ports.link, subject.index);
      if (link !== none) add(byLink, link, finding);
      const missing = missingLinkOfPort(analysis, subject.index);
      if (missing !== undefined) add(byMissing, missing, finding);
    }
  }
  const index = { byLink, byMissing, byNode, ofFabric };
  known.set(analysis, index);
  return index;
}

/** What a node is selected as: an adapter stands for its whole host. */
export function selectionOfNode(fabric: Fabric, node: number): Selection {
  const host = hostOfNode(fabric, node);
  return host === undefined ? { kind: "node", node } : { kind: "host", host };
}

/** What is selected when somebody points at a port: its link, its missing link, else its node. */
function selectionOfPort(fabric: Fabric, analysis: Analysis, port: number): Selection {
  const link = at(fabric.ports.link, port);
  if (link !== none) return { kind: "link", link };
  const missing = missingLinkOfPort(analysis, port);
  return missing === undefined
    ? selectionOfNode(fabric, at(fabric.ports.node, port))
    : { kind: "missing-link", missing };
}

/** What a finding's subject selects. */
export function selectionOf(subject: Subject, fabric: Fabric, analysis: Analysis): Selection {
  switch (subject.kind) {
    case "fabric":
      return { kind: "nothing" };
    case "link":
      return { kind: "link", link: subject.index };
    case "node":
      return selectionOfNode(fabric, subject.index);
    case "port":
      return selectionOfPort(fabric, analysis, subject.index);
  }
}

/** What the last column of a finding offers. */
export type FindingAction = "measure" | "show" | "managers" | "none";

export function findingAction(finding: Finding, fabric: Fabric, analysis: Analysis): FindingAction {
  const selection = selectionOf(finding.subject, fabric, analysis);
  if (selection.kind === "link") return linkIsActive(fabric, selection.link) ? "measure" : "show";
  if (selection.kind !== "nothing") return "show";
  return /(^|-)(sm|subnet-manager|master)(-|$)/.test(finding.rule) ? "managers" : "none";
}

export const findingActionWords: Readonly<Record<FindingAction, string>> = {
  measure: "Measure",
  show: "Show",
  managers: "Managers",
  none: "",
};
