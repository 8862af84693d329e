/** The contract's requests → use cases. Everything it needs is handed in. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { RequestInput } from "../../shared/contract/requests.ts";
import { sourceLabel } from "../../shared/contract/source.ts";
import type { TopologyKind } from "../../shared/analyse/results.ts";
import type { FabricView, RecentEntry } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { collect, countersOf } from "../collect/collect.ts";
import type { CallContext, Handlers } from "../ipc/router.ts";
import { MeasureLocks } from "../measure/locks.ts";
import { sshConfigNames } from "../run/ssh/config-names.ts";
import { type Capture, stdoutOf } from "../store/capture.ts";
import { stderrOf } from "../../shared/build/interpret.ts";
import { writeCapture } from "../store/capture-file.ts";
import { openPaths } from "../store/open-paths.ts";
import { decodeOutput } from "../threads/decode.ts";
import { dataHandlers } from "./data-handlers.ts";
import { understandCapture } from "./load.ts";
import { localDevices } from "./local-devices.ts";
import { HeldFabrics } from "./held-fabrics.ts";
import { createMeasurer, measureHandlers } from "./measure-handlers.ts";
import { triangulateHandlers } from "./triangulate-handlers.ts";
import type { SessionParts } from "./parts.ts";
import { captureStem, pictureName, writePicture } from "./save-picture.ts";
import { fabricView, type OpenFabric } from "./open-fabrics.ts";
import { routesHandlers } from "./routes-handlers.ts";
import { resultsHandlers } from "./results-handlers.ts";
import { captureName } from "./sources.ts";
import { sweepHandlers } from "./sweep-handlers.ts";
import { testSsh } from "./ssh-test.ts";
import { watchHandlers } from "./watch-handlers.ts";

function unknownFabric(id: string): Result<never, AppError> {
  return err({ kind: "unknown-id", what: "fabric", id });
}

/** All handlers of the contract. */
export function createHandlers(parts: SessionParts): Handlers {
  const { desktop, fabrics, sources, settings, recent } = parts;
  const measurer = createMeasurer(parts, new MeasureLocks(join(desktop.info.dataFolder, "locks")));
  const held = new HeldFabrics(parts.engine);
  return {
    "app.info": () => ok(desktop.info),
    "app.initial": () => ok(desktop.initial),
    "app.ready": ({ summary }) => {
      desktop.ready(summary);
      parts.engine.getReady();
      return ok(null);
    },
    "app.copy": ({ text }) => {
      desktop.copyText(text);
      return ok(null);
    },
    "app.report": async ({ incident }) => ok({ text: await desktop.incidentReport(incident) }),
    "settings.get": () => ok(settings.get()),
    "settings.set": (patch) => settings.set(patch),
    "recent.list": () => ok(recent.list()),
    "recent.remove": async ({ id }) => {
      await recent.remove(id);
      return ok(null);
    },
    "local.probe": async () => ok(await localDevices()),
    "ssh.names": async () => ok({ names: await namesFromConfig(parts.ssh.homeDir) }),
    "ssh.test": async ({ source, upTo }, context) => {
      if (source.kind !== "ssh")
        return err({ kind: "bad-request", detail: "only an SSH source has a connection to test" });
      const steps = await testSsh(source, upTo, parts.ssh, context.signal, (testSteps) =>
        context.progress({
          step: "test",
          done: testSteps.filter((step) => step.state !== "not-tested").length,
          total: testSteps.length,
          note: "",
          testSteps,
        }),
      );
      return ok({ steps });
    },
    "prompt.answer": ({ promptId, answer }) => {
      parts.prompts.answer(promptId, answer);
      return ok(null);
    },
    "capture.choose": async ({ what }) => ok({ paths: await desktop.choosePaths(what) }),
    "capture.open": async ({ paths }, context) => {
      context.progress({ step: "read", done: 0, total: 2, note: "Reading" });
      const capture = await openPaths(paths);
      if (!capture.ok) return capture;
      return admit(parts, capture.value, context, paths.length === 1 ? paths[0] : undefined);
    },
    "capture.collect": (input, context) => sources.during(input.source, () => collectFrom(parts, input, context)),
    "capture.save": async ({ fabricId, path }) => {
      const open = fabrics.get(fabricId);
      if (open === undefined) return unknownFabric(fabricId);
      const target = path ?? (await desktop.chooseSavePath(saveName(open, parts.now())));
      if (target === undefined) return ok({ saved: false, path: "" });
      const written = await writeCapture(target, open.capture);
      if (!written.ok) return written;
      open.path = target;
      return ok({ saved: true, path: target });
    },
    "picture.save": async ({ fabricId, overlay, format, bytes }) => {
      const open = fabrics.get(fabricId);
      if (open === undefined) return unknownFabric(fabricId);
      const target = await desktop.chooseSavePath(pictureName(open, overlay, format, parts.now()));
      if (target === undefined) return ok({ saved: false, path: "" });
      const written = await writePicture(target, bytes);
      return written.ok ? ok({ saved: true, path: target }) : written;
    },
    "capture.raw": ({ fabricId, file, line, lines }) => {
      const open = fabrics.get(fabricId);
      if (open === undefined) return unknownFabric(fabricId);
      return rawLines(open, file, line, lines);
    },
    "fabric.get": ({ fabricId }) => {
      const open = fabrics.get(fabricId);
      return open === undefined ? unknownFabric(fabricId) : ok(fabricView(open));
    },
    "fabric.overrule": ({ fabricId, kind }, context) =>
      overrule(parts, fabricId, kind === "automatic" ? undefined : kind, context.signal),
    "fabric.close": async ({ fabricId }) => {
      // Closed first: nothing can begin to watch it any more.
      const source = fabrics.close(fabricId)?.capture.source;
      held.release(fabricId);
      await Promise.all([parts.watches.forget(fabricId), parts.counterWatches.forget(fabricId)]);
      if (source === undefined) return ok(null);
      const shared = fabrics.all.some((other) => JSON.stringify(other.capture.source) === JSON.stringify(source));
      // What still runs on it, such as a sweep, keeps its connection to its end.
      if (!shared) await sources.close(source);
      return ok(null);
    },
    ...dataHandlers(parts),
    ...measureHandlers(parts, measurer, held),
    ...triangulateHandlers(parts, measurer, held),
    ...routesHandlers(parts.fabrics, held),
    ...sweepHandlers(parts, measurer, held),
    ...resultsHandlers(parts),
    ...watchHandlers(parts),
  };
}

