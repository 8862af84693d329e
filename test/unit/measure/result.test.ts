import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultTools, type PerftestTool } from "../../../shared/measure/steps.ts";
import {
  alsoStopsOthers,
  causeOf,
  parseResult,
  readSideFailure,
  type SideContext,
  type SideOutput,
} from "../../../shared/measure/result.ts";
import { defaultMeasureOptions, type MeasureOptions } from "../../../shared/measure/types.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";

/** Recorded outputs of real perftest over Soft-RoCE; a stream that was empty has no file. */
function recorded(name: string): string {
  const url = new URL(`../../fixtures/perftest/rxe/${name}.txt`, import.meta.url);
  return existsSync(url) ? readFileSync(url, "utf8") : "";
}

function side(name: string, exitCode: number, more: Partial<SideOutput> = {}): SideOutput {
  return { stdout: recorded(`${name}.stdout`), stderr: recorded(`${name}.stderr`), exitCode, ...more };
}

function context(tool: PerftestTool, host = "n018", options: Partial<MeasureOptions> = {}): SideContext {
  return {
    tool,
    options: { ...defaultMeasureOptions, ...options },
    host,
    device: "rxe0",
    ibPort: 1,
    serverHost: "n065",
    tcpPort: 18700,
    clientVersion: "Version: 6.06",
    serverVersion: "Version: 5.6",
  };
}

const bandwidth = defaultTools.bandwidth;
const latency = defaultTools.latency;

function clientError(name: string, exitCode: number, tool: PerftestTool = bandwidth): AppError | undefined {
  const result = parseResult(side(`${name}.client`, exitCode), context(tool));
  return result.ok ? undefined : result.error;
}

function serverError(name: string, exitCode: number, tool: PerftestTool = bandwidth): AppError | undefined {
  return readSideFailure(side(`${name}.server`, exitCode), context(tool, "n065"));
}

describe("reading what counts", () => {
  it("takes the row of a bandwidth test in decimal Gb/s", () => {
    const read = parseResult(side("write_bw_default_gbits.client", 0), context(bandwidth));
    expect(read).toMatchObject({ ok: true, value: { bandwidth: [{ bytes: 65536, averageGbps: 0.14 }], latency: [] } });
  });

  it("takes the row of a latency test", () => {
    const read = parseResult(side("send_lat_n100.client", 0), context(latency));
    expect(read).toMatchObject({ ok: true, value: { bandwidth: [], latency: [{ bytes: 2, avgUs: 8220.24 }] } });
  });

  it("takes a bidirectional row only when both directions were asked for", () => {
    const output = side("write_bw_b_gbits_n500.client", 0);
    const both = { bidirectional: true };
    expect(parseResult(output, context(bandwidth, "n018", both)).ok).toBe(true);
    expect(parseResult(output, context(bandwidth, "n018", { ...both, bidirectional: false }))).toMatchObject({
      error: { kind: "no-result", problem: "the two sides did not agree on the directions" },
    });
  });
});

