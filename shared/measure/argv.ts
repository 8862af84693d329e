/**
 * Command lines of perftest, for both sides from one set of options: with different options the two sides measure
 * nonsense without a word (before perftest 26.01), so nothing may differ but the address at the end.
 */
import type { MeasureOptions } from "./types.ts";

/** The tools that Ibex runs. Write: the server's processor takes no part; send: what applications' small messages feel. */
export const perftestTools = { bandwidth: "ib_write_bw", latency: "ib_send_lat" } as const;
export type PerftestTool = (typeof perftestTools)[keyof typeof perftestTools];

/** What differs from run to run. */
export interface SideTarget {
  /** Verbs device (`mlx5_0`); the placeholder of a plan before the run has found it. */
  readonly device: string;
  readonly ibPort: number;
  /** TCP port of the rendezvous, the same on both sides; a placeholder in plans. */
  readonly tcpPort: number | string;
  /** Address of the server; only the client has one. */
  readonly address?: string;
}

/**
 * Seconds that the traffic of a tool takes at most before something is wrong. Latency: 10 ms for an iteration, a
 * thousand times what a bad fabric needs, but what emulated adapters do.
 */
function trafficSeconds(tool: PerftestTool, options: MeasureOptions): number {
  if (tool === perftestTools.bandwidth) return options.seconds;
  return Math.min(300, Math.max(5, Math.ceil(options.latencyIterations / 100)));
}

/** Seconds after which `timeout` ends a side on its own host, even when the connection to it is gone. */
export function limitSeconds(tool: PerftestTool, options: MeasureOptions): number {
  return trafficSeconds(tool, options) + 25;
}

/** Seconds a run is expected to take: the traffic, and about 4 s for start, rendezvous (2 s inside perftest) and end. */
export function expectedSeconds(tool: PerftestTool, options: MeasureOptions): number {
  const traffic =
    tool === perftestTools.bandwidth ? options.seconds : Math.ceil((options.latencyIterations * 10) / 1_000_000);
  return traffic + 4;
}

/**
 * The argv of one side: `timeout -k 5 <limit> <tool> …`. `timeout` (coreutils) makes sure that nothing stays behind
 * when the host or the connection dies. No pty and no stdbuf: the one row comes at the end in any case.
 * Options are never given twice (refused since perftest 23.04). `-F` only silences a warning about the processor's clock.
 */
export function sideArgv(tool: PerftestTool, options: MeasureOptions, target: SideTarget): [string, ...string[]] {
  const common = ["-d", target.device, "-i", String(target.ibPort), "-p", String(target.tcpPort)];
  const load =
    tool === perftestTools.bandwidth
      ? [
          ...["-q", String(options.queuePairs), "-s", String(options.bytes), "-D", String(options.seconds)],
          "--report_gbits",
          ...(options.bidirectional ? ["-b"] : []),
        ]
      : ["-n", String(options.latencyIterations)];
  return [
    "timeout",
    "-k",
    "5",
    String(limitSeconds(tool, options)),
    tool,
    ...common,
    ...load,
    "-F",
    ...(options.gidIndex === undefined ? [] : ["-x", String(options.gidIndex)]),
    ...(target.address === undefined ? [] : [target.address]),
  ];
}

/** The tools of a preset, in the order in which they run. */
export function toolsOf(options: MeasureOptions): readonly PerftestTool[] {
  switch (options.preset) {
    case "quick":
      return [perftestTools.bandwidth, perftestTools.latency];
    case "bandwidth":
      return [perftestTools.bandwidth];
    case "latency":
      return [perftestTools.latency];
  }
}
