import { groupDigits } from "../../base/text.ts";
import { none, physStates, portStates } from "../../fabric/model.ts";
import { at, linkName, physState, portName, portState } from "../../fabric/access.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, linkSubject, portSubject, type RuleInput } from "./rule.ts";

const trainingCodes: readonly number[] = (
  ["LinkErrorRecovery", "PortConfigurationTraining", "PhyTest"] satisfies readonly (typeof physStates)[number][]
).map((name) => physStates.indexOf(name));
const unknownCode = portStates.indexOf("unknown");
const downCode = portStates.indexOf("Down");

/** Cabled ports that are not Active, expected cables that are down, and ports in a physical state that is none to stay in. O(ports). */
export function portNotActive({ fabric, graph, missingLinks }: RuleInput): readonly Finding[] {
  const found: Finding[] = [];
  const { ports, links } = fabric;
  const inactive: number[] = [];
  for (let link = 0; link < links.count; link += 1) if (graph.links.active[link] === 0) inactive.push(link);
  const master = fabric.subnetManagers.some((manager) => manager.state === "MASTER");
  if (!master && inactive.length > 2 && inactive.length * 2 > links.count) {
    found.push(
      finding("port-not-active", {
        severity: "error",
        title: "Links not Active",
        subject: fabricSubject,
        message: `${groupDigits(inactive.length)} of ${groupDigits(links.count)} links are not Active: no subnet manager has configured them.`,
        evidence: `${groupDigits(inactive.length)} of ${groupDigits(links.count)} links in ${portState(fabric, at(links.a, inactive[0] ?? 0))}`,
        cause: "No subnet manager runs, or none reaches this part of the fabric.",
        remedy: "Start a subnet manager, then collect again.",
      }),
    );
  } else {
    for (const link of inactive) found.push(inactiveLink(fabric, link));
  }
  for (const missing of missingLinks) {
    const state = `${portState(fabric, missing.a)} / ${physState(fabric, missing.a)}`;
    found.push(
      finding("link-down", {
        severity: "error",
        title: "Link down",
        subject: portSubject(fabric, missing.a),
        message: `${portName(fabric, missing.a)} to ${portName(fabric, missing.b)} is down. ${missing.reason}`,
        evidence: `${state} on both ends, siblings are cabled`,
        cause: "Cable pulled, broken or never plugged, transceiver dead, or the port was disabled.",
        remedy: `Walk to ${portName(fabric, missing.a)} and ${portName(fabric, missing.b)}: check both plugs and lights, then swap the cable.`,
      }),
    );
  }
  for (let port = 0; port < ports.count; port += 1) {
    const state = ports.state[port] ?? unknownCode;
    const training = trainingCodes.includes(ports.phys[port] ?? 0);
    const lonely = ports.link[port] === none && state !== downCode && state !== unknownCode;
    if (!training && !lonely) continue;
    const phys = physState(fabric, port);
    const subject = portSubject(fabric, port);
    found.push(
      finding("port-not-active", {
        severity: training ? "warning" : "note",
        title: training ? "Port does not settle" : "Far end not available",
        subject,
        message: training
          ? `${subject.name} is ${portState(fabric, port)} / ${phys}: the link does not settle.`
          : `${subject.name} is ${portState(fabric, port)} / ${phys} and no tool could reach what is on the other end.`,
        evidence: `${portState(fabric, port)} / ${phys}`,
        cause: training
          ? "A bad cable, transceiver or port, or ends that do not agree on a speed."
          : "The far end is disabled, protected by a key, or does not answer.",
        remedy: training
          ? "Reseat and clean both ends; swap the cable."
          : "Check the device on the other end, then collect again.",
      }),
    );
  }
  return found;
}

function inactiveLink(fabric: RuleInput["fabric"], link: number): Finding {
  const a = at(fabric.links.a, link);
  const b = at(fabric.links.b, link);
  const worst = portState(fabric, a) === "Active" || portState(fabric, a) === "unknown" ? b : a;
  const state = portState(fabric, worst);
  const waits = state === "Initialize" || state === "Armed";
  return finding("port-not-active", {
    severity: "error",
    title: `Port in ${state}`,
    subject: linkSubject(fabric, link),
    message: `${linkName(fabric, link)} is cabled and not Active: ${portName(fabric, worst)} is ${state} / ${physState(fabric, worst)}.`,
    evidence: `${portName(fabric, a)} ${portState(fabric, a)} / ${physState(fabric, a)}, ${portName(fabric, b)} ${portState(fabric, b)} / ${physState(fabric, b)}`,
    cause: waits
      ? "The subnet manager has not brought this port up: no sweep reached it, or its last sweep failed here."
      : "The port is down on one end.",
    remedy: waits
      ? "Look at the subnet manager's log for this node; a heavy sweep (SIGHUP to opensm) often brings it up."
      : "Check both ends of the cable.",
  });
}
