import { managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import type { Thresholds } from "../thresholds.ts";
import { fabricSubject, finding, nodeSubject, type RuleInput } from "./rule.ts";

/** Managers whose activity count did not grow between two answers. opensm counts what it sends, answers included. */
export function managerStandsStill({ fabric }: RuleInput, thresholds: Thresholds): readonly Finding[] {
  return fabric.subnetManagers.flatMap((manager) => {
    const { earlier, activity } = manager;
    if (earlier === undefined || earlier.seconds < thresholds.activitySeconds || earlier.activity !== activity)
      return [];
    const name = managerName(fabric, manager);
    const seconds = Math.round(earlier.seconds);
    return [
      finding("manager-stands-still", {
        severity: manager.state === "MASTER" ? "error" : "warning",
        title: "Subnet manager stands still",
        subject: manager.node === undefined ? fabricSubject : nodeSubject(fabric, manager.node),
        message: `${name} answers as ${manager.state}, and its activity count stands still at ${activity} for ${seconds} s.`,
        evidence: `activity ${earlier.activity} and ${seconds} s later ${activity}`,
        cause: "The subnet manager hangs: something still answers for it, but it sends nothing.",
        remedy: `Look at its log for the last SUBNET UP, and restart it on ${name}; a standby then takes over.`,
      }),
    ];
  });
}
