import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";

/**
 * Longest command line in bytes. sshd hands the whole line to the login shell as one argument, and Linux refuses one
 * argument above 128 KiB (MAX_ARG_STRLEN); the start script needs its own share of that.
 */
const longestCommandLineBytes = 96 * 1024;

/** Words of these characters alone mean themselves in every shell. */
const plainWord = /^[A-Za-z0-9_@%+:,./=-]+$/;

/**
 * One word for a POSIX shell: as it is where nothing in it is special, else in single quotes, with each single quote
 * as `'\''`. The word must hold no NUL.
 */
function quoteWord(word: string): string {
  // A leading `=` or `~` is special to zsh, an assignment at the start (`A=b`) to all; quotes never hurt.
  if (plainWord.test(word) && !word.includes("=")) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * An argv as text for a POSIX shell: the shell splits it into exactly these words again. The one place of quoting.
 *
 * @returns `bad-request` for a word with a NUL (no program can be given one) and for a line of more than 96 KiB.
 */
export function quoteArgv(argv: readonly string[]): Result<string, AppError> {
  const index = argv.findIndex((word) => word.includes("\0"));
  if (index >= 0) {
    return err({ kind: "bad-request", detail: `word ${String(index + 1)} of the command holds a NUL character` });
  }
  const line = argv.map(quoteWord).join(" ");
  const bytes = Buffer.byteLength(line);
  if (bytes > longestCommandLineBytes) {
    return err({ kind: "bad-request", detail: `the command line has ${String(bytes)} bytes, more than a shell takes` });
  }
  return ok(line);
}
