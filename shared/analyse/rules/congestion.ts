import { count, groupDigits } from "../../base/text.ts";
import { at, nodeName, peerPort, portName } from "../../fabric/access.ts";
import { counterGrowth, secondsBetween } from "../../fabric/counters.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, portSubject, type RuleInput } from "./rule.ts";

/** Ports named one by one; a busy fabric waits everywhere, and the rest is counted. */
const portsNamed = 10;

/**
 * Ports at which packets waited between two readings (PortXmitWait). Congestion is never a bad cable: a note on the port,
 * which colours no link. O(ports).
 */
export function congestion({ fabric }: RuleInput): readonly Finding[] {
  const { counters } = fabric;
  if (counters === undefined || secondsBetween(counters) <= 0) return [];
  const waits: { readonly port: number; readonly growth: number; readonly perHour: number }[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const grown = counterGrowth(counters, "PortXmitWait", port);
    if (grown !== undefined && grown.growth > 0) waits.push({ port, growth: grown.growth, perHour: grown.perHour });
  }
  waits.sort((a, b) => b.growth - a.growth);
  const words = {
    severity: "note",
    title: "Congestion",
    cause: "More comes for this port than it may send on: many senders for one receiver, or a slow receiver behind it.",
    remedy: "No sign of a bad cable. Look at what the hosts behind it do, and at the balance of the routes.",
  } as const;
  const named = waits.slice(0, portsNamed).map(({ port, growth, perHour }) => {
    const peer = peerPort(fabric, port);
    const to = peer === undefined ? "" : ` to ${nodeName(fabric, at(fabric.ports.node, peer))}`;
    const evidence = `PortXmitWait +${groupDigits(growth)} ticks (${groupDigits(Math.round(perHour))} an hour)`;
    return finding("congestion", {
      ...words,
      subject: portSubject(fabric, port),
      message: `Packets waited at ${portName(fabric, port)}${to}: ${evidence}.`,
      evidence,
    });
  });
  const rest = waits.length - named.length;
  if (rest <= 0) return named;
  return [
    ...named,
    finding("congestion", {
      ...words,
      subject: fabricSubject,
      message: `Packets waited at ${count(rest, "more port")}; the ${named.length} at which they waited longest are listed.`,
      evidence: `PortXmitWait grew at ${waits.length} ports`,
    }),
  ];
}