/** Analyses an open fabric again with the user's word on its shape. */
async function overrule(
  parts: SessionParts,
  fabricId: string,
  kind: TopologyKind | undefined,
  signal: AbortSignal,
): Promise<Result<FabricView, AppError>> {
  for (;;) {
    const open = parts.fabrics.get(fabricId);
    if (open === undefined) return unknownFabric(fabricId);
    const { fabric } = open.understood;
    const analysis = await parts.engine.analyse(fabric, open.capture.name, signal, kind);
    if (!analysis.ok) return analysis;
    // Collected again meanwhile: the user's word is about what stands now.
    if (parts.fabrics.get(fabricId) !== open) continue;
    open.kind = kind;
    open.understood = { ...open.understood, analysis: analysis.value };
    return ok(fabricView(open));
  }
}

async function collectFrom(
  parts: SessionParts,
  { source, replaces, routes = false }: RequestInput<"capture.collect">,
  context: CallContext,
): Promise<Result<{ fabricId: string }, AppError>> {
  context.progress({
    step: "connect",
    done: 0,
    total: 0,
    note: source.kind === "ssh" ? `Connecting to ${sourceLabel(source)}` : "",
  });
  const opened = await parts.sources.get(source, context.signal);
  if (!opened.ok) return opened;
  // Also when it fails: who tries again is not asked for a password anew.
  parts.sources.keep(source);
  const { access } = opened.value;
  const earlier = replaces === undefined ? undefined : parts.fabrics.get(replaces)?.capture;
  const earlierCounters = earlier === undefined ? undefined : countersOf(earlier);
  const capture = await collect(access.source, {
    source,
    routes: routes || parts.settings.get().collectRoutes,
    ...(earlierCounters === undefined ? {} : { earlierCounters }),
    simulated: access.simulated,
    signal: context.signal,
    now: parts.now,
    onSteps: (steps) =>
      context.progress({
        step: steps.find((step) => step.state === "running")?.id ?? "collect",
        done: steps.filter((step) => step.state === "done" || step.state === "failed").length,
        total: steps.length,
        note: steps.find((step) => step.state === "running")?.title ?? "",
        steps,
      }),
  });
  if (!capture.ok) return capture;
  // What was collected is kept even when the user cancelled after it had come.
  const admitted = await admit(
    parts,
    { ...capture.value, name: captureName(source) },
    { ...context, signal: new AbortController().signal },
    undefined,
    replaces,
  );
  // An earlier fabric of this source may have been closed meanwhile.
  if (admitted.ok) parts.sources.keep(source);
  return admitted;
}

