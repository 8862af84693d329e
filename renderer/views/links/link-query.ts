/** Filters and sort keys of the links table. Pure; no React. */
import type { RoutesView } from "../../../shared/contract/routes.ts";
import { busierWay } from "../../graph/overlay-routes.ts";
import { healths } from "../../../shared/analyse/results.ts";
import { at, type LinkKind, nodeName } from "../../../shared/fabric/access.ts";
import { speeds } from "../../../shared/fabric/rates.ts";
import { orderRows, rankTexts, type SortKey } from "../../parts/data-table-order.ts";
import { linkKinds, type LinkTable, type MeasuredColumns, rowStates, stateText } from "./link-rows.ts";
import { nodeNames, nodesNamed, portMatcher } from "./node-text.ts";
import { namedPositions, type Query, type QueryKey, queryKey, type QueryValue } from "./query.ts";

/** Percent classes of `measured:` besides `yes` and `no`. */
const measuredValues = ["yes", "no", "passed", "slow"] as const;

function counted(names: readonly string[], codes: ArrayLike<number>): readonly QueryValue[] {
  const rows = new Array<number>(names.length).fill(0);
  for (let row = 0; row < codes.length; row += 1) {
    const code = at(codes, row);
    rows[code] = (rows[code] ?? 0) + 1;
  }
  return names
    .map((value, code) => ({ value: value.toLowerCase(), rows: rows[code] ?? 0 }))
    .filter((value) => value.rows > 0);
}

/** What a links query can filter by, with the values that occur. */
export function linkQueryKeys(table: LinkTable, measured: MeasuredColumns): readonly QueryKey[] {
  const { fabric, analysis } = table;
  const names = (nodes: readonly number[]): readonly QueryValue[] =>
    nodes.slice(0, 2000).map((node) => ({ value: nodeName(fabric, node) }));
  const occurring = (column: Iterable<number>): readonly number[] =>
    [...new Set(column)].filter((value) => value > 0).sort((x, y) => x - y);
  const tier = (name?: string): readonly number[] =>
    analysis.topology.tiers.flatMap((entry) => (name === undefined || entry.name === name ? entry.switches : []));
  return [
    queryKey("health", "worst first", () =>
      [...counted(healths, measured.health)].reverse().concat({ value: "degraded" }),
    ),
    queryKey("kind", "what it joins", () => counted(linkKinds, table.kind)),
    queryKey("state", "logical state", () => counted(rowStates, table.state)),
    queryKey("speed", "per lane", () => counted(speeds, table.speed).filter((v) => v.value !== "unknown")),
    queryKey("width", "lanes", () => occurring(table.lanes).map((lanes) => ({ value: `${lanes}x` }))),
    queryKey("rate", "Gb/s", () => occurring(table.gbps).map((gbps) => ({ value: String(gbps) }))),
    queryKey("measured", "newest result", () => measuredValues.map((value) => ({ value }))),
    queryKey("leaf", "an end at this leaf", () => names(tier("leaf"))),
    queryKey("spine", "an end at this spine", () => names(tier("spine"))),
    queryKey("node", "an end at this node", () => names(tier())),
  ];
}

type RowTest = (row: number) => boolean;

function tierMask(table: LinkTable, name: string): (node: number) => boolean {
  const inTier = new Set(
    table.analysis.topology.tiers.filter((tier) => tier.name === name).flatMap((tier) => [...tier.switches]),
  );
  return (node) => inTier.has(node);
}

function endTest(table: LinkTable, values: readonly string[], allowed: (node: number) => boolean): RowTest {
  const named = nodesNamed(table.fabric, values);
  const fits = (port: number): boolean => {
    const node = at(table.fabric.ports.node, port);
    return named[node] === 1 && allowed(node);
  };
  return (row) => fits(at(table.a, row)) || fits(at(table.b, row));
}

function healthMask(values: readonly string[]): Uint8Array {
  const mask = namedPositions(values, healths);
  if (values.includes("degraded")) {
    for (const bad of ["warning", "error", "down"] as const) mask[healths.indexOf(bad)] = 1;
  }
  return mask;
}

function measuredTest(values: readonly string[], measured: MeasuredColumns, passPercent: number): RowTest {
  return (row) => {
    const has = measured.summary.has(row);
    const percent = measured.percent[row] ?? NaN;
    return values.some((value) => {
      if (value === "yes") return has;
      if (value === "no") return !has;
      if (value === "passed") return percent >= passPercent;
      return value === "slow" && percent < passPercent;
    });
  };
}

