import { type CreditLoop, findCreditLoops } from "../../shared/analyse/routes/credit-loops.ts";
import { betweenAdapters, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { type RouteSummary, summariseRoutes } from "../../shared/analyse/routes/summary.ts";
import { count, groupDigits, visibleText } from "../../shared/base/text.ts";
import { portId, portName } from "../../shared/fabric/access.ts";
import { loadRoutes, type LoadedRoutes } from "./load-routes.ts";
import { readOptions } from "./options.ts";
import { fail, print, printJson } from "./terminal.ts";

interface RouteFacts {
  readonly summary: RouteSummary;
  /** Over the base LIDs. */
  readonly creditLoops: readonly CreditLoop[];
  /** Over the base LIDs by what adapters send to adapters, as findings judge them; undefined where all ends are adapters. */
  readonly creditLoopsOfAdapters: readonly CreditLoop[] | undefined;
  /** Over all LIDs; undefined where every port has one. */
  readonly creditLoopsAllLids: readonly CreditLoop[] | undefined;
}

function readRoutes(network: RouteNetwork): RouteFacts {
  const several = network.fabric.ports.lmc.some((lmc) => lmc > 0);
  const adapters = betweenAdapters(network);
  const others = adapters.endpoints.length < network.endpoints.length;
  return {
    summary: summariseRoutes(network),
    creditLoops: findCreditLoops(network),
    creditLoopsOfAdapters: others ? findCreditLoops(adapters) : undefined,
    creditLoopsAllLids: several ? findCreditLoops(network, "all") : undefined,
  };
}

/** `{ "2": 248, … }`: what is not 0, by its index. */
function byIndex(counts: readonly number[]): Record<string, number> {
  return Object.fromEntries([...counts.entries()].filter(([, n]) => n > 0).map(([index, n]) => [String(index), n]));
}

/** `ibex routes --json`. A promise to scripts: add, never change. */
function routesReport({ network, routes }: LoadedRoutes, facts: RouteFacts): unknown {
  const { fabric } = network;
  const { summary } = facts;
  const ids = (ports: readonly number[]): readonly string[] => ports.map((port) => portId(fabric, port));
  return {
    pairs: summary.pairs,
    hops: byIndex(summary.hops),
    destinationsPerPort: byIndex(summary.destinationsPerPort),
    creditLoops: facts.creditLoops.map(ids),
    ...(facts.creditLoopsOfAdapters === undefined
      ? {}
      : { creditLoopsOfAdapters: facts.creditLoopsOfAdapters.map(ids) }),
    ...(facts.creditLoopsAllLids === undefined ? {} : { creditLoopsAllLids: facts.creditLoopsAllLids.map(ids) }),
    unreachable: summary.unreachable,
    unknown: summary.unknown,
    unreachablePairs: summary.lostPairs.map(({ from, to, lid, why }) => ({
      from: portId(fabric, from),
      to: portId(fabric, to),
      lid,
      why,
    })),
    loops: summary.loops.map(({ lid, lids, ports }) => ({ lid, lids, ports: ids(ports) })),
    files: routes.files,
    diagnostics: routes.diagnostics.map(({ severity, code, file, line, column, message }) => ({
      severity,
      code,
      file,
      line,
      column,
      message,
    })),
  };
}

function table(head: string, counts: readonly number[]): string[] {
  return [
    head,
    ...[...counts.entries()].filter(([, n]) => n > 0).map(([index, n]) => `  ${String(index).padStart(6)}  ${n}`),
  ];
}

function routesText({ capture, network, routes }: LoadedRoutes, facts: RouteFacts): string {
  const { fabric } = network;
  const { summary, creditLoops, creditLoopsOfAdapters, creditLoopsAllLids } = facts;
  const names = (ports: readonly number[]): string => ports.map((port) => portName(fabric, port)).join(", ");
  const circles = (loops: readonly CreditLoop[], lids: string): string[] =>
    loops.length === 0
      ? [`No credit loops${lids}.`]
      : [`${count(loops.length, "credit loop")}${lids}:`, ...loops.map((ports) => `  ${names(ports)}`)];
  const lines = [
    `${capture.name}${capture.simulated ? "  [simulated]" : ""}: tables of ${routes.files.join(", ")}`,
    `${count(summary.pairs, "pair")} of adapter ports: ${groupDigits(summary.unreachable)} unreachable, ${groupDigits(summary.unknown)} not known`,
    ...table("Links on the route, pairs:", summary.hops),
    ...table("Destinations of a switch-to-switch port, ports:", summary.destinationsPerPort),
    ...(creditLoopsOfAdapters === undefined ? [] : circles(creditLoopsOfAdapters, " by what hosts send to hosts")),
    ...circles(
      creditLoops,
      `${creditLoopsOfAdapters === undefined ? "" : " with aggregation nodes, which talk along trees of their own"}${creditLoopsAllLids === undefined ? "" : " over the base LIDs"}`,
    ),
    ...(creditLoopsAllLids === undefined ? [] : circles(creditLoopsAllLids, " over all LIDs")),
    ...summary.loops.map(
      ({ lid, lids, ports }) =>
        `Forwarding loop of LID ${lid}${lids > 1 ? ` and ${lids - 1} more` : ""}: ${names(ports)}`,
    ),
    ...summary.lostPairs
      .slice(0, 20)
      .map(({ from, to, lid }) => `No route: ${portName(fabric, from)} to ${portName(fabric, to)}, LID ${lid}`),
    ...routes.diagnostics
      .filter(({ severity }) => severity !== "note")
      .slice(0, 20)
      .map(({ file, line, message }) => `${file}${line > 0 ? `:${line}` : ""} ${message}`),
  ];
  return lines.map(visibleText).join("\n");
}

/** `ibex routes PATH… [--json]`: what the forwarding tables make of the fabric. */
export async function routesCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ["json"]);
  if (!options.ok) return fail(options.error, 2);
  const { words } = options.value;
  if (words.length === 0)
    return fail(
      {
        kind: "bad-request",
        detail: "ibex routes needs a capture, a folder or files with forwarding tables: ibex routes PATH",
      },
      2,
    );
  const loaded = await loadRoutes(words);
  if (!loaded.ok) return fail(loaded.error, 2);
  const facts = readRoutes(loaded.value.network);
  if (options.value.flag("json")) printJson(routesReport(loaded.value, facts));
  else print(routesText(loaded.value, facts));
  return 0;
}
