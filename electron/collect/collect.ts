/**
 * Collects one capture: which tools, in what order, with progress and cancel. A step that fails is noted and the rest
 * goes on; what was collected is kept. Only reads: none of the commands changes anything on the fabric.
 */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import { sourceLabel } from "../../shared/contract/source.ts";
import type { CollectStep } from "../../shared/contract/views.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import type { CommandRunner } from "../run/runner.ts";
import type { Capture, CaptureOutput } from "../store/capture.ts";
import { decodeOutput } from "../threads/decode.ts";
import { countersNote, readErrorCounters } from "./counters.ts";
import { searchManagers } from "./managers.ts";
import { readOpensmConf } from "./opensm-conf.ts";
import { readForwardingTables, switchLids } from "./routes.ts";
import { type Argv, asOutput, deviceOptions, runTool, type ToolPlace } from "./step.ts";

interface Outcome {
  readonly outputs: readonly CaptureOutput[];
  readonly note: string;
  readonly error?: AppError;
}

interface Step {
  readonly id: string;
  readonly title: string;
  /** Without this tool no other can be expected. */
  readonly essential: boolean;
  /** `say` tells how far a long step is. */
  readonly run: (place: ToolPlace, before: readonly CaptureOutput[], say: (note: string) => void) => Promise<Outcome>;
}

export interface CollectOptions {
  readonly source: SourceSpec;
  readonly simulated: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onSteps: (steps: readonly CollectStep[]) => void;
  /** Ask for the forwarding tables too: planning and findings then know the routes. */
  readonly routes?: boolean;
  /** The error counters of an earlier capture of the same source, kept beside the new ones to tell their growth. */
  readonly earlierCounters?: CaptureOutput;
}

/** Name of the error counters in a capture, and of those from an earlier look. */
const countersFile = "ibqueryerrors.txt";
const earlierCountersFile = "ibqueryerrors-earlier.txt";

/** The error counters of a capture, to hand to the next collection from the same source. */
export function countersOf(capture: Capture): CaptureOutput | undefined {
  return capture.outputs.find(({ name }) => name === countersFile);
}

/** A step of one command. */
function single(
  id: string,
  title: string,
  argv: (source: SourceSpec) => Argv,
  timeoutMs: number,
  file: string | undefined,
  note: (stdout: string, stderr: string) => string,
): Step {
  return {
    id,
    title,
    essential: true,
    async run(place) {
      const ran = await runTool(place, argv(place.source), timeoutMs);
      const keep = ran.output !== undefined && file !== undefined && ran.error?.kind !== "tool-missing";
      return {
        outputs: keep ? [asOutput(file, ran.output)] : [],
        note: note(ran.stdout, ran.stderr),
        ...(ran.error === undefined ? {} : { error: ran.error }),
      };
    },
  };
}

const usualSteps: readonly Step[] = [
  single(
    "tools",
    "Tools",
    () => ["ibnetdiscover", "-V"],
    20_000,
    undefined,
    (stdout, stderr) =>
      /VERSION:?\s*(\S+)/i.exec(stdout + stderr)?.[1]?.replace(/^/, "infiniband-diags ") ?? "infiniband-diags",
  ),
  single(
    "ibnetdiscover",
    "Nodes and cables",
    (source) => ["ibnetdiscover", ...deviceOptions(source)],
    // 10,000 hosts take 8 to 14 s; nodes that do not answer add seconds each.
    300_000,
    "ibnetdiscover.txt",
    (stdout) => `${matches(stdout, /^(?:Switch|Ca|Rt)\s*\d+\s*"/gm)} nodes`,
  ),
  single(
    "iblinkinfo",
    "Port states",
    (source) => ["iblinkinfo", "--line", ...deviceOptions(source)],
    300_000,
    "iblinkinfo.txt",
    (stdout) => `${matches(stdout, /==>/g)} ports`,
  ),
  single(
    "sminfo",
    "Subnet manager",
    (source) => ["sminfo", ...deviceOptions(source)],
    30_000,
    "sminfo.txt",
    (stdout) => /SMINFO_\w+/.exec(stdout)?.[0].replace("SMINFO_", "") ?? "no answer",
  ),
  {
    id: "counters",
    title: "Error counters",
    essential: false,
    async run(place) {
      const ran = await readErrorCounters(place);
      const keep = ran.output !== undefined && ran.error?.kind !== "tool-missing";
      return {
        outputs: keep ? [asOutput(countersFile, ran.output)] : [],
        note: countersNote(ran.stdout),
        ...(ran.error === undefined ? {} : { error: ran.error }),
      };
    },
  },
  {
    // After the counters, so that some time lies between the two answers of the master.
    id: "managers",
    title: "All subnet managers",
    essential: false,
    async run(place, before) {
      const search = await searchManagers(place, masterLids(before), textOf(before, "ibnetdiscover.txt"));
      if (search.error?.kind === "cancelled" || search.error?.kind === "connection-lost") return search;
      const { output, error } = await readOpensmConf(place);
      return {
        ...search,
        outputs: output === undefined ? search.outputs : [...search.outputs, output],
        ...(error === undefined ? {} : { error }),
      };
    },
  },
];

