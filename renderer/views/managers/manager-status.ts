import { visibleText } from "../../../shared/base/text.ts";
import {
  hostName,
  hostOfNode,
  nodeKind,
  nodeName,
  peerPort,
  portName,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import type { Fabric, SubnetManager } from "../../../shared/fabric/model.ts";
import type { Selection } from "../../state/selection-store.ts";

/** What the capture says about who runs the fabric. `not-asked` and `none` are different: only the latter is an alarm. */
export type ManagerStatus =
  | { readonly kind: "not-asked" }
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly master: SubnetManager }
  | { readonly kind: "several"; readonly masters: readonly SubnetManager[] };

export function managerStatus(fabric: Fabric): ManagerStatus {
  const masters = fabric.subnetManagers.filter((manager) => manager.state === "MASTER");
  const [master] = masters;
  if (master !== undefined) return masters.length === 1 ? { kind: "one", master } : { kind: "several", masters };
  return fabric.smAsked ? { kind: "none" } : { kind: "not-asked" };
}

/** Name of the machine or switch that a subnet manager runs on; its GUID when the fabric does not hold it. */
export function managerName(fabric: Fabric, manager: SubnetManager): string {
  if (manager.node === undefined) return manager.guid === "" ? `LID ${manager.lid}` : manager.guid;
  const host = hostOfNode(fabric, manager.node);
  return visibleText(host === undefined ? nodeName(fabric, manager.node) : hostName(fabric, host));
}

/** `14`, or a dash when nobody told (negative). */
export function priorityText(manager: SubnetManager): string {
  return manager.priority < 0 ? "–" : String(manager.priority);
}

/** `host on leaf-01:1`, `switch, built in`, `not in this fabric`. */
export function managerPlace(fabric: Fabric, manager: SubnetManager): string {
  if (manager.node === undefined) return "not found in this fabric";
  if (nodeKind(fabric, manager.node) === "switch") return "switch, built in";
  for (const port of portsOfNode(fabric, manager.node)) {
    const peer = peerPort(fabric, port);
    if (peer !== undefined) return `host on ${visibleText(portName(fabric, peer))}`;
  }
  return "host, not cabled";
}

/** What a click on a subnet manager selects. */
export function managerSelection(fabric: Fabric, manager: SubnetManager): Selection {
  if (manager.node === undefined) return { kind: "nothing" };
  const host = hostOfNode(fabric, manager.node);
  return host === undefined ? { kind: "node", node: manager.node } : { kind: "host", host };
}

const order: Readonly<Record<SubnetManager["state"], number>> = {
  MASTER: 0,
  STANDBY: 1,
  DISCOVERING: 2,
  NOTACTIVE: 3,
  unknown: 4,
};

/** Master first, then who would take over next: higher priority, then lower GUID (the rule of the specification). */
export function managersInOrder(fabric: Fabric): readonly SubnetManager[] {
  return [...fabric.subnetManagers].sort(
    (a, b) => order[a.state] - order[b.state] || b.priority - a.priority || (a.guid < b.guid ? -1 : 1),
  );
}

/**
 * True when the capture tells of other subnet managers than the one that answered. sminfo alone names the master only:
 * then nothing can be said about standbys.
 */
export function knowsStandbys(fabric: Fabric): boolean {
  return fabric.subnetManagers.length > 1 || fabric.subnetManagers.some((manager) => manager.state === "STANDBY");
}
