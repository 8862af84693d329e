/** The capture's subnet managers as a watch has heard them last. Pure; no React. */
import { successionOf } from "../../../shared/analyse/managers.ts";
import type { WatchedManager, WatchStatus } from "../../../shared/contract/views.ts";
import { type Fabric, none, type SubnetManager } from "../../../shared/fabric/model.ts";
import { managerName } from "./manager-status.ts";

function nodeOf(fabric: Fabric, { guid, lid }: WatchedManager): number | undefined {
  const wanted = BigInt(guid);
  const port = fabric.ports.guid.findIndex((own) => own === wanted);
  if (port >= 0) return fabric.ports.node[port];
  const node = fabric.nodes.lid.findIndex((own) => own === lid && lid > 0);
  return node < 0 || node === none ? undefined : node;
}

function live(before: SubnetManager, now: WatchedManager): SubnetManager {
  const silent = now.state === "NO-ANSWER";
  return {
    ...before,
    lid: now.lid,
    state: now.state === "NO-ANSWER" ? "unknown" : now.state,
    priority: now.priority,
    activity: now.activity,
    answers: silent ? "no" : "yes",
  };
}

/** The fabric with its managers' states of now; the same fabric when nothing was watched. */
export function withLiveManagers(fabric: Fabric, status: WatchStatus | undefined): Fabric {
  if (status === undefined || status.managers.length === 0) return fabric;
  const heard = new Map(status.managers.map((manager) => [manager.guid, manager]));
  const known = fabric.subnetManagers.map((manager) => {
    const now = heard.get(manager.guid);
    heard.delete(manager.guid);
    return now === undefined ? manager : live(manager, now);
  });
  const added = [...heard.values()].map((now): SubnetManager => {
    const node = nodeOf(fabric, now);
    const start = { guid: now.guid, lid: now.lid, state: "unknown", priority: -1, activity: 0 } as const;
    return live({ ...start, answers: "yes", ...(node === undefined ? {} : { node }) }, now);
  });
  return { ...fabric, smAsked: true, subnetManagers: [...known, ...added] };
}

/** `+24 in 20 s`: from the watch, else from the two answers of the capture; undefined when there is one answer only. */
export function growthOf(
  manager: SubnetManager,
  status: WatchStatus | undefined,
): { readonly count: number; readonly seconds: number } | undefined {
  const watched = status?.managers.find(({ guid }) => guid === manager.guid);
  if (watched !== undefined) return watched.growth ?? undefined;
  const { earlier } = manager;
  if (earlier === undefined || earlier.seconds <= 0 || manager.activity < earlier.activity) return undefined;
  return { count: manager.activity - earlier.activity, seconds: Math.max(1, Math.round(earlier.seconds)) };
}

export interface TakeOverWords {
  readonly heading: string;
  readonly title: string;
  readonly reason: string;
  /** How long it takes, and where the numbers are from. */
  readonly time: string;
  readonly worry: boolean;
}

/** Who takes over when the master dies now, why, and how long that takes. */
export function takeOverWords(fabric: Fabric): TakeOverWords {
  const succession = successionOf(fabric);
  const nameAt = (index: number | null): string | undefined => {
    const manager = index === null ? undefined : fabric.subnetManagers[index];
    return manager === undefined ? undefined : managerName(fabric, manager);
  };
  const master = nameAt(succession.master);
  const heir = nameAt(succession.heir);
  const heading = master === undefined ? "No master answers" : `If ${master} dies now`;
  const seconds = succession.takeOverSeconds;
  if (heir === undefined || seconds === null) {
    const known = fabric.smAsked && (fabric.smListed || fabric.subnetManagers.length > 1);
    return {
      heading,
      title: known ? "Nobody takes over" : "Not known",
      reason: succession.reason,
      time: "",
      worry: known,
    };
  }
  const every = `It asks the master every ${succession.pollingMs / 1000} s and takes over after ${succession.pollingRetries} questions without an answer`;
  return {
    heading,
    title: `${heir} takes over within ${seconds} s`,
    reason: succession.reason,
    time: succession.settingsRead
      ? `${every}, as its opensm.conf says.`
      : `${every}: opensm's defaults, its own settings were not read.`,
    worry: master === undefined,
  };
}
