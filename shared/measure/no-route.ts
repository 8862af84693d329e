/** Why no route of two hosts crosses a cable between switches, what carries the data instead, and what would help. */
import { pairsAcross } from "../analyse/routes/across.ts";
import { portOfRow, portsOfRow, type RouteNetwork } from "../analyse/routes/network.ts";
import type { Result } from "../base/result.ts";
import { count } from "../base/text.ts";
import type { AppError } from "../errors/kinds.ts";
import { at, linkName, nodeName, portName } from "../fabric/access.ts";
import { none } from "../fabric/model.ts";
import type { Attachment } from "./endpoints.ts";
import { noPath } from "./reasons.ts";

interface Way {
  /** Port index that the cable is left by. */
  readonly port: number;
  readonly destinations: ReturnType<typeof pairsAcross>["destinations"];
}

const portsNamed = 4;

/** `leaf-03 sends to 126 adapter ports by 37 (18), 39 (18), …, to none by 38`, from its own table. */
function loadOf(network: RouteNetwork, port: number): string {
  const { fabric, lfts, nextRow, portIndex, endpointLid, endpointRow } = network;
  const node = at(fabric.ports.node, port);
  const row = at(lfts.rowOfNode, node);
  const byPort = new Map<number, number>();
  endpointLid.forEach((lid, index) => {
    if (at(endpointRow, index) === row) return;
    const out = portOfRow(lfts, row, lid);
    // Only what goes on to another switch: the measured cable leads to one as well.
    if (at(portIndex, row * portsOfRow + out) === none || (nextRow[row * portsOfRow + out] ?? -1) < 0) return;
    byPort.set(out, (byPort.get(out) ?? 0) + 1);
  });
  const own = at(fabric.ports.number, port);
  const busiest = [...byPort].filter(([out]) => out !== own).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (busiest.length === 0) return `${nodeName(fabric, node)} sends nothing on to other switches`;
  const shown = busiest.slice(0, portsNamed).map(([out, ports]) => `${out} (${count(ports, "adapter port")})`);
  const rest = busiest.length > portsNamed ? ` and ${count(busiest.length - portsNamed, "other port")}` : "";
  const through = byPort.get(own) ?? 0;
  return `${nodeName(fabric, node)} sends to other leaves by port ${shown.join(", ")}${rest}; by port ${own} to ${through === 0 ? "none" : count(through, "adapter port")}`;
}

/** The refusal with its reason. `ways`: the directions that were asked for. */
export function noRouteReason(
  network: RouteNetwork,
  link: number,
  ways: readonly Way[],
  attachments: readonly Attachment[],
): Result<never, AppError> {
  const { fabric } = network;
  const name = linkName(fabric, link);
  const usable = new Set(attachments.map(({ port }) => port));
  const reached = ways.flatMap(({ destinations }) => destinations);
  if (reached.length > 0) {
    const unfit = reached.filter(({ port }) => !usable.has(port)).map(({ port }) => portName(fabric, port));
    const whose =
      unfit.length === 0
        ? "both ends are always the same host"
        : `they end at ${unfit.slice(0, portsNamed).join(", ")}${unfit.length > portsNamed ? ` and ${unfit.length - portsNamed} more` : ""}, where no test can run`;
    return noPath(
      fabric,
      link,
      `Routes cross ${name}, but none between two hosts that can take part: ${whose}.`,
      "Bring another host behind the cable up, then collect again with routes.",
    );
  }
  const instead = ways.map(({ port }) => loadOf(network, port)).join(". ");
  const furtherLids = ways.reduce((sum, { port }) => sum + pairsAcross(network, port, "all").pairs, 0);
  if (furtherLids > 0) {
    return noPath(
      fabric,
      link,
      `Only routes to further LIDs (LMC) cross ${name}, ${count(furtherLids, "pair")} of them; perftest sends to the base LID of a port. ${instead}.`,
      "Compare the error counters of both ends, or have the subnet manager route a base LID over it.",
    );
  }
  return noPath(
    fabric,
    link,
    `No route crosses ${name}${ways.length === 1 ? " this way" : ""}: ${instead}.`,
    "Measure the cables that carry the routes, or have the subnet manager route anew (for opensm: send it HUP) and collect again with routes; until then the error counters of both ends are all there is.",
  );
}
