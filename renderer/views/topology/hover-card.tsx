import { useLayoutEffect, useRef, useState } from "react";
import { visibleText } from "../../../shared/base/text.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { Hovered } from "../../graph/fabric-graph.tsx";
import type { GraphModel } from "../../graph/graph-model.ts";
import type { Measured } from "../../graph/overlay.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { ago } from "../../parts/time.ts";
import { placeCard, type Segment } from "./card-place.ts";
import { describeDrawnLink, describeDrawnNode } from "./describe.ts";

const delayMs = 250;

/** What is known of the thing under the pointer, after a moment of resting on it; beside the line, never over it. */
export function HoverCard({
  hovered,
  model,
  measured,
  passPercent,
  now,
}: {
  readonly hovered: Hovered;
  readonly model: GraphModel;
  readonly measured: Measured;
  readonly passPercent: number;
  readonly now: number;
}) {
  const card = useRef<HTMLDivElement>(null);
  const key = `${hovered.hit.node} ${hovered.hit.link}`;
  const [shown, setShown] = useState<string | undefined>(undefined);
  const [place, setPlace] = useState<{ readonly left: number; readonly top: number } | undefined>(undefined);
  // Places among drawn nodes and links mean something only in the picture in which they were found.
  const [found, setFound] = useState({ hovered, graph: model.graph });
  if (found.hovered !== hovered) setFound({ hovered, graph: model.graph });
  // The place where the pointer came to rest on this thing; the card stays there while the pointer moves along it.
  const pointer = useRef(hovered.pointer);
  useLayoutEffect(() => {
    pointer.current = hovered.pointer;
  });
  useLayoutEffect(() => {
    setShown(undefined);
    setPlace(undefined);
    const timer = window.setTimeout(() => setShown(key), delayMs);
    return () => window.clearTimeout(timer);
  }, [key]);
  useLayoutEffect(() => {
    const element = card.current;
    const box = element?.offsetParent;
    if (shown === undefined || element === null || !(box instanceof HTMLElement)) return;
    setPlace(
      placeCard(
        pointer.current,
        { width: element.offsetWidth, height: element.offsetHeight },
        { width: box.clientWidth, height: box.clientHeight },
        segmentOf(model, hovered),
      ),
    );
    // The card is placed once, when it appears.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shown]);
  if (shown !== key || found.graph !== model.graph) return null;
  const text =
    hovered.hit.link >= 0
      ? describeDrawnLink(model, hovered.hit.link, measured)
      : describeDrawnNode(model, hovered.hit.node);
  const [first, ...rest] = text.facts;
  return (
    <div
      ref={card}
      className="topology-card"
      aria-hidden="true"
      style={{ left: place?.left ?? 0, top: place?.top ?? 0, visibility: place === undefined ? "hidden" : "visible" }}
    >
      <div className="topology-card-title">
        {text.health === "ok" ? null : <HealthGlyph health={text.health} size={13} />}
        <span>{visibleText(text.title)}</span>
      </div>
      {first === undefined ? null : <div>{[first, ...rest].map(visibleText).join(", ")}</div>}
      {text.findings.map((finding) => (
        <div key={finding.id} className={`topology-card-${finding.severity}`}>
          {visibleText(finding.title)}
          {finding.evidence === "" ? "" : `: ${visibleText(finding.evidence)}`}
        </div>
      ))}
      {text.measured === undefined ? null : (
        <div className="topology-card-measured">
          {text.measured.percent === null ? null : (
            <>
              <PercentMeter percent={text.measured.percent} pass={passPercent} />
              <b>{Math.floor(text.measured.percent)}&nbsp;%</b>
            </>
          )}
          <span>
            {[
              text.measured.bandwidthGbps === null ? "" : `${formatGbps(text.measured.bandwidthGbps)} Gb/s`,
              text.measured.latencyUs === null ? "" : `${text.measured.latencyUs.toFixed(2)} µs`,
              ago(text.measured.at, now),
              text.measured.simulated ? "simulated" : "",
            ]
              .filter((part) => part !== "")
              .join(", ")}
          </span>
        </div>
      )}
      {text.hint === "" ? null : <div className="topology-card-hint">{visibleText(text.hint)}</div>}
    </div>
  );
}

/** The hovered link on the screen; undefined for a node. */
function segmentOf(model: GraphModel, { hit, camera }: Hovered): Segment | undefined {
  if (hit.link < 0) return undefined;
  const { geometry } = model;
  const x = (value: number | undefined): number => (value ?? 0) * camera.zoom + camera.x;
  const y = (value: number | undefined): number => (value ?? 0) * camera.zoom + camera.y;
  return {
    x1: x(geometry.x1[hit.link]),
    y1: y(geometry.y1[hit.link]),
    x2: x(geometry.x2[hit.link]),
    y2: y(geometry.y2[hit.link]),
  };
}
