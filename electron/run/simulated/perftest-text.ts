/** perftest's own text (4.5, internal version 6.06, on a ConnectX-6 over InfiniBand). */
import type { SimulatedPort } from "./model.ts";
import { peakIterations, rule, type PerftestOptions } from "./perftest-options.ts";
import type { BandwidthResult, LatencyResult } from "./perftest-rates.ts";

/** What the two sides tell each other about one queue pair. */
export interface QueuePairAddress {
  readonly lid: number;
  readonly queuePair: number;
  readonly packet: number;
  readonly remoteKey: number;
  readonly address: number;
}

export type Role = "client" | "server";

const verbNames = { write: "RDMA_Write", read: "RDMA_Read", send: "Send" } as const;
/** Reads that a card of this kind keeps in flight. */
const outstandingReads = 16;

export const waitingBanner = [
  "",
  "************************************",
  "* Waiting for client to connect... *",
  "************************************",
  "",
].join("\n");

function cqModeration(options: PerftestOptions): number {
  if (options.cqModeration !== undefined) return options.cqModeration;
  if (options.bytes > 8192 && !options.all) return 1;
  return Math.min(100, options.txDepth);
}

function inline(options: PerftestOptions): number {
  if (!options.tool.latency) return 0;
  return options.tool.verb === "write" ? 220 : 236;
}

/** The information block between the first two rules. */
export function informationBlock(role: Role, device: string, options: PerftestOptions): string {
  const { verb, latency } = options.tool;
  const title = `${verbNames[verb]} ${options.bidirectional ? "Bidirectional " : ""}${latency ? "Latency" : "BW"} Test`;
  const sends = role === "client" || options.bidirectional;
  const receives = verb === "send" && (role === "server" || options.bidirectional);
  const lines = [
    rule,
    `${" ".repeat(20)}${title}`,
    ` Dual-port       : OFF\t\tDevice         : ${device}`,
    ` Number of qps   : ${String(options.queuePairs)}\t\tTransport type : IB`,
    " Connection type : RC\t\tUsing SRQ      : OFF",
    " PCIe relax order: ON",
    " ibv_wr* API     : ON",
    ...(sends ? [` TX depth        : ${String(options.txDepth)}`] : []),
    ...(receives ? [` RX depth        : ${String(options.rxDepth)}`] : []),
    ...(latency ? [] : [` CQ Moderation   : ${String(cqModeration(options))}`]),
    ` Mtu             : ${String(options.mtu)}[B]`,
    " Link type       : IB",
    ...(options.gidIndex === undefined ? [] : [` GID index       : ${String(options.gidIndex)}`]),
    verb === "read"
      ? ` Outstand reads  : ${String(outstandingReads)}`
      : ` Max inline data : ${String(inline(options))}[B]`,
    " rdma_cm QPs\t : OFF",
    " Data ex. method : Ethernet",
    rule,
    "",
  ];
  return lines.join("\n");
}

function hex(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, "0")}`;
}

/** A port's link-local GID in perftest's spelling: sixteen decimal octets. */
function gidText(port: SimulatedPort): string {
  const octets = `fe80000000000000${port.guid}`.match(/../g) ?? [];
  return octets.map((octet) => String(Number.parseInt(octet, 16)).padStart(2, "0")).join(":");
}

/** The address lines of one side, one for each queue pair. */
export function addressLines(
  side: "local" | "remote",
  addresses: readonly QueuePairAddress[],
  port: SimulatedPort,
  options: PerftestOptions,
): string {
  const { verb } = options.tool;
  return addresses
    .map((address) => {
      const lid = address.lid === 0 ? "0000" : hex(address.lid, 2);
      const out = verb === "read" ? ` OUT ${hex(outstandingReads, 2)}` : "";
      const memory = verb === "send" ? "" : ` RKey ${hex(address.remoteKey, 6)} VAddr ${hex(address.address, 14)}`;
      const gid = options.gidIndex === undefined ? "" : ` GID: ${gidText(port)}\n`;
      return ` ${side} address: LID ${lid} QPN ${hex(address.queuePair, 4)} PSN 0x${address.packet.toString(16)}${out}${memory}\n${gid}`;
    })
    .join("");
}

/** Header line of the table, with its line end. */
export function tableHeader(options: PerftestOptions): string {
  if (options.tool.latency) {
    return options.seconds === undefined
      ? " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
      : " #bytes        #iterations       t_avg[usec]    tps average\n";
  }
  const unit = options.gigabits ? "Gb/sec" : "MB/sec";
  return ` #bytes     #iterations    BW peak[${unit}]    BW average[${unit}]   MsgRate[Mpps]\n`;
}

function left(value: number, decimals: number): string {
  return value.toFixed(decimals).padEnd(7);
}

/** MiB/s (what perftest calls MB/sec) of decimal Gb/s. */
export function mebibytes(gbps: number): number {
  return (gbps * 1e9) / 8 / 1_048_576;
}

/** A bandwidth row without its line end. */
export function bandwidthRow(result: BandwidthResult, gigabits: boolean): string {
  const peak = gigabits ? result.peakGbps : mebibytes(result.peakGbps);
  const average = gigabits ? result.averageGbps : mebibytes(result.averageGbps);
  const rate = (result.averageGbps * 1000) / 8 / result.bytes;
  const start = ` ${String(result.bytes).padEnd(7)}    ${String(result.iterations).padEnd(10)}`;
  if (gigabits && result.averageGbps < 0.1) {
    return `${start}    ${left(peak, 6)}            ${left(average, 6)}            ${left(rate, 6)}`;
  }
  return `${start}       ${left(peak, 2)}            ${left(average, 2)}\t\t   ${left(rate, 6)}`;
}

/** A latency row without its line end. */
export function latencyRow(result: LatencyResult): string {
  const columns = [
    ` ${String(result.bytes).padEnd(7)} ${String(result.iterations)}          ${left(result.minimum, 2)}`,
    `        ${left(result.maximum, 2)}      ${left(result.typical, 2)}  \t       ${left(result.average, 2)}`,
    `     \t${left(result.deviation, 2)}\t\t${left(result.p99, 2)} \t\t${left(result.p999, 2)}`,
  ];
  return columns.join("");
}

/** The row of a latency test of a given duration, without its line end. */
export function latencyDurationRow(bytes: number, iterations: number, average: number, perSecond: number): string {
  return ` ${String(bytes).padEnd(7)}       ${String(iterations)}            ${left(average, 2)}        ${left(perSecond, 2)}`;
}

/** Whether the peak column is measured for these options; else it prints 0.00. */
export function measuresPeak(role: Role, options: PerftestOptions): boolean {
  if (options.seconds !== undefined || options.noPeak || options.iterations > peakIterations) return false;
  return !(options.tool.verb === "send" && role === "server" && !options.bidirectional);
}
