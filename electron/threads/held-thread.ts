/**
 * A thread that holds one fabric and answers questions about it, one after the other. An abort of the question that runs
 * ends the thread: the next question starts a new one, which reads the tables again.
 */
import type { Worker } from "node:worker_threads";
import { err, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type HeldContent, HeldFabric, type HeldProgress } from "./held-fabric.ts";
import { answer, type QuestionInput, type QuestionName, type QuestionOutput } from "./questions.ts";

/** A fabric that can be asked, wherever it is held. */
export interface Held {
  /** `what` names the question in the error of an aborted one. Rejects only for a bug. */
  ask<N extends QuestionName>(
    name: N,
    input: QuestionInput<N>,
    call: { readonly what: string; readonly signal: AbortSignal; readonly progress?: HeldProgress },
  ): Promise<Result<QuestionOutput<N>, AppError>>;
  /** True while a question runs or waits. */
  readonly isBusy: boolean;
  /** Lets go of the fabric; what is asked or waits is `cancelled`. */
  end(): void;
}

export interface QuestionMessage {
  readonly question: QuestionName;
  readonly input: unknown;
}

export type AnswerMessage =
  | { readonly progress: readonly [done: number, total: number, note: string] }
  | { readonly answer: Result<unknown, AppError> };

interface Asked {
  readonly message: QuestionMessage;
  readonly what: string;
  readonly progress: HeldProgress;
  readonly settle: (answer: Result<unknown, AppError>) => void;
  readonly fail: (error: Error) => void;
}

const silent: HeldProgress = () => undefined;

function cancelled(what: string): Result<never, AppError> {
  return err({ kind: "cancelled", what });
}

/** Holds in this thread: for the command line and tests, where nothing else waits. */
export function holdHere(content: HeldContent): Held {
  const held = new HeldFabric(content);
  return {
    isBusy: false,
    ask: (name, input, { what, signal, progress = silent }) =>
      Promise.resolve(
        // The table pairs the output with the name.
        (signal.aborted ? cancelled(what) : answer(held, name, input, progress)) as Result<
          QuestionOutput<typeof name>,
          AppError
        >,
      ),
    end: () => undefined,
  };
}

/** Holds in a thread. `thread` gives a new one; `content` is asked for at each start. */
export class HeldThread implements Held {
  private readonly waiting: Asked[] = [];
  private running: Asked | undefined;
  private worker: Worker | undefined;
  private readonly thread: () => Worker;
  private readonly content: () => HeldContent;

  constructor(thread: () => Worker, content: () => HeldContent) {
    this.thread = thread;
    this.content = content;
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  ask<N extends QuestionName>(
    name: N,
    input: QuestionInput<N>,
    { what, signal, progress = silent }: Parameters<Held["ask"]>[2],
  ): Promise<Result<QuestionOutput<N>, AppError>> {
    const asked = new Promise<Result<unknown, AppError>>((resolve, reject) => {
      if (signal.aborted) {
        resolve(cancelled(what));
        return;
      }
      const done = (): void => signal.removeEventListener("abort", abort);
      const question: Asked = {
        message: { question: name, input },
        what,
        progress,
        settle: (result) => {
          done();
          resolve(result);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      const abort = (): void => this.giveUp(question);
      signal.addEventListener("abort", abort, { once: true });
      this.waiting.push(question);
      this.next();
    });
    // The table pairs the output with the name.
    return asked as Promise<Result<QuestionOutput<N>, AppError>>;
  }

  end(): void {
    this.stop();
    const open = [...(this.running === undefined ? [] : [this.running]), ...this.waiting.splice(0)];
    this.running = undefined;
    for (const { settle, what } of open) settle(cancelled(what));
  }

  private giveUp(question: Asked): void {
    const place = this.waiting.indexOf(question);
    if (place >= 0) this.waiting.splice(place, 1);
    else if (this.running === question) {
      this.stop();
      this.running = undefined;
    }
    question.settle(cancelled(question.what));
    this.next();
  }

  private stop(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private next(): void {
    if (this.running !== undefined) return;
    const question = this.waiting.shift();
    if (question === undefined) return;
    this.running = question;
    this.worker ??= this.start();
    this.worker.postMessage(question.message);
  }

  private start(): Worker {
    const worker = this.thread();
    worker.on("message", (message: AnswerMessage) => {
      const { running } = this;
      // A thread that was ended may still have had a word on its way.
      if (worker !== this.worker || running === undefined) return;
      if ("progress" in message) {
        running.progress(...message.progress);
        return;
      }
      this.running = undefined;
      running.settle(message.answer);
      this.next();
    });
    worker.on("error", (error) => {
      if (worker !== this.worker) return;
      this.worker = undefined;
      const { running } = this;
      this.running = undefined;
      running?.fail(error);
      this.next();
    });
    worker.postMessage({ job: "hold", content: this.content() });
    // A thread that waits for questions must not keep the process alive.
    worker.unref();
    return worker;
  }
}
