import { managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, type RuleInput } from "./rule.ts";

/** A master and nobody who could take over. Says nothing when nobody listed the subnet managers. */
export function noStandby({ fabric }: RuleInput): readonly Finding[] {
  if (!fabric.smListed) return [];
  const master = fabric.subnetManagers.find(({ state }) => state === "MASTER");
  const others = fabric.subnetManagers.filter((manager) => manager !== master);
  // One that is there and silent has its own finding; a second master as well.
  const spare = others.some(({ state, answers }) => state !== "NOTACTIVE" && (state !== "unknown" || answers === "no"));
  if (master === undefined || spare) return [];
  return [
    finding("no-standby", {
      severity: "warning",
      title: "No standby subnet manager",
      subject: fabricSubject,
      message: `${managerName(fabric, master)} is the only subnet manager: when it dies, nobody takes over.`,
      evidence: `${fabric.subnetManagers.length} on the list, no STANDBY`,
      cause: "Only one subnet manager was set up, or the second one has ended.",
      remedy: "Start a second subnet manager on another management host or switch, with a lower priority.",
    }),
  ];
}
