/** One run of a connected pair: what both sides print, how long it takes, what crosses the fabric. */
import type { SimulatedFabric } from "./fabric.ts";
import type { SimulatedProcess } from "./machine.ts";
import type { SimulatedPort } from "./model.ts";
import type { BufferedOutput } from "./output.ts";
import { rule, type PerftestOptions } from "./perftest-options.ts";
import {
  bandwidthGbps,
  latencyResult,
  pathRateGbps,
  peakGbps,
  type BandwidthResult,
  type LatencyResult,
} from "./perftest-rates.ts";
import {
  addressLines,
  bandwidthRow,
  informationBlock,
  latencyDurationRow,
  latencyRow,
  measuresPeak,
  mebibytes,
  tableHeader,
  type QueuePairAddress,
} from "./perftest-text.ts";
import type { Pace } from "./programs.ts";
import { hashText, seededRandom } from "./random.ts";
import type { Path } from "./routes.ts";
import { Flow, wireBytes } from "./traffic.ts";

/** One of the two programs of a pair, its port open. */
export interface Side {
  readonly process: SimulatedProcess;
  readonly options: PerftestOptions;
  readonly port: SimulatedPort;
  readonly output: BufferedOutput;
  readonly device: string;
}

/** Time that parameters and addresses take to cross, in seconds: perftest sleeps a second for it. */
const handshakeSeconds = 1;

/** Sizes of `-a`: 2 to 2^23. */
const allSizes = Array.from({ length: 23 }, (_, power) => 2 ** (power + 1));

const otherSideGone = {
  client:
    "ethernet_read_keys: Couldn't read remote address\n Unable to read from socket/rdma_cm\n Failed to exchange data between server and clients\n",
  server:
    "ethernet_read_keys: Couldn't read remote address\n Unable to read to socket/rdma_cm\n Failed to exchange data between server and clients\n",
} as const;

interface Ways {
  readonly toServer: Path;
  readonly toClient: Path;
}

/** Runs the pair from the connection to the end of both programs. */
export function runSession(fabric: SimulatedFabric, pace: Pace, client: Side, server: Side): void {
  const random = seededRandom(
    hashText(
      `${fabric.name} ${client.port.guid} ${server.port.guid} ${client.options.tool.name} ${String(fabric.takeRun())}`,
    ),
  );
  const pair: Pair = { client, server, over: false };
  endTogether(pair);
  client.process.after(pace.duration(handshakeSeconds), () => {
    const clientQueues = queuePairs(client, random);
    const serverQueues = queuePairs(server, random);
    printPreamble(client, "client", clientQueues, serverQueues, server.port);
    printPreamble(server, "server", serverQueues, clientQueues, client.port);
    const toServer = fabric.routes.path(client.port, server.port);
    const toClient = fabric.routes.path(server.port, client.port);
    const mismatch = mismatchOf(client, server);
    if (mismatch !== undefined) failPair(pair, mismatch);
    else if (toServer === undefined || toClient === undefined) {
      client.process.after(pace.duration(4), () => failPair(pair, { status: 12, syndrome: "0x81" }));
    } else new Run(fabric, pace, pair, { toServer, toClient }, random).next();
  });
}

interface Pair {
  readonly client: Side;
  readonly server: Side;
  /** Both are about to end by themselves. */
  over: boolean;
}

/** When one side ends before its time, the other finds the connection closed. */
function endTogether(pair: Pair): void {
  const watch = (side: Side, other: Side, text: string): void => {
    side.process.whenEnded(() => {
      if (pair.over) return;
      other.process.after(1, () => {
        other.output.flush();
        other.process.err(text);
        other.process.exit(1);
      });
    });
  };
  watch(pair.client, pair.server, otherSideGone.server);
  watch(pair.server, pair.client, otherSideGone.client);
}

function queuePairs(side: Side, random: () => number): QueuePairAddress[] {
  const first = 0x80 + Math.floor(random() * 0x3000);
  const remoteKey = 0x1000 + Math.floor(random() * 0x1fe000);
  const memory = 0x7f0000000000 + Math.floor(random() * 0xfffffff) * 4096;
  return Array.from({ length: side.options.queuePairs }, (_, index) => ({
    lid: side.port.lid,
    queuePair: first + index,
    packet: 1 + Math.floor(random() * 0xfffffe),
    remoteKey,
    address: memory + index * side.options.bytes,
  }));
}

