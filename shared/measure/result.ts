/**
 * What one run of perftest gave: a row that counts, or the error that its exit code and texts mean. A result counts
 * only with exit code 0, one complete row of the requested size, iterations above 0 and a finite average above 0:
 * perftest ends with 0 after a link was down all the time, and with 1 after a row that looks fine.
 */
import { err, ok, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import { isHarmless, readFailure } from "../parse/perftest-failures.ts";
import { parsePerftest } from "../parse/perftest.ts";
import type { BandwidthRow, LatencyRow, PerftestFailure, PerftestRecords } from "../parse/records.ts";
import { limitSeconds, messageBytes } from "./argv.ts";
import { isBandwidthTool, type PerftestTool } from "./steps.ts";
import type { MeasureOptions } from "./types.ts";

/** How one side ended. */
export interface SideOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined when it ended by a signal. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** How long it ran; tells the end by `timeout` from one by somebody else's KILL. */
  readonly durationMs?: number;
}

/** Where and how a side ran, for errors that name it. */
export interface SideContext {
  readonly tool: PerftestTool;
  readonly options: MeasureOptions;
  readonly host: string;
  readonly device: string;
  readonly ibPort: number;
  readonly serverHost: string;
  readonly tcpPort: number;
  /** Version texts of both sides. */
  readonly clientVersion: string;
  readonly serverVersion: string;
}

export interface ResultRows {
  readonly bandwidth: readonly BandwidthRow[];
  readonly latency: readonly LatencyRow[];
}

const excerptLength = 2000;

/** The line of stderr that tells most: the failure that the parser found, else the first that is not a mere warning. */
function relevantLine(stderr: string, failure: PerftestFailure | undefined): string {
  if (failure !== undefined) return failure.text;
  return (
    stderr
      .split(/\r?\n/)
      .map((line) => line.trim())
      .find((line) => line !== "" && !isHarmless(line)) ?? ""
  ).slice(0, 400);
}

/** The program that the shell, or `timeout`, did not find. */
function missingTool(stderr: string, tool: string): string {
  const named = /failed to run command\s+\W?([\w./-]+)/.exec(stderr)?.[1];
  if (named !== undefined) return named;
  return /\btimeout: (?:command )?not found|\bexec: timeout\b/.test(stderr) ? "timeout" : tool;
}

// perftest's spelling on the left, that of the fabric's tools on the right.
const stateNames: Readonly<Record<string, string>> = { Init: "Initialize", Armed: "Armed", Down: "Down" };

function fromFailure(failure: PerftestFailure, context: SideContext): AppError {
  const { tool, host } = context;
  switch (failure.code) {
    case "tool-missing":
      return { kind: "tool-missing", tool, host, stderr: failure.text };
    case "no-permission":
    // The device and its port were found before the run, so what is left is that the user may not open it.
    case "device-not-opened":
      return { kind: "no-permission", tool, host, sudo: false, stderr: failure.text };
    case "port-not-active": {
      const state = /state is (\w+)/.exec(failure.text)?.[1] ?? "not active";
      return {
        kind: "port-down",
        host,
        device: context.device,
        port: context.ibPort,
        state: stateNames[state] ?? state,
      };
    }
    case "could-not-connect":
    case "name-unknown":
      return { kind: "peer-refused", host: context.serverHost, port: context.tcpPort, stderr: failure.text };
    case "version-mismatch":
      return {
        kind: "version-mismatch",
        client: context.clientVersion,
        server: context.serverVersion,
        detail: failure.text,
      };
    default:
      return {
        kind: "perftest",
        tool,
        host,
        code: failure.code,
        text: failure.text,
        ...meaningOf(failure.text),
      };
  }
}

/** What perftest's text means, where it is known. */
function meaningOf(text: string): { readonly cause?: string } {
  const cause = readFailure(text)?.cause;
  return cause === undefined ? {} : { cause };
}

/** Why a side failed; undefined when it ended with 0. Server sides are read with this alone: their rows do not count. */
export function readSideFailure(
  output: SideOutput,
  context: SideContext,
  records = recordsOf(output, context),
): AppError | undefined {
  const { exitCode } = output;
  const { tool, host } = context;
  if (exitCode === 0) return undefined;
  const line = relevantLine(output.stderr, records.failure);
  if (exitCode === 127) return { kind: "tool-missing", tool: missingTool(output.stderr, tool), host, stderr: line };
  if (exitCode === 126) return { kind: "no-permission", tool, host, sudo: false, stderr: line };
  const seconds = limitSeconds(tool, context.options);
  // `timeout` says 124 after TERM and 137 after KILL, which others can send as well.
  const early = (output.durationMs ?? Number.POSITIVE_INFINITY) < seconds * 1000;
  if (exitCode === 124 || (exitCode === 137 && !early)) return { kind: "timed-out", what: tool, host, seconds };
  if (records.failure !== undefined) return fromFailure(records.failure, context);
  const killed = exitCode !== undefined && exitCode > 128 ? `signal ${exitCode - 128}` : undefined;
  if (exitCode === undefined || killed !== undefined) {
    const how = killed ?? (output.signal === undefined ? "a signal" : `signal ${output.signal}`);
    return { kind: "no-result", tool, host, problem: `it was ended by ${how}`, output: excerptOf(output) };
  }
  return { kind: "command-failed", tool, host, exitCode, stderr: line };
}

