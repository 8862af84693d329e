/** From a clicked cable to a plan: who measures against whom, over which path, with which commands. */
import { err, ok, type Result } from "../base/result.ts";
import { count } from "../base/text.ts";
import type { AppError } from "../errors/kinds.ts";
import { at, hostName, linkId, linkKind, linkName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import type { RouteNetwork } from "../analyse/routes/network.ts";
import { besidePorts } from "./beside.ts";
import { expectedSeconds, sideArgv } from "./argv.ts";
import { endpointOf, type Attachment, type HealthColumns } from "./endpoints.ts";
import type { Choice, Route } from "./route.ts";
import { planBackToBack, planHostLink } from "./plan-host-link.ts";
import { planByRoutes } from "./plan-by-routes.ts";
import { planInterSwitch } from "./plan-inter-switch.ts";
import { slowestOf, stepsToHops } from "./hops.ts";
import { noPath, stateReason } from "./reasons.ts";
import { isBandwidthTool, optionsProblem, stepsOf, type TestStep } from "./steps.ts";
import type { Endpoint, MeasureOptions, MeasurePlan, PlannedCommand, PlannedStep } from "./types.ts";

export interface PlanInput {
  /** Link index in the fabric. */
  readonly link: number;
  readonly fabricId: string;
  readonly planId: string;
  readonly options: MeasureOptions;
  /** Names of hosts that the user chose. */
  readonly client?: string;
  readonly server?: string;
  readonly simulated: boolean;
  /** Forwarding tables of this fabric (analyse/routes/network.ts): the pair is then chosen by its real route. */
  readonly routes?: RouteNetwork;
  /** Which way the data shall cross a cable between switches; either way unless told. */
  readonly direction?: "a-to-b" | "b-to-a";
}

const othersListed = 50;
/** Finding devices, versions and a free port before the first run. */
const preparationSeconds = 3;

/** Different names of hosts, without the one that is chosen. */
function otherHosts(fabric: Fabric, attachments: readonly Attachment[], chosen: string): readonly string[] {
  const names = new Set<string>();
  for (const { host } of attachments) {
    if (names.size >= othersListed) break;
    const name = hostName(fabric, host);
    if (name !== chosen) names.add(name);
  }
  return [...names];
}

function plannedCommands(
  step: TestStep,
  client: Endpoint,
  server: Endpoint,
  tcpPort: string,
): readonly PlannedCommand[] {
  const { tool, options } = step;
  const target = (side: Endpoint) => ({ device: side.deviceHint ?? "DEVICE", ibPort: side.port, tcpPort });
  const macs = { client: "MAC_OF_CLIENT", server: "MAC_OF_SERVER" };
  return [
    {
      role: "server",
      host: server.host,
      argv: sideArgv(tool, options, {
        ...target(server),
        raw: { role: "server", own: macs.server, other: macs.client },
      }),
    },
    {
      role: "client",
      host: client.host,
      argv: sideArgv(tool, options, {
        ...target(client),
        address: server.host,
        raw: { role: "client", own: macs.client, other: macs.server },
      }),
    },
  ];
}

/** `Bandwidth n050 to n075`: which way the data goes, and what tells the step from the others. */
function stepTitle({ id, name, tool, options }: TestStep, client: string, server: string): string {
  const both = isBandwidthTool(tool) && options.bidirectional;
  const way = both ? "and" : tool === "ib_read_bw" ? "from" : "to";
  const more = both ? " at once" : id.startsWith("qp-") ? `, ${count(options.queuePairs, "QP")}` : "";
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${client} ${way} ${server}${more}`;
}

function plannedSteps(
  options: MeasureOptions,
  client: Endpoint,
  server: Endpoint,
  gbps: number,
): readonly PlannedStep[] {
  return stepsOf(options).map((step) => {
    const { id, tool, load } = step;
    return {
      id,
      title: stepTitle(step, client.host, server.host),
      tool,
      options: step.options,
      // The load begins first and is waited for to its end.
      seconds:
        load === undefined ? expectedSeconds(tool, step.options, gbps) : expectedSeconds(load.tool, load.options, gbps),
      ...(load === undefined ? {} : { load: load.tool }),
      commands: [
        ...(load === undefined ? [] : plannedCommands(load, client, server, "OTHER_TCP_PORT")),
        ...plannedCommands(step, client, server, "TCP_PORT"),
      ],
    };
  });
}

function findRoute(fabric: Fabric, analysis: HealthColumns, input: PlanInput): Result<Route, AppError> {
  const { link, routes, direction } = input;
  const choice: Choice = input;
  switch (linkKind(fabric, link)) {
    case "aggregation":
      return noPath(
        fabric,
        link,
        `${linkName(fabric, link)} leads to an aggregation node (SHARP) inside the switch: no program runs there that could answer.`,
        "Measure the other cables of that switch instead.",
      );
    case "router":
      return noPath(
        fabric,
        link,
        `${linkName(fabric, link)} leads to a router: the hosts behind it belong to another subnet, which this capture does not show.`,
        "Collect the other subnet as well and measure there, or measure the other cables of the switch.",
      );
    case "host":
      return planBackToBack(fabric, analysis, link, choice) ?? planHostLink(fabric, analysis, link, choice, routes);
    case "inter-switch":
      return (
        (routes === undefined ? undefined : planByRoutes(routes, analysis, link, choice, direction)) ??
        planInterSwitch(fabric, analysis, link, choice, direction)
      );
  }
}

/**
 * Plans the measurement of one cable. A host's cable: that host and a near partner. A cable between switches: with
 * forwarding tables a pair whose route crosses it, with the fewest other cables; without, the pair of hosts with the
 * shortest path over it, which is likely and not proven. O(links) and a few searches over the switches.
 *
 * @returns `no-path` with the exact reason and what would help; `bad-request` for options that do not go together;
 * `unknown-id` for a link index that the fabric has not.
 */
export function planMeasurement(
  fabric: Fabric,
  analysis: HealthColumns,
  input: PlanInput,
): Result<MeasurePlan, AppError> {
  const { link } = input;
  if (!Number.isInteger(link) || link < 0 || link >= fabric.links.count) {
    return err({ kind: "unknown-id", what: "link", id: String(link) });
  }
  const unfit = optionsProblem(input.options);
  if (unfit !== undefined) return err({ kind: "bad-request", detail: unfit });
  const down = stateReason(fabric, link);
  if (down !== undefined) return noPath(fabric, link, down.reason, down.help);
  const found = findRoute(fabric, analysis, input);
  if (!found.ok) return found;
  return ok(assemblePlan(fabric, input, found.value));
}

/** The plan of a route that is chosen. */
export function assemblePlan(fabric: Fabric, input: PlanInput, route: Route): MeasurePlan {
  const { link, options } = input;
  const client = endpointOf(fabric, route.client);
  const server = endpointOf(fabric, route.server);
  const path = stepsToHops(fabric, at(fabric.ports.node, route.client.port), route.links);
  const slowest = slowestOf(path, link);
  const steps = plannedSteps(options, client, server, slowest.gbps);
  const beside = besidePorts(fabric, path, link);
  return {
    id: input.planId,
    fabricId: input.fabricId,
    link: linkId(fabric, link),
    linkName: linkName(fabric, link),
    linkIndex: link,
    options,
    client,
    server,
    path,
    hops: path.length - 1,
    slowestGbps: slowest.gbps,
    slowestHop: slowest.hop,
    basis: route.basis,
    will: route.will,
    cannot: route.cannot,
    steps,
    seconds: steps.reduce((sum, step) => sum + step.seconds, preparationSeconds),
    otherClients: otherHosts(fabric, route.clients, client.host),
    otherServers: otherHosts(fabric, route.servers, server.host),
    simulated: input.simulated,
    ...(beside.length === 0 ? {} : { beside }),
  };
}