describe("exit code 0 is no proof", () => {
  it("refuses a run in which nothing got through", () => {
    const read = parseResult(side("mid_link_down.client", 0), context(bandwidth, "n018", { bytes: 4096 }));
    expect(read).toMatchObject({
      ok: false,
      error: { kind: "no-result", problem: "nothing got through: 0 iterations" },
    });
  });

  it("refuses an output without a row, with several rows, or of another size", () => {
    expect(clientError("output_bandwidth", 0)).toMatchObject({ problem: "it printed no complete row" });
    expect(clientError("write_bw_a_n10", 0)).toMatchObject({ problem: "it printed 23 rows where one was expected" });
    expect(clientError("send_bw_UD_n300", 0)).toMatchObject({
      problem: "its row is for 4096 bytes, 65536 were asked for",
    });
    expect(parseResult({ stdout: "", stderr: "", exitCode: 0 }, context(latency))).toMatchObject({
      error: { kind: "no-result", output: "" },
    });
  });

  it("refuses a plausible row when the exit code is not 0", () => {
    expect(clientError("server_killed_mid", 1)).toMatchObject({ kind: "perftest", code: "peer-ended" });
    const row = side("write_bw_default_gbits.client", 1);
    expect(parseResult(row, context(bandwidth))).toMatchObject({ error: { kind: "command-failed", exitCode: 1 } });
  });

  it("refuses an average that is no number above 0", () => {
    const good = recorded("send_lat_n100.client.stdout");
    for (const value of ["nan", "-nan", "inf", "0.00", "-1.00"]) {
      const read = parseResult({ stdout: good.replace("8220.24", value), stderr: "", exitCode: 0 }, context(latency));
      expect(read, value).toMatchObject({ ok: false, error: { kind: "no-result" } });
    }
  });

  it("refuses an output that was cut anywhere before the end of the row", () => {
    const good = recorded("write_bw_default_gbits.client.stdout");
    const row = good.split("\n").findIndex((line) => /^\s*65536\s/.test(line));
    const rowStart = good.split("\n").slice(0, row).join("\n").length + 1;
    const averageEnd = good.indexOf("0.14", rowStart);
    for (let cut = 0; cut <= averageEnd; cut += 7) {
      const read = parseResult({ stdout: good.slice(0, cut), stderr: "", exitCode: 0 }, context(bandwidth));
      expect(read.ok, `cut at ${String(cut)}`).toBe(false);
    }
  });
});

describe("what the tools say becomes one error", () => {
  it.each([
    ["no_server", 1, { kind: "peer-refused", host: "n065", port: 18700 }],
    ["host_unreachable", 1, { kind: "peer-refused", host: "n065" }],
    ["unresolvable", 1, { kind: "peer-refused", stderr: "Name or service not known for no-such-host:18515" }],
    ["client_port_down", 1, { kind: "port-down", host: "n018", device: "rxe0", port: 1, state: "Down" }],
    ["dont_xchg", 1, { kind: "version-mismatch", client: "Version: 6.06", server: "Version: 5.6" }],
    ["bad_option", 1, { kind: "perftest", code: "option-unknown", host: "n018", tool: "ib_write_bw" }],
    ["wrong_device", 1, { kind: "perftest", code: "device-not-found", text: "IB device mlx5_9 not found" }],
    ["wrong_ib_port", 1, { kind: "perftest", code: "port-not-found" }],
    ["gid_index_empty", 1, { kind: "perftest", code: "queue-pair-not-connected" }],
    ["gid_type_mismatch", 1, { kind: "perftest", code: "gid-types-differ" }],
    ["size_mismatch", 1, { kind: "perftest", code: "remote-access" }],
    ["limit_bw_fail", 1, { kind: "perftest", code: "below-limit" }],
  ] as const)("%s with exit code %d", (name, exitCode, error) => {
    expect(clientError(name, exitCode)).toMatchObject(error);
  });

  it.each([
    ["port_busy", { kind: "perftest", code: "port-taken", text: "Couldn't listen to port 18515" }],
    ["server_port_down", { kind: "port-down", host: "n065", state: "Down" }],
    ["single_memlock", { kind: "perftest", code: "memory-locked" }],
    ["single_nopermission", { kind: "no-permission", host: "n065", sudo: false }],
  ] as const)("%s on the server", (name, error) => {
    expect(serverError(name, 1)).toMatchObject(error);
  });

  it("spells a port's state as the fabric's tools do", () => {
    const stderr = " Port number 2 state is Init\n Couldn't set the link layer\n";
    expect(readSideFailure({ stdout: "", stderr, exitCode: 1 }, context(bandwidth))).toMatchObject({
      kind: "port-down",
      state: "Initialize",
    });
  });

  it.each([
    ["bash: line 1: ib_write_bw: command not found\n", "ib_write_bw"],
    ["timeout: failed to run command 'ib_write_bw': No such file or directory\n", "ib_write_bw"],
    ["timeout: failed to run command ‘ib_write_bw’: No such file or directory\n", "ib_write_bw"],
    ["sh: 1: timeout: not found\n", "timeout"],
    ["", "ib_write_bw"],
  ])("finds the missing program in %j", (stderr, tool) => {
    const failure = readSideFailure({ stdout: "", stderr, exitCode: 127 }, context(bandwidth));
    expect(failure).toMatchObject({ kind: "tool-missing", tool, host: "n018" });
  });

  it("tells the end by `timeout` from a KILL by somebody else", () => {
    const ended = (exitCode: number, durationMs?: number) =>
      readSideFailure(
        { stdout: "", stderr: "", exitCode, ...(durationMs === undefined ? {} : { durationMs }) },
        context(bandwidth),
      );
    expect(ended(124, 35_100)).toEqual({ kind: "timed-out", what: "ib_write_bw", host: "n018", seconds: 35 });
    expect(ended(137, 40_100)).toMatchObject({ kind: "timed-out" });
    expect(ended(137, 3_000)).toMatchObject({ kind: "no-result", problem: "it was ended by signal 9" });
  });

  it("says by which signal a side ended", () => {
    const output = { stdout: "half a ta", stderr: "", signal: "SIGSEGV" };
    expect(readSideFailure(output, context(bandwidth))).toMatchObject({
      kind: "no-result",
      problem: "it was ended by signal SIGSEGV",
      output: "half a ta",
    });
  });

  it("takes the first line that is no mere warning when nothing is known", () => {
    const stderr =
      "Conflicting CPU frequency values detected: 1200.000000 != 2400.000000. CPU Frequency is not max.\nsome new text\n";
    expect(readSideFailure({ stdout: "", stderr, exitCode: 3 }, context(bandwidth))).toEqual({
      kind: "command-failed",
      tool: "ib_write_bw",
      host: "n018",
      exitCode: 3,
      stderr: "some new text",
    });
  });
});