function printPreamble(
  side: Side,
  role: "client" | "server",
  own: readonly QueuePairAddress[],
  other: readonly QueuePairAddress[],
  otherPort: SimulatedPort,
): void {
  const { output, options } = side;
  output.write(informationBlock(role, side.device, options));
  output.write(addressLines("local", own, side.port, options));
  output.write(addressLines("remote", other.slice(0, options.queuePairs), otherPort, options));
  output.write(`${rule}\n`);
  if (!(options.tool.verb === "read" && options.tool.latency && role === "server")) output.write(tableHeader(options));
}

interface Mismatch {
  readonly status: number;
  readonly syndrome: string;
}

/**
 * What this version of perftest makes of different options on the two sides: another test breaks with status 9,
 * longer messages than the server has room for with 10, other numbers of queue pairs hang up; the rest is not noticed.
 */
function mismatchOf(client: Side, server: Side): Mismatch | "hang-up" | undefined {
  if (client.options.tool !== server.options.tool) return { status: 9, syndrome: "0x8a" };
  if (client.options.queuePairs !== server.options.queuePairs) return "hang-up";
  const room = server.options.all ? 2 ** 23 : server.options.bytes;
  const longest = client.options.all ? 2 ** 23 : client.options.bytes;
  return longest > room ? { status: 10, syndrome: "0x88" } : undefined;
}

function failPair(pair: Pair, problem: Mismatch | "hang-up"): void {
  const { client, server } = pair;
  pair.over = true;
  if (problem === "hang-up") client.process.err(otherSideGone.client);
  else {
    client.process.err(
      ` Completion with error at client\n Failed status ${String(problem.status)}: wr_id 0 syndrom ${problem.syndrome}\nscnt=${String(client.options.txDepth)}, ccnt=0\n Failed to complete run_iter_bw function successfully\n`,
    );
  }
  server.process.err(otherSideGone.server);
  client.output.exit(1);
  server.output.exit(1);
}

class Run {
  private readonly fabric: SimulatedFabric;
  private readonly pace: Pace;
  private readonly pair: Pair;
  private readonly client: Side;
  private readonly server: Side;
  private readonly ways: Ways;
  private readonly random: () => number;
  private readonly sizes: readonly number[];
  private done = 0;
  private slowest = Number.POSITIVE_INFINITY;

  constructor(fabric: SimulatedFabric, pace: Pace, pair: Pair, ways: Ways, random: () => number) {
    this.fabric = fabric;
    this.pace = pace;
    this.pair = pair;
    this.client = pair.client;
    this.server = pair.server;
    this.ways = ways;
    this.random = random;
    const { all, bytes } = pair.client.options;
    this.sizes = all ? allSizes : [bytes];
  }

  /** Runs the next size, or ends the pair. */
  next(): void {
    const bytes = this.sizes[this.done];
    this.done += 1;
    if (bytes === undefined) this.finish();
    else if (this.client.options.tool.latency) this.latency(bytes);
    else this.bandwidth(bytes);
  }

  private bandwidth(bytes: number): void {
    const { options, port } = this.client;
    const { verb } = options.tool;
    const both = options.bidirectional && this.server.options.bidirectional;
    // Reads pull the data: it flows from the server to the client.
    const main = verb === "read" ? this.ways.toClient : this.ways.toServer;
    const back = verb === "read" ? this.ways.toServer : this.ways.toClient;
    const measure = (path: Path): { rate: number; average: number } => {
      const rate = pathRateGbps(this.fabric.traffic, path, port);
      const average = bandwidthGbps(verb, rate, bytes, { ...options, mtu: this.mtu }, this.random);
      return { rate, average };
    };
    const forth = measure(main);
    const reverse = both ? measure(back) : undefined;
    const average = forth.average + (reverse?.average ?? 0);
    const peak = peakGbps(average, forth.rate + (reverse?.rate ?? 0), this.random);
    const perMessage = (bytes * 8) / 1e9;
    const iterations =
      options.seconds === undefined
        ? options.iterations * options.queuePairs
        : Math.max(1, Math.floor((average * window(options)) / perMessage));
    const seconds = options.seconds ?? (iterations * perMessage) / forth.average;
    const result: BandwidthResult = { bytes, iterations, peakGbps: peak, averageGbps: average };
    this.transfer(
      [
        { path: main, payload: (forth.average * 1e9 * seconds) / 8 },
        ...(reverse === undefined ? [] : [{ path: back, payload: (reverse.average * 1e9 * seconds) / 8 }]),
      ],
      bytes,
      seconds,
      () => {
        this.slowest = Math.min(this.slowest, options.gigabits ? average : mebibytes(average));
        this.bandwidthRow(this.client, "client", result);
        // With -a only one row of a one-directional write or read reaches the server, the last.
        const last = this.done === this.sizes.length;
        if (verb === "send" || both || last) this.bandwidthRow(this.server, "server", result);
        this.next();
      },
    );
  }

