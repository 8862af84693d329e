import type { Finding } from "../results.ts";
import { fabricSubject, finding, type RuleInput } from "./rule.ts";

/** No master among the subnet managers that were asked. Says nothing when nobody asked. */
export function noSubnetManager({ fabric }: RuleInput): readonly Finding[] {
  if (!fabric.smAsked || fabric.subnetManagers.some((manager) => manager.state === "MASTER")) return [];
  // Where only capability bits tell that some are there, nobody has asked them for their state.
  const managers = fabric.subnetManagers;
  if (managers.length > 0 && managers.every(({ state, answers }) => state === "unknown" && answers === "not-asked"))
    return [];
  const others = managers.map((manager) => `${manager.guid} ${manager.state}`).join(", ");
  return [
    finding("no-subnet-manager", {
      severity: "error",
      title: "No master subnet manager answers",
      subject: fabricSubject,
      message:
        "No subnet manager answers as MASTER. What is up keeps running, but nothing new comes up and nothing is rerouted.",
      evidence: others === "" ? "sminfo got no answer" : `seen: ${others}`,
      cause:
        "The subnet manager is not started, has died, or its port has no way to the fabric; during a take-over this lasts seconds.",
      remedy: "Start or restart the subnet manager; look at its log and at its own port. Then collect again.",
    }),
  ];
}
