import { describe, expect, it } from "vitest";
import type { Finding } from "../../../shared/analyse/results.ts";
import { dbCsvText, dbGuids } from "../../support/db-csv-text.ts";
import { understandFolder, understandTexts } from "../../support/understand.ts";

function brief(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ rule }) => ["no-lid", "shared-lid", "shared-guid", "duplicate-guid", "no-description"].includes(rule))
    .map(({ rule, severity, subject }) => `${severity} ${rule} ${subject.name}`);
}

const of = (text: string): readonly string[] => brief(understandTexts({ "x.db_csv": text }).analysis.findings);
const whole = dbCsvText();

describe("identity of nodes", () => {
  it("has nothing to say of a fabric in order", () => {
    expect(of(whole)).toEqual([]);
    expect(brief(understandFolder("ib/sim/ft2-32", ["ibnetdiscover.txt"]).analysis.findings)).toEqual([]);
  });

  it("names Active nodes without a LID", () => {
    const row = `${dbGuids.host2},${dbGuids.host2},1,6,`;
    expect(whole).toContain(row);
    expect(of(whole.replace(row, row.replace(",6,", ",0,")))).toEqual(["warning no-lid n002"]);
  });

  it("names two nodes with one LID", () => {
    const row = `${dbGuids.host2},${dbGuids.host2},1,6,`;
    expect(of(whole.replace(row, row.replace(",6,", ",1,")))).toEqual(["error shared-lid n002"]);
  });

  it("names two nodes with one port GUID", () => {
    const row = `${dbGuids.host2},${dbGuids.host2},1,6,`;
    expect(of(whole.replace(row, row.replace(`,${dbGuids.host2}`, `,${dbGuids.host1}`)))).toEqual([
      "error shared-guid n002",
    ]);
  });

  it("names two nodes with one node GUID", () => {
    const { analysis } = understandFolder("ib/edge", ["ibnetdiscover-duplicate-guid.txt"]);
    expect(brief(analysis.findings).some((line) => line.startsWith("error duplicate-guid"))).toBe(true);
  });

  it("names nodes without a description", () => {
    expect(of(whole.replace('"spine-2"', '" "'))).toEqual([`note no-description ${dbGuids.spine2}`]);
  });
});
