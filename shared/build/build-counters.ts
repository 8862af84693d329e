/** Outputs of ibqueryerrors and perfquery → counter columns of one Fabric. Cost: O(ports + lines). */
import { at, portByNumber } from "../fabric/access.ts";
import { type CounterName, type CounterReadings, isCounterName } from "../fabric/counters.ts";
import { lidOwners } from "../fabric/lid-owners.ts";
import { type Fabric, none } from "../fabric/model.ts";
import type { CounterValues } from "../parse/counter-names.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import type { QueryErrorsRecords } from "../parse/ibqueryerrors.ts";
import type { PerfqueryRecords } from "../parse/perfquery.ts";
import type { Timed } from "./named.ts";
import { PortPlaces } from "./port-places.ts";

export interface CounterTexts {
  readonly errors: readonly Timed<QueryErrorsRecords>[];
  readonly perfquery: readonly Timed<PerfqueryRecords>[];
}

interface Draft {
  readonly takenAt: number;
  readonly told: Uint8Array;
  readonly values: { [Name in CounterName]?: Float64Array };
}

/**
 * One reading per text of ibqueryerrors that lists errors, the newest as `latest` and the oldest before it as
 * `earlier`; single ports of perfquery and the data counters of `--counters` are put into the latest. Texts without a
 * time cannot be told apart by age: then only one of them is used.
 */
export function buildCounters(
  fabric: Fabric,
  texts: CounterTexts | undefined,
): { readonly readings?: CounterReadings; readonly diagnostics: readonly Diagnostic[] } {
  if (texts === undefined || texts.errors.length + texts.perfquery.length === 0) return { diagnostics: [] };
  const remarks = new DiagnosticList(texts.errors[0]?.file ?? texts.perfquery[0]?.file ?? "");
  const places = new PortPlaces(fabric);
  const lists = texts.errors
    .filter(({ records }) => records.form === "errors")
    .sort((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0));
  const last = lists.at(-1);
  const first = lists.find((text) => text.takenAt !== undefined && text.takenAt < (last?.takenAt ?? 0));
  const latest = empty(fabric, last?.takenAt ?? texts.perfquery.at(-1)?.takenAt ?? 0);
  if (last !== undefined) readErrors(fabric, places, last, latest, remarks);
  for (const { records } of texts.errors) {
    if (records.form === "data")
      for (const port of records.ports) put(fabric, latest, places.of(port), port.counters, false);
  }
  const owners = texts.perfquery.length === 0 ? undefined : lidOwners(fabric);
  for (const { records } of texts.perfquery) {
    for (const { lid, port, counters } of records.ports) {
      const node = owners?.nodeOf(lid);
      if (node !== undefined) put(fabric, latest, portByNumber(fabric, node, port), counters, true);
    }
  }
  if (first === undefined) return { readings: { latest }, diagnostics: remarks.finish() };
  const earlier = empty(fabric, first.takenAt ?? 0);
  readErrors(fabric, places, first, earlier, remarks);
  return { readings: { latest, earlier }, diagnostics: remarks.finish() };
}

function empty(fabric: Fabric, takenAt: number): Draft {
  return { takenAt, told: new Uint8Array(fabric.ports.count), values: {} };
}

/**
 * Ports that a whole list does not name have nothing beyond the thresholds. Only where no threshold was set, no query
 * failed and nothing was left out is that a zero.
 */
function readErrors(
  fabric: Fabric,
  places: PortPlaces,
  { records }: Timed<QueryErrorsRecords>,
  into: Draft,
  remarks: DiagnosticList,
): void {
  const clean =
    records.complete && (records.summary?.queryFailures ?? 0) === 0 && Object.keys(records.thresholds).length === 0;
  if (clean) {
    for (let port = 0; port < fabric.ports.count; port += 1) if (isCabled(fabric, port)) into.told[port] = 1;
  }
  for (const port of records.ports) {
    const place = places.of(port);
    // Port 0 is a switch's own management port, which is no cable.
    if (place === undefined && port.port !== 0) {
      remarks.add({
        severity: "note",
        code: "counters-of-unknown-port",
        line: port.line,
        message:
          "Counters of a port that is not in the topology were left out: the fabric changed between the two outputs.",
      });
    }
    put(fabric, into, place, port.counters, true);
  }
}

/** A port that a tool can ask: its node has a record, and something is plugged in. */
function isCabled(fabric: Fabric, port: number): boolean {
  return at(fabric.ports.link, port) !== none && at(fabric.nodes.discovered, at(fabric.ports.node, port)) === 1;
}

function put(
  fabric: Fabric,
  into: Draft,
  port: number | undefined,
  counters: CounterValues,
  tellsErrors: boolean,
): void {
  if (port === undefined) return;
  if (tellsErrors) into.told[port] = 1;
  for (const [name, value] of Object.entries(counters)) {
    if (!isCounterName(name)) continue;
    const column = (into.values[name] ??= new Float64Array(fabric.ports.count));
    column[port] = value;
  }
}
