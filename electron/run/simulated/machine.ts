/** Simulated machines: a process table, listening TCP ports, and the adapters that the host owns. */
import type { SimulatedClock } from "./clock.ts";
import type { SimulatedNode } from "./model.ts";

export type Signal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP";

/** How a process ended: one of the two is set. */
export interface ProcessEnd {
  readonly exitCode?: number;
  readonly signal?: Signal;
}

type Sink = (stream: "stdout" | "stderr", text: string) => void;

/** A running command. Everything it plans with `after` is taken back when it ends. */
export class SimulatedProcess {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly machine: SimulatedMachine;
  readonly clock: SimulatedClock;
  private readonly sink: Sink;
  private readonly timers = new Set<() => void>();
  private readonly endings: ((end: ProcessEnd) => void)[] = [];
  private over = false;

  constructor(machine: SimulatedMachine, pid: number, argv: readonly string[], clock: SimulatedClock, sink: Sink) {
    this.machine = machine;
    this.pid = pid;
    this.argv = argv;
    this.clock = clock;
    this.sink = sink;
  }

  get ended(): boolean {
    return this.over;
  }

  now(): number {
    return this.clock.now();
  }

  out(text: string): void {
    if (!this.over && text !== "") this.sink("stdout", text);
  }

  err(text: string): void {
    if (!this.over && text !== "") this.sink("stderr", text);
  }

  /** Goes on after `milliseconds`, unless the process ended before. */
  after(milliseconds: number, action: () => void): void {
    const forget = this.clock.after(milliseconds, () => {
      this.timers.delete(forget);
      if (!this.over) action();
    });
    this.timers.add(forget);
  }

  /** Called once when the process is over, whatever ended it. */
  whenEnded(action: (end: ProcessEnd) => void): void {
    this.endings.push(action);
  }

  exit(exitCode: number): void {
    this.end({ exitCode });
  }

  kill(signal: Signal): void {
    this.end({ signal });
  }

  private end(end: ProcessEnd): void {
    if (this.over) return;
    this.over = true;
    for (const forget of this.timers) forget();
    this.timers.clear();
    this.machine.processes.delete(this.pid);
    for (const action of this.endings) action(end);
  }
}

/** Something that waits for one TCP connection. */
export interface Listener {
  readonly process: SimulatedProcess;
}

/** One host of the simulated fabric. */
export class SimulatedMachine {
  readonly name: string;
  /** Its adapters in the order of their device names mlx5_0, mlx5_1 … */
  readonly adapters: readonly SimulatedNode[];
  readonly processes = new Map<number, SimulatedProcess>();
  readonly listeners = new Map<number, Listener>();

  constructor(name: string, adapters: readonly SimulatedNode[]) {
    this.name = name;
    this.adapters = adapters;
  }

  /** Verbs devices by name. */
  device(name: string): SimulatedNode | undefined {
    return this.adapters.find((adapter) => deviceName(adapter) === name);
  }
}

/** `mlx5_0` of the description `n001 mlx5_0`. */
export function deviceName(adapter: SimulatedNode): string {
  return adapter.description.split(" ")[1] ?? "mlx5_0";
}

/** `n001` of the description `n001 mlx5_0`. */
export function hostName(adapter: SimulatedNode): string {
  return adapter.description.split(" ")[0] ?? adapter.description;
}
