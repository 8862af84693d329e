import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { askAll } from "../../../electron/measure/batch.ts";
import { createLocalRunner } from "../../../electron/run/local.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { assert } from "../../../shared/base/assert.ts";
import { must } from "../../support/ssh-dependencies.ts";

const never = new AbortController().signal;

describe("several questions in one command", () => {
  const local = createLocalRunner();
  afterAll(() => local.close());

  it("are answered one by one, whatever is in their words, what they print and how they end", async () => {
    const odd = `a b "c" 'd' $HOME \\ ; exit 3`;
    const answers = must(
      await askAll(
        local,
        [
          ["echo", odd],
          ["/bin/sh", "-c", "printf 'no end of line'; echo problem >&2; exit 3", "sh"],
          ["ibex-has-no-such-tool", "--version"],
          ["echo", ...Array.from({ length: 12 }, (_, index) => `w${String(index)}`)],
        ],
        never,
      ),
    );
    expect(answers.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
      [`${odd}\n`, 0],
      ["no end of line", 3],
      ["", 127],
      ["w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11\n", 0],
    ]);
    expect(answers.map(({ stderr }) => stderr)).toEqual(["", "problem\n", expect.stringContaining("not found"), ""]);
  });

  it("come to the same on a simulated machine", async () => {
    const fabric = createSimulatedFabric("fat-tree-small");
    const simulated = fabric === undefined ? undefined : createSimulatedRunner(fabric, "n003", { latencyScale: 0 });
    assert(simulated !== undefined, "the catalogue has this host");
    const answers = must(
      await askAll(
        simulated,
        [["echo", "a  b"], ["ibex-has-no-such-tool"], ["cat", "/no/such/file"], ["ib_write_bw", "--version"]],
        never,
      ),
    );
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 127, 1, 1]);
    expect(answers[0]?.stdout).toBe("a  b\n");
    expect(answers[2]?.stderr).toContain("/no/such/file");
    expect(`${answers[3]?.stdout ?? ""}${answers[3]?.stderr ?? ""}`).toMatch(/Version: \d/);
  });

  it("that take too long keep the answers that had come", async () => {
    const commands = [
      ["echo", "first"],
      ["sleep", "60"],
      ["echo", "last"],
    ] as const;
    const answers = must(await askAll(local, commands, never, { timeoutMs: 1_000 }));
    expect(answers.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([["first\n", 0]]);
    const nothing = await askAll(local, [["sleep", "60"]], never, { timeoutMs: 500 });
    expect(nothing).toMatchObject({ ok: false, error: { kind: "timed-out" } });
  });

  it("go through sudo one by one, except where the login is root", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ibex-sudo-"));
    const program = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program("sudo", '[ "$1 $2" = "-n --" ] && shift 2 && echo "as root: $*"');
    const as = async (user: string) => {
      program("id", `echo ${user}`);
      const path = process.env.PATH;
      process.env.PATH = `${folder}:${path ?? ""}`;
      const runner = createLocalRunner();
      try {
        const asked = await askAll(
          runner,
          [
            ["echo", "a  b"],
            ["echo", "c"],
          ],
          never,
          { sudo: true },
        );
        return must(asked).map(({ stdout }) => stdout);
      } finally {
        process.env.PATH = path;
        await runner.close();
      }
    };
    expect(await as("1000")).toEqual(["as root: echo a  b\n", "as root: echo c\n"]);
    expect(await as("0")).toEqual(["a  b\n", "c\n"]);
    rmSync(folder, { recursive: true });
  });

  it("end together when they are cancelled", async () => {
    const cancel = new AbortController();
    const asked = askAll(
      local,
      [
        ["echo", "before"],
        ["sleep", "60"],
        ["echo", "after"],
      ],
      cancel.signal,
    );
    cancel.abort();
    expect(await asked).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  });
});
