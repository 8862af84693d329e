import { count, groupDigits } from "../../../shared/base/text.ts";
import type { SweepStatus } from "../../../shared/contract/sweeps.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { timeText } from "../../../shared/measure/sweep-time.ts";
import type { GlyphKind } from "../../parts/glyph.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Tag } from "../../parts/tag.tsx";
import { ago } from "../../parts/time.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { SweepButtons } from "./sweep-buttons.tsx";
import { ResumeButton } from "./sweep-card.tsx";
import { canResume, stateWords } from "./sweep-words.ts";
import "./sweep-card.css";

/** Sign of a sweep's state. */
export function sweepGlyph({ state, slow }: SweepStatus): GlyphKind {
  switch (state) {
    case "running":
    case "elsewhere":
      return "running";
    case "paused":
    case "cancelled":
      return "not-run";
    case "interrupted":
      return "warning";
    case "stopped":
      return "error";
    case "finished":
      return slow > 0 ? "warning" : "ok";
  }
}

/** `88 of 127 links, 1 slow, round 12 of 16, 1 min 20 s left`. */
export function sweepText(status: SweepStatus, now: number): string {
  const { state, done, total, slow, failed, round, rounds, secondsLeft } = status;
  const words = [
    ...(state === "running" ? [] : [stateWords[state]]),
    done === total ? `all ${count(total, "link")}` : `${groupDigits(done)} of ${count(total, "link")}`,
    ...(slow > 0 ? [`${groupDigits(slow)} slow`] : []),
    ...(failed > 0 ? [`${groupDigits(failed)} without a result`] : []),
    ...(round > 0 ? [`round ${round} of ${rounds}`] : []),
    ...(secondsLeft !== null && state === "running" ? [`${timeText(secondsLeft)} left`] : []),
    ...(round > 0 ? [] : [ago(status.lastAt, now)]),
  ];
  return words.join(", ");
}

/** Sweeps that run, or wait to be taken up again; nothing when there are none. */
export function SweepList({ view, now }: { readonly view: FabricView | undefined; readonly now: number }) {
  const sweeps = useSweeps((state) => state.sweeps);
  const shown = useSweeps((state) => state.shown);
  const resuming = useSweeps((state) => state.resuming);
  const open = sweeps.filter(({ state }) => state !== "finished");
  if (open.length === 0) return null;
  const { show } = useSweeps.getState();
  return (
    <ul className="sweep-list" aria-label="Sweeps">
      {open.map((status) => (
        <li key={status.id} aria-current={status.id === shown}>
          <HealthGlyph health={sweepGlyph(status)} size={14} />
          <button type="button" onClick={() => show(status.id)}>
            Sweep, {titleInside(status.title)}
          </button>
          {status.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
          <span className="sweep-list-words">{sweepText(status, now)}</span>
          <SweepButtons status={status} />
          {canResume(status) ? <ResumeButton status={status} view={view} resuming={resuming.has(status.id)} /> : null}
        </li>
      ))}
    </ul>
  );
}
