/** Cables that carry the routes of many times as many destinations as their siblings, or of none. */
import { count, groupDigits } from "../../base/text.ts";
import { at, linkGbps, nodeName } from "../../fabric/access.ts";
import type { Finding } from "../results.ts";
import { median, siblingPorts } from "../routes/siblings.ts";
import { finding, linkSubject } from "./rule.ts";
import type { RouteRuleInput } from "./route-rule.ts";

/** The worst cable of each switch. O(ports). */
export function unbalancedRoutes({ network, topology, summary, thresholds }: RouteRuleInput): readonly Finding[] {
  const { fabric } = network;
  const limits = thresholds.routes;
  const found: { readonly excess: number; readonly finding: Finding }[] = [];
  const unused: Finding[] = [];
  for (const { ports, words } of siblingPorts(network, topology)) {
    if (ports.length < limits.siblings) continue;
    const values = ports.map((port) => at(summary.destinationsOfPort, port));
    // Of the others: a port that carries everything must not lift what is usual.
    const worst = values.indexOf(Math.max(...values));
    const own = values[worst] ?? 0;
    const usual = median(values.filter((_, index) => index !== worst));
    const port = ports[worst];
    if (port === undefined || own === 0) continue;
    const link = at(fabric.ports.link, port);
    const many = own - usual >= limits.excess && own > usual * limits.imbalance;
    const rates = ports.map((other) => linkGbps(fabric, at(fabric.ports.link, other)));
    const subject = linkSubject(fabric, link);
    if (many) {
      const times = usual === 0 ? "" : `, ${(own / usual).toFixed(1)} times as many`;
      found.push({
        excess: own - usual,
        finding: finding("unbalanced-routes", {
          severity: "warning",
          title: "Carries more routes than its siblings",
          subject,
          message: `${groupDigits(own)} destinations are reached through ${subject.name}; its ${ports.length - 1} siblings (${words}) carry ${groupDigits(usual)} each${times}.`,
          evidence: `${groupDigits(own)} destinations, ${count(at(summary.pairsOfPort, port), "pair")}; siblings: median ${groupDigits(usual)}, ${Math.min(...values)} to ${own}`,
          cause:
            "The subnet manager balanced before a cable came back, or by paths without looking at destinations; a cable that was missing when the tables were written has none of them.",
          remedy:
            "Ask the subnet manager for a heavy sweep. If it stays, compare routing_engine, and guid_routing_order or port_search_ordering_file with the other switches.",
        }),
      });
      continue;
    }
    const idle = ports.filter((_, index) => values[index] === 0);
    const [first] = idle;
    if (first === undefined || usual < limits.excess || new Set(rates).size > 1) continue;
    const name = nodeName(fabric, at(fabric.ports.node, first));
    const idleSubject = linkSubject(fabric, at(fabric.ports.link, first));
    unused.push(
      finding("unbalanced-routes", {
        severity: "note",
        title: "No route uses this cable",
        subject: idleSubject,
        message: `No destination is reached from ${name} through ${idleSubject.name}${idle.length > 1 ? ` and ${idle.length - 1} more` : ""}, while its siblings (${words}) carry ${groupDigits(usual)} each.`,
        evidence: `0 destinations; siblings: median ${groupDigits(usual)}, highest ${groupDigits(own)}`,
        cause: "The cable came back after the tables were written, or the subnet manager leaves it out.",
        remedy: "Ask the subnet manager for a heavy sweep, then collect again with routes.",
      }),
    );
  }
  found.sort((a, b) => b.excess - a.excess);
  return [...found.map((entry) => entry.finding), ...unused].slice(0, limits.places);
}
