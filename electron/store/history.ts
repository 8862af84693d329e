/**
 * The history of measurements: one JSON record a line, only ever appended to. Nothing in the file is rewritten: a
 * record that is torn (power cut, full disk) or damaged is counted and passed over, and stays where it is.
 *
 *   file = { LF record LF } ;
 *
 * Each record is one write to a file opened for appending, with a line end before it as well: so two processes can
 * append at once, and a record after a torn one still begins on its own line. In memory there are summaries and
 * positions only.
 */
import * as nodeFs from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { measurementFileSchema } from "../../shared/contract/measurement-file.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { routeProofOf } from "../../shared/measure/judge-evidence.ts";
import type { Measurement } from "../../shared/measure/types.ts";
import { fileError } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";

/** An open file, as far as the history needs it. */
export interface HistoryFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of `node:fs/promises` that the history needs; tests hand in one that fails. */
export interface HistoryFileSystem {
  open(path: string, flags: "r" | "a", mode: number): Promise<HistoryFile>;
}

export interface History {
  /**
   * Adds a record; settles when it is on the disk. Several calls go one after the other.
   *
   * @returns `file` when it could not be written; the history then is as before.
   */
  append(measurement: Measurement): Promise<Result<void, AppError>>;
  /**
   * Newest first, as of the last read or append; the same array until the next one. `damaged`: lines of the file that are
   * no record.
   */
  list(): { readonly measurements: readonly MeasurementSummary[]; readonly damaged: number };
  /** The same results one after the other: nothing is copied for a look at them. */
  newestFirst(): Iterable<MeasurementSummary>;
  /** The full record, read from the disk; also when another process has appended it. `unknown-id` when there is none. */
  get(id: string): Promise<Result<Measurement, AppError>>;
  /** Reads what other processes have appended since. */
  refresh(): Promise<Result<void, AppError>>;
}

const ownerOnly = 0o600;
const pieceBytes = 256 * 1024;
/** Longest line that is read: raw outputs are limited to far less. */
const longestRecordBytes = 16 * 1024 * 1024;
const lineEnd = 0x0a;

interface Entry {
  readonly summary: MeasurementSummary;
  readonly position: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Opens the history at `path`; a file that does not exist yet is an empty history.
 *
 * @returns `file` when it exists and cannot be read.
 */
export async function openHistory(path: string, fs: HistoryFileSystem = nodeFs): Promise<Result<History, AppError>> {
  const history = new HistoryInFile(path, fs);
  const read = await history.refresh();
  return read.ok ? ok(history) : read;
}

/** A record as the history lists it. */
export function summarise(measurement: Measurement): MeasurementSummary {
  const evidence = measurement.runs.flatMap((run) => run.evidence ?? []);
  const route = routeProofOf(evidence);
  const { latencyP99Us, sweep } = measurement;
  return {
    id: measurement.id,
    at: measurement.at,
    link: measurement.link,
    linkName: measurement.linkName,
    source: measurement.source.label,
    simulated: measurement.source.simulated,
    clientHost: measurement.client.host,
    serverHost: measurement.server.host,
    bandwidthGbps: measurement.bandwidthGbps ?? null,
    latencyUs: measurement.latencyUs ?? null,
    expectedGbps: measurement.expectedGbps,
    percent: measurement.percent ?? null,
    level: measurement.verdict.level,
    sentence: measurement.verdict.sentence,
    hops: measurement.path.length - 1,
    basis: measurement.basis,
    ...(route === undefined ? {} : { route: route.kind }),
    ...(route?.share === undefined ? {} : { share: route.share }),
    ...(evidence.length === 0
      ? {}
      : { newErrors: evidence.reduce((sum, run) => sum + run.newErrors.reduce((all, one) => all + one.growth, 0), 0) }),
    ...(latencyP99Us === undefined ? {} : { latencyP99Us }),
    ...(sweep === undefined ? {} : { sweep }),
  };
}

/** A record of a line, or undefined when the line is none. */
function readRecord(line: Uint8Array): Measurement | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
  const parsed = measurementFileSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

class HistoryInFile implements History {
  private readonly path: string;
  private readonly fs: HistoryFileSystem;
  private readonly entries = new Map<string, Entry>();
  /** Oldest first: a new result has its place at the end, unless a clock was put back. */
  private readonly order: Entry[] = [];
  private listed: readonly MeasurementSummary[] | undefined;
  private damaged = 0;
  /** Position behind the last line that was read to its end. */
  private read = 0;
  /** The last line has no end: torn, or just being written by another process. */
  private openLine: "none" | "record" | "torn" = "none";
  private queue: Promise<unknown> = Promise.resolve();

  constructor(path: string, fs: HistoryFileSystem) {
    this.path = path;
    this.fs = fs;
  }

  append(measurement: Measurement): Promise<Result<void, AppError>> {
    return this.inTurn(async () => {
      const written = await this.write(Buffer.from(`\n${JSON.stringify(measurement)}\n`, "utf8"));
      return written.ok ? this.readOn() : written;
    });
  }

  list(): { readonly measurements: readonly MeasurementSummary[]; readonly damaged: number } {
    this.listed ??= [...this.newestFirst()];
    return {
      measurements: this.listed,
      damaged: this.damaged + (this.openLine === "torn" ? 1 : 0),
    };
  }

