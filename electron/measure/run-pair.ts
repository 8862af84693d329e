/**
 * One tool between two prepared hosts: server first, wait until it listens, then the client. Whatever happens, both
 * sides have ended, or cannot be reached any more, when the record is returned.
 */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { limitSeconds, sideArgv } from "../../shared/measure/argv.ts";
import { causeOf, parseResult, readSideFailure, type SideContext } from "../../shared/measure/result.ts";
import { isBandwidthTool, type PerftestTool } from "../../shared/measure/steps.ts";
import type { MeasureOptions, RunRecord, SideRecord } from "../../shared/measure/types.ts";
import type { RunResult } from "../run/runner.ts";
import { ask, errorOf, linkedController, textOf, type Sleep } from "./commands.ts";
import { watchRate } from "./live-rate.ts";
import { portHolder } from "./port-holder.ts";
import type { PreparedSide } from "./prepare.ts";
import { parseTcpPorts } from "./tcp-ports.ts";

export interface Pair {
  readonly tool: PerftestTool;
  readonly options: MeasureOptions;
  readonly client: PreparedSide;
  readonly server: PreparedSide;
}

export interface PairDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A TCP port of the rendezvous range. */
  readonly randomPort: () => number;
  readonly sleep: Sleep;
}

/** What the user sees meanwhile. */
export interface PairWatcher {
  readonly onNote: (note: string) => void;
  /** Gb/s that cross the client's port just now, where its counters tell. */
  readonly onRate: (gbps: number) => void;
  /** The client was started, and has ended, whatever came of it. */
  readonly onClientStart?: () => void;
  readonly onClientEnd?: () => void;
}

const patience = {
  /** For the server to listen. */
  listenMs: 15_000,
  firstPollMs: 60,
  longestPollMs: 500,
  /** Where no table tells, the server gets this long before the client starts. */
  blindMs: 2_000,
  /** For the server to end after its client has ended well; it ends with it, give or take a second. */
  serverAfterSuccessMs: 5_000,
  /** The same for a receiver of raw Ethernet, which started earlier and ends later by itself. */
  receiverAfterSuccessMs: 10_000,
  /** For the server to say its part after a failure of the client; then it is ended. */
  serverAfterFailureMs: 1_500,
  /** For the client to notice that its server has ended. */
  clientAfterServerMs: 5_000,
} as const;

const outputLimit = 256 * 1024;
const portTries = 50;
const tables = ["cat", "/proc/net/tcp", "/proc/net/tcp6"] as const;

/** Runs a tool once; once more on another port when the first was taken in the meantime. */
export async function runPair(
  pair: Pair,
  deps: PairDeps,
  signal: AbortSignal,
  watcher: PairWatcher,
): Promise<RunRecord> {
  const first = await runOnFreePort(pair, deps, signal, watcher);
  if (!isPortTaken(first.run.error)) return first.run;
  const { run, port } = await runOnFreePort(pair, deps, signal, watcher);
  if (port === undefined || !isPortTaken(run.error)) return run;
  const holder = await portHolder(pair.server.runner, port, signal);
  return holder === undefined ? run : { ...run, error: { ...run.error, holder } };
}

function isPortTaken(error: AppError | undefined): error is Extract<AppError, { kind: "perftest" }> {
  return error?.kind === "perftest" && error.code === "port-taken";
}

async function runOnFreePort(
  pair: Pair,
  deps: PairDeps,
  signal: AbortSignal,
  watcher: PairWatcher,
): Promise<{ readonly run: RunRecord; readonly port?: number }> {
  const startedAt = deps.now();
  // Raw Ethernet has no rendezvous.
  const port = isRaw(pair) ? ok(0) : await chooseTcpPort(pair.server, deps, signal);
  if (port.ok) return { run: await new PairRun(pair, deps, port.value, watcher).run(signal), port: port.value };
  const run: RunRecord = {
    tool: pair.tool,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: deps.now() - startedAt,
    server: emptySide(pair.server, ""),
    client: emptySide(pair.client, ""),
    bandwidth: [],
    latency: [],
    error: port.error.kind === "cancelled" ? { kind: "cancelled", what: pair.tool } : port.error,
  };
  return { run };
}

