import { managerName } from "../managers.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, nodeSubject, type RuleInput } from "./rule.ts";

/** Managers on the list that did not answer sminfo. */
export function managerSilent({ fabric }: RuleInput): readonly Finding[] {
  return fabric.subnetManagers
    .filter(({ answers }) => answers === "no")
    .map((manager) => {
      const name = managerName(fabric, manager);
      const known =
        manager.state === "unknown" ? "its port says that one runs there" : `the master knows it as ${manager.state}`;
      return finding("manager-silent", {
        severity: "warning",
        title: "Subnet manager does not answer",
        subject: manager.node === undefined ? fabricSubject : nodeSubject(fabric, manager.node),
        message: `The subnet manager at ${name} (LID ${manager.lid}) does not answer sminfo; ${known}. Do not count on it to take over.`,
        evidence: `sminfo ${manager.lid}: no answer; ${known}`,
        cause: "It hangs, it has just ended and its port still carries the mark, or the way to its port is broken.",
        remedy: `Look at the process and its log on ${name}, restart it, and ask again.`,
      });
    });
}