  *newestFirst(): Generator<MeasurementSummary> {
    for (let place = this.order.length - 1; place >= 0; place -= 1) {
      const entry = this.order[place];
      if (entry !== undefined) yield entry.summary;
    }
  }

  get(id: string): Promise<Result<Measurement, AppError>> {
    return this.inTurn(async () => {
      if (!this.entries.has(id)) {
        const read = await this.readOn();
        if (!read.ok) return read;
      }
      const entry = this.entries.get(id);
      if (entry === undefined) return err({ kind: "unknown-id", what: "measurement", id });
      return this.readEntry(entry);
    });
  }

  refresh(): Promise<Result<void, AppError>> {
    return this.inTurn(() => this.readOn());
  }

  /** One after the other, whatever became of the one before. */
  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.queue.then(action);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async write(record: Uint8Array): Promise<Result<void, AppError>> {
    try {
      makeFolder(dirname(this.path));
      const file = await this.fs.open(this.path, "a", ownerOnly);
      try {
        const { bytesWritten } = await file.write(record, 0, record.length);
        if (bytesWritten < record.length) {
          // The rest would be a second write, and another process may have written in between.
          return err({ kind: "file", path: this.path, operation: "write", code: "ENOSPC" });
        }
        await file.sync();
      } finally {
        await file.close();
      }
      return ok(undefined);
    } catch (cause) {
      return err(fileError(cause, this.path, "write"));
    }
  }

  private async readEntry({ position, bytes, summary }: Entry): Promise<Result<Measurement, AppError>> {
    try {
      const file = await this.fs.open(this.path, "r", ownerOnly);
      try {
        const line = new Uint8Array(bytes);
        const { length } = await readFully(file, line, position);
        const measurement = readRecord(line.subarray(0, length));
        if (measurement?.id === summary.id) return ok(measurement);
        return err({ kind: "unknown-id", what: "measurement", id: summary.id });
      } finally {
        await file.close();
      }
    } catch (cause) {
      return err(fileError(cause, this.path, "read"));
    }
  }

  /** Reads the lines behind the last one that was read. */
  private async readOn(): Promise<Result<void, AppError>> {
    try {
      const file = await this.fs.open(this.path, "r", ownerOnly);
      try {
        await this.readLines(file);
      } finally {
        await file.close();
      }
      return ok(undefined);
    } catch (cause) {
      const error = fileError(cause, this.path, "read");
      return error.kind === "file" && error.code === "ENOENT" ? ok(undefined) : err(error);
    }
  }

  private async readLines(file: HistoryFile): Promise<void> {
    const piece = new Uint8Array(pieceBytes);
    let line: Uint8Array[] = [];
    let lineBytes = 0;
    let position = this.read;
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, position);
      if (bytesRead === 0) break;
      let start = 0;
      for (let end = piece.indexOf(lineEnd); end >= 0 && end < bytesRead; end = piece.indexOf(lineEnd, start)) {
        keep(line, piece.slice(start, end), lineBytes);
        lineBytes += end - start;
        this.takeLine(line, lineBytes, position + end - lineBytes);
        this.read = position + end + 1;
        line = [];
        lineBytes = 0;
        start = end + 1;
      }
      keep(line, piece.slice(start, bytesRead), lineBytes);
      lineBytes += bytesRead - start;
      position += bytesRead;
    }
    this.takeOpenLine(line, lineBytes);
  }

  private takeLine(pieces: readonly Uint8Array[], bytes: number, position: number): void {
    if (bytes === 0) return;
    const measurement = bytes > longestRecordBytes ? undefined : readRecord(Buffer.concat(pieces));
    if (measurement === undefined) this.damaged += 1;
    else this.add(measurement, position, bytes);
  }

  /** A last line without an end is read again next time; until then it counts as what it is. */
  private takeOpenLine(pieces: readonly Uint8Array[], bytes: number): void {
    if (bytes === 0) {
      this.openLine = "none";
      return;
    }
    const measurement = bytes > longestRecordBytes ? undefined : readRecord(Buffer.concat(pieces));
    this.openLine = measurement === undefined ? "torn" : "record";
    if (measurement !== undefined) this.add(measurement, this.read, bytes);
  }

  private add(measurement: Measurement, position: number, bytes: number): void {
    const at = Date.parse(measurement.at);
    const entry = { summary: summarise(measurement), position, bytes, at };
    const earlier = this.entries.get(measurement.id);
    // The last line is read again when it has got its end.
    if (earlier !== undefined) this.order.splice(this.order.lastIndexOf(earlier), 1);
    this.entries.set(measurement.id, entry);
    let place = this.order.length;
    while (place > 0 && (this.order[place - 1]?.at ?? 0) > at) place -= 1;
    this.order.splice(place, 0, entry);
    this.listed = undefined;
  }
}

/** Keeps a piece of a line, up to the limit: a line beyond it is only measured. */
function keep(pieces: Uint8Array[], piece: Uint8Array, before: number): void {
  if (before + piece.length <= longestRecordBytes) pieces.push(piece);
  else pieces.length = 0;
}

async function readFully(file: HistoryFile, into: Uint8Array, position: number): Promise<{ length: number }> {
  let length = 0;
  while (length < into.length) {
    const { bytesRead } = await file.read(into, length, into.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { length };
}
