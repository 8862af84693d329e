/** Changes of subnet managers in words, for the window and for desktop notifications. */
import type { ManagerChange } from "./manager-log.ts";

export interface ChangeWords {
  readonly severity: "error" | "warning" | "note";
  readonly title: string;
  readonly detail: string;
}

function priority({ priority: value }: ManagerChange): string {
  return value < 0 ? "priority not known" : `priority ${value}`;
}

/**
 * What a change means. `nameOf`: a manager's name by its GUID; `masterless`: seconds without a master before a
 * handover, where they are known.
 */
export function changeWords(change: ManagerChange, nameOf: (guid: string) => string, masterless?: number): ChangeWords {
  const name = nameOf(change.guid);
  switch (change.kind) {
    case "seen":
      return {
        severity: "note",
        title: `${name} is ${change.to}`,
        detail: `first answer, ${priority(change)}, activity count ${change.activity}`,
      };
    case "state":
      return {
        severity: "note",
        title: `${name} is ${change.to} now`,
        detail: `it was ${change.from}, ${priority(change)}`,
      };
    case "handover":
      return {
        severity: "error",
        title: `${name} took over, ${change.from} to ${change.to}`,
        detail: [
          ...(change.before === undefined ? [] : [`${nameOf(change.before)} was master before`]),
          ...(masterless === undefined ? [] : [`about ${masterless} s without a master`]),
          "every handover sweeps the fabric",
        ].join(", "),
      };
    case "lost":
      return {
        severity: change.from === "MASTER" ? "error" : "warning",
        title: `${name} stopped answering`,
        detail: `it was ${change.from}, last activity count ${change.activity}${change.from === "MASTER" ? "; nothing new comes up until another one is master" : ""}`,
      };
    case "returned":
      return {
        severity: "note",
        title: `${name} answers again, ${change.to}`,
        detail: `same GUID, ${priority(change)}`,
      };
    case "stands-still":
      return {
        severity: "warning",
        title: `${name} answers, and its activity stands still`,
        detail: `activity count ${change.activity}: it may hang`,
      };
    case "moves-again":
      return { severity: "note", title: `${name} works again`, detail: `activity count ${change.activity}` };
    case "priority":
      return {
        severity: "note",
        title: `${name} has ${priority(change)} now`,
        detail: "when the master dies, the highest priority wins",
      };
    case "clock":
      return {
        severity: "note",
        title: "This machine's clock was set",
        detail: `by ${((change.jumpMs ?? 0) / 1000).toFixed(1)} s: times before and after do not compare`,
      };
  }
}
