import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandRunner } from "./runner.ts";

/** The way to the machines of one source: its own (where the InfiniBand tools run) and the hosts of the fabric. */
export interface HostAccess {
  /** The source's own machine. */
  readonly source: CommandRunner;
  /** True when everything behind it is made up. */
  readonly simulated: boolean;
  /**
   * A runner for a host of the fabric by its name there. Connections are kept and shared until `close`.
   * `address` in the result is what other hosts should use to reach it by TCP (perftest's rendezvous).
   */
  host(
    name: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly runner: CommandRunner; readonly address: string }, AppError>>;
  close(): Promise<void>;
}
