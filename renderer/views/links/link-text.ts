import { healths } from "../../../shared/analyse/results.ts";
import { at, nodeName, portId } from "../../../shared/fabric/access.ts";
import { formatGbps, speedName } from "../../../shared/fabric/rates.ts";
import { visibleText } from "../../../shared/base/text.ts";
import { linkKinds, type LinkTable, type MeasuredColumns, stateText } from "./link-rows.ts";

const head = [
  "Health",
  "End A",
  "Port",
  "End B",
  "Port",
  "Kind",
  "State",
  "Width",
  "Speed",
  "Gb/s",
  "Could be Gb/s",
  "Measured Gb/s",
  "Measured %",
  "Measured at",
  "Simulated",
  "Id",
];

function number(value: number): string {
  return Number.isNaN(value) ? "" : formatGbps(value);
}

/** Rows as tab-separated lines with a head line, for a spreadsheet or a ticket; times are ISO 8601. */
export function linksAsText(table: LinkTable, measured: MeasuredColumns, rows: readonly number[]): string {
  const { fabric } = table;
  const lines = rows.map((row) => {
    const a = at(table.a, row);
    const b = at(table.b, row);
    const lanes = at(table.lanes, row);
    const speed = at(table.speed, row);
    const summary = measured.summary.get(row);
    return [
      healths[at(measured.health, row)] ?? "unknown",
      nodeName(fabric, at(fabric.ports.node, a)),
      String(at(fabric.ports.number, a)),
      nodeName(fabric, at(fabric.ports.node, b)),
      String(at(fabric.ports.number, b)),
      linkKinds[at(table.kind, row)] ?? "",
      stateText(table, row),
      lanes === 0 ? "" : `${lanes}x`,
      speed === 0 ? "" : speedName(speed),
      number(at(table.gbps, row)),
      number(at(table.couldBeGbps, row)),
      summary === undefined || summary.bandwidthGbps === null ? "" : formatGbps(summary.bandwidthGbps),
      summary === undefined || summary.percent === null ? "" : String(Math.round(summary.percent)),
      summary?.at ?? "",
      summary?.simulated === true ? "simulated" : "",
      portId(fabric, a),
    ];
  });
  return [head, ...lines].map((cells) => cells.map(visibleText).join("\t")).join("\n");
}
