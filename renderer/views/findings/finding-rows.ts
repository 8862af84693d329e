/** Rows of the findings table and of the remarks on a capture. Pure; no React. */
import type { Finding } from "../../../shared/analyse/results.ts";
import type { Diagnostic } from "../../../shared/parse/diagnostic.ts";
import { rankTexts, type SortKey } from "../../parts/data-table-order.ts";
import { severityOrder } from "./finding-index.ts";

/** Findings that contain every word, worst first; positions in the list. */
export function filterFindings(findings: readonly Finding[], text: string): Uint32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows = [...findings.keys()].filter((row) => {
    const finding = findings[row];
    if (finding === undefined) return false;
    const all =
      `${finding.severity} ${finding.rule} ${finding.title} ${finding.subject.name} ${finding.message} ${finding.evidence}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const rank = (row: number): number => severityOrder.indexOf(findings[row]?.severity ?? "note");
  return Uint32Array.from(rows.sort((x, y) => rank(x) - rank(y)));
}

/** Sort key of a column of the findings table. */
export function findingSortKey(findings: readonly Finding[], column: string): SortKey | undefined {
  switch (column) {
    case "severity":
      return findings.map((finding) => severityOrder.indexOf(finding.severity));
    case "title":
      return rankTexts(findings.map((finding) => finding.title));
    case "where":
      return rankTexts(findings.map((finding) => finding.subject.name));
    case "evidence":
      return rankTexts(findings.map((finding) => evidenceText(finding)));
    default:
      return undefined;
  }
}

/** The numbers, or the sentence when the rule gives none. */
export function evidenceText(finding: Finding): string {
  return finding.evidence === "" ? finding.message : finding.evidence;
}

/** Remarks that contain every word, worst first; positions in the list. */
export function filterRemarks(remarks: readonly Diagnostic[], text: string): Uint32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows = [...remarks.keys()].filter((row) => {
    const remark = remarks[row];
    if (remark === undefined) return false;
    const all = `${remark.severity} ${remark.code} ${placeText(remark)} ${remark.message} ${remark.excerpt ?? ""}`;
    return words.every((word) => all.toLowerCase().includes(word));
  });
  const rank = (row: number): number => severityOrder.indexOf(remarks[row]?.severity ?? "note");
  return Uint32Array.from(rows.sort((x, y) => rank(x) - rank(y)));
}

/** `ibnetdiscover.txt:212`; the file alone for a remark on the whole of it. */
export function placeText(remark: Diagnostic): string {
  return remark.line === 0 ? remark.file : `${remark.file}:${remark.line}`;
}

/** A table row for the clipboard. */
export function findingText(finding: Finding): string {
  return [finding.severity, finding.title, finding.subject.name, finding.message, finding.remedy].join("\t");
}

/** A remark on the capture as a table row for the clipboard. */
export function remarkText(remark: Diagnostic): string {
  return [remark.severity, placeText(remark), remark.message, remark.excerpt ?? ""].join("\t");
}
