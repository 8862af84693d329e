/** What each kind of measurement runs, step by step, and which options fit it. */
import { count } from "../base/text.ts";
import {
  type BandwidthTool,
  bandwidthTools,
  defaultMeasureOptions,
  type LatencyTool,
  type MeasureOptions,
  type Preset,
  type RunStep,
} from "./types.ts";

/** The tools that Ibex runs. */
export type PerftestTool = BandwidthTool | LatencyTool;

/** What runs unless told. Write: the server's processor takes no part; send: what applications' small messages feel. */
export const defaultTools = { bandwidth: "ib_write_bw", latency: "ib_send_lat" } as const satisfies Record<
  string,
  PerftestTool
>;

const bandwidthNames: ReadonlySet<string> = new Set(bandwidthTools);

/** True for tools that fill the link. */
export function isBandwidthTool(tool: string): tool is BandwidthTool {
  return bandwidthNames.has(tool);
}

/** One test of a measurement: a tool with the options that it takes here. */
export interface TestStep {
  readonly id: string;
  /** What it is between two hosts: `bandwidth`, `latency under load`. */
  readonly name: string;
  /** The same told from its siblings: `bandwidth with 4 QPs`; begins small, goes on after `The … test`. */
  readonly title: string;
  readonly tool: PerftestTool;
  readonly options: MeasureOptions;
  /** A bandwidth test that runs beside it. */
  readonly load?: TestStep;
}

/** Defaults of a kind of measurement. Acceptance: 30 s as acceptance tests of the field take, and samples enough for 99.9 %. */
export function presetOptions(preset: Preset): MeasureOptions {
  const options = { ...defaultMeasureOptions, preset };
  return preset === "acceptance" ? { ...options, seconds: 30, latencyIterations: 20_000 } : options;
}

/** Queue pairs that a deep measurement tries: one flow, the usual few, and what hides every limit of one. */
const deepQueuePairs = [1, 4, 16] as const;

function bandwidthTitle(tool: BandwidthTool): string {
  switch (tool) {
    case "ib_write_bw":
      return "bandwidth";
    case "ib_read_bw":
      return "read bandwidth";
    case "ib_send_bw":
      return "send bandwidth";
    case "raw_ethernet_bw":
      return "Ethernet bandwidth";
  }
}

function latencyTitle(tool: LatencyTool): string {
  switch (tool) {
    case "ib_send_lat":
      return "latency";
    case "ib_write_lat":
      return "write latency";
    case "ib_read_lat":
      return "read latency";
  }
}

/** True where the kind of measurement has its own steps, so that neither both directions nor all sizes can be asked for. */
function hasOwnSteps(preset: Preset): boolean {
  return preset === "acceptance" || preset === "deep";
}

/** The steps of a measurement in the order in which they run. */
export function stepsOf(options: MeasureOptions): readonly TestStep[] {
  const { bandwidthTool = defaultTools.bandwidth, latencyTool = defaultTools.latency } = options;
  const [rate, delay] = [bandwidthTitle(bandwidthTool), latencyTitle(latencyTool)];
  const bandwidth: TestStep = { id: "bandwidth", name: rate, title: rate, tool: bandwidthTool, options };
  const latency: TestStep = { id: "latency", name: delay, title: delay, tool: latencyTool, options };
  const oneWay = { ...options, bidirectional: false };
  const bothWays = { ...bandwidth, id: "both-ways", title: `${rate} of both directions` };
  switch (options.preset) {
    case "quick":
      return [bandwidth, latency];
    case "bandwidth":
      return [bandwidth];
    case "latency":
      return [latency];
    case "acceptance":
      return [
        { ...bandwidth, options: oneWay },
        { ...bothWays, options: { ...options, bidirectional: true } },
        latency,
      ];
    case "loaded":
      return [
        { ...latency, name: `idle ${delay}`, title: `idle ${delay}` },
        {
          ...latency,
          id: "latency-loaded",
          name: `${delay} under load`,
          title: `${delay} under load`,
          load: { ...bandwidth, id: "load", title: `${rate} beside it` },
        },
      ];
    case "deep": {
      const most = Math.max(...deepQueuePairs);
      return [
        ...deepQueuePairs.map((queuePairs) => ({
          ...bandwidth,
          id: `qp-${queuePairs}`,
          title: `${rate} with ${count(queuePairs, "QP")}`,
          options: { ...oneWay, queuePairs },
        })),
        { ...bothWays, options: { ...options, queuePairs: most, bidirectional: true } },
      ];
    }
  }
}

/** All tools that a measurement calls, each once. */
export function toolsOf(options: MeasureOptions): readonly PerftestTool[] {
  return [...new Set(stepsOf(options).flatMap(({ tool, load }) => (load === undefined ? [tool] : [load.tool, tool])))];
}

/** How a run's record names its step. */
export function runStepOf({ id, title, options, tool }: TestStep): RunStep {
  const { queuePairs, bidirectional } = options;
  const bandwidth = isBandwidthTool(tool);
  return { id, title, queuePairs: bandwidth ? queuePairs : 1, bidirectional: bandwidth && bidirectional };
}

/** Largest frame of raw_ethernet_bw with its default MTU, and its smallest. */
export const rawFrameBytes = { min: 64, max: 1518 } as const;

/** Why these options do not go together; undefined when they do. */
export function optionsProblem(options: MeasureOptions): string | undefined {
  const { preset, bidirectional, sizeIterations, gpu, bandwidthTool } = options;
  const bandwidth = preset !== "latency";
  if (hasOwnSteps(preset) && bidirectional) return `${preset} measures one direction and both anyway`;
  if (sizeIterations !== undefined && !["quick", "bandwidth", "latency"].includes(preset)) {
    return `${preset} measures one size of messages: measure all sizes with bandwidth or latency`;
  }
  if (gpu !== undefined && !bandwidth) return "GPU memory is used by bandwidth tests only";
  if (bandwidthTool !== "raw_ethernet_bw" || !bandwidth) return undefined;
  if (preset !== "bandwidth") return "raw_ethernet_bw is measured alone: choose the kind bandwidth";
  if (bidirectional) return "raw_ethernet_bw measures one direction";
  if (sizeIterations !== undefined) return "raw_ethernet_bw measures one size of frames";
  if (gpu !== undefined) return "raw_ethernet_bw sends from host memory";
  return undefined;
}