function filterTest(
  table: LinkTable,
  measured: MeasuredColumns,
  passPercent: number,
  key: string,
  values: readonly string[],
): RowTest {
  const masked = (mask: Uint8Array, codes: Uint8Array): RowTest => {
    return (row) => mask[at(codes, row)] === 1;
  };
  switch (key) {
    case "health":
      return masked(healthMask(values), measured.health);
    case "kind":
      return masked(namedPositions(values, linkKinds), table.kind);
    case "state":
      return masked(namedPositions(values, rowStates), table.state);
    case "speed":
      return masked(
        Uint8Array.from(speeds, (name) => (values.includes(name.toLowerCase()) ? 1 : 0)),
        table.speed,
      );
    case "width":
      return (row) => values.includes(`${at(table.lanes, row)}x`) || values.includes(String(at(table.lanes, row)));
    case "rate":
      return (row) => values.includes(String(at(table.gbps, row)));
    case "measured":
      return measuredTest(values, measured, passPercent);
    case "leaf":
    case "spine":
      return endTest(table, values, tierMask(table, key));
    default:
      return endTest(table, values, () => true);
  }
}

/** Numbers that a port can have: a byte. */
const portsOfANode = 256;

/** Place of each row's end among all ports: by the node's name, then by port number. */
function endRanks(table: LinkTable, ports: Uint32Array): Float64Array {
  const { node, number } = table.fabric.ports;
  const { nameRank } = nodeNames(table.fabric);
  const ranks = new Float64Array(ports.length);
  for (let row = 0; row < ports.length; row += 1) {
    const port = ports[row] ?? 0;
    ranks[row] = (nameRank[node[port] ?? 0] ?? 0) * portsOfANode + (number[port] ?? 0);
  }
  return ranks;
}

const kindsInOrder: readonly LinkKind[] = ["inter-switch", "router", "host", "aggregation"];

/** All row ids in their natural order: cables between switches, then routers, hosts; each by end A, then port. O(rows). */
export function linkOrder(table: LinkTable): Uint32Array {
  const places = table.fabric.nodes.count * portsOfANode;
  const offsets = linkKinds.map((kind) => kindsInOrder.indexOf(kind) * places);
  const place = endRanks(table, table.a);
  for (let row = 0; row < table.count; row += 1) {
    place[row] = (place[row] ?? 0) + (offsets[table.kind[row] ?? 0] ?? 0);
  }
  return orderRows(Uint32Array.from(place.keys()), place, false);
}

/** Row ids that fit, in the order given. O(rows × words). */
export function filterLinks(
  table: LinkTable,
  measured: MeasuredColumns,
  order: Uint32Array,
  query: Query,
  passPercent: number,
): Uint32Array {
  const tests: RowTest[] = query.filters.map((filter) => {
    const test = filterTest(table, measured, passPercent, filter.key, filter.values);
    return filter.negated ? (row) => !test(row) : test;
  });
  for (const term of query.terms) {
    const fits = portMatcher(table.fabric, term);
    tests.push((row) => fits(at(table.a, row)) || fits(at(table.b, row)));
  }
  let fitting = order;
  for (const test of tests) fitting = fitting.filter(test);
  return fitting;
}

/** Ranks of the words for each row's state. There are few, so each is put into words once. */
function stateRanks(table: LinkTable): Float64Array {
  const { phys } = table.fabric.ports;
  const seen = new Map<number, number>();
  const words: string[] = [];
  const which = Float64Array.from(table.state, (state, row) => {
    const code = (state * 256 + at(phys, at(table.speaker, row))) * 2 + (row < table.links ? 0 : 1);
    let word = seen.get(code);
    if (word === undefined) {
      word = words.push(stateText(table, row)) - 1;
      seen.set(code, word);
    }
    return word;
  });
  const ranks = rankTexts(words);
  return which.map((word) => at(ranks, word));
}

/** Sort key of a column; O(rows), made when the column is first sorted by. */
export function linkSortKey(
  table: LinkTable,
  measured: MeasuredColumns,
  column: string,
  routes?: RoutesView,
): SortKey | undefined {
  const portNumbers = (ports: Uint32Array): Uint16Array =>
    Uint16Array.from(ports, (port) => at(table.fabric.ports.number, port));
  switch (column) {
    case "health":
      // Among equals the slower measured link is the worse one.
      return Float64Array.from(measured.health, (health, row) => {
        const percent = measured.percent[row] ?? NaN;
        return health * 1000 + (percent < 95 ? 100 - percent : 0);
      });
    case "a":
      return endRanks(table, table.a);
    case "aPort":
      return portNumbers(table.a);
    case "b":
      return endRanks(table, table.b);
    case "bPort":
      return portNumbers(table.b);
    case "kind":
      return table.kind;
    case "state":
      return stateRanks(table);
    case "width":
      return Float64Array.from(table.lanes, (lanes) => (lanes === 0 ? NaN : lanes));
    case "speed":
      return Float64Array.from(table.speed, (speed) => (speed === 0 ? NaN : speed));
    case "gbps":
      return table.gbps;
    case "couldBe":
      return table.couldBeGbps;
    case "destinations":
    case "pairs":
      return Float64Array.from({ length: table.count }, (_, row) =>
        routes === undefined || row >= table.links ? NaN : busierWay(routes, row)[column],
      );
    case "measured":
      return measured.percent;
    case "age":
      return measured.at;
    default:
      return undefined;
  }
}
