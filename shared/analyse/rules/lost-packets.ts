/** Pairs of adapter ports without a route, by the place at which their packets end. */
import { count, groupDigits } from "../../base/text.ts";
import { at, nodeName, portName, portState } from "../../fabric/access.ts";
import { none } from "../../fabric/model.ts";
import type { LostPlace } from "../routes/lost-places.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, nodeSubject, portSubject } from "./rule.ts";
import type { RouteRuleInput } from "./route-rule.ts";

const older =
  "The tables are older than the topology, or the subnet manager has not routed around the fault. Ask it for a heavy sweep (SIGHUP to opensm), then collect again with routes.";

/** O(places). */
export function lostPackets({ network, places, thresholds }: RouteRuleInput): readonly Finding[] {
  const shown = places.slice(0, thresholds.routes.places);
  const rest = places.slice(shown.length);
  const found = shown.map((place) =>
    place.why === "nowhere" ? staleRoute(network.fabric, place) : lostAt(network.fabric, place),
  );
  if (rest.length === 0) return found;
  const pairs = rest.reduce((sum, place) => sum + place.pairs, 0);
  return [
    ...found,
    finding("unreachable-pairs", {
      severity: "error",
      title: "More places that lose packets",
      subject: fabricSubject,
      message: `${count(rest.length, "more place")} lose the packets of ${count(pairs, "pair")} of adapter ports.`,
      evidence: `${groupDigits(places.length)} places in all, the ${shown.length} that lose most are named one by one`,
      cause:
        "Most likely one cause for all of them: tables that are older than the topology, or a routing that failed.",
      remedy: older,
    }),
  ];
}

type FabricOf = RouteRuleInput["network"]["fabric"];

function exampleWords(fabric: FabricOf, { example }: LostPlace): string {
  return `for instance ${portName(fabric, example.from)} to ${portName(fabric, example.to)} (LID ${example.lid})`;
}

function numbers(place: LostPlace): string {
  return `${count(place.pairs, "ordered pair")}, ${count(place.destinations, "destination")}`;
}

/** The table sends packets to a port that passes nothing. */
function staleRoute(fabric: FabricOf, place: LostPlace): Finding {
  const subject = place.port === undefined ? nodeSubject(fabric, place.node) : portSubject(fabric, place.port);
  const port = `${nodeName(fabric, place.node)}:${place.number}`;
  const state =
    place.port === undefined || at(fabric.ports.link, place.port) === none
      ? "has no cable in the topology"
      : `is ${portState(fabric, place.port) === "Active" ? "cabled to a port that is not up" : portState(fabric, place.port)}`;
  return finding("stale-route", {
    severity: "error",
    title: "Route to a port that leads nowhere",
    subject,
    message: `The forwarding table of ${nodeName(fabric, place.node)} sends ${count(place.destinations, "destination")} out of ${port}, which ${state}: ${count(place.pairs, "pair")} of adapter ports cannot talk, ${exampleWords(fabric, place)}.`,
    evidence: `${numbers(place)} lost at ${port}`,
    cause: "The forwarding tables are older than the topology: the cable went away after they were written.",
    remedy: older,
  });
}

function lostAt(fabric: FabricOf, place: LostPlace): Finding {
  const name = nodeName(fabric, place.node);
  const what =
    place.why === "no-route"
      ? `${name} has no route to ${count(place.destinations, "destination")} and drops what is sent there`
      : place.why === "ends-in-switch"
        ? `${name} takes ${count(place.destinations, "LID")} of others for its own`
        : `${name} sends ${count(place.destinations, "destination")} out of port ${place.number}, behind which is another node`;
  return finding("unreachable-pairs", {
    severity: "error",
    title: "Adapters that cannot reach each other",
    subject: place.port === undefined ? nodeSubject(fabric, place.node) : portSubject(fabric, place.port),
    message: `${what}: ${count(place.pairs, "pair")} of adapter ports cannot talk, ${exampleWords(fabric, place)}.`,
    evidence: `${numbers(place)} lost at ${name}${place.number > 0 ? `, port ${place.number}` : ""}`,
    cause:
      place.why === "no-route"
        ? "The subnet manager found no way, did not finish, or routes only part of the fabric."
        : "The LIDs were given to other ports after the tables were written.",
    remedy: older,
  });
}
