/**
 * Command lines of perftest, for both sides from one set of options: with different options the two sides measure
 * nonsense without a word (before perftest 26.01), so nothing may differ but the address at the end.
 */
import { isBandwidthTool, type PerftestTool, rawFrameBytes } from "./steps.ts";
import type { MeasureOptions } from "./types.ts";

/** Where raw_ethernet_bw sends: there is no rendezvous that could tell. */
export interface RawEthernetWay {
  readonly role: "client" | "server";
  /** Hardware addresses (`aa:bb:…`) of this side and of the other. */
  readonly own: string;
  readonly other: string;
}

/** What differs from run to run. */
export interface SideTarget {
  /** Verbs device (`mlx5_0`); the placeholder of a plan before the run has found it. */
  readonly device: string;
  readonly ibPort: number;
  /** TCP port of the rendezvous, the same on both sides; a placeholder in plans. */
  readonly tcpPort: number | string;
  /** Address of the server; only the client has one. */
  readonly address?: string;
  /** Only for raw_ethernet_bw. */
  readonly raw?: RawEthernetWay;
}

/** Seconds after which all sizes must be through; at 10 Gb/s the default takes about a minute. */
const allSizesSeconds = 300;

/** Bytes of one message of each size from 2 B to 8 MiB. */
const allSizesBytes = 2 ** 24;

/**
 * Seconds that the traffic of a tool takes at most before something is wrong. Latency: 10 ms for an iteration, a
 * thousand times what a bad fabric needs, but what emulated adapters do.
 */
function trafficSeconds(tool: PerftestTool, options: MeasureOptions): number {
  if (options.sizeIterations !== undefined) return allSizesSeconds;
  if (isBandwidthTool(tool)) return options.seconds;
  return Math.min(300, Math.max(5, Math.ceil(options.latencyIterations / 100)));
}

/** Seconds after which `timeout` ends a side on its own host, even when the connection to it is gone. */
export function limitSeconds(tool: PerftestTool, options: MeasureOptions): number {
  return trafficSeconds(tool, options) + 25;
}

/**
 * Seconds a run is expected to take: the traffic, and about 4 s for start, rendezvous (2 s inside perftest) and end.
 *
 * @param gbps rate of the path, for tests that end with their messages; 0 when not known
 */
export function expectedSeconds(tool: PerftestTool, options: MeasureOptions, gbps = 0): number {
  const { sizeIterations, queuePairs, seconds, latencyIterations } = options;
  const bandwidth = isBandwidthTool(tool);
  if (sizeIterations !== undefined) {
    const messages = sizeIterations * (bandwidth ? queuePairs : 2);
    const bits = messages * allSizesBytes * 8;
    return Math.min(allSizesSeconds, 5 + Math.ceil(bits / ((gbps > 0 ? gbps : 100) * 1e9)));
  }
  return (bandwidth ? seconds : Math.ceil((latencyIterations * 10) / 1_000_000)) + 4;
}

/** Message size of a bandwidth test's row; the frame for raw_ethernet_bw. */
export function messageBytes(tool: PerftestTool, options: MeasureOptions): number {
  if (tool !== "raw_ethernet_bw") return options.bytes;
  return Math.min(rawFrameBytes.max, Math.max(rawFrameBytes.min, options.bytes));
}

/** Seconds by which the receiver of raw Ethernet starts before the sender, and by which it outlasts what it counts. */
const rawLeadSeconds = 4;

/**
 * Without a rendezvous the receiver starts first and sees nothing for a while: it runs longer and counts (`-f`) only
 * while the sender sends.
 */
function rawWords(options: MeasureOptions, raw: RawEthernetWay | undefined): readonly string[] {
  const { role, own, other } = raw ?? { role: "client", own: "OWN_MAC", other: "OTHER_MAC" };
  const duration =
    role === "client"
      ? ["-D", String(options.seconds)]
      : ["-D", String(options.seconds + rawLeadSeconds), "-f", String(rawLeadSeconds)];
  const [source, destination] = role === "client" ? [own, other] : [other, own];
  return [`--${role}`, "-B", source, "-E", destination, ...duration];
}

function loadWords(tool: PerftestTool, options: MeasureOptions, target: SideTarget): readonly string[] {
  const { sizeIterations, queuePairs, seconds, bidirectional, latencyIterations, gpu } = options;
  const bytes = String(messageBytes(tool, options));
  if (tool === "raw_ethernet_bw") {
    return ["-q", String(queuePairs), "-s", bytes, ...rawWords(options, target.raw), "--report_gbits"];
  }
  const amount = (duration: readonly string[]): readonly string[] =>
    sizeIterations === undefined ? duration : ["-a", "-n", String(sizeIterations)];
  if (!isBandwidthTool(tool)) return amount(["-n", String(latencyIterations)]);
  return [
    ...["-q", String(queuePairs), ...amount(["-s", bytes, "-D", String(seconds)]), "--report_gbits"],
    ...(bidirectional ? ["-b"] : []),
    ...(gpu === undefined ? [] : [`--use_cuda=${gpu}`]),
  ];
}

function pathWords(tool: PerftestTool, { mtu, serviceLevel, gidIndex }: MeasureOptions): readonly string[] {
  // Frames of raw Ethernet have neither: its `-m` is another number, and a service level needs a connection.
  if (tool === "raw_ethernet_bw") return [];
  return [
    ...(mtu === undefined ? [] : ["-m", String(mtu)]),
    ...(serviceLevel === undefined ? [] : ["-S", String(serviceLevel)]),
    ...(gidIndex === undefined ? [] : ["-x", String(gidIndex)]),
  ];
}

/**
 * The argv of one side: `timeout -k 5 <limit> <tool> …`. `timeout` (coreutils) makes sure that nothing stays behind
 * when the host or the connection dies. No pty and no stdbuf: the rows come at the end in any case.
 * Options are never given twice (refused since perftest 23.04). `-F` only silences a warning about the processor's clock.
 */
export function sideArgv(tool: PerftestTool, options: MeasureOptions, target: SideTarget): [string, ...string[]] {
  const raw = tool === "raw_ethernet_bw";
  return [
    "timeout",
    "-k",
    "5",
    String(limitSeconds(tool, options)),
    tool,
    ...["-d", target.device, "-i", String(target.ibPort)],
    ...(raw ? [] : ["-p", String(target.tcpPort)]),
    ...loadWords(tool, options, target),
    "-F",
    ...pathWords(tool, options),
    ...(target.address === undefined || raw ? [] : [target.address]),
  ];
}
