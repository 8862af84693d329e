import type { AppError } from "../../../../shared/errors/kinds.ts";
import { createSimulatedFabric } from "../../../../electron/run/simulated/catalogue.ts";
import type { SimulatedFabric } from "../../../../electron/run/simulated/fabric.ts";
import { createSimulatedRunner, type SimulatedRunnerOptions } from "../../../../electron/run/simulated/runner.ts";
import type { CommandRunner, CommandSpec, RunResult } from "../../../../electron/run/runner.ts";
import { ManualClock } from "./manual-clock.ts";

/** What a test looks at of a finished command. */
export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly error: AppError | undefined;
  readonly durationMs: number;
}

/** A command that runs; `done` holds what it left once it ended. */
export interface Started {
  readonly pid: number;
  readonly abort: () => void;
  readonly done: Promise<Finished>;
  /** Set when it has ended. */
  result: Finished | undefined;
}

function finished(result: RunResult): Finished {
  const output = result.ok ? result.value : result.error.partial;
  const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
  return {
    stdout: text(output?.stdout),
    stderr: text(output?.stderr),
    exitCode: output?.exitCode,
    signal: output?.signal,
    error: result.ok ? undefined : result.error,
    durationMs: output?.durationMs ?? 0,
  };
}

/** A simulated fabric with a clock in the hand of the test. */
export class Bench {
  readonly clock = new ManualClock();
  readonly fabric: SimulatedFabric;
  private readonly options: SimulatedRunnerOptions;

  constructor(name: string, options: SimulatedRunnerOptions = {}) {
    const fabric = createSimulatedFabric(name);
    if (fabric === undefined) throw new Error(`no fabric ${name}`);
    this.fabric = fabric;
    this.options = { clock: this.clock, timeScale: 1, ...options };
  }

  runner(host?: string): CommandRunner {
    const runner =
      host === undefined
        ? createSimulatedRunner(this.fabric, undefined, this.options)
        : createSimulatedRunner(this.fabric, host, this.options);
    if (runner === undefined) throw new Error(`no host ${host ?? ""}`);
    return runner;
  }

  /** Starts a command on a host (undefined: where the tools run). */
  start(host: string | undefined, argv: readonly string[], spec: Partial<CommandSpec> = {}): Started {
    const controller = new AbortController();
    const [program = "", ...args] = argv;
    let pid = 0;
    const done = this.runner(host)
      .run(
        {
          argv: [program, ...args],
          timeoutMs: 3_600_000,
          maxOutputBytes: 16 * 1024 * 1024,
          onPid: (value) => {
            pid = value;
          },
          ...spec,
        },
        controller.signal,
      )
      .then(finished);
    const started: Started = { pid, abort: () => controller.abort(), done, result: undefined };
    void done.then((result) => {
      started.result = result;
    });
    return started;
  }

  /** Runs a command to its end, letting up to a minute pass. */
  async run(host: string | undefined, argv: readonly string[], spec: Partial<CommandSpec> = {}): Promise<Finished> {
    const started = this.start(host, argv, spec);
    await this.clock.advance(60_000);
    return started.done;
  }
}