describe("of two sides the cause", () => {
  it.each([
    ["server_port_down", bandwidth, 1, 1, "port-down"],
    ["single_memlock", bandwidth, 1, 1, "memory-locked"],
    ["size_mismatch", bandwidth, 1, 1, "remote-access"],
    ["lat_vs_bw_mismatch", latency, 17, 17, "local-queue-pair"],
    ["write_bw_b_q4_D2_gbits", bandwidth, 1, 1, "remote-invalid-request"],
    ["q_mismatch", bandwidth, 1, 1, "peer-ended"],
  ] as const)("%s", (name, tool, clientExit, serverExit, code) => {
    const client = clientError(name, clientExit, tool);
    if (client === undefined) throw new Error("the client failed");
    const cause = causeOf(client, serverError(name, serverExit, tool));
    expect(cause.kind === "perftest" ? cause.code : cause.kind).toBe(code);
  });

  it("is the killed server when the client only lost it", () => {
    const client = clientError("server_killed_mid", 1);
    const server = readSideFailure(
      side("server_killed_mid.server", 137, { durationMs: 900 }),
      context(bandwidth, "n065"),
    );
    if (client === undefined) throw new Error("the client failed");
    expect(causeOf(client, server)).toMatchObject({ kind: "perftest", code: "ended-by-signal", host: "n065" });
  });
});

describe("whether a second test is worth trying", () => {
  const on = { tool: "ib_write_bw", host: "n018" };
  it.each<[boolean, AppError]>([
    [true, { kind: "connection-lost", host: "n065", during: "" }],
    [true, { kind: "cancelled", what: "" }],
    [true, { kind: "peer-refused", host: "n065", port: 1, stderr: "" }],
    [true, { kind: "port-down", host: "n018", device: "mlx5_0", port: 1, state: "Down" }],
    [true, { kind: "timed-out", what: "", host: "n018", seconds: 35 }],
    [true, { kind: "perftest", ...on, code: "retry-exceeded", text: "" }],
    [true, { kind: "perftest", ...on, code: "queue-pair-not-connected", text: "" }],
    [false, { kind: "perftest", ...on, code: "option-unknown", text: "" }],
    [false, { kind: "perftest", ...on, code: "memory-locked", text: "" }],
    [false, { kind: "no-result", ...on, problem: "", output: "" }],
    [false, { kind: "tool-missing", ...on, stderr: "" }],
  ])("stops: %s for %j", (stops, error) => {
    expect(alsoStopsOthers(error)).toBe(stops);
  });
});
