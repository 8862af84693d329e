import { clockTime } from "../../parts/time.ts";
import type { Band, Span, Timeline } from "./timeline.ts";
import { ticksOf } from "./timeline.ts";
import { useWidth } from "./use-width.ts";
import "./timeline.css";

export const labelWidth = 112;
export const rightMargin = 14;
const axisHeight = 26;
const laneHeight = 46;
const bandHeight = 30;
const footHeight = 34;

export interface ChartLane {
  readonly guid: string;
  readonly name: string;
  /** Under the name: `prio 14`. */
  readonly note: string;
}

/** A time on the axis of a span: as exact as the span is short. */
export function tickText(at: number, { from, to }: Span): string {
  const iso = new Date(at).toISOString();
  if (to - from < 10 * 60_000) return clockTime(iso);
  if (to - from <= 48 * 3_600_000) return clockTime(iso).slice(0, 5);
  const date = new Date(at);
  return `${date.getDate()}.${date.getMonth() + 1}. ${clockTime(iso).slice(0, 5)}`;
}

/** One state of one manager: MASTER solid, STANDBY outlined, DISCOVERING hatched, no answer dashed, NOTACTIVE dotted. */
function BandShape({ band, x, width, y }: { band: Band; x: number; width: number; y: number }) {
  const middle = y + bandHeight / 2;
  const label = band.state === "NO-ANSWER" ? "no answer" : band.state;
  const fits = width > label.length * 7 + 14;
  const line = band.state === "NO-ANSWER" || band.state === "NOTACTIVE" || band.state === "unknown";
  return (
    <g className={`timeline-band timeline-${band.state}`}>
      {line ? (
        <line x1={x} x2={x + width} y1={middle} y2={middle} />
      ) : (
        <>
          {band.state === "DISCOVERING" ? (
            <rect className="timeline-hatch" x={x} y={y} width={width} height={bandHeight} rx={2} />
          ) : null}
          <rect
            className="timeline-box"
            x={x + 0.5}
            y={y + 0.5}
            width={Math.max(1, width - 1)}
            height={bandHeight - 1}
            rx={2}
          />
        </>
      )}
      {!fits ? null : line ? (
        <>
          <rect
            className="timeline-under"
            x={x + width / 2 - label.length * 3.5 - 4}
            y={middle - 8}
            width={label.length * 7 + 8}
            height={16}
          />
          <text x={x + width / 2} y={middle + 4} textAnchor="middle">
            {label}
          </text>
        </>
      ) : (
        <text x={x + 8} y={middle + 4}>
          {label}
        </text>
      )}
    </g>
  );
}

/** The states of all managers over time, one lane each; the red band is the time without a master. */
export function TimelineChart({
  timeline,
  lanes,
  span,
  label,
}: {
  readonly timeline: Timeline;
  readonly lanes: readonly ChartLane[];
  readonly span: Span;
  /** Read aloud; the table of states says the same in full. */
  readonly label: string;
}) {
  const [ref, width] = useWidth();
  const plot = Math.max(1, width - labelWidth - rightMargin);
  const length = Math.max(1, span.to - span.from);
  const x = (time: number): number =>
    labelWidth + (Math.min(Math.max(time, span.from), span.to) - span.from) * (plot / length);
  const inside = ({ from, to }: Span): boolean => to >= span.from && from <= span.to;
  const bottom = axisHeight + lanes.length * laneHeight;
  const laneTop = (lane: number): number => axisHeight + lane * laneHeight + (laneHeight - bandHeight) / 2;
  const laneOf = (guid: string): number => lanes.findIndex((lane) => lane.guid === guid);
  return (
    <div className="timeline" ref={ref}>
      {width === 0 ? null : (
        <svg width={width} height={bottom + footHeight} role="img" aria-label={label}>
          <defs>
            <pattern
              id="timeline-hatch"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line className="timeline-hatch-line" x1="0" y1="0" x2="0" y2="6" />
            </pattern>
          </defs>
          {ticksOf(span, Math.max(2, Math.floor(plot / 92))).map((at) => (
            <g key={at} className="timeline-tick">
              <line x1={x(at)} x2={x(at)} y1={axisHeight - 4} y2={bottom} />
              <text x={x(at)} y={14} textAnchor="middle">
                {tickText(at, span)}
              </text>
            </g>
          ))}
          {timeline.masterless.filter(inside).map((gap) => {
            const from = x(gap.from);
            const to = x(gap.to);
            return (
              <g key={gap.from} className="timeline-masterless">
                <rect x={from} y={axisHeight} width={Math.max(2, to - from)} height={bottom - axisHeight} />
                <line x1={from} x2={from} y1={axisHeight} y2={bottom} />
                <line x1={to} x2={to} y1={axisHeight} y2={bottom} />
                <text
                  x={Math.min(Math.max((from + to) / 2, labelWidth + 60), width - 70)}
                  y={bottom + 14}
                  textAnchor="middle"
                >
                  {Math.round((gap.to - gap.from) / 1000)} s without a master
                </text>
              </g>
            );
          })}
          {lanes.map((lane, i) => (
            <g key={lane.guid}>
              <text className="timeline-name" x={14} y={laneTop(i) + 12}>
                {lane.name.length > 15 ? `${lane.name.slice(0, 14)}…` : lane.name}
                <title>{lane.name}</title>
              </text>
              <text className="timeline-note" x={14} y={laneTop(i) + 26}>
                {lane.note}
              </text>
              {(timeline.lanes.find(({ guid }) => guid === lane.guid)?.bands ?? []).filter(inside).map((band) => (
                <BandShape
                  key={`${band.from} ${band.state}`}
                  band={band}
                  x={x(band.from)}
                  width={Math.max(1, x(band.to) - x(band.from))}
                  y={laneTop(i)}
                />
              ))}
            </g>
          ))}
          {timeline.handovers
            .filter(({ at }) => at >= span.from && at <= span.to)
            .map(({ at, guid, before }) => {
              const [from, to] = [laneOf(before), laneOf(guid)];
              if (from < 0 || to < 0) return null;
              const down = to > from;
              const start = laneTop(from) + bandHeight / 2;
              const end = down ? laneTop(to) - 2 : laneTop(to) + bandHeight + 2;
              return (
                <g key={at} className="timeline-handover">
                  <line x1={x(at)} x2={x(at)} y1={start} y2={end} />
                  <path d={`M${x(at) - 4} ${end - (down ? 5 : -5)}h8L${x(at)} ${end}z`} />
                </g>
              );
            })}
        </svg>
      )}
    </div>
  );
}
