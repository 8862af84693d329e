import { lowerKnown } from "../../base/statistics.ts";
import { dataRateGbps, formatGbps, formatRate, speedName } from "../../fabric/rates.ts";
import type { Capability } from "../capability.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, linkSubject, type RuleInput } from "./rule.ts";

/** Width or speed below what both ends support. A link below both gets one finding, on the width. O(links). */
export function belowCapability({ fabric, graph }: RuleInput, capability: Capability): readonly Finding[] {
  const found: Finding[] = [];
  const { ports, links } = fabric;
  const { active, gbps } = graph.links;
  for (let link = 0; link < links.count; link += 1) {
    const couldLanes = capability.lanes[link] ?? 0;
    const couldSpeed = capability.speed[link] ?? 0;
    if (active[link] === 0 || (couldLanes === 0 && couldSpeed === 0)) continue;
    const a = links.a[link] ?? 0;
    const b = links.b[link] ?? 0;
    const lanes = lowerKnown(ports.lanes[a] ?? 0, ports.lanes[b] ?? 0);
    const speed = lowerKnown(ports.speed[a] ?? 0, ports.speed[b] ?? 0);
    const canLanes = Math.max(couldLanes, lanes);
    const canSpeed = Math.max(couldSpeed, speed);
    const narrow = lanes > 0 && canLanes > lanes;
    const slow = speed > 0 && canSpeed > speed;
    if (!narrow && !slow) continue;
    const now = `${formatRate(lanes, speed)} ${formatGbps(gbps[link] ?? 0)} Gb/s`;
    const could = `${formatRate(canLanes, canSpeed)} ${formatGbps(dataRateGbps(canLanes, canSpeed))} Gb/s`;
    found.push(
      finding(narrow ? "width-below-capability" : "speed-below-capability", {
        severity: narrow ? "error" : "warning",
        title: narrow ? "Width below capability" : "Speed below capability",
        subject: linkSubject(fabric, link),
        message: `${linkSubject(fabric, link).name} runs ${now}; both ends support ${could}.`,
        evidence: `${now}, both ends support ${could}`,
        cause: narrow
          ? "Lanes did not come up: a dirty or damaged connector, a bent pin, a bad cable or transceiver."
          : `The ends agreed on ${speedName(speed)}: a cable or transceiver not made for ${speedName(canSpeed)}, a bad cable, or a speed fixed by hand on one end.`,
        remedy: narrow
          ? "Reseat and clean both ends, look at the width again, then swap the cable."
          : `Check that the cable is rated for ${speedName(canSpeed)} and that neither end has its speed fixed; then reseat or swap it.`,
      }),
    );
  }
  for (const [claim, links_] of capability.unusedClaims) {
    found.push(
      finding("claim-not-used", {
        severity: "note",
        title: "Claimed width not used",
        subject: fabricSubject,
        message: `iblinkinfo says of ${links_} links that they could be ${claim}, and no sibling of theirs runs so: a claim of the devices, not a fault of the cables.`,
        evidence: `${links_} links "Could be ${claim.toUpperCase()}"`,
        cause: "The devices report more lanes than their connectors have.",
        remedy: "Nothing to do.",
      }),
    );
  }
  return found;
}
