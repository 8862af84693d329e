import { afterEach, describe, expect, it } from "vitest";
import { CounterWatches } from "../../../electron/session/counter-watches.ts";
import type { OpenSource } from "../../../electron/session/sources.ts";
import type { EventPayload } from "../../../shared/contract/events.ts";
import { err, ok, type Result } from "../../../shared/base/result.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";

const guid = "0xb8cef60300000100";

/** What ibqueryerrors prints for one leaf. */
function listing(counters: string, failures = 0): Reply {
  const failed = failures === 0 ? "" : `##          ${failures} PMA query failures\n`;
  const body = counters === "" ? "" : `Errors for ${guid} "leaf-01"\n   GUID ${guid} port 5: ${counters}\n`;
  return {
    stdout: `${body}\n## Summary: 2 nodes checked, 1 bad nodes found\n##          8 ports checked, 1 ports have errors beyond threshold\n## Thresholds: \n${failed}## Suppressed:\n`,
    exitCode: counters === "" ? 0 : 1,
  };
}

interface Bench {
  readonly watches: CounterWatches;
  readonly events: EventPayload<"counters">[];
  readonly host: ScriptedHost;
  /** Settles when that many events have come. */
  readonly until: (events: number) => Promise<void>;
}

/** A watch whose rounds follow each other at once; it is stopped when the script is at its end. */
function bench(replies: readonly (Reply | "lost")[], firstErrors: readonly AppError[] = []): Bench {
  const events: EventPayload<"counters">[] = [];
  const waiting: { readonly events: number; readonly done: () => void }[] = [];
  const left = [...replies];
  const errors = [...firstErrors];
  let time = 0;
  const host = new ScriptedHost("mgmt-01", (argv, self) => {
    if (argv[0] !== "ibqueryerrors") return { exitCode: 0 };
    const reply = left.shift() ?? "hang";
    if (reply !== "lost") return reply;
    self.lose();
    return "hang";
  });
  const watches = new CounterWatches({
    sources: {
      during: (_, work) => work(),
      get: (): Promise<Result<OpenSource, AppError>> => {
        const error = errors.shift();
        if (error !== undefined) return Promise.resolve(err(error));
        const host_ = (): Promise<Result<never, AppError>> =>
          Promise.resolve(err({ kind: "unreachable", host: "x", port: 22, code: "ENOTFOUND" }));
        return Promise.resolve(
          ok({ access: { source: host, simulated: false, host: host_, close: () => Promise.resolve() } }),
        );
      },
    },
    clock: {
      now: () => time,
      monotonic: () => time,
      sleep: (milliseconds) => {
        time += milliseconds;
        return Promise.resolve();
      },
    },
    emit: (event) => {
      events.push(event);
      for (const one of waiting) if (events.length >= one.events) one.done();
    },
  });
  const until = (wanted: number): Promise<void> =>
    new Promise((done) => {
      if (events.length >= wanted) done();
      else waiting.push({ events: wanted, done });
    });
  return { watches, events, host, until };
}

const source = sshSource("mgmt-01", { user: "root" });
let last: CounterWatches | undefined;
afterEach(() => last?.stopAll());

describe("watching error counters", () => {
  it("tells what grew from round to round, and keeps it for whoever asks later", async () => {
    const { watches, events, host, until } = bench([
      listing("[SymbolErrorCounter == 5]"),
      listing("[SymbolErrorCounter == 5]"),
      listing("[SymbolErrorCounter == 9] [LinkDownedCounter == 1]"),
    ]);
    last = watches;
    watches.start("f", source, 60);
    await until(3);
    expect(host.started[0]).toMatch(/^ibqueryerrors .*--threshold-file \/dev\/null/);
    expect(events.map(({ changes }) => changes.map(({ counter, value }) => [counter, value]))).toEqual([
      [],
      [],
      [
        ["SymbolErrorCounter", 9],
        ["LinkDownedCounter", 1],
      ],
    ]);
    const { status, series } = watches.view("f");
    expect(status).toMatchObject({ running: true, rounds: 3, from: 0, to: 120_000, ports: 1, unanswered: 0 });
    expect(series.map(({ counter, points }) => [counter, points.length])).toEqual([
      ["SymbolErrorCounter", 2],
      ["LinkDownedCounter", 1],
    ]);
  });

  it("takes a port that is missing from a list with failures for one that was not asked", async () => {
    const { watches, events, until } = bench([listing("[PortRcvErrors == 3]"), listing("", 2), listing("")]);
    last = watches;
    watches.start("f", source, 60);
    await until(3);
    expect(events.map(({ changes, status }) => [changes.length, status.unanswered])).toEqual([
      [0, 0],
      [0, 2],
      [1, 0],
    ]);
  });

  it("goes on after a round that failed, and says so until the next one", async () => {
    const refused = { stderr: "ibqueryerrors: iberror: failed: query\n", exitCode: 255 };
    const { watches, events, until } = bench([refused, listing("[PortRcvErrors == 3]")]);
    last = watches;
    watches.start("f", source, 60);
    await until(2);
    expect(events.map(({ status }) => [status.running, status.trouble === null])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("connects again after a lost connection, and ends when a right is missing", async () => {
    const { watches, events, until } = bench(
      [],
      [
        { kind: "unreachable", host: "mgmt-01", port: 22, code: "EHOSTUNREACH" },
        { kind: "no-permission", tool: "ibqueryerrors", host: "mgmt-01", sudo: false, stderr: "" },
      ],
    );
    last = watches;
    watches.start("f", source, 60);
    await until(3);
    expect(events.map(({ status }) => [status.running, status.trouble?.kind])).toEqual([
      [true, "unreachable"],
      [true, "no-permission"],
      [false, "no-permission"],
    ]);
  });

  it("asks once at a time when it is started twice in a row, and by the later interval", async () => {
    const { watches, host, until } = bench([]);
    last = watches;
    watches.start("f", source, 60);
    watches.start("f", source, 30);
    await until(1);
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
    expect(host.processes).toHaveLength(1);
    expect(watches.view("f").status).toMatchObject({ running: true, intervalSeconds: 30 });
    await watches.stop("f");
    expect(host.processes).toEqual([]);
  });

  it("ends the tool that runs when it is stopped, and forgets with the fabric", async () => {
    const { watches, host, until } = bench([listing("[PortRcvErrors == 3]")]);
    last = watches;
    watches.start("f", source, 60);
    await until(1);
    await watches.stop("f");
    expect(host.processes).toEqual([]);
    expect(watches.view("f")).toMatchObject({ status: { running: false, rounds: 1 }, series: [{ port: 5 }] });
    await watches.forget("f");
    expect(watches.view("f")).toMatchObject({ status: { rounds: 0 }, series: [] });
  });
});
