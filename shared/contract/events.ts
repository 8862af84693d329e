import type { CounterChange } from "../fabric/counter-history.ts";
import type { CounterWatchStatus } from "./counter-watch.ts";
import type { EventName } from "./names.ts";
import type { ManagerLogLine } from "./manager-log.ts";
import type { SweepEvent } from "./sweeps.ts";
import type { CollectStep, SshTestStep, WatchStatus } from "./views.ts";

/** Progress of one call: at most ten a second, the last always before the reply. */
export interface ProgressEvent {
  readonly callId: string;
  readonly seq: number;
  /** Step id, for instance `ibnetdiscover`, `server`, `client`. */
  readonly step: string;
  readonly done: number;
  /** 0 = not known. */
  readonly total: number;
  readonly note: string;
  /** All steps of a collection or a connection test, when the call has them. */
  readonly steps?: readonly CollectStep[];
  readonly testSteps?: readonly SshTestStep[];
  /** Live rate of a running measurement in Gb/s, when counters tell. */
  readonly gbps?: number;
}

export interface PromptBase {
  readonly promptId: string;
  readonly host: string;
}

/** A question of main to the user; answered by `prompt.answer`. */
export type PromptEvent =
  | (PromptBase & {
      readonly kind: "host-key";
      readonly port: number;
      readonly keyType: string;
      readonly fingerprint: string;
    })
  | (PromptBase & { readonly kind: "password"; readonly user: string; readonly retry: boolean })
  | (PromptBase & { readonly kind: "passphrase"; readonly path: string; readonly retry: boolean })
  | (PromptBase & {
      readonly kind: "keyboard-interactive";
      readonly name: string;
      readonly instructions: string;
      readonly prompts: readonly { readonly text: string; readonly echo: boolean }[];
    });

export interface EventPayloads {
  readonly progress: ProgressEvent;
  readonly prompt: PromptEvent;
  /** The question is no longer open (cancelled, connection gone). */
  readonly "prompt.gone": { readonly promptId: string };
  /** The system asks to open files (second start, drop on the icon). */
  readonly open: { readonly paths: readonly string[] };
  /** A menu entry of the main process. */
  readonly command: {
    readonly name: "connect" | "open" | "open-folder" | "save" | "collect-again" | "settings" | "shortcuts";
  };
  /** State of the connection behind an open fabric. */
  readonly connection: {
    readonly fabricId: string;
    readonly state: "connected" | "lost" | "closed";
    readonly note: string;
  };
  /** A watch of subnet managers: after each round and each change, and when it begins, ends or cannot ask. */
  readonly watch: {
    readonly fabricId: string;
    readonly status: WatchStatus;
    /** What changed, in the order it was seen; empty for a round without a change. */
    readonly changes: readonly ManagerLogLine[];
  };
  /** A watch of error counters: after each round, and when it begins, ends or cannot ask. */
  readonly counters: {
    readonly fabricId: string;
    readonly status: CounterWatchStatus;
    /** What changed since the round before. */
    readonly changes: readonly CounterChange[];
  };
  /** A sweep: when it begins, with each result, when it pauses, goes on and ends. */
  readonly sweep: SweepEvent;
}

type AllNamed = { readonly [N in EventName]: EventPayloads[N] };
export type EventPayload<N extends EventName> = AllNamed[N];