/** Only when it is asked for: on a large fabric it takes long. */
const routesStep: Step = {
  id: "routes",
  title: "Forwarding tables",
  essential: false,
  run: (place, before, say) => readForwardingTables(place, switchLids(textOf(before, "ibnetdiscover.txt")), say),
};

/** An output that has come, as text. */
function textOf(outputs: readonly CaptureOutput[], name: string): string {
  const output = outputs.find((one) => one.name === name);
  return output === undefined ? "" : decodeOutput(output.stdout);
}

/** LIDs of the managers that plain sminfo told. */
function masterLids(outputs: readonly CaptureOutput[]): readonly number[] {
  const output = outputs.find(({ name }) => name === "sminfo.txt");
  if (output === undefined) return [];
  return parseSminfo(decodeOutput(output.stdout), { file: "" }).records.managers.flatMap(({ lid }) =>
    lid > 0 ? [lid] : [],
  );
}

function matches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** A failure after which no further command of the same source can work. */
function endsAll(error: AppError, step: Step): boolean {
  if (error.kind === "tool-missing") return step.essential;
  return ["cancelled", "connection-lost", "sudo-refused"].includes(error.kind);
}

/** Runs all steps. An error only when nothing that can be drawn was collected. */
export async function collect(runner: CommandRunner, options: CollectOptions): Promise<Result<Capture, AppError>> {
  const steps = options.routes === true ? [...usualSteps, routesStep] : usualSteps;
  const states: CollectStep[] = steps.map(({ id, title }) => ({ id, title, state: "waiting", note: "", ms: 0 }));
  const outputs: CaptureOutput[] = [];
  const collectedAt = new Date(options.now()).toISOString();
  const place: ToolPlace = { runner, source: options.source, signal: options.signal };
  let firstError: AppError | undefined;
  let stop: AppError | undefined;
  const report = (index: number, change: Partial<CollectStep>): void => {
    const before = states[index];
    if (before !== undefined) states[index] = { ...before, ...change };
    options.onSteps([...states]);
  };
  for (const [index, step] of steps.entries()) {
    if (stop !== undefined) {
      report(index, { state: stop.kind === "cancelled" ? "cancelled" : "skipped", note: "" });
      continue;
    }
    report(index, { state: "running" });
    const startedAt = options.now();
    const { outputs: came, note, error } = await step.run(place, outputs, (said) => report(index, { note: said }));
    const ms = options.now() - startedAt;
    outputs.push(...came);
    if (error === undefined) {
      report(index, { state: "done", note, ms });
      continue;
    }
    firstError ??= error;
    if ((error.kind === "tool-missing" && !step.essential) || error.kind === "unsupported") {
      report(index, { state: "skipped", note: step.id === "managers" ? note : explain(error).sentence, ms });
      continue;
    }
    report(index, { state: error.kind === "cancelled" ? "cancelled" : "failed", note: explain(error).sentence, ms });
    // A failed version query says nothing unless the tool is not there at all.
    if (endsAll(error, step)) stop = error;
  }
  const drawable = outputs.some(
    ({ name, stdout }) =>
      (name === "ibnetdiscover.txt" || name === "iblinkinfo.txt") && /^\[\d+\]|==>/m.test(decodeOutput(stdout)),
  );
  if (!drawable) return err(firstError ?? { kind: "empty-output", what: `ibnetdiscover on ${runner.host}` });
  if (options.earlierCounters !== undefined) outputs.push({ ...options.earlierCounters, name: earlierCountersFile });
  return ok({
    name: options.source.kind === "simulated" ? runner.label : sourceLabel(options.source),
    how: options.source.kind,
    simulated: options.simulated,
    collectedAt,
    source: options.source,
    steps: states,
    outputs,
  });
}
