/** The open fabric in few words, for status bar, source bar and summary line. Pure. */
import { count } from "../../../shared/base/text.ts";
import type { Severity } from "../../../shared/parse/diagnostic.ts";
import type { Analysis } from "../../../shared/analyse/results.ts";
import type { CaptureInfo, FabricView, SimulatedFabricInfo } from "../../../shared/contract/views.ts";
import { clockTime, dayTime } from "../../parts/time.ts";

/** Findings by severity. */
export function findingCounts(analysis: Analysis): Readonly<Record<Severity, number>> {
  const counts = { note: 0, warning: 0, error: 0 };
  for (const finding of analysis.findings) counts[finding.severity] += 1;
  return counts;
}

/** `256 links, 1 down, 2 below capability, 1 missing`; only what there is. */
export function linksText(analysis: Analysis): string {
  const { links, linksActive, linksDegraded } = analysis.counts;
  const parts = [count(links, "link")];
  if (links > linksActive) parts.push(`${links - linksActive} not Active`);
  if (linksDegraded > 0) parts.push(`${linksDegraded} below capability`);
  if (analysis.missingLinks.length > 0) parts.push(`${analysis.missingLinks.length} missing`);
  return parts.join(", ");
}

/** `2-level fat tree, 2 exceptions`. */
export function shapeText(analysis: Analysis): string {
  const { kind, tiers, exceptions } = analysis.topology;
  const shape =
    kind === "fat-tree"
      ? tiers.length === 1
        ? "1 level of switches"
        : `${tiers.length}-level fat tree`
      : kind === "dragonfly+"
        ? "Dragonfly+"
        : "irregular";
  return exceptions.length === 0 ? shape : `${shape}, ${count(exceptions.length, "exception")}`;
}

/** One line about an open fabric, printed by the mode without a display. */
export function summaryLine(view: FabricView): string {
  const { counts, findings } = view.analysis;
  const bySeverity = findingCounts(view.analysis);
  const detail = (["error", "warning", "note"] as const)
    .filter((severity) => bySeverity[severity] > 0)
    .map((severity) => count(bySeverity[severity], severity));
  return [
    view.capture.simulated ? `${view.capture.name} (simulated)` : view.capture.name,
    count(counts.switches, "switch", "switches"),
    count(counts.hosts, "host"),
    linksText(view.analysis),
    count(view.fabric.subnetManagers.length, "subnet manager"),
    `${count(findings.length, "finding")}${detail.length === 0 ? "" : ` (${detail.join(", ")})`}`,
  ].join(", ");
}

/** `captured 03:14:08`, `generated 03:02:40`, `captured 12 Feb 16:40`; says so when the time is not known. */
export function captureTime(capture: CaptureInfo, now: number): string {
  if (capture.collectedAt === null) return "time of capture not known";
  const verb = capture.simulated ? "generated" : "captured";
  const today = dayTime(capture.collectedAt, now).startsWith("today");
  return `${verb} ${today ? clockTime(capture.collectedAt) : dayTime(capture.collectedAt, now)}`;
}

/** Name of what is open: for a fabric that was generated here its title, as the list of simulated fabrics shows it. */
export function captureName(capture: CaptureInfo, simulatedFabrics: readonly SimulatedFabricInfo[]): string {
  const { source } = capture;
  if (source?.kind !== "simulated") return capture.name;
  return simulatedFabrics.find((fabric) => fabric.name === source.name)?.title ?? capture.name;
}

/** `ssh`, `this machine`, `file`: how the capture came to be, beside its name. */
export function howText(capture: CaptureInfo): string {
  switch (capture.how) {
    case "ssh":
      return "ssh";
    case "local":
      return "local";
    case "file":
      return capture.path === null || !capture.path.endsWith(".fabric") ? "raw outputs" : "capture file";
    case "simulated":
      return "";
  }
}