async function admit(
  parts: SessionParts,
  capture: Capture,
  context: CallContext,
  path: string | undefined,
  replaces?: string,
): Promise<Result<{ fabricId: string }, AppError>> {
  const kind = replaces === undefined ? undefined : parts.fabrics.get(replaces)?.kind;
  const loaded = await understandCapture(capture, parts.engine, context.signal, kind);
  if (!loaded.ok) return loaded;
  const open = parts.fabrics.add(capture, loaded.value.understood, path, replaces);
  await parts.recent.add(recentEntry(open, parts.now()));
  return ok({ fabricId: open.id });
}

function recentEntry(open: OpenFabric, now: number): RecentEntry {
  const { capture, understood, path } = open;
  const { counts, findings } = understood.analysis;
  const number = (severity: "note" | "warning" | "error"): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    id: path ?? (capture.source === undefined ? capture.name : JSON.stringify(capture.source)),
    name: capture.name,
    detail: capture.how === "file" || path !== undefined ? "file" : capture.how,
    source: path === undefined ? (capture.source ?? null) : null,
    path: path ?? null,
    simulated: capture.simulated,
    switches: counts.switches,
    hosts: counts.hosts,
    findings: { note: number("note"), warning: number("warning"), error: number("error") },
    openedAt: new Date(now).toISOString(),
  };
}

/** `mgmt-01-2026-11-29-0314.fabric`; simulated ones say so. */
function saveName(open: OpenFabric, now: number): string {
  const at = new Date(open.capture.collectedAt ?? now).toISOString();
  return `${captureStem(open)}-${at.slice(0, 10)}-${at.slice(11, 13)}${at.slice(14, 16)}${open.capture.simulated ? "-simulated" : ""}.fabric`;
}

function rawLines(
  open: OpenFabric,
  file: string,
  line: number,
  lines: number,
): Result<{ firstLine: number; totalLines: number; lines: readonly string[] }, AppError> {
  for (const output of open.capture.outputs) {
    const own = output.name === file;
    const error = !own && stderrOf(output.name) === file ? output.stderr : undefined;
    if (!own && error === undefined) continue;
    const all = linesOf(error ?? output.packed ?? output.stdout, () => error ?? stdoutOf(output));
    const first = Math.min(line, Math.max(1, all.length));
    return ok({ firstLine: first, totalLines: all.length, lines: all.slice(first - 1, first - 1 + lines) });
  }
  return err({ kind: "file", path: file, operation: "read", code: "ENOENT" });
}

/** Lines of the output looked at last: paging through it must not split the whole text each time. */
const lineCache = new WeakMap<object, readonly string[]>();

/** `key`: the object that the bytes are known by. */
function linesOf(key: object, bytes: () => Uint8Array): readonly string[] {
  const known = lineCache.get(key);
  if (known !== undefined) return known;
  const lines = decodeOutput(bytes()).split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  lineCache.set(key, lines);
  return lines;
}

async function namesFromConfig(home: string): Promise<readonly string[]> {
  try {
    return sshConfigNames(await readFile(join(home, ".ssh", "config"), "utf8"));
  } catch {
    return [];
  }
}
