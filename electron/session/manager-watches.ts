/**
 * The watches of subnet managers behind open fabrics: at most one a fabric. A lost connection is made anew; other
 * failures end a watch and are told. Every change is logged, and the ones that matter at once are notified.
 */
import { managerName, hostOfManager } from "../../shared/analyse/managers.ts";
import { visibleText } from "../../shared/base/text.ts";
import { hostName } from "../../shared/fabric/access.ts";
import type { EventPayload } from "../../shared/contract/events.ts";
import type { ManagerChange, ManagerLogLine } from "../../shared/contract/manager-log.ts";
import { changeWords } from "../../shared/contract/manager-words.ts";
import { sourceLabel, type SourceSpec } from "../../shared/contract/source.ts";
import type { WatchedManager, WatchStatus, WatchTime, WatchView } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { candidatesOf } from "../collect/manager-bits.ts";
import type { ManagerLog } from "../watch/sm-log.ts";
import { createWatchMemory, type WatchClock, watchManagers, type WatchMemory } from "../watch/sm-watch.ts";
import { keepWatching } from "./keep-watching.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { Sources } from "./sources.ts";
import type { WatchTimes } from "./watch-times.ts";

export interface Notice {
  readonly title: string;
  readonly body: string;
}

export interface WatchParts {
  readonly sources: Pick<Sources, "get" | "during">;
  readonly log: ManagerLog;
  readonly times: WatchTimes;
  readonly clock: WatchClock;
  readonly emit: (payload: EventPayload<"watch">) => void;
  /** A desktop notification. */
  readonly notify: (notice: Notice) => void;
}

/** The time watched is kept this often; a crash loses no more of it. */
const keepEveryMs = 30_000;
/** Growth of an activity count is told over this time, so that it does not flicker. */
const growthMs = 20_000;
/** Changes handed to the window, the newest. */
const changesShown = 2_000;

const idle: WatchStatus = { running: false, time: null, lastRound: null, managers: [], trouble: null };

interface Sample {
  readonly at: number;
  readonly activity: ReadonlyMap<string, number>;
}

/** Name of a manager by its GUID: its host or switch, else the GUID. */
function nameOfManager(fabric: Fabric, guid: string): string {
  const manager = fabric.subnetManagers.find((one) => one.guid === guid);
  if (manager === undefined) return guid;
  const host = hostOfManager(fabric, manager);
  return visibleText(host === undefined ? managerName(fabric, manager) : hostName(fabric, host));
}

/** Handover, loss and return are notified, and nothing else. */
function noticeOf(change: ManagerChange, fabric: Fabric, where: string): Notice | undefined {
  if (change.kind !== "handover" && change.kind !== "lost" && change.kind !== "returned") return undefined;
  const words = changeWords(change, (guid) => nameOfManager(fabric, guid));
  return { title: words.title, body: `${where}: ${words.detail}` };
}

class Watch {
  private readonly parts: WatchParts;
  private readonly open: OpenFabric;
  private readonly source: SourceSpec;
  private readonly intervalSeconds: number;
  private readonly controller = new AbortController();
  private readonly memory: WatchMemory = createWatchMemory();
  private readonly begun: string;
  private samples: readonly Sample[] = [];
  private lastRound: WatchStatus["lastRound"] = null;
  private trouble: AppError | null = null;
  private running = true;
  private keptAt = 0;
  /** Settles when the last change is on the disk. */
  private logged: Promise<void> = Promise.resolve();
  private readonly done: Promise<void>;

  constructor(parts: WatchParts, open: OpenFabric, source: SourceSpec, intervalSeconds: number) {
    this.parts = parts;
    this.open = open;
    this.source = source;
    this.intervalSeconds = intervalSeconds;
    this.begun = new Date(parts.clock.now()).toISOString();
    // Those that the capture knows are asked from the first round on, whoever can list them.
    for (const { lid } of open.understood.fabric.subnetManagers) if (lid > 0) this.memory.lids.add(lid);
    // The fabric may be closed before it has ended.
    this.done = parts.sources.during(source, () => this.run());
  }

  get status(): WatchStatus {
    return {
      running: this.running,
      time: this.time,
      lastRound: this.lastRound,
      managers: [...this.memory.managers.values()].map((one): WatchedManager => {
        const { guid, lid, state, priority, activity } = one;
        return { guid, lid, state, priority, activity, growth: this.growthOf(guid, activity) };
      }),
      trouble: this.trouble,
    };
  }

  /** Ends it; settles when no question is open and what it knows is on the disk. */
  async stop(): Promise<void> {
    this.controller.abort();
    await this.done;
  }

  private get time(): WatchTime {
    return { from: this.begun, to: this.lastRound?.at ?? this.begun, intervalSeconds: this.intervalSeconds };
  }

