/** What the handlers are made of; handed in by the composition root. */
import type { AppInfo } from "../../shared/contract/requests.ts";
import type { SshDependencies } from "../run/ssh/connect.ts";
import type { BaselineStore } from "../store/baselines.ts";
import type { History } from "../store/history.ts";
import type { RecentStore } from "../store/recent.ts";
import type { SettingsStore } from "../store/settings.ts";
import type { Engine } from "../threads/engine.ts";
import type { CounterWatches } from "./counter-watches.ts";
import type { ManagerWatches } from "./manager-watches.ts";
import type { MarkStore } from "./marks.ts";
import type { OpenFabrics } from "./open-fabrics.ts";
import type { Prompts } from "./prompts.ts";
import type { Sources } from "./sources.ts";
import type { SweepRuns } from "./sweep-runs.ts";

/** What only a desktop can do. */
export interface Desktop {
  readonly info: AppInfo;
  readonly initial: { open: "nothing" } | { open: "simulated"; name: string } | { open: "paths"; paths: string[] };
  choosePaths(what: "files" | "folder" | "key" | "map"): Promise<string[]>;
  chooseSavePath(name: string): Promise<string | undefined>;
  copyText(text: string): void;
  ready(summary: string): void;
  incidentReport(incident: string): Promise<string>;
}

export interface SessionParts {
  readonly desktop: Desktop;
  readonly engine: Engine;
  readonly fabrics: OpenFabrics;
  readonly sources: Sources;
  readonly ssh: SshDependencies;
  readonly prompts: Prompts;
  readonly settings: SettingsStore;
  readonly recent: RecentStore;
  readonly history: History;
  readonly watches: ManagerWatches;
  readonly counterWatches: CounterWatches;
  readonly marks: MarkStore;
  readonly sweeps: SweepRuns;
  readonly baselines: BaselineStore;
  /** Where the program keeps its files. */
  readonly dataFolder: string;
  readonly now: () => number;
}
