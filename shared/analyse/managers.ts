/** Who is master, who would take over, why, and how long that would take. */
import { at, hostOfNode, nodeName } from "../fabric/access.ts";
import { type Fabric, none, type SubnetManager } from "../fabric/model.ts";
import type { Succession } from "./results.ts";

/**
 * opensm's defaults: a standby asks every 10 s and takes over after 4 questions without an answer. Managers of
 * managed switches and of UFM are derived from opensm and keep them unless set otherwise.
 */
const defaultPolling = { pollingMs: 10_000, pollingRetries: 4 } as const;

/** Higher priority first, then the lower GUID: the order in which managers become master. */
export function compareManagers(a: SubnetManager, b: SubnetManager): number {
  return b.priority - a.priority || (a.guid < b.guid ? -1 : a.guid > b.guid ? 1 : a.lid - b.lid);
}

/** Name of a manager for people: its host or switch, or its GUID. */
export function managerName(fabric: Fabric, manager: SubnetManager): string {
  if (manager.node !== undefined) return nodeName(fabric, manager.node);
  return manager.guid === "" ? `LID ${manager.lid}` : manager.guid;
}

/** The host that a manager runs on; undefined on switches and where the node is not known. */
export function hostOfManager(fabric: Fabric, manager: SubnetManager): number | undefined {
  if (manager.node === undefined) return undefined;
  return at(fabric.nodes.host, manager.node) === none ? undefined : hostOfNode(fabric, manager.node);
}

/** Who takes over when the master dies. Only managers that are known to be able to are considered. */
export function successionOf(fabric: Fabric): Succession {
  const masters = fabric.subnetManagers.filter(({ state }) => state === "MASTER").sort(compareManagers);
  const heirs = fabric.subnetManagers
    .filter(({ state, answers }) => (state === "STANDBY" || state === "DISCOVERING") && answers !== "no")
    .sort(compareManagers);
  const master = masters[0];
  const heir = heirs[0];
  const { pollingMs, pollingRetries } = { ...defaultPolling, ...fabric.smSettings };
  const indexOf = (manager: SubnetManager | undefined): number | null =>
    manager === undefined ? null : fabric.subnetManagers.indexOf(manager);
  return {
    master: indexOf(master),
    heir: indexOf(heir),
    order: heirs.map((manager) => fabric.subnetManagers.indexOf(manager)),
    reason: reasonOf(fabric, master, heirs),
    takeOverSeconds: heir === undefined ? null : (pollingMs * pollingRetries) / 1000,
    pollingMs,
    pollingRetries,
    settingsRead: fabric.smSettings?.pollingMs !== undefined || fabric.smSettings?.pollingRetries !== undefined,
  };
}

function reasonOf(fabric: Fabric, master: SubnetManager | undefined, heirs: readonly SubnetManager[]): string {
  const [heir, next] = heirs;
  if (heir === undefined) {
    if (!fabric.smAsked) return "Nobody asked for subnet managers.";
    return fabric.smListed
      ? "No other subnet manager stands by: without the master nobody manages the subnet."
      : "No standby is known; not all subnet managers could be asked.";
  }
  const name = managerName(fabric, heir);
  const who = master === undefined ? `${name} should become master` : `${name} takes over`;
  if (next === undefined) return `${who}: it is the only other subnet manager, with priority ${heir.priority}.`;
  if (heir.priority > next.priority) {
    return `${who}: its priority ${heir.priority} is the highest of ${heirs.length} standbys, before ${managerName(fabric, next)} with ${next.priority}.`;
  }
  return `${who}: it and ${managerName(fabric, next)} both have priority ${heir.priority}, and its GUID ${heir.guid} is the lower one.`;
}
