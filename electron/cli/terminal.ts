/** Talking to the person at a terminal: stderr for people, stdout for results. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { visibleText } from "../../shared/base/text.ts";

/** One line on stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Results on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One object as JSON on stdout; typed arrays and bigints never get here. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** An expected failure: one sentence, then what to do. Returns the exit code. */
export function fail(error: AppError, exitCode: number): number {
  const words = explain(error);
  say(`ibex: ${visibleText(words.sentence)}${words.remedy[0] === undefined ? "" : ` ${words.remedy[0]}`}`);
  return exitCode;
}

export const isInteractive = process.stdin.isTTY && process.stderr.isTTY;

/** Asks for a line; undefined without a terminal or at end of input. */
export async function ask(question: string, hidden: boolean, signal: AbortSignal): Promise<string | undefined> {
  if (!isInteractive || signal.aborted) return undefined;
  let muted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve) => {
    const end = (answer: string | undefined): void => {
      signal.removeEventListener("abort", abort);
      lines.close();
      if (hidden) process.stderr.write("\n");
      resolve(answer);
    };
    const abort = (): void => end(undefined);
    signal.addEventListener("abort", abort, { once: true });
    lines.once("close", () => resolve(undefined));
    lines.question(question, end);
    muted = hidden;
  });
}
