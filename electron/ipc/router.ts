/**
 * Serves the contract over any pipe: validates names and inputs, keeps an AbortController per call, turns a bug in a
 * handler into an incident. Knows no Electron, so a test drives it with plain calls.
 */
import { randomUUID } from "node:crypto";
import { err, type Result } from "../../shared/base/result.ts";
import type { ProgressEvent } from "../../shared/contract/events.ts";
import { type RequestName, requestNames } from "../../shared/contract/names.ts";
import { type RequestInput, type RequestOutput, requests } from "../../shared/contract/requests.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Logger } from "../log/logger.ts";

export type Progress = Omit<ProgressEvent, "callId" | "seq">;

export interface CallContext {
  /** Aborted by `cancel`, by a closed window, at the end of the program. */
  readonly signal: AbortSignal;
  /** At most ten a second reach the caller; the last always does. */
  readonly progress: (progress: Progress) => void;
}

export type Handlers = {
  readonly [N in RequestName]: (
    input: RequestInput<N>,
    context: CallContext,
  ) => Promise<Result<RequestOutput<N>, AppError>> | Result<RequestOutput<N>, AppError>;
};

export interface Router {
  /** Never rejects. */
  call(name: unknown, callId: unknown, input: unknown): Promise<Result<unknown, AppError>>;
  cancel(callId: unknown): void;
  cancelAll(): void;
}

const progressGapMs = 100;

/** Makes a router of handlers. `emit` carries progress to the caller. */
export function createRouter(handlers: Handlers, emit: (progress: ProgressEvent) => void, log: Logger): Router {
  const running = new Map<string, AbortController>();
  const cancelledEarly = new Set<string>();
  return {
    async call(name, callId, input) {
      if (typeof name !== "string" || !isRequestName(name))
        return err({ kind: "bad-request", detail: "unknown request" });
      if (typeof callId !== "string" || callId.length > 200) return err({ kind: "bad-request", detail: "call id" });
      const checked = requests[name].input.safeParse(input);
      if (!checked.success) {
        const issue = checked.error.issues[0];
        return err({
          kind: "bad-request",
          detail: `${name}: ${issue === undefined ? "input" : `${issue.path.join(".")} ${issue.message}`}`,
        });
      }
      const controller = new AbortController();
      if (cancelledEarly.delete(callId)) controller.abort();
      running.set(callId, controller);
      const throttle = new Throttle(callId, emit);
      try {
        // The schema of this very name has checked the input; the pairing is lost on a union of handlers.
        const handler = handlers[name] as (
          input: unknown,
          context: CallContext,
        ) => Promise<Result<unknown, AppError>> | Result<unknown, AppError>;
        return await handler(checked.data, {
          signal: controller.signal,
          progress: (progress) => throttle.push(progress),
        });
      } catch (cause) {
        const incident = randomUUID().slice(0, 8);
        log.error(
          `incident ${incident} in ${name}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
        );
        return err({ kind: "internal", incident });
      } finally {
        throttle.flush();
        running.delete(callId);
      }
    },
    cancel(callId) {
      if (typeof callId !== "string") return;
      const controller = running.get(callId);
      if (controller !== undefined) controller.abort();
      else if (cancelledEarly.size < 100) cancelledEarly.add(callId);
    },
    cancelAll() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

function isRequestName(name: string): name is RequestName {
  return (requestNames as readonly string[]).includes(name);
}

/** Passes the first at once, then one per gap; the last before the reply. */
class Throttle {
  private seq = 0;
  private lastSent = 0;
  private waiting: Progress | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly callId: string;
  private readonly emit: (progress: ProgressEvent) => void;

  constructor(callId: string, emit: (progress: ProgressEvent) => void) {
    this.callId = callId;
    this.emit = emit;
  }

  push(progress: Progress): void {
    const wait = this.lastSent + progressGapMs - Date.now();
    if (wait <= 0) {
      this.waiting = undefined;
      this.send(progress);
      return;
    }
    this.waiting = progress;
    this.timer ??= setTimeout(() => this.flush(), wait);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === undefined) return;
    const progress = this.waiting;
    this.waiting = undefined;
    this.send(progress);
  }

  private send(progress: Progress): void {
    this.seq += 1;
    this.lastSent = Date.now();
    this.emit({ callId: this.callId, seq: this.seq, ...progress });
  }
}
