import { describe, expect, it } from "vitest";
import { limits } from "../../../shared/base/limits.ts";
import { DiagnosticList } from "../../../shared/parse/diagnostic.ts";
import { isBlank, LineScanner, readLines, withoutEscapes } from "../../../shared/parse/scanner.ts";

function linesOf(text: string): string[] {
  const scanner = new LineScanner(text);
  const lines: string[] = [];
  for (let line = scanner.next(); line !== undefined; line = scanner.next()) lines.push(line);
  return lines;
}

describe("LineScanner", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\r", ["a", "b"]],
    ["a\r\r\nb", ["a", "b"]],
    ["a\n\nb\n", ["a", "", "b"]],
    ["a\n\r\nb", ["a", "", "b"]],
    ["\ufeffa\n\ufeffb", ["a", "b"]],
    ["\n", [""]],
    ["\r", [""]],
    ["a  \n", ["a  "]],
  ])("splits %j", (text, expected) => {
    expect(linesOf(text)).toEqual(expected);
  });

  it("counts lines as an editor does and tells whether the last has an end", () => {
    const scanner = new LineScanner("one\r\n\r\nthree");
    scanner.next();
    expect([scanner.number, scanner.terminated]).toEqual([1, true]);
    scanner.next();
    scanner.next();
    expect([scanner.number, scanner.terminated]).toEqual([3, false]);
    expect(scanner.next()).toBeUndefined();
  });

  it("takes colours, cursor moves and window titles away", () => {
    expect(linesOf("\u001b]0;root@host\u0007\u001b[1;31mred\u001b[0m and \u001b(Bplain\u001b[K\n")).toEqual([
      "red and plain",
    ]);
    expect(withoutEscapes("no escapes")).toBe("no escapes");
  });

  it("cuts a line at the limit and says so", () => {
    const diagnostics = new DiagnosticList("long.txt");
    const seen: number[] = [];
    const stats = readLines(`${"x".repeat(limits.lineLength + 10)}\nshort\n`, diagnostics, (line) => {
      seen.push(line.length);
      return "ignored";
    });
    expect(seen).toEqual([limits.lineLength, 5]);
    expect(stats).toEqual({ lines: 2, understood: 0, ignored: 2, diagnosed: 0 });
    expect(diagnostics.finish().map(({ code, line }) => [code, line])).toEqual([["line-too-long", 1]]);
  });

  it("takes a line of exactly the limit whole", () => {
    const diagnostics = new DiagnosticList("long.txt");
    readLines("x".repeat(limits.lineLength), diagnostics, () => "ignored");
    expect(diagnostics.finish()).toEqual([]);
  });

  it("reads a text of line ends only without looking at the rest again for each", () => {
    expect(linesOf("\r".repeat(300_000))).toHaveLength(1);
    expect(linesOf("x\r".repeat(300_000))).toHaveLength(300_000);
    expect(linesOf("x\n".repeat(300_000))).toHaveLength(300_000);
  });

  it("knows blank lines", () => {
    expect([isBlank(""), isBlank(" \t "), isBlank(" x")]).toEqual([true, true, false]);
  });
});
