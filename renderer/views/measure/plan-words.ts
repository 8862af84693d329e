/** Sentences about a plan. Pure; no React. */
import { count } from "../../../shared/base/text.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import { messageBytes } from "../../../shared/measure/argv.ts";
import { isBandwidthTool } from "../../../shared/measure/steps.ts";
import {
  defaultMeasureOptions,
  type MeasureOptions,
  type MeasurePlan,
  type PlannedStep,
} from "../../../shared/measure/types.ts";
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
    fills: `This fills ${count(plan.path.length, "link")} and ${hosts} for about ${loadSeconds(plan)} s.`,
    felt: "Jobs that use them will feel it.",
  };
}

/** Messages of one test: `64 KiB messages, 4 QPs`, `2 B messages, 5,000 times`. */
function messagesText(tool: string, options: MeasureOptions): string {
  const { sizeIterations, queuePairs, latencyIterations } = options;
  const bandwidth = isBandwidthTool(tool);
  const pairs = bandwidth ? `, ${count(queuePairs, "QP")}` : "";
  if (sizeIterations !== undefined) return `2 B to 8 MiB, ${count(sizeIterations, "message")} each${pairs}`;
  if (!bandwidth) return `2 B messages, ${count(latencyIterations, "time")}`;
  const unit = tool === "raw_ethernet_bw" ? "frames" : "messages";
  return `${bytesText(messageBytes(tool, options))} ${unit}${pairs}`;
}

/** What a step does, with its numbers: `Bandwidth n050 to n075: 64 KiB messages, 4 QPs`. */
export function stepText({ title, tool, options, load }: PlannedStep): string {
  const beside = load === undefined ? "" : `, beside ${load} (${messagesText(load, options)})`;
  const pairs = count(options.queuePairs, "QP");
  const named = title.endsWith(`, ${pairs}`) ? title.slice(0, -pairs.length - 2) : title;
  return `${named}: ${messagesText(tool, options)}${beside}`;
}

/** Seconds in which a bandwidth test fills the link. */
function loadSeconds(plan: MeasurePlan): number {
  return plan.steps
    .filter(({ tool, load }) => isBandwidthTool(load ?? tool))
    .reduce((sum, { options, seconds }) => sum + (options.sizeIterations === undefined ? options.seconds : seconds), 0);
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
  const entries = Object.entries({ ...defaultMeasureOptions, ...options });
  const standard = new Map<string, unknown>(Object.entries(defaultMeasureOptions));
  return entries.some(([name, value]) => value !== standard.get(name));
}
