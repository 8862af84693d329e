/** Before a run: does the data really cross the cable? ibtracert tells; if not, other pairs are tried. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { PlanGuide, Trace } from "../../shared/measure/guide.ts";
import type { MeasurePlan, TracedRoute } from "../../shared/measure/types.ts";
import { parseIbtracert } from "../../shared/parse/ibtracert.ts";
import type { CommandRunner } from "../run/runner.ts";
import { askTool, type SourceTools } from "./source-tools.ts";

/** Traces before it is given up: each is a few management packets a switch. */
const tracesMax = 8;

export interface TraceDeps {
  readonly runner: CommandRunner;
  readonly tools: SourceTools;
  readonly guide: PlanGuide;
  readonly onNote: (note: string) => void;
}

/** The plan that will run, its path as traced where that was possible. */
export interface TracedPlan {
  readonly plan: MeasurePlan;
  readonly traced: TracedRoute;
}

/**
 * Traces the plan's pair; when its way does not cross the cable, other pairs, up to eight. A trace that cannot be used
 * changes nothing: the plan stays, and the record says why it is not traced.
 *
 * @returns `no-path` when no traced pair crosses the cable; `cancelled`.
 */
export async function traceFirst(
  plan: MeasurePlan,
  deps: TraceDeps,
  signal: AbortSignal,
): Promise<Result<TracedPlan, AppError>> {
  const taken = new Map<string, number>();
  let othersTraced = 0;
  const candidates = eachOf(deps.guide.others(plan));
  let candidate: MeasurePlan = plan;
  for (;;) {
    const result = await trace(candidate, deps, signal);
    if (!result.ok) return result;
    const { commandLine, found } = result.value;
    if (typeof found === "string") return ok({ plan, traced: { commandLine, othersTraced, problem: found } });
    const along = deps.guide.along(candidate, found);
    if (along === undefined) {
      const problem = "its way goes over cables that are not in this capture: collect again";
      return ok({ plan, traced: { commandLine, othersTraced, problem } });
    }
    if (along.path.some(({ linkIndex }) => linkIndex === plan.linkIndex)) {
      return ok({ plan: along, traced: { commandLine, crosses: true, othersTraced } });
    }
    for (const { fromName, fromPort, toName, toPort } of along.path.slice(1, -1)) {
      const name = `${fromName}:${fromPort} to ${toName}:${toPort}`;
      taken.set(name, (taken.get(name) ?? 0) + 1);
    }
    othersTraced += 1;
    const next = othersTraced < tracesMax ? await candidates.next() : undefined;
    if (next === undefined || next.done === true) return err(givenUp(plan, othersTraced, taken));
    candidate = next.value;
    deps.onNote(
      `${plan.linkName} is not on the traced way: trying ${candidate.client.host} to ${candidate.server.host}`,
    );
  }
}

async function* eachOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

function givenUp(plan: MeasurePlan, traces: number, taken: ReadonlyMap<string, number>): AppError {
  const ways = [...taken].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const over =
    ways.length === 0 ? "" : ` They go over ${ways.slice(0, 4).join(", ")}${ways.length > 4 ? " and others" : ""}.`;
  const pairs =
    traces === 1 ? "The pair was traced, and its way does" : `${traces} pairs were traced, and their ways do`;
  return {
    kind: "no-path",
    link: plan.linkName,
    reason: `${pairs} not cross ${plan.linkName}.${over} Nothing was measured.`,
    help: "Collect again with routes: the forwarding tables tell which pairs cross it, or that none does.",
  };
}

interface Traced {
  readonly commandLine: string;
  /** The trace, or why there is none. */
  readonly found: Trace | string;
}

async function trace(
  plan: MeasurePlan,
  { runner, tools }: TraceDeps,
  signal: AbortSignal,
): Promise<Result<Traced, AppError>> {
  const ends = [String(plan.client.lid), String(plan.server.lid)] as const;
  const commandLine = ["ibtracert", ...tools.options, ...ends].join(" ");
  const asked = await askTool(runner, tools, ["ibtracert", ...ends], signal);
  if (!asked.ok) {
    if (asked.error.kind === "cancelled") return asked;
    return ok({ commandLine, found: explain(asked.error).sentence });
  }
  const { stdout, stderr, exitCode } = asked.value;
  if (exitCode === 127) return ok({ commandLine, found: `${runner.host} has no ibtracert` });
  const { traces } = parseIbtracert(stdout, { file: "ibtracert" }).records;
  const [only] = traces;
  if (exitCode === 0 && only?.to !== undefined) return ok({ commandLine, found: only });
  const said = `${stderr}\n${stdout}`.trim().split("\n")[0]?.trim() ?? "";
  return ok({
    commandLine,
    found: said === "" ? "ibtracert printed no route" : `ibtracert said: ${said.slice(0, 200)}`,
  });
}
