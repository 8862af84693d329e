import { compareManagers, managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, type RuleInput } from "./rule.ts";

/** Managers that only their GUIDs rank. */
export function equalPriorities({ fabric }: RuleInput): readonly Finding[] {
  const able = fabric.subnetManagers.filter(({ state, priority }) => state !== "NOTACTIVE" && priority >= 0);
  const found: Finding[] = [];
  for (const priority of new Set(able.map((manager) => manager.priority))) {
    const equal = able.filter((manager) => manager.priority === priority).sort(compareManagers);
    const first = equal[0];
    // Among standbys of equal rank below a master nothing is at stake but their order.
    if (first === undefined || equal.length < 2) continue;
    const withMaster = equal.some(({ state }) => state === "MASTER");
    found.push(
      finding("equal-priorities", {
        severity: withMaster ? "warning" : "note",
        title: "Equal priorities",
        subject: fabricSubject,
        message: `${equal.map((manager) => managerName(fabric, manager)).join(" and ")} ${equal.length === 2 ? "both" : "all"} have priority ${priority}; the lower GUID decides, which is ${managerName(fabric, first)}'s.`,
        evidence: `priority ${priority}: ${equal.map(({ guid }) => guid).join(", ")}; lowest ${first.guid}`,
        cause: "The priorities were left at the default, so that the order of GUIDs and not a wish says who is master.",
        remedy: "Give the manager that should be master a higher priority (sm_priority in opensm.conf, 0 to 15).",
      }),
    );
  }
  // One finding on the fabric: with several groups the one with the master counts.
  return found.sort((a, b) => Number(b.severity === "warning") - Number(a.severity === "warning")).slice(0, 1);
}
