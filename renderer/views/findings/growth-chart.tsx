import { thresholdsOf } from "../../../shared/analyse/limits.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import { portName } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { clockTime } from "../../parts/time.ts";
import { useSettings } from "../../state/settings-store.ts";
import { perHourText, type PortGrowth } from "./growth.ts";
import "./growth-chart.css";

const width = 320;
const height = 92;
const right = 6;
const top = 14;
const bottom = 18;
/** Width of a digit of the axis, px. */
const digit = 6.6;
/** Times at which a link went down that are marked, the newest. */
const downsMarked = 6;

/** `250`, `40k`, `1.5M`: a number of the axis. */
function axisText(value: number): string {
  const [unit, sign] = value >= 1e9 ? [1e9, "G"] : value >= 1e6 ? [1e6, "M"] : value >= 1e4 ? [1e3, "k"] : [1, ""];
  return `${Number((value / unit).toPrecision(3))}${sign}`;
}

/** A round number at or above a value, for the axis. */
function ceiling(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil(value / step) * step;
}

/** Growth an hour of one counter over the watch, with its limit and when the link went down. */
function GrowthChart({
  fabric,
  growth,
  downs,
}: {
  readonly fabric: Fabric;
  readonly growth: PortGrowth;
  /** Milliseconds since 1970. */
  readonly downs: readonly number[];
}) {
  const { counter, pieces, port, counted, perHour } = growth;
  const changes = useSettings((state) => state.settings.limits);
  const limit = thresholdsOf(changes).counters[counter]?.errorPerHour;
  const peak = Math.max(...pieces.map((piece) => piece.perHour));
  const most = ceiling(limit === undefined ? peak : Math.max(peak, limit * 1.2));
  const marks = [0, most / 2, most].map((value) => ({ value, text: axisText(value) }));
  const left = 10 + Math.max(...marks.map(({ text }) => text.length)) * digit;
  const to = pieces.at(-1)?.at ?? 0;
  const from = to - (counted * 3_600_000) / perHour;
  const x = (time: number): number => left + ((time - from) / Math.max(1, to - from)) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  const steps = pieces.map((piece, i) => {
    const begin = i === 0 ? from : (pieces[i - 1]?.at ?? from);
    return `${i === 0 ? "M" : "L"}${x(begin).toFixed(1)} ${y(piece.perHour).toFixed(1)}H${x(piece.at).toFixed(1)}`;
  });
  const time = (at: number): string => clockTime(new Date(at).toISOString()).slice(0, to - from < 600_000 ? 8 : 5);
  return (
    <figure className="growth">
      <figcaption>
        <strong>{counter}, growth per hour</strong>
        <span>{portName(fabric, port)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${counter} of ${portName(fabric, port)}: ${groupDigits(counted)} counted from ${time(from)} to ${time(to)}, ${perHourText(perHour)}`}
      >
        {marks.map(({ value, text }) => (
          <g key={value}>
            <line className="growth-grid" x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
            <text x={left - 6} y={y(value) + 4} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {limit === undefined ? null : (
          <g className="growth-limit">
            <line x1={left} x2={width - right} y1={y(limit)} y2={y(limit)} />
            <text x={width - right} y={y(limit) - 3} textAnchor="end">
              limit {limit}
            </text>
          </g>
        )}
        {downs.slice(-downsMarked).map((at, i, marked) => (
          <g key={at} className="growth-down">
            <line x1={x(at)} x2={x(at)} y1={top} y2={height - bottom} />
            {i === marked.length - 1 ? (
              <text x={x(at)} y={top - 4} textAnchor={x(at) > width / 2 ? "end" : "start"}>
                went down {time(at)}
              </text>
            ) : null}
          </g>
        ))}
        <path className="growth-line" d={steps.join("")} />
        <text x={left} y={height - 4}>
          {time(from)}
        </text>
        <text x={width - right} y={height - 4} textAnchor="end">
          {time(to)}
        </text>
      </svg>
    </figure>
  );
}

/** Charts of the counters that grew at the two ends of a cable, the fastest first. */
export function GrowthCharts({
  fabric,
  growths,
}: {
  readonly fabric: Fabric;
  readonly growths: readonly PortGrowth[];
}) {
  const downs = growths
    .filter(({ counter }) => counter === "LinkDownedCounter")
    .flatMap(({ times }) => times)
    .sort((a, b) => a - b);
  return (
    <>
      {growths.slice(0, 4).map((growth) => (
        <GrowthChart key={`${growth.port} ${growth.counter}`} fabric={fabric} growth={growth} downs={downs} />
      ))}
    </>
  );
}