function excerptOf(output: SideOutput): string {
  return [output.stdout, output.stderr].join("\n").trim().slice(-excerptLength);
}

function recordsOf(output: SideOutput, context: SideContext): PerftestRecords {
  // Two streams of one program: the last row may have no line end of its own.
  return parsePerftest(`${output.stdout}\n${output.stderr}`, { file: `${context.tool} on ${context.host}` }).records;
}

interface Row {
  readonly bytes: number;
  readonly iterations: number;
  readonly average: number;
}

/** Sizes of `-a`: 2 B to 8 MiB in powers of two. */
function isSweptSize(bytes: number): boolean {
  return bytes >= 2 && bytes <= 2 ** 23 && Number.isInteger(Math.log2(bytes));
}

/** What is wrong with the rows; undefined when they count. `bytes`: the size that was asked for, or all of them. */
function rowProblem(rows: readonly Row[], bytes: number | "all" | undefined): string | undefined {
  if (rows.length === 0) return "it printed no complete row";
  if (bytes !== "all" && rows.length > 1) return `it printed ${rows.length} rows where one was expected`;
  for (const [position, row] of rows.entries()) {
    const strange = bytes === "all" ? !isSweptSize(row.bytes) : bytes !== undefined && row.bytes !== bytes;
    if (strange) {
      const asked = bytes === "all" ? "powers of two were" : `${bytes} were`;
      return `its row is for ${row.bytes} bytes, ${asked} asked for`;
    }
    if (bytes === "all" && row.bytes <= (rows[position - 1]?.bytes ?? 0))
      return "its rows are not in order of their sizes";
    if (row.iterations <= 0) return "nothing got through: 0 iterations";
    if (!Number.isFinite(row.average) || row.average <= 0) return "its average is not a number above 0";
  }
  return undefined;
}

function problemOf(records: PerftestRecords, { tool, options }: SideContext): string | undefined {
  const swept = options.sizeIterations !== undefined;
  if (!isBandwidthTool(tool)) {
    const rows = records.latency.map((row) => ({ ...row, average: row.avgUs }));
    return rowProblem(rows, swept ? "all" : undefined);
  }
  if (records.bidirectional !== options.bidirectional) return "the two sides did not agree on the directions";
  const rows = records.bandwidth.map((row) => ({ ...row, average: row.averageGbps }));
  return rowProblem(rows, swept ? "all" : messageBytes(tool, options));
}

/**
 * Reads the client's output.
 *
 * @returns the rows, or `tool-missing`, `no-permission`, `port-down`, `peer-refused`, `version-mismatch`, `timed-out`,
 * `perftest` (with the code of the parser), `command-failed`, or `no-result` when it ended well without a row that counts.
 */
export function parseResult(output: SideOutput, context: SideContext): Result<ResultRows, AppError> {
  const records = recordsOf(output, context);
  const failure = readSideFailure(output, context, records);
  if (failure !== undefined) return err(failure);
  const isBandwidth = isBandwidthTool(context.tool);
  const problem = problemOf(records, context);
  if (problem !== undefined) {
    return err({ kind: "no-result", tool: context.tool, host: context.host, problem, output: excerptOf(output) });
  }
  return ok({
    bandwidth: isBandwidth ? records.bandwidth : [],
    latency: isBandwidth ? [] : records.latency,
  });
}

/** Codes of failures that only say that the other side, or the path, gave up. */
const consequences: ReadonlySet<string> = new Set([
  "peer-ended",
  "socket-failed",
  "run-failed",
  "completion-error",
  "flushed",
  "remote-operation",
  "clean-up-failed",
]);

function isConsequence(error: AppError): boolean {
  return error.kind === "perftest" && consequences.has(error.code);
}

function pointsAtServer(error: AppError): boolean {
  return isConsequence(error) || ["peer-refused", "no-result", "command-failed"].includes(error.kind);
}

/** Of what the two sides say, the cause: the server's when the client's only follows from it. */
export function causeOf(client: AppError, server: AppError | undefined): AppError {
  return server !== undefined && pointsAtServer(client) && !isConsequence(server) ? server : client;
}

/** True when a second tool between the same two ports would fail for the same reason, so that it need not be tried. */
export function alsoStopsOthers(error: AppError): boolean {
  if (error.kind === "perftest") return !ownCauses.has(error.code);
  return !["no-result", "command-failed", "tool-missing", "output-truncated"].includes(error.kind);
}

/** Failures that depend on the tool, its options or its memory. */
const ownCauses: ReadonlySet<string> = new Set([
  "option-unknown",
  "gpu-memory",
  "option-repeated",
  "option-value",
  "options-exclude",
  "options-differ",
  "memory-locked",
  "no-resources",
  "local-length",
  "local-protection",
  "remote-access",
  "clock",
  "crashed",
  "port-taken",
  "receiver-not-ready",
]);
