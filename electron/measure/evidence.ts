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
import { queryPorts } from "./port-query.ts";
import type { SourceTools } from "./source-tools.ts";

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
  /** Ports whose error counters only the classic attribute has; known after the first reading. */
  private classic: ReadonlySet<number> | undefined;
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

  /**
   * One round trip for all ports. The first reading takes a second one where the extended attribute has not told all:
   * which ports are asked for the classic one too is known from then on.
   */
  private async read(signal: AbortSignal): Promise<CounterSnapshot | undefined> {
    const { ports, classic, deps } = this;
    if (ports.length === 0 || this.subject.hop < 0 || this.closed !== undefined) return undefined;
    const both = ports.flatMap((_, index) => (classic?.has(index) === true ? [index] : []));
    const all = ports.map((_, index) => index);
    const asked = await this.query([...all, ...both], all.length, signal);
    if (asked === undefined) return undefined;
    const wide = asked.slice(0, all.length);
    const narrow = new Map(both.map((index, place) => [index, asked[all.length + place]]));
    if (classic === undefined) {
      const open = all.filter((index) => {
        const read = wide[index];
        return read === undefined || read.attribute !== "extended" || !hasErrors(read);
      });
      const more = open.length === 0 ? [] : await this.query(open, 0, signal);
      for (const [place, index] of open.entries()) narrow.set(index, more?.[place]);
      // A port that has told nothing at all is asked once a reading, which costs seconds enough.
      this.classic = new Set(open.filter((index) => narrow.get(index) !== undefined));
    }
    const counts = all.map((index): PortCounts | undefined => readCounts(wide[index], narrow.get(index)));
    if (signal.aborted || counts.every((port) => port === undefined)) return undefined;
    return { at: deps.now(), ports: counts };
  }

  /** Answers of ports by index; the first `wide` questions are for the extended attribute. */
  private async query(
    indices: readonly number[],
    wide: number,
    signal: AbortSignal,
  ): Promise<readonly (PerfqueryPort | undefined)[] | undefined> {
    const questions = indices.flatMap((index, place) => {
      const port = this.ports[index];
      return port === undefined ? [] : [{ lid: port.lid, port: port.port, wide: place < wide }];
    });
    const asked = await queryPorts(questions, this.deps, signal);
    if (asked.ok) return asked.value;
    this.closed = asked.error;
    return undefined;
  }
}
