import { randomUUID } from "node:crypto";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { sourceLabel, type SourceSpec } from "../../shared/contract/source.ts";
import {
  sweepConcurrency,
  type SweepPlanView,
  type SweepStatus,
  type SweepWish,
} from "../../shared/contract/sweeps.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { findLink, linkId } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { findNode, type SweepSelection, sweepTitle } from "../../shared/measure/sweep-select.ts";
import { type Sweep, sweepFromDraft, type SweepInput } from "../../shared/measure/sweep.ts";
import type { MeasureOptions } from "../../shared/measure/types.ts";
import type { CallContext, Handlers } from "../ipc/router.ts";
import { recoverDone } from "../measure/sweep-recover.ts";
import { cleanSweeps, listSweeps, summariseSweep, sweepRunBy } from "../measure/sweep-list.ts";
import {
  beginSweep,
  continueSweep,
  discardSweep,
  readSweepRecord,
  type SweepHead,
  type SweepJournal,
} from "../measure/sweep-state.ts";
import type { HeldFabrics } from "./held-fabrics.ts";
import { heldGuide } from "./held-guide.ts";
import { KeptPlans } from "./kept-plans.ts";
import { type Measurer, noSource } from "./measure-handlers.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { SessionParts } from "./parts.ts";
import { lineOf, linksOf, statusOf } from "./sweep-words.ts";

/** Plans kept for `sweep.start`; older ones are planned anew. */
const plansKept = 4;
/** Plans that were started, known by name only. */
const startedKept = 1000;
/** A program that stays open for months clears old journals as one does that is started each day. */
const cleanEveryMs = 86_400_000;

/** A sweep that is planned, with what its runs need. */
interface ReadySweep {
  readonly sweep: Sweep;
  readonly title: string;
  readonly source: SourceSpec;
  readonly open: OpenFabric;
  readonly options: MeasureOptions;
  readonly concurrency: number;
}

function unknown(id: string): Result<never, AppError> {
  return err({ kind: "unknown-id", what: "sweep", id });
}

/** Names of the contract → indices of this fabric. */
function selectionOf(fabric: Fabric, wish: SweepWish): Result<SweepSelection, AppError> {
  switch (wish.kind) {
    case "all-inter-switch":
    case "all-host-links":
    case "degraded":
      return ok(wish);
    case "host-links-of":
    case "links-of": {
      const node = findNode(fabric, wish.node);
      return node === undefined
        ? err({ kind: "unknown-id", what: "node", id: wish.node })
        : ok({ kind: wish.kind, node });
    }
    case "links": {
      const links: number[] = [];
      for (const id of wish.links) {
        const link = findLink(fabric, id);
        if (link === undefined) return err({ kind: "unknown-id", what: "link", id });
        links.push(link);
      }
      return ok({ kind: "links", links });
    }
  }
}

function planView(planId: string, ready: ReadySweep, simulated: boolean): SweepPlanView {
  const { sweep, title, concurrency } = ready;
  const items = sweep.rounds.flatMap((round, index) =>
    round.map(({ link, linkName, clientHost, serverHost, basis, cables }) => ({
      link,
      linkName,
      round: index + 1,
      clientHost,
      serverHost,
      basis,
      cables,
    })),
  );
  return {
    planId,
    title,
    items,
    refused: sweep.refused,
    rounds: sweep.rounds.length,
    lowerBound: sweep.lowerBound,
    atOnce: sweep.rounds.reduce((most, round) => Math.max(most, round.length), 0),
    concurrency,
    secondsPerRound: sweep.secondsPerRound,
    seconds: sweep.seconds,
    secondsMost: sweep.secondsMost,
    hosts: [...new Set(items.flatMap(({ clientHost, serverHost }) => [clientHost, serverHost]))].sort(),
    example: sweep.rounds[0]?.[0]?.plan() ?? null,
    simulated,
  };
}

type SweepRequest = Extract<keyof Handlers, `sweep.${string}`>;

