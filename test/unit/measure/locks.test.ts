import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { assert } from "../../../shared/base/assert.ts";
import { explain } from "../../../shared/errors/explain.ts";

const adapter = { id: "real node 0x1", name: "The adapter of n018", shared: true };
const cable = { id: "real link 0x2:1", name: "leaf-03:1 to n018:1", shared: true };

let folder = "";
let program = "";

/** The locks as another program has them. */
beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "ibex-locks-program-"));
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: out,
      rolldownOptions: {
        input: new URL("../../../electron/measure/locks.ts", import.meta.url).pathname,
        output: { entryFileNames: "locks.mjs" },
      },
    },
  });
  program = join(out, "holder.mjs");
  await writeFile(
    program,
    `import { MeasureLocks } from "./locks.mjs";
const [folder, claims] = process.argv.slice(2);
const taken = await new MeasureLocks(folder).acquire(JSON.parse(claims), 60_000);
console.log(JSON.stringify(taken.ok ? { ok: true } : taken));
if (!taken.ok) process.exit(0);
process.stdin.on("data", async () => { await taken.value(); process.exit(0); });
`,
  );
});
afterAll(() => rm(join(program, ".."), { recursive: true, force: true }));

const others: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ibex-locks-"));
});
afterEach(async () => {
  for (const other of others.splice(0)) other.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Starts another program that takes the claims and keeps them until it is told. */
async function other(claims: readonly unknown[]) {
  const child = spawn(process.execPath, [program, folder, JSON.stringify(claims)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  others.push(child);
  const said = await new Promise<string>((resolve) => child.stdout.once("data", (piece) => resolve(String(piece))));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    pid: child.pid ?? 0,
    said: JSON.parse(said) as unknown,
    giveBack: () => {
      child.stdin.write("give back\n");
      return ended;
    },
    kill: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

describe("locks between two programs", () => {
  it("refuse what the other has, say who holds it, and give it free with its end", async () => {
    const holder = await other([adapter]);
    expect(holder.said).toEqual({ ok: true });
    const mine = new MeasureLocks(folder);
    const refused = await mine.acquire([cable, adapter], 60_000);
    assert(!refused.ok && refused.error.kind === "busy", JSON.stringify(refused));
    expect(explain(refused.error).sentence).toMatch(
      new RegExp(
        `^The adapter of n018 is in use by another Ibex, process ${String(holder.pid)}, since \\d\\d:\\d\\d UTC\\.$`,
      ),
    );
    await holder.giveBack();
    const taken = await mine.acquire([cable, adapter], 60_000);
    assert(taken.ok, "free again");
    expect((await other([cable])).said).toMatchObject({ ok: false, error: { kind: "busy", what: cable.name } });
    await taken.value();
    expect(await readdir(folder)).toEqual([]);
  });

  it("take over from a program that died with them", async () => {
    const holder = await other([adapter, cable]);
    await holder.kill();
    expect(await readdir(folder)).toHaveLength(2);
    const taken = await new MeasureLocks(folder).acquire([adapter, cable], 60_000);
    assert(taken.ok, JSON.stringify(taken));
    await taken.value();
    expect(await readdir(folder)).toEqual([]);
  });

  it("know a process whose number was given out again by its start", async () => {
    const holder = await other([adapter]);
    const [file] = await readdir(folder);
    assert(file !== undefined, "a lock file");
    const path = join(folder, file);
    const stands = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    await holder.kill();
    await writeFile(path, JSON.stringify({ ...stands, pid: process.pid }));
    expect((await new MeasureLocks(folder).acquire([adapter], 60_000)).ok).toBe(true);
  });

  it("believe another computer until the time that it has promised", async () => {
    const holder = await other([adapter]);
    const [file] = await readdir(folder);
    assert(file !== undefined, "a lock file");
    const path = join(folder, file);
    const stands = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    await holder.kill();
    await writeFile(path, JSON.stringify({ ...stands, machine: "ws-2" }));
    expect(await new MeasureLocks(folder).acquire([adapter], 60_000)).toMatchObject({
      ok: false,
      error: { kind: "busy", by: expect.stringContaining("another Ibex on ws-2, process ") as string },
    });
    await writeFile(path, JSON.stringify({ ...stands, machine: "ws-2", until: "2020-01-01T00:00:00.000Z" }));
    expect((await new MeasureLocks(folder).acquire([adapter], 60_000)).ok).toBe(true);
  });

  it.each([
    ["of another computer without a time", { machine: "ws-2", until: "at noon" }],
    ["with the number of a group of processes", { pid: -1, started: "" }],
    ["with number 0", { pid: 0, started: "" }],
  ])("are void when they are damaged: %s", async (_, damage) => {
    const holder = await other([adapter]);
    const [file] = await readdir(folder);
    assert(file !== undefined, "a lock file");
    const path = join(folder, file);
    const stands = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    await holder.kill();
    await writeFile(path, JSON.stringify({ ...stands, ...damage }));
    expect((await new MeasureLocks(folder).acquire([adapter], 60_000)).ok).toBe(true);
  });

  it("are taken over past what one left that died over that, also when the clock was set back since", async () => {
    const holder = await other([adapter]);
    await holder.kill();
    const [file] = await readdir(folder);
    assert(file !== undefined, "a lock file");
    const guard = join(folder, `${file}.breaking`);
    await writeFile(guard, "");
    const tomorrow = new Date(Date.now() + 86_400_000);
    await utimes(guard, tomorrow, tomorrow);
    expect((await new MeasureLocks(folder).acquire([adapter], 60_000)).ok).toBe(true);
  });

  it("are taken by one only when many start at once over a stale one", async () => {
    const dead = await other([adapter]);
    await dead.kill();
    const all = await Promise.all([1, 2, 3].map(() => other([adapter])));
    expect(all.filter(({ said }) => JSON.stringify(said) === '{"ok":true}')).toHaveLength(1);
  });

  it("say when they cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    expect(await new MeasureLocks(join(folder, "file")).acquire([adapter], 60_000)).toMatchObject({
      ok: false,
      error: { kind: "file", operation: "write" },
    });
  });

  it("leave simulated things to each program", async () => {
    const simulated = { ...adapter, shared: false };
    expect((await new MeasureLocks(folder).acquire([simulated], 60_000)).ok).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });
});