  private growthOf(guid: string, activity: number): WatchedManager["growth"] {
    const last = this.samples.at(-1);
    const first = this.samples.find((sample) => sample.activity.has(guid));
    const from = first?.activity.get(guid);
    if (last === undefined || first === undefined || from === undefined || first === last || activity < from)
      return null;
    return { count: activity - from, seconds: Math.max(1, Math.round((last.at - first.at) / 1000)) };
  }

  private async run(): Promise<void> {
    const { signal } = this.controller;
    await keepWatching(
      () => this.watchOnce(signal),
      (error, again) => {
        this.trouble = error;
        if (again) this.tell([]);
      },
      this.parts.clock,
      signal,
    );
    this.running = false;
    await this.logged;
    if (this.lastRound !== null) await this.keep();
    this.tell([]);
  }

  /** Until it is stopped (undefined) or the source cannot be asked any more. */
  private async watchOnce(signal: AbortSignal): Promise<AppError | undefined> {
    const opened = await this.parts.sources.get(this.source, signal);
    if (signal.aborted) return undefined;
    if (!opened.ok) return opened.error;
    const ended = await watchManagers(
      opened.value.access,
      {
        source: this.source,
        intervalMs: this.intervalSeconds * 1000,
        clock: this.parts.clock,
        memory: this.memory,
        candidates: candidatesOf(this.open.understood.fabric),
        onChange: (change) => this.take(change),
        onRound: (asked, answering) => this.round(asked, answering),
      },
      signal,
    );
    return ended.ok ? undefined : ended.error;
  }

  private take(change: ManagerChange): void {
    const { capture, understood } = this.open;
    const line: ManagerLogLine = {
      version: 1,
      source: sourceLabel(this.source),
      simulated: capture.simulated,
      ...change,
    };
    this.logged = this.parts.log.append(line).then((written) => {
      if (written.ok) return;
      this.trouble = written.error;
      this.tell([]);
    });
    const notice = noticeOf(change, understood.fabric, `${capture.name}${capture.simulated ? " (simulated)" : ""}`);
    if (notice !== undefined) this.parts.notify(notice);
    this.tell([line]);
  }

  private round(asked: number, answering: number): void {
    const now = this.parts.clock.now();
    this.lastRound = { at: new Date(now).toISOString(), asked, answering };
    if (this.trouble?.kind !== "file") this.trouble = null;
    const activity = new Map(
      [...this.memory.managers.values()]
        .filter(({ state }) => state !== "NO-ANSWER")
        .map(({ guid, activity: value }) => [guid, value]),
    );
    const samples = [...this.samples, { at: now, activity }];
    const young = samples.filter(({ at }) => at >= now - growthMs);
    this.samples = young.length >= 2 ? young : samples.slice(-2);
    if (Math.abs(now - this.keptAt) >= keepEveryMs) void this.keep();
    this.tell([]);
  }

  private async keep(): Promise<void> {
    this.keptAt = this.parts.clock.now();
    const written = await this.parts.times.keep(sourceLabel(this.source), this.time);
    if (!written.ok) this.trouble = written.error;
  }

  private tell(changes: readonly ManagerLogLine[]): void {
    this.parts.emit({ fabricId: this.open.id, status: this.status, changes });
  }
}

export class ManagerWatches {
  private readonly parts: WatchParts;
  private readonly watches = new Map<string, Watch>();

  constructor(parts: WatchParts) {
    this.parts = parts;
  }

  /** Begins to watch, or watches on with another interval. */
  async start(open: OpenFabric, source: SourceSpec, intervalSeconds: number): Promise<WatchStatus> {
    let before: Watch | undefined;
    do {
      before = this.watches.get(open.id);
      await before?.stop();
      // Another start may have been quicker: its watch ends too, lest two watch one fabric.
    } while (this.watches.get(open.id) !== before);
    const watch = new Watch(this.parts, open, source, intervalSeconds);
    this.watches.set(open.id, watch);
    return watch.status;
  }

  async stop(fabricId: string): Promise<WatchStatus> {
    const watch = this.watches.get(fabricId);
    await watch?.stop();
    return watch?.status ?? idle;
  }

  /** Ends the watch of a fabric that is closed. */
  async forget(fabricId: string): Promise<void> {
    await this.stop(fabricId);
    this.watches.delete(fabricId);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.watches.keys()].map((id) => this.stop(id)));
  }

  /** The watch of a fabric, with what is known of its source from before. */
  async view(open: OpenFabric): Promise<WatchView> {
    const status = this.watches.get(open.id)?.status ?? idle;
    const { source, simulated } = open.capture;
    if (source === undefined) return { status, changes: [], times: [], damaged: 0 };
    const label = sourceLabel(source);
    const read = await this.parts.log.read();
    const changes = read.ok
      ? read.value.lines.filter((line) => line.source === label && line.simulated === simulated)
      : [];
    return {
      status: read.ok ? status : { ...status, trouble: status.trouble ?? read.error },
      changes: changes.slice(-changesShown),
      times: this.parts.times.of(label).filter(({ from }) => from !== status.time?.from),
      damaged: read.ok ? read.value.damaged : 0,
    };
  }
}
