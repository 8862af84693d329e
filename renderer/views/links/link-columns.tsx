import { healths } from "../../../shared/analyse/results.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import type { RoutesView } from "../../../shared/contract/routes.ts";
import { at, linkName, nodeName, portName } from "../../../shared/fabric/access.ts";
import { formatGbps, formatRate, speedName } from "../../../shared/fabric/rates.ts";
import { busierWay } from "../../graph/overlay-routes.ts";
import type { TableColumn } from "../../parts/data-table.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { age, exactTime } from "../../parts/time.ts";
import { nodeNames } from "./node-text.ts";
import { latencyNumber, percentText } from "../measure/words.ts";
import { cannotMeasureWords, linkKinds, type LinkTable, type MeasuredColumns, stateText } from "./link-rows.ts";

const dash = <span className="cell-quiet">–</span>;

function Measured({
  table,
  measured,
  row,
  pass,
}: {
  readonly table: LinkTable;
  readonly measured: MeasuredColumns;
  readonly row: number;
  readonly pass: number;
}) {
  const summary = measured.summary.get(row);
  if (summary === undefined) {
    return <span className="cell-quiet">{cannotMeasureWords(table, row) ?? "not measured"}</span>;
  }
  if (summary.percent === null) {
    const latency = summary.latencyUs;
    return latency === null ? dash : <span className="cell-soft">{latencyNumber(latency)} µs</span>;
  }
  const tone = summary.percent >= pass ? "" : summary.percent >= pass - 5 ? "cell-warning" : "cell-error";
  return (
    <span className="cell-measured" title={summary.sentence}>
      <PercentMeter percent={summary.percent} pass={pass} />
      <span className={tone}>{percentText(summary.percent)}</span>
      <span className="cell-quiet">of {formatGbps(summary.expectedGbps)}</span>
    </span>
  );
}

/** Numbers of the busier direction, both in the tooltip; nothing for a host's cable, which has one destination. */
function routed(table: LinkTable, routes: RoutesView, row: number, what: "destinations" | "pairs") {
  if (row >= table.links) return dash;
  if (what === "destinations" && linkKinds[at(table.kind, row)] !== "inter-switch") return dash;
  const { fabric } = table;
  const [a, b] = [at(fabric.links.a, row), at(fabric.links.b, row)];
  const title = `Out of ${portName(fabric, a)}: ${groupDigits(at(routes.fromA[what], row))}, out of ${portName(fabric, b)}: ${groupDigits(at(routes.fromB[what], row))}`;
  return <span title={title}>{groupDigits(busierWay(routes, row)[what])}</span>;
}

/** What the forwarding tables send over each cable. */
function routeColumns(table: LinkTable, routes: RoutesView): readonly TableColumn[] {
  return [
    {
      id: "destinations",
      title: "Destinations",
      width: 96,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: (row) => routed(table, routes, row, "destinations"),
    },
    {
      id: "pairs",
      title: "Pairs",
      width: 78,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: (row) => routed(table, routes, row, "pairs"),
    },
  ];
}

/** Room for the names of nearly all ends, px; a few very long ones may be cut. O(rows). */
function nameWidth(table: LinkTable, ports: Uint32Array): number {
  const { name } = nodeNames(table.fabric);
  const lengths = Uint16Array.from(ports, (port) => name[at(table.fabric.ports.node, port)]?.length ?? 0).sort();
  const usual = lengths[Math.floor(lengths.length * 0.85)] ?? 0;
  return Math.min(220, Math.max(92, usual * 7 + 18));
}

/** Widths of the columns of names, px. */
export interface NameWidths {
  readonly a: number;
  readonly b: number;
}

export function nameWidths(table: LinkTable): NameWidths {
  return { a: nameWidth(table, table.a), b: nameWidth(table, table.b) };
}

