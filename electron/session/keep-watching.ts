import type { AppError } from "../../shared/errors/kinds.ts";
import type { WatchClock } from "../watch/sm-watch.ts";

/** Between two attempts to connect again. */
const retryMs = 5_000;

/** Failures that pass by themselves. */
function passes(error: AppError): boolean {
  return ["connection-lost", "unreachable", "timed-out", "channel-refused"].includes(error.kind);
}

/**
 * Watches on after failures that pass, until it is stopped or something ends it for good.
 *
 * @param once watches until it is stopped (undefined) or the source cannot be asked any more
 * @param onTrouble called with each failure; `again`: it is tried again in some seconds
 */
export async function keepWatching(
  once: () => Promise<AppError | undefined>,
  onTrouble: (error: AppError, again: boolean) => void,
  clock: WatchClock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ended = await once();
    if (ended === undefined) return;
    const again = passes(ended);
    onTrouble(ended, again);
    if (!again) return;
    await clock.sleep(retryMs, signal);
  }
}
