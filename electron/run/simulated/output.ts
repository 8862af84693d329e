import type { SimulatedProcess } from "./machine.ts";

/** Size of C's buffer for standard output that is a pipe. */
const bufferBytes = 4096;

/**
 * Standard output as a C program writes it to a pipe: kept back until the buffer is full, flushed, or the program ends
 * by itself. What is in it when a signal ends the program is lost.
 */
export class BufferedOutput {
  private readonly process: SimulatedProcess;
  private readonly lineBuffered: boolean;
  private text = "";

  constructor(process: SimulatedProcess, lineBuffered: boolean) {
    this.process = process;
    this.lineBuffered = lineBuffered;
  }

  write(text: string): void {
    this.text += text;
    if (this.lineBuffered) {
      const whole = this.text.lastIndexOf("\n") + 1;
      this.process.out(this.text.slice(0, whole));
      this.text = this.text.slice(whole);
    } else if (this.text.length >= bufferBytes) this.flush();
  }

  flush(): void {
    this.process.out(this.text);
    this.text = "";
  }

  /** Flushes and ends the program. */
  exit(exitCode: number): void {
    this.flush();
    this.process.exit(exitCode);
  }
}
