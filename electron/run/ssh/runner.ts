import type { Client, ClientChannel } from "ssh2";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { runCommand } from "../command.ts";
import type { CommandEnd, CommandSink, CommandTransport, StartedCommand } from "../command.ts";
import { killCommand } from "../envelope.ts";
import { quoteArgv } from "../quote.ts";
import type { CommandRunner, CommandSpec, RunResult } from "../runner.ts";
import { ChannelPlaces } from "./channels.ts";
import { facts } from "./failure.ts";

/** Commands at once on one connection; with two more for kill scripts this stays below sshd's MaxSessions of 10. */
const mostCommands = 8;
const mostKills = 2;

/** The kill script needs 4 s and a little at most; a machine that does not come back is not waited for. */
const longestKillMs = 10_000;

/** A channel that had its exit code and the end of both streams, but never closes: milliseconds to wait. */
const closeGraceMs = 2_000;

/** A refused channel may be one that the server has not cleared away yet: milliseconds until the one more try. */
const refusedGraceMs = 250;

export interface SshRunnerOptions {
  readonly client: Client;
  readonly host: string;
  readonly label: string;
  /** Aborted when the connection is lost or closed. */
  readonly gone: AbortSignal;
}

/** The commands of one connection. */
export class SshRunner implements CommandRunner {
  readonly kind = "ssh";
  readonly label: string;
  readonly host: string;
  private readonly closing = new AbortController();
  private readonly running = new Set<Promise<RunResult>>();
  private readonly transport: CommandTransport;

  constructor(options: SshRunnerOptions) {
    this.label = options.label;
    this.host = options.host;
    this.transport = new SshTransport(options);
  }

  run(spec: CommandSpec, signal: AbortSignal): Promise<RunResult> {
    const run = runCommand(spec, [signal, this.closing.signal], this.transport);
    this.running.add(run);
    void run.finally(() => this.running.delete(run));
    return run;
  }

  /** Ends what runs; the connection itself is its owner's. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.running);
  }
}

class SshTransport implements CommandTransport {
  readonly host: string;
  private readonly client: Client;
  private readonly gone: AbortSignal;
  private readonly commands = new ChannelPlaces(mostCommands);
  private readonly kills = new ChannelPlaces(mostKills);
  /** Channels that are open now, the most that ever were at once, and all that ever were. */
  private sessions = 0;
  private mostSessions = 0;
  private openedEver = 0;
  /** Openings that the server has not answered yet. */
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(options: SshRunnerOptions) {
    this.host = options.host;
    this.client = options.client;
    this.gone = options.gone;
  }

  async start(
    argv: readonly [string, ...string[]],
    sudo: boolean,
    sink: CommandSink,
    stop: AbortSignal,
  ): Promise<Result<StartedCommand, AppError>> {
    const [tool] = argv;
    const line = quoteArgv(argv);
    if (!line.ok) return line;
    const either = anyOf(stop, this.gone);
    let openedBefore: number | undefined;
    for (;;) {
      const place = await this.commands.acquire(either.signal, openedBefore !== undefined);
      if (!place) {
        either.dispose();
        return err(this.gone.aborted ? this.lost(tool) : { kind: "cancelled", what: tool });
      }
      sink.opening();
      const opened = await this.open(`exec ${line.value}`, (channel) => this.follow(channel, sudo, sink));
      if (opened.ok) {
        either.dispose();
        return ok(opened.value.of);
      }
      if (opened.error.kind !== "channel-refused") {
        this.commands.release();
        either.dispose();
        return opened;
      }
      // The server is full: it has held as many as were ever open at once, so no more are asked of it from now on. Those
      // under way are waited for first: which of them got a channel is not known before they run.
      await Promise.allSettled(this.underWay);
      this.commands.lowerTo(this.mostSessions);
      await pause(refusedGraceMs);
      this.commands.release();
      // Refused twice and nothing else was open meanwhile: it is not for want of room.
      if (this.sessions === 0 && this.openedEver === openedBefore) {
        either.dispose();
        return opened;
      }
      openedBefore = this.openedEver;
    }
  }

  private follow(channel: ClientChannel, sudo: boolean, sink: CommandSink): StartedCommand {
    let over = false;
    const abandon = followChannel(channel, this.gone, {
      stdout: (piece) => sink.stdout(piece),
      stderr: (piece) => sink.stderr(piece),
      ended: (how) => {
        over = true;
        this.sessions -= 1;
        this.commands.release();
        sink.ended(how);
      },
    });
    return {
      abandon,
      kill: async (pid) => {
        if (over || this.gone.aborted) return over;
        // The end of its input wakes the watch of the start script, which ends the command without another channel.
        channel.end();
        return pid !== undefined && this.kill(pid, sudo);
      },
    };
  }

