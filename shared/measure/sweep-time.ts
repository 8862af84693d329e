/** What sweeps take, in words. */
import type { Sweep } from "./sweep.ts";

/** `24 s`, `3 min 20 s`, `2 h 05 min`. */
export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) {
    const rest = whole % 60;
    return `${Math.floor(whole / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
  }
  const minutes = Math.floor(whole / 60) % 60;
  return `${Math.floor(whole / 3600)} h ${String(minutes).padStart(2, "0")} min`;
}

/** What a sweep takes: `3 min 20 s`, `3 to 9 min` where pairs may be exchanged on the way. */
export function sweepTimeText({ seconds, secondsMost }: Pick<Sweep, "seconds" | "secondsMost">): string {
  if (secondsMost <= seconds) return timeText(seconds);
  if (secondsMost < 120) return `${Math.round(seconds)} to ${Math.round(secondsMost)} s`;
  // Neither end is known to the second.
  const [least, most] = [Math.max(1, Math.round(seconds / 60)), Math.max(2, Math.ceil(secondsMost / 60))];
  if (most < 60) return `${least} to ${most} min`;
  return `${timeText(least * 60)} to ${timeText(most * 60)}`;
}
