import { managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, type RuleInput } from "./rule.ts";

/** More than one subnet manager answers as MASTER. */
export function twoMasters({ fabric }: RuleInput): readonly Finding[] {
  const masters = fabric.subnetManagers.filter(({ state, answers }) => state === "MASTER" && answers !== "no");
  if (masters.length < 2) return [];
  const names = masters.map((manager) => `${managerName(fabric, manager)} (LID ${manager.lid})`).join(" and ");
  return [
    finding("two-masters", {
      severity: "error",
      title: "Two master subnet managers",
      subject: fabricSubject,
      message: `${masters.length} subnet managers answer as MASTER: ${names}. They undo each other's work.`,
      evidence: masters
        .map(({ guid, lid, priority, activity }) => `${guid} LID ${lid} priority ${priority} activity ${activity}`)
        .join("; "),
      cause:
        "The fabric was split and joined again, the two have different SM keys and do not speak to each other, or a take-over was under way while they were asked.",
      remedy:
        "Ask again in a minute. If both stay master, compare their sm_key settings and logs, and stop the one that should not be it.",
    }),
  ];
}