  /** Runs the kill script on a channel of its own. True when it says that nothing is left; false also when it cannot run. */
  private async kill(pid: number, sudo: boolean): Promise<boolean> {
    const line = quoteArgv(killCommand(pid, sudo));
    if (!line.ok || !(await this.kills.acquire(this.gone))) return false;
    const ended = await this.open(`exec ${line.value}`, (channel) => {
      return new Promise<boolean>((resolve) => {
        let timer: NodeJS.Timeout | undefined = undefined;
        const done = (how: CommandEnd): void => {
          clearTimeout(timer);
          this.sessions -= 1;
          resolve(how.kind === "ended" && how.exitCode === 0);
        };
        const abandon = followChannel(channel, this.gone, { stdout: ignore, stderr: ignore, ended: done });
        timer = setTimeout(abandon, longestKillMs);
      });
    });
    const gone = ended.ok && (await ended.value.of);
    this.kills.release();
    return gone;
  }

  /**
   * Starts a line on a new channel. `use` is called in the very moment the channel is there: all that a short command
   * says, exit code included, may have come in the same packet, and events are not kept for those who listen later.
   */
  private open<T>(line: string, use: (channel: ClientChannel) => T): Promise<Result<{ readonly of: T }, AppError>> {
    const opening = new Promise<Result<{ readonly of: T }, AppError>>((resolve) => {
      const onGone = (): void => resolve(err(this.lost("opening a channel")));
      if (this.gone.aborted) {
        onGone();
        return;
      }
      this.gone.addEventListener("abort", onGone, { once: true });
      const done = (result: Result<{ readonly of: T }, AppError>): void => {
        this.gone.removeEventListener("abort", onGone);
        resolve(result);
      };
      try {
        this.client.exec(line, (error, channel) => {
          if (error === undefined) {
            this.sessions += 1;
            this.openedEver += 1;
            this.mostSessions = Math.max(this.mostSessions, this.sessions);
            done(ok({ of: use(channel) }));
          } else done(err({ kind: "channel-refused", host: this.host, detail: facts(error).message }));
        });
      } catch {
        done(err(this.lost("opening a channel"))); // ssh2 throws when its socket is closed already
      }
    });
    this.underWay.add(opening);
    void opening.then(() => this.underWay.delete(opening));
    return opening;
  }

  private lost(during: string): AppError {
    return { kind: "connection-lost", host: this.host, during };
  }
}

/**
 * Follows a channel to its end: both streams drained (they share one flow window), then `close`. The exit code may
 * never come; `close` may never come after it.
 *
 * @returns closes the channel and takes what is known as its end
 */
function followChannel(
  channel: ClientChannel,
  gone: AbortSignal,
  sink: Pick<CommandSink, "stdout" | "stderr" | "ended">,
): () => void {
  let exit: { readonly exitCode?: number; readonly signal?: string } | undefined;
  let outEnded = false;
  let errorsEnded = false;
  let closed = false;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (how: CommandEnd): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    gone.removeEventListener("abort", onGone);
    sink.ended(how);
  };
  const onGone = (): void => end({ kind: "lost" });
  const look = (): void => {
    if (closed && errorsEnded) {
      end(exit === undefined ? { kind: "cut" } : { kind: "ended", ...exit });
    } else if (exit !== undefined && outEnded && errorsEnded && timer === undefined) {
      timer = setTimeout(abandon, closeGraceMs);
    }
  };
  const abandon = (): void => {
    if (over) return;
    // After the connection is gone, ssh2 throws on every packet it is to send.
    if (!gone.aborted) channel.close();
    end(exit === undefined ? { kind: "cut" } : { kind: "ended", ...exit });
  };
  gone.addEventListener("abort", onGone, { once: true });
  channel.on("data", (piece: Buffer) => {
    if (!over) sink.stdout(piece);
  });
  channel.stderr.on("data", (piece: Buffer) => {
    if (!over) sink.stderr(piece);
  });
  channel.on("error", () => undefined); // told by close
  channel.stderr.on("error", () => undefined);
  channel.on("exit", (code: number | null, signal?: string) => {
    exit = code === null ? { ...(signal === undefined ? {} : { signal }) } : { exitCode: code };
    look();
  });
  channel.on("end", () => {
    outEnded = true;
    look();
  });
  const onErrorsEnd = (): void => {
    errorsEnded = true;
    look();
  };
  channel.stderr.on("end", onErrorsEnd);
  channel.stderr.on("close", onErrorsEnd);
  channel.on("close", () => {
    closed = true;
    look();
  });
  if (gone.aborted) onGone();
  return abandon;
}

/** A signal that is aborted when one of two is (`AbortSignal.any` is not in Node 18). */
function anyOf(first: AbortSignal, second: AbortSignal): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const dispose = (): void => {
    first.removeEventListener("abort", abort);
    second.removeEventListener("abort", abort);
  };
  if (first.aborted || second.aborted) controller.abort();
  first.addEventListener("abort", abort);
  second.addEventListener("abort", abort);
  return { signal: controller.signal, dispose };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function ignore(): void {
  // the kill script's words are for people on the machine
}
