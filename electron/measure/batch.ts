/** Several short commands that only ask, as one command on the host: on a far or slow one each costs a round trip and a start. */
import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandRunner } from "../run/runner.ts";
import { errorOf, textOf, type TextOutput } from "./commands.ts";

export type Argv = readonly [string, ...string[]];

export interface BatchOptions {
  /** Each through `sudo -n`: sudo may be allowed for the tool, and not for a shell. Not where the login is root. */
  readonly sudo?: boolean;
  /** For all of them together. */
  readonly timeoutMs?: number;
}

const limits = { timeoutMs: 20_000, maxOutputBytes: 1024 * 1024 } as const;

/**
 * A script of simple commands: each with its words by number, so that none of them is ever read by a shell, and after each
 * a line `MARKER EXIT-CODE` on stdout and `MARKER` on stderr. Before the first stands `MARKER begin` on both: what the login
 * prints, with or without an end of line, is nobody's answer.
 */
function batchScript(commands: readonly Argv[], sudo: boolean): string {
  let next = 1;
  const word = (): string => {
    next += 1;
    return `"\${${next}}"`;
  };
  const as = sudo ? "$s " : "";
  const lines = commands.map((argv) => `${as}${argv.map(word).join(" ")}; echo "\${1}" $?; echo "\${1}" >&2`);
  lines.unshift('echo "${1}" begin', 'echo "${1}" begin >&2');
  if (sudo) lines.unshift('s="sudo -n --"; if [ "$(id -u)" -eq 0 ]; then s=; fi');
  return lines.join("; ");
}

function afterLast(text: string, mark: string): string {
  const place = text.lastIndexOf(mark);
  return place < 0 ? text : text.slice(place + mark.length);
}

/**
 * Runs commands one after the other on the host, in one go.
 *
 * @returns what each has left, in order, 127 for one that does not exist; of those that had not ended when the time or the
 * room for output was up, or the shell died, nothing: the list is shorter then. The error of the whole when the host cannot
 * be asked, or none came to its end.
 */
export async function askAll(
  runner: CommandRunner,
  commands: readonly Argv[],
  signal: AbortSignal,
  { sudo = false, timeoutMs = limits.timeoutMs }: BatchOptions = {},
): Promise<Result<readonly TextOutput[], AppError>> {
  if (commands.length === 0) return ok([]);
  const marker = `ibex-${randomBytes(12).toString("hex")}`;
  const argv: Argv = ["/bin/sh", "-c", batchScript(commands, sudo), "sh", marker, ...commands.flat()];
  const ran = await runner.run({ argv, timeoutMs, maxOutputBytes: limits.maxOutputBytes }, signal);
  const cut = !ran.ok && (ran.error.kind === "timed-out" || ran.error.kind === "output-truncated");
  const left = ran.ok ? ran.value : cut ? ran.error.partial : undefined;
  if (left === undefined) return ran.ok ? ok([]) : err(errorOf(ran.error));
  const { stdout, stderr, durationMs } = textOf(left);
  const begin = `${marker} begin\n`;
  const ends = [...stdout.matchAll(new RegExp(`${marker} (\\d{1,3})\\n`, "g"))];
  const errors = afterLast(stderr, begin).split(`${marker}\n`);
  if (!ran.ok && ends.length === 0) return err(errorOf(ran.error));
  if (ran.ok && ends.length === 0) {
    return err({
      kind: "unsupported",
      what: `A script on ${runner.host}`,
      detail: `it said: ${errors.join("").trim() || stdout.trim()}`,
    });
  }
  let from = stdout.length - afterLast(stdout, begin).length;
  const outputs = ends.map((end, index): TextOutput => {
    const text = stdout.slice(from, end.index);
    from = end.index + end[0].length;
    return { stdout: text, stderr: errors[index] ?? "", exitCode: Number(end[1]), durationMs };
  });
  return ok(outputs);
}
