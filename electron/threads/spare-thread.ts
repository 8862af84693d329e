/** Threads that are started before they are needed: loading the program into one takes longer than a small fabric's whole work. */
import { Worker } from "node:worker_threads";

/** How long after a thread was taken the next one starts: first comes what the user waits for. */
const nextAfterMs = 5_000;

export class SpareThread {
  private readonly script: string;
  private spare: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;
  private keeps = false;

  /** @param script the built worker entry */
  constructor(script: string) {
    this.script = script;
  }

  /** From now on one is ready. Without this each is started when it is taken. */
  keep(): void {
    this.keeps = true;
    this.start();
  }

  /** True while a started one waits. */
  get isReady(): boolean {
    return this.spare !== undefined;
  }

  /** A thread that has been given nothing yet; the caller ends it. */
  take(): Worker {
    const worker = this.spare ?? this.create();
    this.spare = undefined;
    worker.removeAllListeners("error");
    worker.ref();
    if (this.keeps) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.start(), nextAfterMs);
      this.timer.unref();
    }
    return worker;
  }

  private start(): void {
    if (this.spare !== undefined) return;
    const worker = this.create();
    // One that dies while it waits is no loss: the next is started when it is taken.
    worker.once("error", () => {
      if (this.spare === worker) this.spare = undefined;
    });
    worker.unref();
    this.spare = worker;
  }

  private create(): Worker {
    // A text of 256 MiB and its records need more than a thread's default heap.
    return new Worker(this.script, { resourceLimits: { maxOldGenerationSizeMb: 4096 } });
  }
}
