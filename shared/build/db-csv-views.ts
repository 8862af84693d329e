/** What a db_csv has for the parts of a fabric that other tools tell as well. */
import { err, ok, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import type { QueryErrorsRecords } from "../parse/ibqueryerrors.ts";
import type { DiscoverRecords } from "../parse/records.ts";
import type { SaqueryRecords } from "../parse/saquery.ts";
import type { Named, Timed } from "./named.ts";
import { namesOf, namesOfDiscovery, sameFabric } from "./same-fabric.ts";

/** Its counters as a list of ports: a port that is not there was not read. */
export function asErrorCounts(texts: readonly Timed<DbCsvRecords>[]): readonly Timed<QueryErrorsRecords>[] {
  return texts
    .filter(({ records }) => records.counters.length > 0)
    .map(({ records, ...rest }) => ({
      ...rest,
      records: { ports: records.counters, form: "errors", thresholds: {}, suppressed: [], complete: false },
    }));
}

/** Ports with the IsSM bit. A file in which no port has it does not tell whether anybody could read the bits. */
export function asManagerPorts(texts: readonly Named<DbCsvRecords>[]): readonly Named<SaqueryRecords>[] {
  return texts.flatMap(({ file, records }) => {
    const smPorts = records.ports
      .filter(({ isSm, lid }) => isSm && lid > 0)
      .map(({ lid, number, line }) => ({ lid, port: number, masterLid: 0, disabled: false, line }));
    return smPorts.length === 0 ? [] : [{ file, records: { smPorts, smInfos: [], listsSmPorts: true, failed: false } }];
  });
}

/**
 * The one whose topology counts: the whole ones first, then the larger. Files of another fabric are refused.
 * @param alone nothing but ibnetdiscover tells of nodes
 */
export function chooseDbCsv(
  candidates: readonly Timed<DbCsvRecords>[],
  discover: Named<DiscoverRecords> | undefined,
  alone: boolean,
  remarks: DiagnosticList,
  path: string,
): Result<Timed<DbCsvRecords> | undefined, AppError> {
  const filled = candidates.filter(({ records }) => records.nodes.length > 0);
  const best = [...filled].sort(
    (a, b) =>
      Number(b.records.complete) - Number(a.records.complete) ||
      b.records.nodes.length - a.records.nodes.length ||
      (b.takenAt ?? 0) - (a.takenAt ?? 0),
  )[0];
  if (best === undefined) return ok(undefined);
  const names =
    discover !== undefined && discover.records.nodes.length > 0
      ? namesOfDiscovery(discover.records)
      : namesOf(best.records);
  const foreign = filled.filter(({ records }) => !sameFabric(names, namesOf(records)));
  if (foreign.length > 0) {
    const shown = discover?.file ?? best.file;
    return err({ kind: "several-fabrics", path, files: [shown, ...foreign.map(({ file }) => file)] });
  }
  for (const other of filled) {
    if (other === best || discover !== undefined || !alone) continue;
    remarks.add({
      severity: "note",
      code: "superseded",
      message: `${other.file} is another db_csv of the same fabric; the nodes and cables of ${best.file} are shown.`,
    });
  }
  return ok(best);
}
