import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { Client } from "ssh2";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { CommandRunner } from "../runner.ts";
import { hopFailure } from "./failure.ts";
import { SshRunner } from "./runner.ts";

/** Silence, counted in keep-alive intervals, after which a link is dead. */
const silentIntervals = 3;

/** Time limit for opening a way through a jump host, in milliseconds. */
const hopTimeoutMs = 10_000;

/** Time limit for a farewell, in milliseconds. */
const closeTimeoutMs = 2_000;

/** Who one is logged in as, and how that was proved. */
export interface SshConnectionFacts {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly keyType: string;
  /** Of the host key, `SHA256:…`. */
  readonly fingerprint: string;
  /** The way to log in that worked, for instance `key /home/a/.ssh/id_ed25519`. */
  readonly authMethod: string;
}

/** A stream to speak SSH through: a TCP connection, or a way through a jump host. */
export interface SshWay {
  readonly stream: Duplex;
  /** Drops it at once. The stream's own `destroy` must not be called: ssh2 throws where the jump host is gone already. */
  discard(): void;
}

/** An open login. */
export interface SshConnection {
  readonly runner: CommandRunner;
  /** A TCP connection from the far machine to a host as it knows it; for hops. */
  forward(host: string, port: number): Promise<Result<SshWay, AppError>>;
  /** Time of one question and answer in milliseconds, measured now; undefined when no answer comes within 5 s. */
  latencyMs(): Promise<number | undefined>;
  /** Calls back once when the connection is lost (not when it is closed); at once when it is lost already. */
  onLost(listener: (error: AppError) => void): () => void;
  describe(): SshConnectionFacts;
  /** Ends what runs, then the connection and the hops it owns. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  readonly client: Client;
  /** What the client speaks through. */
  readonly way: SshWay;
  readonly facts: SshConnectionFacts;
  readonly keepaliveIntervalMs: number;
  /** Connections that exist for this one only, nearest to this machine first. */
  readonly hops: readonly SshConnection[];
}

/** A connection whose login has succeeded. */
export class OpenConnection implements SshConnection {
  readonly runner: CommandRunner;
  private readonly ssh: SshRunner;
  private readonly client: Client;
  private readonly options: OpenConnectionOptions;
  private readonly gone = new AbortController();
  private readonly lostListeners = new Set<(error: AppError) => void>();
  private state: "open" | "closing" | "lost" | "closed" = "open";
  private closingDone: Promise<void> | undefined;
  private silent = 0;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(options: OpenConnectionOptions) {
    this.options = options;
    this.client = options.client;
    setMaxListeners(0, this.gone.signal); // every command listens
    const { user, host } = options.facts;
    this.ssh = new SshRunner({ client: options.client, host, label: `${user}@${host}`, gone: this.gone.signal });
    this.runner = {
      kind: "ssh",
      label: this.ssh.label,
      host,
      run: (spec, signal) => this.ssh.run(spec, signal),
      close: () => this.close(),
    };
    this.client.on("error", () => undefined); // end or close follow, and tell it
    this.client.on("end", () => this.lose());
    this.client.on("close", () => this.lose());
    options.way.stream.on("data", () => (this.silent = 0));
    this.heartbeat = setInterval(() => this.listen(), options.keepaliveIntervalMs);
  }

  describe(): SshConnectionFacts {
    return this.options.facts;
  }

  onLost(listener: (error: AppError) => void): () => void {
    if (this.state === "lost") {
      listener(this.lostError());
      return () => undefined;
    }
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  forward(host: string, port: number): Promise<Result<SshWay, AppError>> {
    const gone = this.gone.signal;
    return new Promise((resolve) => {
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        resolve(err({ kind: "unreachable", host, port, code: "ETIMEDOUT" }));
      }, hopTimeoutMs);
      const fail = (error: AppError): void => {
        clearTimeout(timer);
        resolve(err(error));
      };
      if (gone.aborted) {
        fail(this.lostError());
        return;
      }
      try {
        this.client.forwardOut("127.0.0.1", 0, host, port, (error, stream) => {
          if (error !== undefined) {
            fail(gone.aborted ? this.lostError() : hopFailure(error, this.options.facts.host, host, port));
            return;
          }
          clearTimeout(timer);
          let dropped = false;
          const discard = (): void => {
            if (!dropped && !gone.aborted) stream.destroy();
            dropped = true;
          };
          if (timedOut) discard();
          else resolve(ok({ stream, discard }));
        });
      } catch {
        fail(this.lostError()); // ssh2 throws when its socket is closed already
      }
    });
  }

  latencyMs(): Promise<number | undefined> {
    return new Promise((resolve) => {
      if (this.gone.signal.aborted) {
        resolve(undefined);
        return;
      }
      const start = performance.now();
      const timer = setTimeout(() => resolve(undefined), 5_000);
      try {
        // Giving back a forwarding that never was: every server answers at once, no process starts, nothing is logged.
        this.client.unforwardIn("127.0.0.1", 1, () => {
          clearTimeout(timer);
          resolve(this.gone.signal.aborted ? undefined : performance.now() - start);
        });
      } catch {
        clearTimeout(timer);
        resolve(undefined); // closed already
      }
    });
  }

  close(): Promise<void> {
    this.closingDone ??= this.closeNow();
    return this.closingDone;
  }

  private async closeNow(): Promise<void> {
    await this.ssh.close();
    if (this.state === "open") {
      this.state = "closing";
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, closeTimeoutMs);
        this.client.once("close", () => {
          clearTimeout(timer);
          resolve();
        });
        this.client.end();
      });
    }
    this.state = "closed";
    this.release();
    for (const hop of [...this.options.hops].reverse()) await hop.close();
  }

  /**
   * Counts intervals without a byte from the far side. ssh2 asks for an answer every interval, so a living link is never
   * silent for long; its own count is not used, because an answer may wait behind megabytes of output.
   */
  private listen(): void {
    this.silent += 1;
    // The first interval may have begun just after the last byte.
    if (this.silent > silentIntervals) this.lose();
  }

  private lose(): void {
    if (this.state !== "open") return;
    this.state = "lost";
    this.release();
    for (const listener of this.lostListeners) listener(this.lostError());
    this.lostListeners.clear();
    for (const hop of [...this.options.hops].reverse()) void hop.close();
  }

  private release(): void {
    clearInterval(this.heartbeat);
    this.gone.abort();
    this.options.way.discard();
  }

  private lostError(): AppError {
    return { kind: "connection-lost", host: this.options.facts.host, during: "an open connection" };
  }
}
