/** Traffic of running measurements: it shares links while it runs and grows the counters of every port it crosses. */
import { countersOf, trueRateGbps, type SimulatedPort } from "./model.ts";
import type { Path } from "./routes.ts";

/** Bytes of a packet beyond its payload on InfiniBand: LRH, BTH, RETH, ICRC, VCRC. */
const packetOverhead = 30;

/** Bytes on the wire and packets for messages of `messageBytes` at a path MTU of `mtu`. */
export function wireBytes(payloadBytes: number, messageBytes: number, mtu: number): { bytes: number; packets: number } {
  const packetsPerMessage = Math.max(1, Math.ceil(messageBytes / mtu));
  const packets = Math.round((payloadBytes / Math.max(1, messageBytes)) * packetsPerMessage);
  return { bytes: payloadBytes + packets * packetOverhead, packets };
}

/** One direction of a running test. */
export class Flow {
  readonly path: Path;
  private readonly totalBytes: number;
  private readonly totalPackets: number;
  private readonly startedAt: number;
  private readonly durationMs: number;
  private countedBytes = 0;
  private countedPackets = 0;

  constructor(path: Path, total: { bytes: number; packets: number }, startedAt: number, durationMs: number) {
    this.path = path;
    this.totalBytes = total.bytes;
    this.totalPackets = total.packets;
    this.startedAt = startedAt;
    this.durationMs = durationMs;
  }

  /** Adds to the counters what has crossed until `now`. */
  settle(now: number): void {
    const share = this.durationMs <= 0 ? 1 : Math.min(1, Math.max(0, (now - this.startedAt) / this.durationMs));
    const bytes = Math.round(this.totalBytes * share) - this.countedBytes;
    const packets = Math.round(this.totalPackets * share) - this.countedPackets;
    this.countedBytes += bytes;
    this.countedPackets += packets;
    for (const port of this.path) {
      const near = countersOf(port);
      near.transmittedBytes += bytes;
      near.transmittedPackets += packets;
      if (port.cable === undefined) continue;
      const far = countersOf(port.cable);
      far.receivedBytes += bytes;
      far.receivedPackets += packets;
    }
  }
}

/** All flows of one fabric. */
export class Traffic {
  private readonly flows = new Set<Flow>();

  /** What a new flow over `path` gets in Gb/s: the slowest hop, shared with the flows that use the same direction now. */
  rateGbps(path: Path): number {
    let least = Number.POSITIVE_INFINITY;
    for (const port of path) least = Math.min(least, trueRateGbps(port) / (this.sharers(port) + 1));
    return least;
  }

  /** True when another flow fills one of the path's ports, so that small messages queue behind it. */
  isLoaded(path: Path): boolean {
    return path.some((port) => this.sharers(port) > 0);
  }

  start(flow: Flow): void {
    this.flows.add(flow);
  }

  /** Ends a flow at `now`; what has crossed by then stays counted. */
  end(flow: Flow, now: number): void {
    flow.settle(now);
    this.flows.delete(flow);
  }

  /** Brings all counters up to `now`; called before anybody reads one. */
  settle(now: number): void {
    for (const flow of this.flows) flow.settle(now);
  }

  private sharers(port: SimulatedPort): number {
    let count = 0;
    for (const flow of this.flows) if (flow.path.includes(port)) count += 1;
    return count;
  }
}
