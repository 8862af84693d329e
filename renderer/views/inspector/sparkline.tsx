import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { percentClass } from "../../parts/percent.ts";
import { age } from "../../parts/time.ts";
import { percentText } from "../measure/words.ts";
import { pathThrough, sparkPoints, sparkRange } from "./spark.ts";

const pointsShown = 12;

/** The last results of a link against the pass line, oldest at the left. The history rows below carry the same numbers. */
export function Sparkline({
  runs,
  pass,
  now,
  baseline,
  width = 138,
}: {
  /** Newest first. */
  readonly runs: readonly MeasurementSummary[];
  readonly pass: number;
  readonly now: number;
  /** Per cent of the expected rate that the link's baseline reached. */
  readonly baseline?: number | undefined;
  readonly width?: number;
}) {
  const shown = runs
    .filter((run) => run.percent !== null)
    .slice(0, pointsShown)
    .reverse();
  const values = shown.map((run) => run.percent ?? 0);
  const first = shown[0];
  const last = shown[shown.length - 1];
  if (first === undefined || last === undefined || shown.length < 2) return null;
  const range = sparkRange(baseline === undefined ? values : [...values, baseline], pass);
  const inner = width - 12;
  const points = sparkPoints(values, range, inner, 30);
  const passY = 30 - ((pass - range.low) / (range.high - range.low)) * 30;
  const title = `Last ${shown.length} results, from ${percentText(values[0] ?? 0)} to ${percentText(values[values.length - 1] ?? 0)}${baseline === undefined ? "" : `, baseline ${percentText(baseline)}`}`;
  return (
    <svg
      className="sparkline"
      width={width}
      height={58}
      viewBox={`0 0 ${width} 58`}
      fill="none"
      role="img"
      aria-label={title}
    >
      <g transform="translate(6 8)">
        <path d={`M-6 ${passY}H${inner + 6}`} stroke="var(--edge)" strokeDasharray="3 3" />
        {baseline === undefined ? null : (
          <path
            d={`M-6 ${30 - ((baseline - range.low) / (range.high - range.low)) * 30}H${inner + 6}`}
            stroke="var(--accent)"
            strokeWidth="1"
            strokeDasharray="1 2"
          />
        )}
        <path d={pathThrough(points)} stroke="var(--t2)" strokeWidth="1.4" />
        {points.map((point, i) => (
          <circle
            key={shown[i]?.id}
            cx={point.x}
            cy={point.y}
            r={i === points.length - 1 ? 3.6 : 2.2}
            fill={`var(--pct-${percentClass(values[i] ?? 0, pass)})`}
            stroke="var(--panel)"
          />
        ))}
      </g>
      <text x="0" y="56" className="sparkline-text">
        {age(first.at, now)}
      </text>
      <text x={width} y="56" textAnchor="end" className="sparkline-text">
        {age(last.at, now)}
      </text>
    </svg>
  );
}
