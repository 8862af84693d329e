/** Filters and sort keys of the links table. Pure; no React. */
import type { RoutesView } from "../../../shared/contract/routes.ts";
import { busierWay } from "../../graph/overlay-routes.ts";
import { healths } from "../../../shared/analyse/results.ts";
import { at, nodeName } from "../../../shared/fabric/access.ts";
import { speeds } from "../../../shared/fabric/rates.ts";
import { rankTexts, type SortKey } from "../../parts/data-table-order.ts";
import { linkKinds, type LinkTable, type MeasuredColumns, rowStates, stateText } from "./link-rows.ts";
import { nodesNamed, nodeTexts, portMatcher } from "./node-text.ts";
import { namedPositions, type Query, type QueryKey, type QueryValue } from "./query.ts";

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

/** What a links query can filter by, with the values that occur; O(rows). */
export function linkQueryKeys(table: LinkTable, measured: MeasuredColumns): readonly QueryKey[] {
  const { fabric, analysis } = table;
  const names = (nodes: Iterable<number>): readonly QueryValue[] =>
    [...nodes].slice(0, 2000).map((node) => ({ value: nodeName(fabric, node) }));
  const widths = [...new Set(table.lanes)].filter((lanes) => lanes > 0).sort((x, y) => x - y);
  const rates = [...new Set(table.gbps)].filter((gbps) => !Number.isNaN(gbps)).sort((x, y) => x - y);
  const tier = (name: string): readonly QueryValue[] =>
    names(analysis.topology.tiers.filter((entry) => entry.name === name).flatMap((entry) => [...entry.switches]));
  const switches = names(analysis.topology.tiers.flatMap((entry) => [...entry.switches]));
  return [
    {
      key: "health",
      hint: "worst first",
      values: [...counted(healths, measured.health)].reverse().concat({ value: "degraded" }),
    },
    { key: "kind", hint: "what it joins", values: counted(linkKinds, table.kind) },
    { key: "state", hint: "logical state", values: counted(rowStates, table.state) },
    { key: "speed", hint: "per lane", values: counted(speeds, table.speed).filter((v) => v.value !== "unknown") },
    { key: "width", hint: "lanes", values: widths.map((lanes) => ({ value: `${lanes}x` })) },
    { key: "rate", hint: "Gb/s", values: rates.map((gbps) => ({ value: String(gbps) })) },
    { key: "measured", hint: "newest result", values: measuredValues.map((value) => ({ value })) },
    { key: "leaf", hint: "an end at this leaf", values: tier("leaf") },
    { key: "spine", hint: "an end at this spine", values: tier("spine") },
    { key: "node", hint: "an end at this node", values: switches },
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

/** All row ids in their natural order: cables between switches, then routers, hosts; each by end A, then port. */
export function linkOrder(table: LinkTable): Uint32Array {
  const { fabric } = table;
  const { nameRank } = nodeTexts(fabric);
  const rank = Uint8Array.from(linkKinds, (kind) =>
    kind === "inter-switch" ? 0 : kind === "router" ? 1 : kind === "host" ? 2 : 3,
  );
  const place = Float64Array.from(
    table.a,
    (port, row) =>
      at(rank, at(table.kind, row)) * 2 ** 40 +
      at(nameRank, at(fabric.ports.node, port)) * 256 +
      at(fabric.ports.number, port),
  );
  return Uint32Array.from(place.keys()).sort((x, y) => at(place, x) - at(place, y));
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
  return tests.length === 0 ? order : order.filter((row) => tests.every((test) => test(row)));
}

/** Sort key of a column; O(rows), made when the column is first sorted by. */
export function linkSortKey(
  table: LinkTable,
  measured: MeasuredColumns,
  column: string,
  routes?: RoutesView,
): SortKey | undefined {
  const { fabric } = table;
  const byPort = (ports: Uint32Array, value: (port: number) => number): Float64Array =>
    Float64Array.from(ports, (port) => value(port));
  const { nameRank } = nodeTexts(fabric);
  const rankOfEnd = (port: number): number =>
    at(nameRank, at(fabric.ports.node, port)) * 256 + at(fabric.ports.number, port);
  switch (column) {
    case "health":
      // Among equals the slower measured link is the worse one.
      return Float64Array.from(measured.health, (health, row) => {
        const percent = measured.percent[row] ?? NaN;
        return health * 1000 + (percent < 95 ? 100 - percent : 0);
      });
    case "a":
      return byPort(table.a, rankOfEnd);
    case "aPort":
      return byPort(table.a, (port) => at(fabric.ports.number, port));
    case "b":
      return byPort(table.b, rankOfEnd);
    case "bPort":
      return byPort(table.b, (port) => at(fabric.ports.number, port));
    case "kind":
      return table.kind;
    case "state":
      return rankTexts(Array.from({ length: table.count }, (_, row) => stateText(table, row)));
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
