/** Several short commands that only ask, as one command on the host: on a far or slow one each costs a round trip and a start. */
import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandRunner } from "../run/runner.ts";
import { ask, type TextOutput } from "./commands.ts";

export type Argv = readonly [string, ...string[]];

/**
 * A script of simple commands: each with its words by number, so that none of them is ever read by a shell, and after each
 * a line `MARKER EXIT-CODE` on stdout and `MARKER` on stderr.
 */
function batchScript(commands: readonly Argv[]): string {
  let next = 1;
  const word = (): string => {
    next += 1;
    return `"\${${next}}"`;
  };
  const lines = commands.map((argv) => `${argv.map(word).join(" ")}; echo "\${1}" $?; echo "\${1}" >&2`);
  return lines.join("; ");
}

/**
 * Runs commands one after the other on the host, in one go.
 *
 * @returns what each has left, in order, 127 for one that does not exist; the error of the whole when the host cannot be
 * asked, or did not come to the end in time
 */
export async function askAll(
  runner: CommandRunner,
  commands: readonly Argv[],
  signal: AbortSignal,
): Promise<Result<readonly TextOutput[], AppError>> {
  const marker = `ibex-${randomBytes(12).toString("hex")}`;
  const argv: Argv = ["/bin/sh", "-c", batchScript(commands), "sh", marker, ...commands.flat()];
  const asked = await ask(runner, argv, signal);
  if (!asked.ok) return asked;
  const { stdout, stderr, durationMs } = asked.value;
  const ends = [...stdout.matchAll(new RegExp(`${marker} (\\d{1,3})\\n`, "g"))];
  const errors = stderr.split(`${marker}\n`);
  if (ends.length !== commands.length) {
    return err({
      kind: "unsupported",
      what: `A script on ${runner.host}`,
      detail: `it said: ${stderr.trim() || stdout.trim()}`,
    });
  }
  let from = 0;
  const outputs = ends.map((end, index): TextOutput => {
    const text = stdout.slice(from, end.index);
    from = end.index + end[0].length;
    return { stdout: text, stderr: errors[index] ?? "", exitCode: Number(end[1]), durationMs };
  });
  return ok(outputs);
}
