import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteArgv } from "../../../electron/run/quote.ts";

/** What a real shell makes of a line: the words it hands to a program. */
function wordsOf(line: string): string[] {
  const script = `set -- ${line}\nfor word do printf '%s\\0' "$word"; done`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

function quoted(argv: readonly string[]): string {
  const result = quoteArgv(argv);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("quoteArgv", () => {
  it("leaves plain words as they are and quotes the rest", () => {
    expect(quoted(["ib_write_bw", "-d", "mlx5_0", "--report_gbits", "10.0.0.1"])).toBe(
      "ib_write_bw -d mlx5_0 --report_gbits 10.0.0.1",
    );
    expect(quoted(["printf", "it's", "", "a b", "A=b"])).toBe("printf 'it'\\''s' '' 'a b' 'A=b'");
  });

  it("gives a real shell exactly the same words back, whatever is in them", () => {
    const hostile = fc.constantFrom(
      "'",
      '"',
      "\\",
      "$(id)",
      "`id`",
      "\n",
      "\r",
      " ",
      "\t",
      "*",
      "?",
      "~",
      "!",
      "#",
      ";",
      "&&",
      "|",
      "<",
      ">",
      "-",
      "=",
      "é",
      "␀",
      "\u001b[31m",
    );
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join("")),
    );
    const argv = fc.array(
      word.map((text) => text.replaceAll("\0", "")),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(argv, (words) => {
        expect(wordsOf(quoted(words))).toEqual(words);
      }),
      { numRuns: 150 },
    );
  });

  it("refuses a NUL and says in which word", () => {
    expect(quoteArgv(["echo", "a", "b\0c"])).toEqual({
      ok: false,
      error: { kind: "bad-request", detail: "word 3 of the command holds a NUL character" },
    });
  });

  it("refuses a line that no shell would take", () => {
    expect(quoteArgv(["echo", "x".repeat(97 * 1024)])).toMatchObject({ ok: false, error: { kind: "bad-request" } });
  });
});