  private bandwidthRow(side: Side, role: "client" | "server", result: BandwidthResult): void {
    const { options } = side;
    // The server of a write or read prints the client's numbers under its own heading, whatever that says.
    const copied = options.tool.verb !== "send" && role === "server";
    const numbers = copied ? this.client.options : options;
    const peak = measuresPeak(copied ? "client" : role, numbers) ? result.peakGbps : 0;
    const received = options.tool.verb === "send" && role === "server" ? 1.0004 : 1;
    const row = { ...result, peakGbps: peak, averageGbps: result.averageGbps * received };
    side.output.write(bandwidthRow(row, numbers.gigabits));
    side.output.flush();
    side.output.write("\n");
  }

  private latency(bytes: number): void {
    const { options, port } = this.client;
    const { verb } = options.tool;
    const way = verb === "read" ? this.ways.toClient : this.ways.toServer;
    const conditions = {
      switches: Math.max(0, way.length - 1),
      rateGbps: pathRateGbps(this.fabric.traffic, way, port),
      loaded: this.fabric.traffic.isLoaded(way),
      weak: [...this.ways.toServer, ...this.ways.toClient].some((hop) => hop.carries < 1),
    };
    const measure = (): LatencyResult => latencyResult(verb, bytes, options.iterations, conditions, this.random);
    const result = measure();
    const roundTrip = result.average * (verb === "read" ? 1 : 2);
    const counted =
      options.seconds === undefined ? options.iterations : Math.floor((window(options) * 1e6) / roundTrip);
    const seconds = options.seconds ?? (counted * roundTrip) / 1e6;
    const payload = (bytes * seconds * 1e6) / roundTrip;
    this.transfer(
      verb === "read"
        ? [{ path: way, payload }]
        : [this.ways.toServer, this.ways.toClient].map((path) => ({ path, payload })),
      bytes,
      seconds,
      () => {
        this.latencyRow(this.client, result, counted);
        if (verb !== "read") this.latencyRow(this.server, measure(), counted);
        this.next();
      },
    );
  }

  private latencyRow(side: Side, result: LatencyResult, counted: number): void {
    const { verb } = side.options.tool;
    const row =
      side.options.seconds === undefined
        ? latencyRow({ ...result, iterations: counted })
        : latencyDurationRow(result.bytes, counted, result.average, 1e6 / (result.average * (verb === "read" ? 1 : 2)));
    side.output.write(`${row}\n`);
  }

  /** Lets the messages cross; what has crossed when a program ends early is counted as well. */
  private transfer(
    directions: readonly { readonly path: Path; readonly payload: number }[],
    messageBytes: number,
    seconds: number,
    then: () => void,
  ): void {
    const { traffic } = this.fabric;
    const { process } = this.client;
    const lasts = this.pace.duration(seconds);
    const flows = directions.map(({ path, payload }) => {
      const flow = new Flow(path, wireBytes(Math.round(payload), messageBytes, this.mtu), process.now(), lasts);
      traffic.start(flow);
      return flow;
    });
    let running = true;
    const stop = (atEnd: boolean): void => {
      if (!running) return;
      running = false;
      for (const flow of flows) traffic.end(flow, atEnd ? Number.POSITIVE_INFINITY : process.now());
    };
    for (const side of [this.client, this.server]) side.process.whenEnded(() => stop(false));
    process.after(lasts, () => {
      stop(true);
      then();
    });
  }

  private finish(): void {
    const { options } = this.client;
    for (const side of [this.client, this.server]) {
      const silent = side === this.server && options.tool.verb === "read" && options.tool.latency;
      if (!silent) side.output.write(`${rule}\n`);
    }
    const below =
      options.limitBandwidth !== undefined && !options.tool.latency && this.slowest < options.limitBandwidth;
    if (below) this.client.process.err("Error: BW result is below bw limit\n");
    this.pair.over = true;
    this.server.output.exit(0);
    this.client.output.exit(below ? 1 : 0);
  }

  /** The smaller of what both sides ask for. */
  private get mtu(): number {
    return Math.min(this.client.options.mtu, this.server.options.mtu);
  }
}

/** Seconds of a `-D` run that count: without the margins at both ends. */
function window(options: PerftestOptions): number {
  const seconds = options.seconds ?? 0;
  const margin = options.margin ?? Math.floor(seconds / 4);
  return Math.max(1, seconds - 2 * margin);
}
