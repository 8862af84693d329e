import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { clockTime, duration } from "../../parts/time.ts";
import { between, moved, scaled, stretched, wholeSpan } from "./brush.ts";
import { labelWidth, rightMargin, type ChartLane, tickText } from "./timeline-chart.tsx";
import type { Span, Timeline } from "./timeline.ts";
import { useWidth } from "./use-width.ts";

const height = 40;
const laneStep = 8;
/** Half of what one can grasp at an end of the brush. Px. */
const grip = 5;

type Grasp =
  | { readonly kind: "from" | "to" }
  | { readonly kind: "move"; readonly at: number; readonly span: Span }
  | { readonly kind: "new"; readonly at: number };

/** All that was watched on one strip, with a brush over what the timeline shows: drag it, its ends, or a new one. */
export function TimelineOverview({
  timeline,
  lanes,
  span,
  onSpan,
}: {
  readonly timeline: Timeline;
  readonly lanes: readonly ChartLane[];
  /** What the timeline shows. */
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}) {
  const [ref, width] = useWidth();
  const grasp = useRef<Grasp | undefined>(undefined);
  const whole = useRef(wholeSpan(timeline, span));
  // While it is dragged the strip stands still under the hand.
  if (grasp.current === undefined) whole.current = wholeSpan(timeline, span);
  const { from, to } = whole.current;
  const plot = Math.max(1, width - labelWidth - rightMargin);
  const length = Math.max(1, to - from);
  const x = (time: number): number => labelWidth + (Math.min(Math.max(time, from), to) - from) * (plot / length);
  const shown = lanes.slice(0, 4);
  const top = (height - shown.length * laneStep) / 2;

  const timeAt = (event: PointerEvent<SVGSVGElement>): number => {
    const left = event.currentTarget.getBoundingClientRect().left;
    return from + ((event.clientX - left - labelWidth) / plot) * length;
  };
  const onPointerDown = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.button !== 0) return;
    const at = timeAt(event);
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const [left, right] = [x(span.from), Math.max(x(span.to), x(span.from) + 6)];
    grasp.current =
      Math.abs(px - left) <= grip
        ? { kind: "from" }
        : Math.abs(px - right) <= grip
          ? { kind: "to" }
          : px > left && px < right
            ? { kind: "move", at, span }
            : { kind: "new", at };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>): void => {
    const held = grasp.current;
    if (held === undefined) return;
    const at = timeAt(event);
    if (held.kind === "move") onSpan(moved(held.span, at - held.at, whole.current));
    else if (held.kind === "new") onSpan(between(held.at, at, whole.current));
    else onSpan(stretched(span, held.kind, at, whole.current));
  };
  const onPointerEnd = (event: PointerEvent<SVGSVGElement>): void => {
    const held = grasp.current;
    grasp.current = undefined;
    // A click beside the brush brings it there.
    if (held?.kind === "new" && Math.abs(timeAt(event) - held.at) < (3 * length) / plot) {
      onSpan(moved(span, held.at - (span.from + span.to) / 2, whole.current));
    }
  };
  const onKeyDown = (event: KeyboardEvent, part: "move" | "from" | "to"): void => {
    const shownFor = span.to - span.from;
    const step = (event.shiftKey ? 1 : 0.1) * (part === "move" ? shownFor : Math.max(1_000, shownFor));
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step }[event.key];
    const next =
      by !== undefined
        ? part === "move"
          ? moved(span, by, whole.current)
          : stretched(span, part, span[part] + by, whole.current)
        : event.key === "Home"
          ? part === "move"
            ? moved(span, -length, whole.current)
            : stretched(span, part, from, whole.current)
          : event.key === "End"
            ? part === "move"
              ? moved(span, length, whole.current)
              : stretched(span, part, to, whole.current)
            : event.key === "+" || event.key === "="
              ? scaled(span, 0.5, whole.current)
              : event.key === "-"
                ? scaled(span, 2, whole.current)
                : undefined;
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSpan(next);
  };
  const said = (time: number): string => clockTime(new Date(time).toISOString());
  const slider = (part: "move" | "from" | "to", label: string, time: number) => ({
    role: "slider",
    tabIndex: 0,
    "aria-label": label,
    "aria-orientation": "horizontal" as const,
    "aria-valuemin": Math.round(from / 1000),
    "aria-valuemax": Math.round(to / 1000),
    "aria-valuenow": Math.round(time / 1000),
    "aria-valuetext":
      part === "move" ? `${said(span.from)} to ${said(span.to)}, ${duration(span.to - span.from)}` : said(time),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, part),
  });
  const left = x(span.from);
  const wide = Math.max(6, x(span.to) - left);
  return (
    <div className="timeline-overview" ref={ref}>
      {width === 0 ? null : (
        <svg
          width={width}
          height={height}
          role="group"
          aria-label="All that was watched; the brush is what the timeline shows"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerEnd}
          onPointerCancel={onPointerEnd}
        >
          <text x={14} y={height / 2 + 4}>
            since {tickText(from, whole.current)}
          </text>
          <rect className="timeline-overview-ground" x={labelWidth} y={0} width={plot} height={height} />
          {shown.map((lane, i) =>
            (timeline.lanes.find(({ guid }) => guid === lane.guid)?.bands ?? [])
              .filter((band) => band.to >= from)
              .map((band) => (
                <rect
                  key={`${lane.guid} ${band.from} ${band.state}`}
                  className={`timeline-mini timeline-mini-${band.state}`}
                  x={x(band.from)}
                  y={top + i * laneStep + 1.5}
                  width={Math.max(1, x(band.to) - x(band.from))}
                  height={laneStep - 3}
                />
              )),
          )}
          {timeline.masterless
            .filter((gap) => gap.to >= from)
            .map((gap) => (
              <rect
                key={gap.from}
                className="timeline-mini-masterless"
                x={x(gap.from)}
                y={4}
                width={Math.max(2, x(gap.to) - x(gap.from))}
                height={height - 8}
              />
            ))}
          <rect
            className="timeline-brush"
            x={left + 0.5}
            y={3.5}
            width={Math.max(5, wide - 1)}
            height={height - 7}
            rx={3}
            {...slider("move", "Time shown", (span.from + span.to) / 2)}
          />
          {(["from", "to"] as const).map((end) => (
            <rect
              key={end}
              className="timeline-grip"
              x={(end === "from" ? left : left + wide) - 2}
              y={height / 2 - 7}
              width={4}
              height={14}
              rx={2}
              {...slider(end, end === "from" ? "Begin of the time shown" : "End of the time shown", span[end])}
            />
          ))}
        </svg>
      )}
    </div>
  );
}
