/** Results for people and for JSON. The JSON shapes are a promise to scripts: add, never change. */
import type { Capture } from "../store/capture.ts";
import type { Understood } from "../threads/interpret-job.ts";
import type { Block } from "../../shared/analyse/results.ts";
import type { Diagnostic } from "../../shared/parse/diagnostic.ts";
import type { BandwidthRow, LatencyRow, PerftestRecords } from "../../shared/parse/records.ts";
import { count } from "../../shared/base/text.ts";
import { nodeName } from "../../shared/fabric/access.ts";
import { visibleText } from "../../shared/base/text.ts";
import { formatGbps } from "../../shared/fabric/rates.ts";

/** `ibex inspect --json` of a fabric. */
export function fabricReport(capture: Capture, understood: Understood): unknown {
  const { analysis, fabric, diagnostics } = understood;
  return {
    capture: {
      name: capture.name,
      how: capture.how,
      simulated: capture.simulated,
      collectedAt: capture.collectedAt ?? null,
      partial: understood.partial,
      files: understood.files.map(({ file, tool }) => ({ file, tool: tool ?? null })),
    },
    counts: analysis.counts,
    subnetManagers: fabric.subnetManagers.map(({ guid, lid, state, priority, activity, node }) => ({
      guid,
      lid,
      state,
      priority,
      activity,
      node: node === undefined ? null : nodeName(fabric, node),
    })),
    topology: {
      kind: analysis.topology.kind,
      overruled: analysis.topology.overruled,
      tiers: analysis.topology.tiers.map((tier) => ({ name: tier.name, switches: tier.switches.length })),
      pods: analysis.topology.pods.map(blockReport),
      groups: analysis.topology.groups.map(blockReport),
      rails: analysis.topology.rails,
      oversubscription: analysis.topology.oversubscription,
      islands: analysis.topology.islands.length,
      evidence: analysis.topology.evidence,
      exceptions: analysis.topology.exceptions.map(({ subject, message }) => ({ subject: subject.name, message })),
    },
    findings: analysis.findings.map(({ rule, severity, subject, title, message, evidence, cause, remedy }) => ({
      rule,
      severity,
      subject: subject.name,
      ...(subject.kind === "link" ? { link: subject.link } : {}),
      title,
      message,
      evidence,
      cause,
      remedy,
    })),
    diagnostics: diagnostics.map(diagnosticReport),
  };
}

function blockReport({ leaves, spines, hosts }: Block): unknown {
  return { leaves: leaves.length, spines: spines.length, hosts };
}

function diagnosticReport({ severity, code, file, line, column, message }: Diagnostic): unknown {
  return { severity, code, file, line, column, message };
}

/** `ibex inspect --json` of one perftest output. Numbers that the tool did not measure are null. */
export function measurementReport(records: PerftestRecords, diagnostics: readonly Diagnostic[]): unknown {
  return {
    measurement: {
      tool: records.tool ?? null,
      ...(records.failure === undefined
        ? {}
        : { error: { code: records.failure.code, message: records.failure.text, line: records.failure.line } }),
      rows: [...records.bandwidth.map(bandwidthRow), ...records.latency.map(latencyRow)],
    },
    diagnostics: diagnostics.map(diagnosticReport),
  };
}

function bandwidthRow({ bytes, iterations, peakGbps, averageGbps, msgRateMpps }: BandwidthRow): unknown {
  return { bytes, iterations, bwPeakGbps: peakGbps ?? null, bwAverageGbps: averageGbps, msgRateMpps };
}

function latencyRow(row: LatencyRow): unknown {
  return {
    bytes: row.bytes,
    iterations: row.iterations,
    minUs: row.minUs ?? null,
    maxUs: row.maxUs ?? null,
    typicalUs: row.typicalUs ?? null,
    avgUs: row.avgUs,
    stdevUs: row.stdevUs ?? null,
    p99Us: row.p99Us ?? null,
    p999Us: row.p999Us ?? null,
  };
}

