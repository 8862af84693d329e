import { explain } from "../../../shared/errors/explain.ts";
import { count } from "../../../shared/base/text.ts";
import { Button } from "../../parts/button.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { ago, clockTime, useNow } from "../../parts/time.ts";
import { useWatch } from "../../state/watch-store.ts";

const intervals = [1, 2, 5, 10, 30, 60, 300] as const;

function intervalText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}

/** The switch of the watch, its interval, and how it stands. `source`: false for captures that were opened from files. */
export function WatchBar({ source }: { readonly source: boolean }) {
  const { status, start, stop, setInterval, intervalSeconds } = useWatch();
  const now = useNow(5_000);
  const running = status?.running === true;
  const trouble = status?.trouble ?? undefined;
  const last = status?.lastRound ?? undefined;
  if (!source) return <span className="managers-quiet">Opened from files: nothing to watch</span>;
  return (
    <div className="managers-watch" role="group" aria-label="Watch">
      <span className="managers-watch-words" aria-live="polite">
        {trouble !== undefined ? (
          <>
            <HealthGlyph health={running ? "warning" : "error"} size={13} />
            <span title={explain(trouble).sentence}>{explain(trouble).sentence}</span>
          </>
        ) : running ? (
          <>
            <HealthGlyph health="ok" size={13} />
            <span>
              Watching since {clockTime(status.time?.from ?? "")}
              {last === undefined ? "" : `, ${last.answering} of ${count(last.asked, "manager")} answered`}
            </span>
          </>
        ) : last === undefined ? null : (
          <span>Watched until {ago(last.at, now)}</span>
        )}
      </span>
      <label className="managers-interval">
        every
        <select value={intervalSeconds} onChange={(event) => setInterval(Number(event.target.value))}>
          {intervals.map((seconds) => (
            <option key={seconds} value={seconds}>
              {intervalText(seconds)}
            </option>
          ))}
        </select>
      </label>
      <Button
        kind={running ? "plain" : "primary"}
        size="small"
        icon={running ? "pause" : "play"}
        title={
          running
            ? "Stop asking"
            : "Asks each subnet manager with sminfo, which only reads, and tells of handovers, losses and returns on the desktop"
        }
        onClick={() => void (running ? stop() : start())}
      >
        {running ? "Stop watching" : "Watch"}
      </Button>
    </div>
  );
}
