/**
 * Reads the counters of all ports of a path, and of those beside it, around a run: once a second before, right before
 * and right after. Only reads (perfquery without -R). What cannot be read is said and stops nothing.
 */
import type { AppError } from "../../shared/errors/kinds.ts";
import type { PerfqueryPort } from "../../shared/parse/perfquery.ts";
import {
  type CountedPort,
  countedPorts,
  type CounterSnapshot,
  hasErrors,
  type PortCounts,
  readCounts,
} from "../../shared/measure/counted-ports.ts";
import { type EvidenceSubject, judgeEvidence } from "../../shared/measure/evidence.ts";
import type { MeasurePlan, RunEvidence } from "../../shared/measure/types.ts";
import type { CommandRunner } from "../run/runner.ts";
import type { Sleep } from "./commands.ts";
import { queryPort } from "./port-query.ts";
import type { SourceTools } from "./source-tools.ts";

/** Queries at a time: the tools share one management port, and a simulated source has ten places for all. */
const atOnce = 4;
const ambientMs = 1000;

export interface EvidenceDeps {
  readonly runner: CommandRunner;
  readonly tools: SourceTools;
  readonly now: () => number;
  readonly sleep: Sleep;
}

/** The counters of one plan's path. */
export class PathCounters {
  private readonly deps: EvidenceDeps;
  private readonly ports: readonly CountedPort[];
  private readonly subject: EvidenceSubject;
  private ambient: CounterSnapshot | undefined;
  private before: CounterSnapshot | undefined;
  /** Why no port can be asked (the tool is not there, may not open the device …): no further question is asked. */
  private closed: AppError | undefined;

  /** `crosses`: a trace has shown that the way of the plan is the real one. */
  constructor(plan: MeasurePlan, crosses: boolean, deps: EvidenceDeps) {
    this.deps = deps;
    this.ports = countedPorts(plan);
    this.subject = {
      hop: plan.path.findIndex(({ linkIndex }) => linkIndex === plan.linkIndex),
      linkName: plan.linkName,
      clientHost: plan.client.host,
      wayKnown: crosses || plan.basis !== "shortest-path",
    };
  }

  /** Reads twice, a second apart. */
  async begin(signal: AbortSignal): Promise<void> {
    this.ambient = await this.read(signal);
    if (this.ambient === undefined) return;
    await this.deps.sleep(ambientMs, signal);
    this.before = await this.read(signal);
  }

  /** Reads again and judges; without evidence when nothing could be read before or after, then with the reason if there is one. */
  async end(signal: AbortSignal): Promise<{ readonly evidence?: RunEvidence; readonly countersError?: AppError }> {
    const { ambient, before } = this;
    const after = ambient === undefined || before === undefined ? undefined : await this.read(signal);
    if (ambient !== undefined && before !== undefined && after !== undefined) {
      return { evidence: judgeEvidence(this.subject, this.ports, { ambient, before, after }) };
    }
    const { closed } = this;
    return closed === undefined || closed.kind === "cancelled" ? {} : { countersError: closed };
  }

  private async read(signal: AbortSignal): Promise<CounterSnapshot | undefined> {
    if (this.ports.length === 0 || this.subject.hop < 0) return undefined;
    const counts: (PortCounts | undefined)[] = this.ports.map(() => undefined);
    // The first port alone: when the tool does not work at all, it is asked once.
    await this.readPort(0, counts, signal);
    for (let start = 1; start < this.ports.length && this.closed === undefined; start += atOnce) {
      const some = this.ports
        .slice(start, start + atOnce)
        .map((_, index) => this.readPort(start + index, counts, signal));
      await Promise.all(some);
    }
    if (signal.aborted || counts.every((port) => port === undefined)) return undefined;
    return { at: this.deps.now(), ports: counts };
  }

  private async readPort(index: number, counts: (PortCounts | undefined)[], signal: AbortSignal): Promise<void> {
    const port = this.ports[index];
    if (port === undefined) return;
    const wide = await this.query(port, ["-x"], signal);
    const needsMore = wide === undefined || wide.attribute !== "extended" || !hasErrors(wide);
    const classic = needsMore && this.closed === undefined ? await this.query(port, [], signal) : undefined;
    counts[index] = readCounts(wide, classic);
  }

  private async query(
    port: CountedPort,
    options: readonly string[],
    signal: AbortSignal,
  ): Promise<PerfqueryPort | undefined> {
    const asked = await queryPort(port, options, this.deps, signal);
    if (asked.ok) return asked.value;
    this.closed = asked.error;
    return undefined;
  }
}