const marks = { error: "ERROR  ", warning: "WARNING", note: "note   " } as const;

/** The fabric in a screenful of text. */
export function fabricText(capture: Capture, understood: Understood): string {
  const { analysis, fabric, diagnostics } = understood;
  const { counts, topology } = analysis;
  const lines = [
    `${capture.name}${capture.simulated ? "  [simulated]" : ""}${capture.collectedAt === undefined ? "" : `  collected ${capture.collectedAt}`}${understood.partial ? "  partial" : ""}`,
    `${count(counts.switches, "switch", "switches")}, ${count(counts.hosts, "host")} (${count(counts.hcas, "HCA")}), ${count(counts.routers, "router")}, ${count(counts.aggregationNodes, "aggregation node")}`,
    `${count(counts.links, "link")}: ${counts.linksActive} active, ${counts.linksDegraded} degraded, ${analysis.missingLinks.length} expected and down`,
    `${topology.kind}${topology.overruled ? " (as you say)" : ""}: ${topology.tiers.map((tier) => `${tier.switches.length} ${tier.name}`).join(", ")}`,
    ...topology.evidence.map((line) => `  ${line}`),
    ...topology.exceptions.map(({ message }) => `  exception: ${message}`),
    fabric.smAsked
      ? fabric.subnetManagers.length === 0
        ? "Subnet manager: none answers"
        : fabric.subnetManagers
            .map(
              (sm) =>
                `Subnet manager: ${sm.state} ${sm.node === undefined ? sm.guid : nodeName(fabric, sm.node)}, LID ${sm.lid}, priority ${sm.priority}`,
            )
            .join("\n")
      : "Subnet manager: not asked",
    "",
    analysis.findings.length === 0 ? "No findings." : `${count(analysis.findings.length, "finding")}:`,
    ...analysis.findings.map((finding) => `  ${marks[finding.severity]} ${finding.title}: ${finding.message}`),
  ];
  const remarks = diagnostics.filter((diagnostic) => diagnostic.severity !== "note");
  if (remarks.length > 0) {
    lines.push("", `${count(remarks.length, "remark")} on the input:`);
    for (const remark of remarks.slice(0, 20))
      lines.push(`  ${marks[remark.severity]} ${place(remark)} ${remark.message}`);
    if (remarks.length > 20) lines.push(`  and ${remarks.length - 20} more: ibex inspect --json lists them.`);
  }
  return lines.map((line) => line.split("\n").map(visibleText).join("\n")).join("\n");
}

/** `iblinkinfo.txt:12:4`, as far as it is known. */
function place({ file, line, column }: Diagnostic): string {
  return [file, ...(line === 0 ? [] : column === 0 ? [line] : [line, column])].join(":");
}

/** Gb/s with two decimals, below 1 with two significant digits: 0.0014 is not 0.00. */
function twoDecimals(gbps: number): string {
  return gbps < 1 ? formatGbps(gbps) : gbps.toFixed(2);
}

/** One perftest output as text. */
export function measurementText(records: PerftestRecords): string {
  const lines = [`${records.tool ?? "perftest"}${records.bidirectional ? ", both directions" : ""}`];
  for (const row of records.bandwidth)
    lines.push(
      `  ${row.bytes} bytes: ${twoDecimals(row.averageGbps)} Gb/s average${row.peakGbps === undefined ? "" : `, ${twoDecimals(row.peakGbps)} peak`}`,
    );
  for (const row of records.latency)
    lines.push(
      `  ${row.bytes} bytes: ${row.avgUs.toFixed(2)} µs average${row.p99Us === undefined ? "" : `, ${row.p99Us.toFixed(2)} µs p99`}`,
    );
  if (records.failure !== undefined) lines.push(`  failed: ${records.failure.text}`);
  return lines.map(visibleText).join("\n");
}
