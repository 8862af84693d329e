/** Sentences about a plan. Pure; no React. */
import { count } from "../../../shared/base/text.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import { defaultMeasureOptions, type MeasureOptions, type MeasurePlan } from "../../../shared/measure/types.ts";
import { bytesText } from "./words.ts";

/** What a run does to the fabric: links, hosts, seconds. */
export function loadText(plan: MeasurePlan): { readonly fills: string; readonly felt: string } {
  const hosts =
    plan.client.host === plan.server.host
      ? `the HCAs of ${plan.client.host}`
      : `the HCAs of ${plan.client.host} and ${plan.server.host}`;
  if (plan.options.preset === "latency") {
    return {
      fills: `This keeps ${hosts} busy for about ${plan.seconds} s.`,
      felt: `Small messages over ${count(plan.path.length, "link")}: jobs there hardly feel it.`,
    };
  }
  return {
    fills: `This fills ${count(plan.path.length, "link")} and ${hosts} for about ${plan.seconds} s.`,
    felt: "Jobs that use them will feel it.",
  };
}

/** What a step does, with its numbers: `Bandwidth n050 to n075: 64 KiB messages, 4 QPs`. */
export function stepText(title: string, tool: string, options: MeasureOptions): string {
  if (tool.endsWith("_bw")) return `${title}: ${bytesText(options.bytes)} messages, ${count(options.queuePairs, "QP")}`;
  if (tool.endsWith("_lat")) return `${title}: 2 B messages, ${count(options.latencyIterations, "time")}`;
  return title;
}

/** `190 Gb/s, 95 % of the slowest hop (4x HDR)`; undefined when no rate on the path is known or none is measured. */
export function passText(plan: MeasurePlan, passPercent: number): string | undefined {
  if (plan.slowestGbps === 0 || plan.options.preset === "latency") return undefined;
  const expected = plan.slowestGbps * (plan.options.bidirectional ? 2 : 1);
  const hop = plan.path[plan.slowestHop];
  const where =
    hop === undefined
      ? "the slowest hop"
      : hop.link === plan.link
        ? "the slowest hop, which is this link"
        : `the slowest hop, ${hop.fromName} to ${hop.toName}`;
  const pass = formatGbps((expected * passPercent) / 100);
  return `${pass} Gb/s, ${Math.round(passPercent)}\u00a0% of ${where}`;
}

/** Command lines as they will run, one a line, each after its host. */
export function commandLines(plan: MeasurePlan): readonly { readonly host: string; readonly line: string }[] {
  return plan.steps.flatMap((step) =>
    step.commands.map((command) => ({ host: command.host, line: command.argv.join(" ") })),
  );
}

/** True when a quick check was changed from what "do not ask again" would start. */
export function isChanged(options: MeasureOptions): boolean {
  return (
    options.preset !== defaultMeasureOptions.preset ||
    options.bytes !== defaultMeasureOptions.bytes ||
    options.queuePairs !== defaultMeasureOptions.queuePairs ||
    options.seconds !== defaultMeasureOptions.seconds ||
    options.bidirectional !== defaultMeasureOptions.bidirectional ||
    options.latencyIterations !== defaultMeasureOptions.latencyIterations ||
    options.gidIndex !== undefined
  );
}
