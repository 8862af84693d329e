import { compareManagers, managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, type RuleInput } from "./rule.ts";

/** A standby that outranks the master. */
export function priorityContradicts({ fabric }: RuleInput): readonly Finding[] {
  const master = fabric.subnetManagers.find(({ state }) => state === "MASTER");
  const best = fabric.subnetManagers
    .filter(({ state, answers, priority }) => state === "STANDBY" && answers !== "no" && priority >= 0)
    .sort(compareManagers)[0];
  if (master === undefined || best === undefined || master.priority < 0) return [];
  if (best.priority <= master.priority) return [];
  const [above, below] = [managerName(fabric, best), managerName(fabric, master)];
  return [
    finding("priority-contradicts", {
      severity: "warning",
      title: "Standby outranks the master",
      subject: fabricSubject,
      message: `${above} stands by with priority ${best.priority}, and ${below} is master with ${master.priority}: the wish and the state differ.`,
      evidence: `standby ${best.guid} priority ${best.priority}, master ${master.guid} priority ${master.priority}`,
      cause:
        "A hand-over was under way, the priority was changed while they ran, or the two do not see each other (different SM keys, partition).",
      remedy:
        "Ask again in a minute. If it stays, look at both logs; the next sweep or restart may move the master without warning.",
    }),
  ];
}
