import type { Fabric } from "../../fabric/model.ts";
import { at, linkId, linkName, nodeGuid, nodeName, portName } from "../../fabric/access.ts";
import type { Finding, MissingLink, Subject, Topology } from "../results.ts";
import type { SwitchGraph } from "../switch-graph.ts";

/** What every rule may look at. */
export interface RuleInput {
  readonly fabric: Fabric;
  readonly graph: SwitchGraph;
  readonly topology: Topology;
  readonly missingLinks: readonly MissingLink[];
}

export function linkSubject(fabric: Fabric, link: number): Subject {
  return { kind: "link", name: linkName(fabric, link), link: linkId(fabric, link), index: link };
}

export function portSubject(fabric: Fabric, port: number): Subject {
  const node = at(fabric.ports.node, port);
  return {
    kind: "port",
    name: portName(fabric, port),
    guid: nodeGuid(fabric, node),
    port: at(fabric.ports.number, port),
    index: port,
    node,
  };
}

export function nodeSubject(fabric: Fabric, node: number): Subject {
  return { kind: "node", name: nodeName(fabric, node), guid: nodeGuid(fabric, node), index: node };
}

export const fabricSubject: Subject = { kind: "fabric", name: "fabric" };

function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case "fabric":
      return "fabric";
    case "link":
      return subject.link;
    case "port":
      return `${subject.guid}:${subject.port}`;
    case "node":
      return subject.guid;
  }
}

/** Completes a finding with its stable id. */
export function finding(rule: string, rest: Omit<Finding, "id" | "rule">): Finding {
  return { id: `${rule} ${subjectKey(rest.subject)}`, rule, ...rest };
}
