import { setMaxListeners } from "node:events";
import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { MarkerFilter, wrapCommand } from "./envelope.ts";
import { quoteArgv } from "./quote.ts";
import type { CommandOutput, CommandSpec, RunResult } from "./runner.ts";

/** Waiting times of the way out, in milliseconds. */
const patience = {
  /** For a start that is under way when the command is to be ended. */
  start: 3_000,
  /** For the pid, when the process has started and has not told it yet. */
  pid: 2_000,
  /** For the kill script: 2 s until KILL, 2 s to see it work, and the ways there and back. */
  kill: 8_000,
  /** For the channel to close after the process is gone. */
  close: 1_000,
  /** For the watch of the start script to end the process, where the kill script could not: 2 s until KILL and a little. */
  watch: 5_000,
} as const;

/**
 * How a started command came to its end: `ended` with a code or a signal; `cut`: its channel closed and nobody said
 * how it ended; `lost`: the way to the machine is gone.
 */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode?: number; readonly signal?: string }
  | { readonly kind: "cut" }
  | { readonly kind: "lost" };

/** What a transport tells of a command that it starts. */
export interface CommandSink {
  /** The start is sent now; time spent waiting for a free channel before it does not count as the command's. */
  opening(): void;
  stdout(piece: Uint8Array): void;
  stderr(piece: Uint8Array): void;
  /** The last word; stdout and stderr are complete. */
  ended(end: CommandEnd): void;
}

/** A command that runs. */
export interface StartedCommand {
  /** Ends the process and all that it started. True when it is verified that nothing is left. */
  kill(pid: number | undefined): Promise<boolean>;
  /** Closes the channel without waiting; the start script's watch ends what still runs. */
  abandon(): void;
}

/** The way to one machine: starts an argv there with an open standard input. */
export interface CommandTransport {
  readonly host: string;
  /** Settles when the command has started. An aborted `stop` gives up the wait for a free channel. */
  start(
    argv: readonly [string, ...string[]],
    sudo: boolean,
    sink: CommandSink,
    stop: AbortSignal,
  ): Promise<Result<StartedCommand, AppError>>;
}

/** Pieces of one stream, up to a limit in bytes. */
class Collector {
  private readonly pieces: Uint8Array[] = [];
  private bytes = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Keeps what fits; the kept part, and whether something did not fit. */
  add(piece: Uint8Array): { readonly kept: Uint8Array; readonly overflow: boolean } {
    const room = this.limit - this.bytes;
    const kept = piece.length <= room ? piece : piece.subarray(0, room);
    if (kept.length > 0) this.pieces.push(Uint8Array.from(kept));
    this.bytes += kept.length;
    return { kept, overflow: piece.length > room };
  }

  all(): Uint8Array {
    const whole = new Uint8Array(this.bytes);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}

type EarlyEnd = "cancelled" | "timed-out" | "output-truncated";

/**
 * Runs one command over a transport and keeps the promises of {@link CommandRunner.run}: limits, abort, output without
 * the marker, and one result when the command has ended or cannot be reached any more.
 *
 * @param signals any of them ends the command with `cancelled`.
 */
export async function runCommand(
  spec: CommandSpec,
  signals: readonly AbortSignal[],
  transport: CommandTransport,
): Promise<RunResult> {
  const tool = spec.argv[0];
  if (signals.some((signal) => signal.aborted)) return err({ kind: "cancelled", what: tool });
  if (tool.startsWith("-") || tool === "") {
    return err({ kind: "bad-request", detail: `no program can be called ${JSON.stringify(tool)}` });
  }
  const envelope = wrapCommand(spec.argv, spec.sudo === true);
  const quoted = quoteArgv(envelope.argv);
  if (!quoted.ok) return quoted;
  return new RunningCommand(spec, transport, envelope.marker).run(envelope.argv, signals);
}

class RunningCommand implements CommandSink {
  private readonly spec: CommandSpec;
  private readonly transport: CommandTransport;
  private readonly out: { readonly filter: MarkerFilter; readonly kept: Collector };
  private readonly errors: { readonly filter: MarkerFilter; readonly kept: Collector };
  private readonly stop = new AbortController();
  private startedAt = Date.now();
  private startedClock = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private early: EarlyEnd | undefined;
  private end: CommandEnd | undefined;
  private pidSeen = false;
  private readonly starting = new Latch<Result<StartedCommand, AppError>>();
  private readonly pidKnown = new Latch<void>();
  private readonly closed = new Latch<void>();
  private readonly settled = new Latch<RunResult>();

  constructor(spec: CommandSpec, transport: CommandTransport, marker: string) {
    this.spec = spec;
    this.transport = transport;
    this.out = { filter: new MarkerFilter(marker), kept: new Collector(spec.maxOutputBytes) };
    this.errors = { filter: new MarkerFilter(marker), kept: new Collector(spec.maxOutputBytes) };
  }