function isRaw({ tool }: Pair): boolean {
  return tool === "raw_ethernet_bw";
}

/** A random port that nobody uses on the server's host, as far as its tables tell. */
async function chooseTcpPort(
  server: PreparedSide,
  deps: PairDeps,
  signal: AbortSignal,
): Promise<Result<number, AppError>> {
  const asked = await ask(server.runner, tables, signal);
  if (!asked.ok) return asked;
  const used = parseTcpPorts(asked.value.stdout)?.used;
  let port = deps.randomPort();
  for (let tries = 1; tries < portTries && used?.has(port) === true; tries += 1) port = deps.randomPort();
  if (used?.has(port) === true) return err({ kind: "busy", what: `Every TCP port tried on ${server.endpoint.host}` });
  return ok(port);
}

function emptySide(side: PreparedSide, commandLine: string): SideRecord {
  return { host: side.endpoint.host, commandLine, stdout: "", stderr: "" };
}

/** For people: words with spaces in quotes. What runs is the argv; this line is never run. */
function commandLineOf(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

class PairRun {
  private readonly pair: Pair;
  private readonly deps: PairDeps;
  private readonly tcpPort: number;
  private readonly watcher: PairWatcher;
  private readonly serverArgv: readonly [string, ...string[]];
  private readonly clientArgv: readonly [string, ...string[]];
  private serverResult: RunResult | undefined;
  private clientResult: RunResult | undefined;
  private serverPid: number | undefined;

  constructor(pair: Pair, deps: PairDeps, tcpPort: number, watcher: PairWatcher) {
    this.pair = pair;
    this.deps = deps;
    this.tcpPort = tcpPort;
    this.watcher = watcher;
    const { tool, options, client, server } = pair;
    const macs = { client: client.mac ?? "", server: server.mac ?? "" };
    this.serverArgv = sideArgv(tool, options, {
      device: server.device,
      ibPort: server.ibPort,
      tcpPort,
      raw: { role: "server", own: macs.server, other: macs.client },
    });
    this.clientArgv = sideArgv(tool, options, {
      device: client.device,
      ibPort: client.ibPort,
      tcpPort,
      address: server.address,
      raw: { role: "client", own: macs.client, other: macs.server },
    });
  }

  async run(signal: AbortSignal): Promise<RunRecord> {
    const startedAt = this.deps.now();
    const server = linkedController(signal);
    const client = linkedController(signal);
    try {
      const serverEnded = this.start("server", server.controller.signal);
      const failure = await this.waitUntilListening(server.controller.signal, serverEnded);
      if (failure === undefined) await this.runClient(client.controller, serverEnded, signal);
      await this.endServer(server.controller, serverEnded);
      return this.record(startedAt, this.judgeEnd(signal, failure));
    } finally {
      // Also when a bug throws: nothing of ours goes on.
      server.controller.abort();
      client.controller.abort();
      server.release();
      client.release();
    }
  }

  private async start(role: "server" | "client", signal: AbortSignal): Promise<void> {
    const { tool, options } = this.pair;
    const result = await this.pair[role].runner.run(
      {
        argv: role === "server" ? this.serverArgv : this.clientArgv,
        // `timeout` on the host comes first; this one is for when it does not.
        timeoutMs: (limitSeconds(tool, options) + 10) * 1000,
        maxOutputBytes: outputLimit,
        onPid: (pid) => {
          if (role === "server") this.serverPid = pid;
        },
      },
      signal,
    );
    if (role === "server") this.serverResult = result;
    else this.clientResult = result;
  }

  /** Settles when the server listens (undefined), or with the reason why the client need not start. */
  private async waitUntilListening(signal: AbortSignal, serverEnded: Promise<void>): Promise<AppError | undefined> {
    const { server, tool } = this.pair;
    const { host } = server.endpoint;
    this.watcher.onNote(`Server on ${host} starts`);
    const began = this.deps.now();
    let pause: number = patience.firstPollMs;
    if (isRaw(this.pair)) {
      await Promise.race([this.deps.sleep(patience.blindMs, signal), serverEnded]);
      return this.serverResult === undefined ? undefined : this.serverFailure(this.serverResult);
    }
    for (;;) {
      const asked = await ask(server.runner, tables, signal);
      if (this.serverResult !== undefined) return this.serverFailure(this.serverResult);
      if (!asked.ok) return asked.error;
      const ports = parseTcpPorts(asked.value.stdout);
      const waited = this.deps.now() - began;
      if (ports?.listening.has(this.tcpPort) === true || (ports === undefined && waited >= patience.blindMs)) {
        const pid = this.serverPid === undefined ? "" : `, pid ${this.serverPid}`;
        this.watcher.onNote(`Server on ${host} listens on TCP port ${this.tcpPort}${pid}`);
        return undefined;
      }
      if (waited >= patience.listenMs) {
        const seconds = patience.listenMs / 1000;
        return { kind: "not-listening", tool, host, port: this.tcpPort, seconds, stderr: "" };
      }
      await Promise.race([this.deps.sleep(pause, signal), serverEnded]);
      pause = Math.min(patience.longestPollMs, pause * 2);
    }
  }

  /** Runs the client to its end; a server that ends before it takes the client with it after a while. */
  private async runClient(controller: AbortController, serverEnded: Promise<void>, signal: AbortSignal): Promise<void> {
    const { client, server } = this.pair;
    this.watcher.onNote(`Client on ${client.endpoint.host} runs against ${server.endpoint.host}`);
    const clientEnded = this.start("client", controller.signal).finally(() => this.watcher.onClientEnd?.());
    this.watcher.onClientStart?.();
    const rate = linkedController(signal);
    const rateWatched = this.watchRate(rate.controller.signal);
    const watch = async (): Promise<void> => {
      await serverEnded;
      // A server whose connection is lost leaves nothing to wait for.
      if (this.serverResult?.ok === true) {
        await Promise.race([this.deps.sleep(patience.clientAfterServerMs, signal), clientEnded]);
      }
      controller.abort();
    };
    await Promise.race([clientEnded, watch()]);
    await clientEnded;
    rate.controller.abort();
    rate.release();
    await rateWatched;
  }

  private async watchRate(signal: AbortSignal): Promise<void> {
    const { tool, options, client } = this.pair;
    // A latency test moves next to nothing.
    if (!isBandwidthTool(tool)) return;
    const { runner, device, ibPort } = client;
    const source = { runner, device, ibPort, bothDirections: options.bidirectional };
    await watchRate(source, this.deps.sleep, signal, this.watcher.onRate);
  }

  private async endServer(controller: AbortController, serverEnded: Promise<void>): Promise<void> {
    if (this.serverResult === undefined && this.clientResult?.ok === true) {
      const well = this.clientResult.value.exitCode === 0;
      // The receiver of raw Ethernet runs to its own end, and its number is the one that counts.
      const afterSuccess = isRaw(this.pair) ? patience.receiverAfterSuccessMs : patience.serverAfterSuccessMs;
      const wait = well ? afterSuccess : patience.serverAfterFailureMs;
      await Promise.race([this.deps.sleep(wait, controller.signal), serverEnded]);
    }
    controller.abort();
    await serverEnded;
  }

  private context(role: "server" | "client"): SideContext {
    const { tool, options, client, server } = this.pair;
    const side = this.pair[role];
    return {
      tool,
      options,
      host: side.endpoint.host,
      device: side.device,
      ibPort: side.ibPort,
      serverHost: server.endpoint.host,
      tcpPort: this.tcpPort,
      clientVersion: client.versions.get(tool) ?? "",
      serverVersion: server.versions.get(tool) ?? "",
    };
  }

  /** Why a server that has ended by itself did so. */
  private serverFailure(result: RunResult): AppError {
    if (!result.ok) return this.runnerError(errorOf(result.error), "server");
    const context = this.context("server");
    const { tool, host } = context;
    const problem = "the server ended before a client came";
    return readSideFailure(textOf(result.value), context) ?? { kind: "no-result", tool, host, problem, output: "" };
  }

  /** The runner speaks of the program that it started, which is `timeout`; people know the tool. */
  private runnerError(error: AppError, role: "server" | "client"): AppError {
    const { tool } = this.pair;
    if (error.kind === "cancelled" || error.kind === "timed-out" || error.kind === "output-truncated") {
      return { ...error, what: tool };
    }
    if (error.kind === "connection-lost") return { ...error, during: `${tool} (${role})` };
    return error;
  }

  /** The one error of the run, or the rows. */
  private judgeEnd(signal: AbortSignal, early: AppError | undefined): Result<Rows, AppError> {
    const { tool } = this.pair;
    if (signal.aborted) return err({ kind: "cancelled", what: tool });
    if (early !== undefined) {
      if (early.kind !== "not-listening" || this.serverResult === undefined) return err(early);
      const output = this.serverResult.ok ? this.serverResult.value : this.serverResult.error.partial;
      return err({ ...early, stderr: output === undefined ? "" : textOf(output).stderr.trim() });
    }
    const server = this.serverResult;
    // Our own abort of the server shows as `cancelled` and is no failure.
    const serverError =
      server === undefined || (!server.ok && server.error.kind === "cancelled")
        ? undefined
        : server.ok
          ? readSideFailure(textOf(server.value), this.context("server"))
          : this.runnerError(errorOf(server.error), "server");
    const client = this.clientResult;
    if (client === undefined) return err(serverError ?? { kind: "cancelled", what: tool });
    if (!client.ok) {
      const clientError = this.runnerError(errorOf(client.error), "client");
      // The client was ended because its server was gone: the server's reason counts.
      return err(clientError.kind === "cancelled" ? (serverError ?? this.silentServer()) : clientError);
    }
    const rows = parseResult(textOf(client.value), this.context("client"));
    if (!rows.ok) return err(causeOf(rows.error, serverError));
    // Nothing acknowledges raw frames: what was sent says nothing, what arrived is the result.
    if (!isRaw(this.pair)) return rows;
    if (server?.ok !== true) return err(serverError ?? this.silentServer());
    return parseResult(textOf(server.value), this.context("server"));
  }

  private silentServer(): AppError {
    const { tool, host } = this.context("server");
    return { kind: "no-result", tool, host, problem: "the server ended before the client had finished", output: "" };
  }

  private record(startedAt: number, result: Result<Rows, AppError>): RunRecord {
    const { tool, client, server } = this.pair;
    return {
      tool,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: this.deps.now() - startedAt,
      server: sideRecord(server, this.serverArgv, this.serverResult),
      client: sideRecord(client, this.clientResult === undefined ? [] : this.clientArgv, this.clientResult),
      bandwidth: result.ok ? result.value.bandwidth : [],
      latency: result.ok ? result.value.latency : [],
      ...(result.ok ? {} : { error: result.error }),
    };
  }
}

type Rows = Pick<RunRecord, "bandwidth" | "latency">;

function sideRecord(side: PreparedSide, argv: readonly string[], result: RunResult | undefined): SideRecord {
  const empty = emptySide(side, commandLineOf(argv));
  const output = result === undefined ? undefined : result.ok ? result.value : result.error.partial;
  if (output === undefined) return empty;
  const { stdout, stderr, exitCode } = textOf(output);
  return { ...empty, stdout, stderr, ...(exitCode === undefined ? {} : { exitCode }) };
}
