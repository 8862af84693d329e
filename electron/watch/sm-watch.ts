/**
 * Watches the subnet managers of a fabric: asks each of them at an interval, few tools at a time, and tells what
 * changed. A question that fails or hangs says that one manager did not answer, and no more; only a lost connection
 * ends the watch. Only reads.
 */
import { ok, err, type Result } from "../../shared/base/result.ts";
import { formatGuid } from "../../shared/base/guid.ts";
import type { ManagerChange } from "../../shared/contract/manager-log.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { SmState } from "../../shared/fabric/model.ts";
import type { SminfoRecord } from "../../shared/parse/records.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import { bitsInstead, listManagers } from "../collect/managers.ts";
import { deviceOptions, runTool, type Ran, type ToolPlace } from "../collect/step.ts";
import type { HostAccess } from "../run/access.ts";
import { endsWatch } from "./ends-watch.ts";

type WatchedState = ManagerChange["to"];

export interface WatchClock {
  /** Milliseconds since 1970; may jump. */
  readonly now: () => number;
  /** Milliseconds since whenever; never jumps. */
  readonly monotonic: () => number;
  /** Settles after that time, or at once when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface WatchOptions {
  readonly source: SourceSpec;
  readonly intervalMs: number;
  readonly clock: WatchClock;
  readonly onChange: (change: ManagerChange) => void;
  /** Called after each round, with how many were asked and answered. */
  readonly onRound?: (asked: number, answering: number) => void;
  /**
   * LIDs that are asked for their IsSM bit where the SA gives no list, likely ones first; without them ibnetdiscover is
   * run then.
   */
  readonly candidates?: readonly number[];
  /** What an earlier watch of the same fabric knew; a new one unless given. It is written on. */
  readonly memory?: WatchMemory;
}

interface Watched {
  guid: string;
  lid: number;
  state: WatchedState;
  priority: number;
  activity: number;
  /** Rounds in a row in which it answered with the same activity count. */
  still: number;
  saidStill: boolean;
}

/** What a watch knows; survives a lost connection. */
export interface WatchMemory {
  readonly managers: Map<string, Watched>;
  /** LIDs that are asked. */
  readonly lids: Set<number>;
  master: string;
}

export function createWatchMemory(): WatchMemory {
  return { managers: new Map(), lids: new Set(), master: "" };
}

const states: readonly SmState[] = ["NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER"];

/** Tools at a time; simulated fabrics have ten places for all clients. */
const atOnce = 4;
/** Most managers that are asked in a round. */
const mostAsked = 16;
/** opensm counts what it sends, its answers included: an activity that stands still so often is a manager that hangs. */
const stillRounds = 3;
/** Rounds between two lists of all managers; the list is also made when there is no master or one is new. */
const listEvery = 20;
/** Between two searches by IsSM bits, which ask a port at a time. */
const searchEveryMs = 600_000;
/** A clock that differs by this much from the time that passed has been set. */
const clockSlackMs = 2_000;

/** The time of a question: sminfo gives up after three tries of a second; one that hangs must not stop the others. */
function questionMs(intervalMs: number): number {
  return Math.max(5_000, Math.min(15_000, intervalMs * 3));
}

/**
 * Runs until the signal aborts.
 *
 * @returns `connection-lost` and other errors of the source after which nothing can be asked; ok when aborted.
 */
