/** The CommandRunner of a simulated machine. */
import { err, ok } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { CommandOutput, CommandRunner, CommandSpec, RunResult } from "../runner.ts";
import { systemClock, type SimulatedClock } from "./clock.ts";
import type { SimulatedFabric } from "./fabric.ts";
import { launch } from "./launch.ts";
import { SimulatedProcess, type ProcessEnd, type SimulatedMachine } from "./machine.ts";
import type { Pace } from "./programs.ts";

export interface SimulatedRunnerOptions {
  /** Real seconds per second that a measurement says it runs; 0.3 unless given. */
  readonly timeScale?: number;
  /** Factor on the small delays of commands; 1 unless given, 0 for none. */
  readonly latencyScale?: number;
  readonly clock?: SimulatedClock;
  /** Names of hosts that cannot be reached. */
  readonly unreachable?: ReadonlySet<string>;
}

const defaultTimeScale = 0.3;

interface Running {
  readonly process: SimulatedProcess;
  /** Ends the process and settles its run with this error. */
  readonly stop: (error: AppError) => void;
}

class SimulatedRunner implements CommandRunner {
  readonly kind = "simulated";
  readonly label: string;
  readonly host: string;
  private readonly fabric: SimulatedFabric;
  private readonly machine: SimulatedMachine;
  private readonly clock: SimulatedClock;
  private readonly pace: Pace;
  private readonly unreachable: ReadonlySet<string>;
  private readonly running = new Set<Running>();
  private closed = false;

  constructor(fabric: SimulatedFabric, machine: SimulatedMachine, options: SimulatedRunnerOptions) {
    this.fabric = fabric;
    this.machine = machine;
    this.host = machine.name;
    this.label = `${machine.name} (simulated ${fabric.name})`;
    this.clock = options.clock ?? systemClock;
    const { timeScale = defaultTimeScale, latencyScale = 1 } = options;
    this.pace = { latency: (ms) => ms * latencyScale, duration: (seconds) => seconds * 1000 * timeScale };
    this.unreachable = options.unreachable ?? new Set();
    fabric.startJobs(this.clock.now(), this.pace.duration(1));
  }

  run(spec: CommandSpec, signal: AbortSignal): Promise<RunResult> {
    return new Promise((resolve) => {
      const what = spec.argv[0];
      const startedAt = this.clock.now();
      const refusal = this.refusal(spec, signal);
      if (refusal !== undefined) {
        resolve(err(refusal));
        return;
      }
      const kept = { stdout: new Capture(spec.maxOutputBytes), stderr: new Capture(spec.maxOutputBytes) };
      let error: AppError | undefined;
      const process = new SimulatedProcess(
        this.machine,
        this.fabric.takePid(),
        spec.argv,
        this.clock,
        (stream, text) => {
          const piece = encoder.encode(text);
          const capture = kept[stream];
          const fitting = capture.add(piece);
          if (fitting.length > 0) spec.onOutput?.(stream, fitting);
          if (capture.full) {
            stop({ kind: "output-truncated", what, host: this.host, limitBytes: spec.maxOutputBytes });
          }
        },
      );
      const stop = (why: AppError): void => {
        error ??= why;
        process.kill("SIGTERM");
      };
      const entry: Running = { process, stop };
      const cancel = (): void => stop({ kind: "cancelled", what });
      const forgetLimit = this.clock.after(spec.timeoutMs, () =>
        stop({ kind: "timed-out", what, host: this.host, seconds: spec.timeoutMs / 1000 }),
      );
      process.whenEnded((end) => {
        forgetLimit();
        signal.removeEventListener("abort", cancel);
        this.running.delete(entry);
        const output = this.output(spec, kept, end, startedAt);
        resolve(error === undefined ? ok(output) : err({ ...error, partial: output }));
      });
      signal.addEventListener("abort", cancel, { once: true });
      this.running.add(entry);
      this.machine.processes.set(process.pid, process);
      spec.onPid?.(process.pid);
      launch(spec.argv, {
        fabric: this.fabric,
        process,
        pace: this.pace,
        lineBuffered: false,
        unreachable: this.unreachable,
      });
    });
  }

  /** Why a command is not even started. */
  private refusal(spec: CommandSpec, signal: AbortSignal): AppError | undefined {
    const what = spec.argv[0];
    if (signal.aborted || this.closed) return { kind: "cancelled", what };
    if (spec.argv.some((word) => word.includes("\0"))) {
      return { kind: "bad-request", detail: "An argument of a command cannot contain a NUL character." };
    }
    return undefined;
  }

  close(): Promise<void> {
    this.closed = true;
    for (const { stop, process } of [...this.running]) {
      stop({ kind: "cancelled", what: process.argv[0] ?? "" });
    }
    return Promise.resolve();
  }

  private output(
    spec: CommandSpec,
    kept: { readonly stdout: Capture; readonly stderr: Capture },
    end: ProcessEnd,
    startedAt: number,
  ): CommandOutput {
    return {
      argv: spec.argv,
      stdout: kept.stdout.bytes(),
      stderr: kept.stderr.bytes(),
      ...end,
      startedAt,
      durationMs: this.clock.now() - startedAt,
    };
  }
}

const encoder = new TextEncoder();

/** The first bytes of a stream, up to a limit. */
class Capture {
  private readonly limit: number;
  private readonly pieces: Uint8Array[] = [];
  private length = 0;
  private overflowed = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True once more came than is kept. */
  get full(): boolean {
    return this.overflowed;
  }

  /** Keeps what fits of the piece, and returns that part. */
  add(piece: Uint8Array): Uint8Array {
    const fitting = piece.subarray(0, this.limit - this.length);
    if (fitting.length < piece.length) this.overflowed = true;
    this.pieces.push(fitting);
    this.length += fitting.length;
    return fitting;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}

/**
 * A runner for one machine of a simulated fabric: without `host` for the one on which the tools run; undefined when the
 * fabric has no host of that name. Runners of one fabric share its processes, listening ports and counters.
 */
export function createSimulatedRunner(
  fabric: SimulatedFabric,
  host: string,
  options?: SimulatedRunnerOptions,
): CommandRunner | undefined;
export function createSimulatedRunner(
  fabric: SimulatedFabric,
  host?: undefined,
  options?: SimulatedRunnerOptions,
): CommandRunner;
export function createSimulatedRunner(
  fabric: SimulatedFabric,
  host?: string,
  options: SimulatedRunnerOptions = {},
): CommandRunner | undefined {
  const machine = host === undefined ? fabric.origin : fabric.machines.get(host);
  return machine === undefined ? undefined : new SimulatedRunner(fabric, machine, options);
}
