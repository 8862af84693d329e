import { count, groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { at, portName } from "../../../shared/fabric/access.ts";
import { none } from "../../../shared/fabric/model.ts";
import { Button } from "../../parts/button.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { age, useNow } from "../../parts/time.ts";
import { useCounters } from "../../state/counter-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { growthsOf, perHourText, type PortGrowth } from "./growth.ts";
import "./counter-watch.css";

const intervals = [10, 30, 60, 300, 900] as const;
const rowsShown = 12;
const nothing: readonly PortGrowth[] = [];

/** What the counters of a fabric did while they were watched, the fastest first. */
export function useGrowths(view: FabricView): readonly PortGrowth[] {
  const { fabricId, fabric } = view;
  const series = useCounters((state) => state.series);
  const status = useCounters((state) => state.status);
  const followed = useCounters((state) => state.fabricId);
  return followed === fabricId ? growthsOf(fabric, series, status) : nothing;
}

/** The switch of the watch of counters and its interval. */
export function CounterWatchSwitch() {
  const { status, start, stop, intervalSeconds, setInterval } = useCounters();
  const running = status?.running === true;
  return (
    <>
      <select
        className="counter-watch-interval"
        aria-label="Seconds between two readings"
        value={intervalSeconds}
        onChange={(event) => setInterval(Number(event.target.value))}
      >
        {intervals.map((seconds) => (
          <option key={seconds} value={seconds}>
            {seconds < 60 ? `${seconds} s` : `${seconds / 60} min`}
          </option>
        ))}
      </select>
      <Button
        kind="plain"
        size="small"
        icon={running ? "pause" : "play"}
        title={
          running
            ? "Stop reading the counters"
            : "Reads the error counters of all ports again and again with ibqueryerrors, which changes nothing, and draws what grows"
        }
        onClick={() => void (running ? stop() : start())}
      >
        {running ? "Stop watching" : "Watch counters"}
      </Button>
    </>
  );
}

/** How the watch stands, and what grows. Nothing before the first watch. */
export function CounterWatchState({
  view,
  growths,
}: {
  readonly view: FabricView;
  readonly growths: readonly PortGrowth[];
}) {
  const status = useCounters((state) => state.status);
  const error = useCounters((state) => state.error);
  const select = useSelection((state) => state.select);
  const now = useNow(5_000);
  const { fabric } = view;
  if (error !== undefined) return <p className="counter-watch-state">{explain(error).sentence}</p>;
  if (status === undefined || (!status.running && status.rounds === 0)) return null;
  const trouble = status.trouble ?? undefined;
  const since = status.from === null ? "" : age(new Date(status.from).toISOString(), now);
  const words = status.running
    ? status.rounds === 0
      ? "First reading of all counters"
      : `Watching for ${since}, ${count(status.rounds, "reading")}`
    : `Watched, ${count(status.rounds, "reading")}`;
  const unanswered = status.unanswered === 0 ? "" : `, ${count(status.unanswered, "port")} did not answer`;
  const dropped = status.dropped === 0 ? "" : `, ${groupDigits(status.dropped)} further counters are not kept`;
  return (
    <section className="counter-watch-state" aria-label="Watch of counters">
      <p aria-live="polite">
        <HealthGlyph health={trouble !== undefined ? "warning" : growths.length > 0 ? "warning" : "ok"} size={13} />
        <strong>{words}</strong>
        <span>
          {growths.length === 0
            ? status.rounds < 2
              ? "growth shows from the second reading on"
              : "no error counter grew"
            : `${count(growths.length, "counter")} grew`}
          {unanswered}
          {dropped}
        </span>
        {trouble === undefined ? null : <span className="counter-watch-trouble">{explain(trouble).sentence}</span>}
      </p>
      {growths.length === 0 ? null : (
        <ul>
          {growths.slice(0, rowsShown).map((growth) => {
            const link = at(fabric.ports.link, growth.port);
            return (
              <li key={`${growth.port} ${growth.counter}`}>
                <button
                  type="button"
                  disabled={link === none}
                  onClick={() => select({ kind: "link", link }, { fly: true })}
                >
                  <strong>{portName(fabric, growth.port)}</strong>
                  <span>{growth.counter}</span>
                  <span className="counter-watch-rate">
                    +{groupDigits(growth.counted)}, {perHourText(growth.perHour)}
                  </span>
                </button>
              </li>
            );
          })}
          {growths.length > rowsShown ? <li>{`and ${growths.length - rowsShown} more`}</li> : null}
        </ul>
      )}
    </section>
  );
}