export async function watchManagers(
  access: HostAccess,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<Result<void, AppError>> {
  const memory = options.memory ?? createWatchMemory();
  const place: ToolPlace = { runner: access.source, source: options.source, signal };
  const search = new BitSearch(place, options, memory);
  const watch = new Round(place, options, memory, search);
  try {
    return await rounds(watch, options, signal);
  } finally {
    await search.end();
  }
}

async function rounds(watch: Round, options: WatchOptions, signal: AbortSignal): Promise<Result<void, AppError>> {
  const { clock } = options;
  let wall = clock.now();
  let steady = clock.monotonic();
  const stopped = (): boolean => signal.aborted;
  for (let round = 0; !stopped(); round += 1) {
    const started = clock.monotonic();
    const jump = clock.now() - wall - (started - steady);
    if (Math.abs(jump) > clockSlackMs) watch.tellClock(jump);
    wall = clock.now();
    steady = started;
    const ended = await watch.run(round % listEvery === 0);
    // What a cancelled question did not tell says nothing.
    if (stopped()) break;
    if (ended !== undefined) return err(ended);
    await clock.sleep(Math.max(0, options.intervalMs - (clock.monotonic() - started)), signal);
  }
  return ok(undefined);
}

/**
 * Looks for managers by the ports' IsSM bits, beside the rounds: these take as long as ever, and the next one asks what
 * was found. One search at a time, and not again for a while.
 */
class BitSearch {
  private readonly place: ToolPlace;
  private readonly options: WatchOptions;
  private readonly memory: WatchMemory;
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;
  private startedAt = -Infinity;

  constructor(place: ToolPlace, options: WatchOptions, memory: WatchMemory) {
    this.place = { ...place, signal: this.ending.signal };
    this.options = options;
    this.memory = memory;
    if (place.signal.aborted) this.ending.abort();
    else place.signal.addEventListener("abort", () => this.ending.abort(), { once: true });
  }

  /** @param error why the SA gave no list */
  begin(error: AppError): void {
    const now = this.options.clock.monotonic();
    if (this.running !== undefined || now - this.startedAt < searchEveryMs) return;
    this.startedAt = now;
    this.running = bitsInstead(this.place, error, this.options.candidates).then((bits) => {
      for (const lid of bits?.lids ?? []) this.memory.lids.add(lid);
      this.running = undefined;
    });
  }

  /** Settles when no question is open. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }
}

interface Heard {
  readonly record: SminfoRecord;
  readonly time: number;
}

class Round {
  private readonly place: ToolPlace;
  private readonly options: WatchOptions;
  private readonly memory: WatchMemory;
  private readonly search: BitSearch;

  constructor(place: ToolPlace, options: WatchOptions, memory: WatchMemory, search: BitSearch) {
    this.place = place;
    this.options = options;
    this.memory = memory;
    this.search = search;
  }

  /** One round; an error only when the source itself cannot be asked any more. */
  async run(list: boolean): Promise<AppError | undefined> {
    const { memory } = this;
    const heard = new Map<string, Heard>();
    const answered = new Set<number>();
    // Whom the local port takes for the master: finds the first one, and a new one when nobody can list them.
    const local = await this.ask(undefined);
    if (endsWatch(local.error, "sminfo")) return local.error;
    this.hear(local, heard, answered);
    if (list || memory.master === "" || !answered.has(this.masterLid())) {
      const listed = await listManagers(this.place);
      if (endsWatch(listed.error, "sminfo")) return listed.error;
      for (const lid of listed.lids) memory.lids.add(lid);
      if (listed.error !== undefined) this.search.begin(listed.error);
    }
    const lids = [...memory.lids].slice(0, mostAsked);
    for (let start = 0; start < lids.length; start += atOnce) {
      const asked = await Promise.all(lids.slice(start, start + atOnce).map((lid) => this.ask(lid)));
      for (const ran of asked) {
        if (endsWatch(ran.error, "sminfo")) return ran.error;
        this.hear(ran, heard, answered);
      }
    }
    if (this.place.signal.aborted) return undefined;
    this.compare(heard);
    this.options.onRound?.(lids.length, answered.size);
    return undefined;
  }

  tellClock(jumpMs: number): void {
    const change = { guid: "", lid: 0, from: "unknown", to: "unknown", priority: -1, activity: 0 } as const;
    this.options.onChange({
      ...change,
      kind: "clock",
      time: this.time(this.options.clock.now()),
      jumpMs: Math.round(jumpMs),
    });
  }

  private masterLid(): number {
    return this.memory.managers.get(this.memory.master)?.lid ?? 0;
  }

  private ask(lid: number | undefined): Promise<Ran> {
    const { source } = this.place;
    const argv = ["sminfo", ...deviceOptions(source), ...(lid === undefined ? [] : [String(lid)])] as const;
    return runTool(this.place, ["sminfo", ...argv.slice(1)], questionMs(this.options.intervalMs));
  }

  private hear(ran: Ran, heard: Map<string, Heard>, answered: Set<number>): void {
    for (const record of parseSminfo(ran.stdout, { file: "" }).records.managers) {
      heard.set(formatGuid(record.guid), { record, time: this.options.clock.now() });
      answered.add(record.lid);
      if (record.lid > 0) this.memory.lids.add(record.lid);
    }
  }

  private compare(heard: ReadonlyMap<string, Heard>): void {
    const { memory } = this;
    const now = this.options.clock.now();
    // Losses first: a standby takes over after the master is gone.
    for (const watched of memory.managers.values()) {
      if (heard.has(watched.guid) || watched.state === "NO-ANSWER") continue;
      this.tell(watched, "lost", "NO-ANSWER", now);
      watched.still = 0;
      watched.saidStill = false;
    }
    const inOrder = [...heard].sort(([, a], [, b]) => Number(a.record.state === 3) - Number(b.record.state === 3));
    for (const [guid, { record, time }] of inOrder) this.take(guid, record, time);
  }

  private take(guid: string, record: SminfoRecord, time: number): void {
    const { memory } = this;
    const to = states[record.state] ?? "unknown";
    const known = memory.managers.get(guid);
    const watched: Watched = known ?? {
      ...{ guid, lid: record.lid, state: "unknown", priority: record.priority },
      ...{ activity: record.activity, still: 0, saidStill: false },
    };
    memory.managers.set(guid, watched);
    watched.lid = record.lid;
    const grown = known === undefined || record.activity !== watched.activity;
    const samePriority = record.priority === watched.priority;
    watched.activity = record.activity;
    watched.priority = record.priority;
    if (to !== watched.state) this.tell(watched, this.kindOf(watched, to, known === undefined), to, time);
    else if (!samePriority) this.tell(watched, "priority", to, time);
    if (to === "MASTER") memory.master = guid;
    watched.still = grown ? 0 : watched.still + 1;
    if (!grown && watched.still >= stillRounds && !watched.saidStill) {
      watched.saidStill = true;
      this.tell(watched, "stands-still", to, time);
    } else if (grown && watched.saidStill) {
      watched.saidStill = false;
      this.tell(watched, "moves-again", to, time);
    }
  }

  private kindOf(watched: Watched, to: WatchedState, isNew: boolean): ManagerChange["kind"] {
    const { master } = this.memory;
    if (to === "MASTER" && master !== "" && master !== watched.guid) return "handover";
    if (isNew) return "seen";
    return watched.state === "NO-ANSWER" ? "returned" : "state";
  }

  private tell(watched: Watched, kind: ManagerChange["kind"], to: WatchedState, time: number): void {
    const { guid, lid, state: from, priority, activity } = watched;
    watched.state = to;
    this.options.onChange({
      time: this.time(time),
      kind,
      ...{ guid, lid, from, to, priority, activity },
      ...(kind === "handover" ? { before: this.memory.master } : {}),
    });
  }

  private time(milliseconds: number): string {
    return new Date(milliseconds).toISOString();
  }
}