/** Columns of the links table. Only what deviates is coloured. */
export function linkColumns(
  table: LinkTable,
  measured: MeasuredColumns,
  widths: NameWidths,
  pass: number,
  now: number,
  routes?: RoutesView,
): readonly TableColumn[] {
  const { fabric } = table;
  const name = (port: number): string => nodeName(fabric, at(fabric.ports.node, port));
  const number = (port: number): number => at(fabric.ports.number, port);
  const end = (ports: Uint32Array) => (row: number) => (
    <span className="cell-strong" title={portName(fabric, at(ports, row))}>
      {name(at(ports, row))}
    </span>
  );
  return [
    {
      id: "health",
      title: "Health",
      titleHidden: true,
      width: 34,
      sortable: true,
      highFirst: true,
      cell: (row) => <HealthGlyph health={healths[at(measured.health, row)] ?? "unknown"} size={13} />,
    },
    { id: "a", title: "End A", width: widths.a, sortable: true, cell: end(table.a) },
    { id: "aPort", title: "Port", width: 48, align: "end", sortable: true, cell: (row) => number(at(table.a, row)) },
    { id: "b", title: "End B", width: widths.b, sortable: true, cell: end(table.b) },
    { id: "bPort", title: "Port", width: 48, align: "end", sortable: true, cell: (row) => number(at(table.b, row)) },
    {
      id: "kind",
      title: "Kind",
      width: 84,
      sortable: true,
      cell: (row) => <span className="cell-soft">{linkKinds[at(table.kind, row)]}</span>,
    },
    {
      id: "state",
      title: "State",
      width: 104,
      sortable: true,
      cell: (row) => {
        const text = stateText(table, row);
        const tone =
          text === "Active"
            ? "cell-soft"
            : text === "not asked"
              ? "cell-quiet"
              : text.startsWith("Down")
                ? "cell-error"
                : "cell-warning";
        return <span className={tone}>{text}</span>;
      },
    },
    {
      id: "width",
      title: "Width",
      width: 54,
      sortable: true,
      highFirst: true,
      cell: (row) => {
        const lanes = at(table.lanes, row);
        if (lanes === 0) return dash;
        const low = at(table.couldBeLanes, row) > lanes;
        return <span className={low ? "cell-error" : undefined}>{lanes}x</span>;
      },
    },
    {
      id: "speed",
      title: "Speed",
      width: 54,
      sortable: true,
      highFirst: true,
      cell: (row) => {
        const speed = at(table.speed, row);
        if (speed === 0) return dash;
        const low = at(table.couldBeSpeed, row) > speed;
        return <span className={low ? "cell-warning" : undefined}>{speedName(speed)}</span>;
      },
    },
    {
      id: "gbps",
      title: "Gb/s",
      width: 52,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: (row) => {
        const gbps = at(table.gbps, row);
        return Number.isNaN(gbps) ? dash : formatGbps(gbps);
      },
    },
    {
      id: "couldBe",
      title: "Could be",
      width: 74,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: (row) => {
        const gbps = at(table.couldBeGbps, row);
        if (Number.isNaN(gbps)) return dash;
        const better = formatRate(at(table.couldBeLanes, row), at(table.couldBeSpeed, row));
        return (
          <span className="cell-strong" title={`Both ends support ${better}`}>
            {formatGbps(gbps)}
          </span>
        );
      },
    },
    ...(routes === undefined ? [] : routeColumns(table, routes)),
    {
      id: "measured",
      title: "Measured",
      width: 146,
      sortable: true,
      cell: (row) => <Measured table={table} measured={measured} row={row} pass={pass} />,
    },
    {
      id: "age",
      title: "Age",
      width: 52,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: (row) => {
        const summary = measured.summary.get(row);
        return summary === undefined ? null : (
          <span className="cell-quiet" title={`${linkName(fabric, row)}, ${exactTime(summary.at)}`}>
            {age(summary.at, now)}
          </span>
        );
      },
    },
  ];
}
