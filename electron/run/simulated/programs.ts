/** The programs that simulated machines have, by name. */
import type { SimulatedFabric } from "./fabric.ts";
import type { SimulatedProcess } from "./machine.ts";

/** How simulated time becomes real time. */
export interface Pace {
  /** Milliseconds that a small delay of `milliseconds` takes. */
  latency(milliseconds: number): number;
  /** Milliseconds that a test which says it runs `seconds` takes. */
  duration(seconds: number): number;
}

/** One call of a program. */
export interface ProgramCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly fabric: SimulatedFabric;
  readonly process: SimulatedProcess;
  readonly pace: Pace;
  readonly lineBuffered: boolean;
  readonly unreachable: ReadonlySet<string>;
}

/** Runs until it ends its process. */
export type Program = (call: ProgramCall) => void;

/** What a short program prints. */
export interface Answer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** A program that thinks for `milliseconds`, prints, and ends. */
export function answering(milliseconds: number, answer: (call: ProgramCall) => Answer): Program {
  return (call) => {
    const { process, pace } = call;
    process.after(pace.latency(milliseconds), () => {
      const { stdout = "", stderr = "", exitCode } = answer(call);
      process.out(stdout);
      process.err(stderr);
      process.exit(exitCode);
    });
  };
}