  async run(argv: readonly [string, ...string[]], signals: readonly AbortSignal[]): Promise<RunResult> {
    const onAbort = (): void => this.endEarly("cancelled");
    // Any number of commands may share a signal; Node would warn of a leak from the eleventh on.
    setMaxListeners(0, ...signals);
    for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
    const start = this.transport.start(argv, this.spec.sudo === true, this, this.stop.signal);
    void start.then((started) => {
      this.starting.set(started);
      if (!started.ok && this.early === undefined) this.settled.set(started);
    });
    try {
      return await this.settled.value;
    } finally {
      clearTimeout(this.timer);
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    }
  }

  opening(): void {
    this.startedAt = Date.now();
    this.startedClock = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.endEarly("timed-out"), this.spec.timeoutMs);
  }

  stdout(piece: Uint8Array): void {
    this.take("stdout", piece);
  }

  stderr(piece: Uint8Array): void {
    this.take("stderr", piece);
    const pid = this.errors.filter.pid;
    if (pid === undefined || this.pidSeen) return;
    this.pidSeen = true;
    this.pidKnown.set();
    this.spec.onPid?.(pid);
  }

  ended(end: CommandEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.deliver("stdout", this.out.filter.rest());
    this.deliver("stderr", this.errors.filter.rest());
    this.closed.set();
    // When it is being ended early, that way settles the result.
    if (this.early === undefined) this.settle();
  }

  private take(stream: "stdout" | "stderr", piece: Uint8Array): void {
    const { filter } = stream === "stdout" ? this.out : this.errors;
    this.deliver(stream, filter.push(piece));
    // Endless noise before the marker would be held for ever.
    if (filter.heldBytes > this.spec.maxOutputBytes + 64 * 1024) this.deliver(stream, filter.rest());
  }

  private deliver(stream: "stdout" | "stderr", piece: Uint8Array): void {
    if (piece.length === 0) return;
    const { kept, overflow } = (stream === "stdout" ? this.out : this.errors).kept.add(piece);
    // After the early end nobody waits for pieces any more; they are kept for the partial output alone.
    if (kept.length > 0 && this.early === undefined) this.spec.onOutput?.(stream, kept);
    if (overflow) this.endEarly("output-truncated");
  }

  private endEarly(reason: EarlyEnd): void {
    if (this.early !== undefined || this.end !== undefined || this.settled.isSet) return;
    this.early = reason;
    this.stop.abort();
    void this.wayOut();
  }

  /** Ends the process, waits until it is gone, then settles. Every wait has its own limit. */
  private async wayOut(): Promise<void> {
    const started = await within(this.starting.value, patience.start);
    if (started === undefined) {
      // The machine does not answer; should the start succeed later, nobody is left to want it.
      void this.starting.value.then((late) => (late.ok ? late.value.abandon() : undefined));
    } else if (started.ok) {
      await within(Promise.race([this.pidKnown.value, this.closed.value]), patience.pid);
      const killed = this.closed.isSet || (await within(started.value.kill(this.errors.filter.pid), patience.kill));
      await within(this.closed.value, killed === true ? patience.close : patience.watch);
      started.value.abandon();
    }
    this.settle();
  }

  private settle(): void {
    const tool = this.spec.argv[0];
    const host = this.transport.host;
    const partial = this.output();
    if (this.end?.kind === "lost") {
      this.settled.set(err({ kind: "connection-lost", host, during: tool, partial }));
    } else if (this.early === "cancelled") {
      this.settled.set(err({ kind: "cancelled", what: tool, partial }));
    } else if (this.early === "timed-out") {
      this.settled.set(err({ kind: "timed-out", what: tool, host, seconds: this.spec.timeoutMs / 1000, partial }));
    } else if (this.early === "output-truncated") {
      const limitBytes = this.spec.maxOutputBytes;
      this.settled.set(err({ kind: "output-truncated", what: tool, host, limitBytes, partial }));
    } else if (this.end?.kind === "ended") {
      this.settled.set(ok(partial));
    } else {
      // The channel closed and no exit code came: whether the output is whole is not known.
      this.settled.set(err({ kind: "connection-lost", host, during: tool, partial }));
    }
  }

  private output(): CommandOutput {
    const stderr = this.errors.kept.all();
    const end = this.end?.kind === "ended" ? this.end : undefined;
    const exitCode = end?.exitCode === 1 && this.sudoFoundNothing(stderr) ? 127 : end?.exitCode;
    return {
      argv: this.spec.argv,
      stdout: this.out.kept.all(),
      stderr,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(end?.signal === undefined ? {} : { signal: end.signal }),
      startedAt: this.startedAt,
      durationMs: performance.now() - this.startedClock,
    };
  }

  /** sudo says by words alone that there is no such program; its exit code 1 says nothing. */
  private sudoFoundNothing(stderr: Uint8Array): boolean {
    if (this.spec.sudo !== true) return false;
    return Buffer.from(stderr).toString("utf8").trim() === `sudo: ${this.spec.argv[0]}: command not found`;
  }
}

/** A value that comes once; later ones are ignored. */
class Latch<T> {
  readonly value: Promise<T>;
  isSet = false;
  private resolve: (value: T) => void = () => undefined;

  constructor() {
    this.value = new Promise((resolve) => (this.resolve = resolve));
  }

  set(value: T): void {
    this.isSet = true;
    this.resolve(value);
  }
}

/** The value, or undefined when it does not come in time. */
async function within<T>(value: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
