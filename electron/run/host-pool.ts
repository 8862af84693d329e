import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandRunner } from "./runner.ts";
import type { SshConnection } from "./ssh/connection.ts";
import { connectSsh } from "./ssh/connect.ts";
import type { SshDependencies } from "./ssh/connect.ts";
import { parseSshAddress } from "./ssh/target.ts";

/** How the hosts of a fabric are reached over SSH. */
export interface HostPoolOptions {
  /** For hosts whose address names no user, or no port. */
  readonly user?: string;
  readonly port?: number;
  readonly identityFile?: string;
  /** The way from a host's name in the fabric to `[user@]host[:port]`, for names that are not in `map`. */
  readonly nameRule: (hostName: string) => string;
  /** Name in the fabric → `[user@]host[:port]`. */
  readonly map: ReadonlyMap<string, string>;
  /** Whether `~/.ssh/config` counts. */
  readonly useConfig: boolean;
  /** The connection to hop through; direct when left out. */
  readonly through?: SshConnection;
  readonly deps: SshDependencies;
}

/** A host as others use it: where its commands run, and where others reach it by TCP. */
export interface ReachedHost {
  readonly runner: CommandRunner;
  readonly address: string;
}

/** One attempt to connect that several may wait for. */
interface Attempt {
  readonly result: Promise<Result<SshConnection, AppError>>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Connections to the hosts of a fabric: opened when first wanted, shared by name, opened again after they were lost,
 * closed together.
 */
export class HostPool {
  private readonly options: HostPoolOptions;
  private readonly open = new Map<string, SshConnection>();
  private readonly attempts = new Map<string, Attempt>();
  private closed = false;

  constructor(options: HostPoolOptions) {
    this.options = options;
  }

  /** `[user@]host[:port]` of a host: from the map, else by the rule. */
  addressText(name: string): string {
    return this.options.map.get(name) ?? this.options.nameRule(name);
  }

  /**
   * The runner of a host. Who aborts gets `cancelled` at once; the attempt itself goes on while others wait for it.
   */
  async host(name: string, signal: AbortSignal): Promise<Result<ReachedHost, AppError>> {
    const cancelled = err({ kind: "cancelled", what: `connecting to ${name}` } as const);
    if (this.closed || signal.aborted) return cancelled;
    const address = parseSshAddress(this.addressText(name));
    if (!address.ok) return address;
    const reached = (connection: SshConnection): Result<ReachedHost, AppError> =>
      ok({ runner: connection.runner, address: address.value.host });
    const kept = this.open.get(name);
    if (kept !== undefined) return reached(kept);
    const attempt = this.attempts.get(name) ?? this.begin(name, address.value);
    attempt.waiting += 1;
    const result = await orAborted(attempt.result, signal);
    attempt.waiting -= 1;
    if (result === undefined) {
      if (attempt.waiting === 0) attempt.controller.abort();
      return cancelled;
    }
    return result.ok ? reached(result.value) : result;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const attempt of this.attempts.values()) attempt.controller.abort();
    await Promise.allSettled([...this.attempts.values()].map((attempt) => attempt.result));
    await Promise.allSettled([...this.open.values()].map((connection) => connection.close()));
    this.open.clear();
  }

  private begin(name: string, address: { host: string; port?: number; user?: string }): Attempt {
    const { user, port, identityFile, useConfig, through, deps } = this.options;
    const controller = new AbortController();
    const target = {
      ...(user === undefined ? {} : { user }),
      ...(port === undefined ? {} : { port }),
      ...(identityFile === undefined ? {} : { identityFile }),
      ...address,
      useConfig,
      ...(through === undefined ? {} : { jump: through }),
    };
    const attempt: Attempt = {
      controller,
      waiting: 0,
      result: connectSsh(target, deps, controller.signal).then((result) => {
        if (this.attempts.get(name) === attempt) this.attempts.delete(name);
        return result.ok ? this.keep(name, result.value) : result;
      }),
    };
    this.attempts.set(name, attempt);
    // An abandoned attempt must not be joined by the next who asks.
    controller.signal.addEventListener("abort", () => {
      if (this.attempts.get(name) === attempt && !this.closed) this.attempts.delete(name);
    });
    return attempt;
  }

  private async keep(name: string, connection: SshConnection): Promise<Result<SshConnection, AppError>> {
    if (this.closed) {
      await connection.close();
      return err({ kind: "cancelled", what: `connecting to ${name}` });
    }
    // Two attempts can both succeed when the first was abandoned too late to be stopped.
    const earlier = this.open.get(name);
    if (earlier !== undefined) {
      await connection.close();
      return ok(earlier);
    }
    this.open.set(name, connection);
    connection.onLost(() => {
      if (this.open.get(name) === connection) this.open.delete(name);
    });
    return ok(connection);
  }
}

/** The value, or undefined as soon as the signal is aborted. */
function orAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
