/** All handlers of the program over a data folder of a test. */
import { join } from "node:path";
import { createHandlers } from "../../electron/session/handlers.ts";
import { OpenFabrics } from "../../electron/session/open-fabrics.ts";
import { CounterWatches } from "../../electron/session/counter-watches.ts";
import { ManagerWatches } from "../../electron/session/manager-watches.ts";
import { openMarks } from "../../electron/session/marks.ts";
import { createPrompts } from "../../electron/session/prompts.ts";
import { Sources } from "../../electron/session/sources.ts";
import { openWatchTimes } from "../../electron/session/watch-times.ts";
import { managerLog } from "../../electron/watch/sm-log.ts";
import { SweepRuns } from "../../electron/session/sweep-runs.ts";
import { openBaselines } from "../../electron/store/baselines.ts";
import { openHistory } from "../../electron/store/history.ts";
import { openRecent } from "../../electron/store/recent.ts";
import { openSettings } from "../../electron/store/settings.ts";
import { directEngine, type Engine } from "../../electron/threads/engine.ts";
import type { Handlers } from "../../electron/ipc/router.ts";
import { dependencies, must } from "./ssh-dependencies.ts";

const desktop = (folder: string) => ({
  info: { version: "", electron: "", platform: "", dataFolder: folder, simulatedFabrics: [], samples: [] },
  initial: { open: "nothing" as const },
  choosePaths: () => Promise.resolve([]),
  chooseSavePath: () => Promise.resolve(undefined),
  copyText: () => undefined,
  ready: () => undefined,
  incidentReport: () => Promise.resolve(""),
});

const clock = { now: Date.now, monotonic: Date.now, sleep: () => Promise.resolve() };

export async function openSession(
  folder: string,
  engine: Engine = directEngine,
): Promise<{ readonly handlers: Handlers; readonly sources: Sources }> {
  const ssh = dependencies(folder);
  const sources = new Sources(ssh, () => undefined);
  const handlers = createHandlers({
    desktop: desktop(folder),
    engine,
    fabrics: new OpenFabrics(),
    sources,
    ssh,
    prompts: createPrompts(
      () => undefined,
      () => undefined,
    ),
    settings: await openSettings(folder),
    recent: await openRecent(folder),
    history: must(await openHistory(join(folder, "measurements.jsonl"))),
    counterWatches: new CounterWatches({ sources, clock, emit: () => undefined }),
    watches: new ManagerWatches({
      sources,
      log: managerLog(join(folder, "managers.jsonl")),
      times: await openWatchTimes(folder),
      clock,
      emit: () => undefined,
      notify: () => undefined,
    }),
    marks: await openMarks(folder),
    sweeps: new SweepRuns({ now: Date.now, emit: () => undefined }),
    baselines: await openBaselines(folder),
    dataFolder: folder,
    now: Date.now,
  });
  return { handlers, sources };
}