/** Planning, running and keeping sweeps. */
export function sweepHandlers(
  parts: Pick<SessionParts, "fabrics" | "sources" | "history" | "sweeps" | "dataFolder" | "now">,
  measurer: Measurer,
  held: HeldFabrics,
): Pick<Handlers, Exclude<SweepRequest, "sweep.export">> {
  const { sweeps, dataFolder } = parts;
  const plans = new KeptPlans<ReadySweep>(parts.fabrics, plansKept);
  /** Titles of the sweeps whose plan was started, or is being started right now. */
  const started = new Map<string, string>();
  let cleanedAt = -Infinity;

  const plan = async (
    open: OpenFabric,
    source: SourceSpec,
    selection: SweepSelection,
    title: string,
    options: MeasureOptions,
    concurrency: number,
    context: CallContext,
  ): Promise<Result<ReadySweep, AppError>> => {
    const { fabric } = open.understood;
    const input: Omit<SweepInput, "links" | "routes"> = {
      fabricId: open.id,
      options,
      simulated: open.capture.simulated,
      concurrency,
    };
    const draft = await held.of(open).ask(
      "planSweep",
      { ...input, selection },
      {
        what: `Planning ${title}`,
        signal: context.signal,
        progress: (done, total, note) => context.progress({ step: "plan", done, total, note }),
      },
    );
    if (!draft.ok) return draft;
    return ok({ sweep: sweepFromDraft(fabric, input, draft.value), title, source, open, options, concurrency });
  };

  const begin = ({ sweep, source, open, concurrency }: ReadySweep, journal: SweepJournal): SweepStatus => {
    const { status, finished } = sweeps.begin({
      sweep,
      journal,
      concurrency,
      measure: (item, signal) =>
        measurer(
          {
            plan: item.plan(),
            guide: heldGuide(open, item.input(), { fabrics: parts.fabrics, held }, signal),
            source,
            sweep: journal.head.id,
          },
          { signal, progress: () => undefined },
        ),
    });
    // It goes on whatever is looked at meanwhile, also between two rounds and while it is paused.
    void parts.sources.during(source, () => finished);
    return status;
  };

  const start = async (ready: ReadySweep, context: CallContext): Promise<Result<SweepStatus, AppError>> => {
    const { sweep, source, title, options, concurrency, open } = ready;
    const items = sweep.rounds.flat();
    if (items.length === 0) return err({ kind: "bad-request", detail: "no link of this selection can be measured" });
    const opened = await parts.sources.get(source, context.signal);
    if (!opened.ok) return opened;
    const head: SweepHead = {
      format: "ibex-sweep",
      version: 1,
      id: randomUUID(),
      startedAt: new Date(parts.now()).toISOString(),
      source: sourceLabel(source),
      options,
      links: items.map(({ link }) => link),
      names: items.map(({ linkName }) => linkName),
      title,
      simulated: open.capture.simulated,
      concurrency,
    };
    const journal = await beginSweep(dataFolder, head);
    return journal.ok ? ok(begin(ready, journal.value)) : journal;
  };

  /** Goes on with a sweep of the disk on the open fabric: what is left is planned anew. */
  const takeUp = async (
    journal: SweepJournal,
    open: OpenFabric,
    source: SourceSpec,
    context: CallContext,
  ): Promise<Result<SweepStatus, AppError>> => {
    const { head } = journal;
    const { fabric } = open.understood;
    const recovered = await recoverDone(journal, parts.history.list().measurements);
    if (!recovered.ok) return recovered;
    const notMeasured = async (link: string, reason: string): Promise<Result<void, AppError>> =>
      journal.add({ link, at: new Date(parts.now()).toISOString(), level: "not-measured", reason });
    const links: number[] = [];
    for (const id of head.links) {
      if (journal.done.has(id)) continue;
      const link = findLink(fabric, id);
      if (link !== undefined && linkId(fabric, link) === id) {
        links.push(link);
        continue;
      }
      const written = await notMeasured(id, "The link is not in the fabric any more.");
      if (!written.ok) return written;
    }
    const title = head.title ?? "Sweep";
    const concurrency = head.concurrency ?? sweepConcurrency.usual;
    const ready = await plan(open, source, { kind: "links", links }, title, head.options, concurrency, context);
    if (!ready.ok) return ready;
    for (const { link, reason } of ready.value.sweep.refused) {
      const written = await notMeasured(link, reason);
      if (!written.ok) return written;
    }
    // A cluster that cannot be reached would be a failure of every link.
    const opened = await parts.sources.get(source, context.signal);
    if (!opened.ok) return opened;
    if (context.signal.aborted) return err({ kind: "cancelled", what: title });
    return ok(begin(ready.value, journal));
  };

  return {
    "sweep.plan": async ({ fabricId, wish, options, concurrency }, context) => {
      const open = parts.fabrics.get(fabricId);
      if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id: fabricId });
      const { source, simulated, name } = open.capture;
      if (source === undefined) return noSource(name);
      const selection = selectionOf(open.understood.fabric, wish);
      if (!selection.ok) return selection;
      const own = wish.kind === "links" ? wish.title : undefined;
      const title = own ?? sweepTitle(open.understood.fabric, selection.value);
      const ready = await plan(open, source, selection.value, title, options, concurrency, context);
      if (!ready.ok) return ready;
      const planId = randomUUID();
      plans.add(planId, ready.value);
      return ok(planView(planId, ready.value, simulated));
    },
    "sweep.start": async ({ planId }, context) => {
      const before = started.get(planId);
      if (before !== undefined) return err({ kind: "already-started", what: before });
      const ready = plans.get(planId);
      if (ready === undefined) return err({ kind: "unknown-id", what: "plan", id: planId });
      // Before anything is waited for: a second click may come at any time.
      started.set(planId, ready.title);
      const status = await parts.sources.during(ready.source, () => start(ready, context));
      if (!status.ok) {
        started.delete(planId);
        return status;
      }
      plans.delete(planId);
      const [oldest] = started.keys();
      if (started.size > startedKept && oldest !== undefined) started.delete(oldest);
      return status;
    },
    "sweep.pause": ({ sweepId }) => {
      const status = sweeps.pause(sweepId);
      return status === undefined ? unknown(sweepId) : ok(status);
    },
    "sweep.resume": async ({ sweepId, fabricId }, context) => {
      const going = sweeps.resume(sweepId);
      if (going !== undefined) return ok(going);
      const open = parts.fabrics.get(fabricId);
      if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id: fabricId });
      const { source, name, simulated } = open.capture;
      if (source === undefined) return noSource(name);
      const journal = await continueSweep(dataFolder, sweepId);
      if (!journal.ok) return journal;
      const { head } = journal.value;
      const same = head.source === sourceLabel(source) && (head.simulated ?? simulated) === simulated;
      const status = same
        ? await parts.sources.during(source, () => takeUp(journal.value, open, source, context))
        : err({ kind: "bad-request" as const, detail: `this sweep is of ${head.source}: open that first` });
      if (!status.ok) await journal.value.close();
      return status;
    },
    "sweep.cancel": async ({ sweepId }) => {
      const status = await sweeps.cancel(sweepId);
      return status === undefined ? unknown(sweepId) : ok(status);
    },
    "sweep.discard": async ({ sweepId }) => {
      if (sweeps.get(sweepId) !== undefined) return err({ kind: "busy", what: "This sweep" });
      const discarded = await discardSweep(dataFolder, sweepId);
      return discarded.ok ? ok(null) : discarded;
    },
    "sweep.list": async () => {
      if (parts.now() - cleanedAt > cleanEveryMs) {
        cleanedAt = parts.now();
        await cleanSweeps(dataFolder, cleanedAt);
      }
      const here = sweeps.all;
      const others = await listSweeps(dataFolder, new Set(here.map(({ id }) => id)));
      return ok([...here, ...others.map(statusOf)].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)));
    },
    "sweep.get": async ({ sweepId }) => {
      const running = sweeps.get(sweepId);
      if (running !== undefined) return ok(running);
      const record = await readSweepRecord(dataFolder, sweepId);
      if (record === undefined) return unknown(sweepId);
      return ok({
        status: statusOf({ ...summariseSweep(record), runBy: await sweepRunBy(dataFolder, sweepId) }),
        links: linksOf(record.head),
        lines: lineOf(record.head, [...record.done.values()]),
        damaged: record.damaged,
      });
    },
  };
}
