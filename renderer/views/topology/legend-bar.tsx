import type { ReactNode } from "react";
import { groupDigits, visibleText } from "../../../shared/base/text.ts";
import { dashesOf, type Classes, type LinkClass } from "../../graph/overlay.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Bars } from "../../parts/meter.tsx";

function Sample({ look }: { readonly look: LinkClass }) {
  if (look.glyph !== undefined && look.line !== "dashed") return <HealthGlyph health={look.glyph} size={12} />;
  return (
    <>
      <svg width="18" height="10" viewBox="0 0 18 10" aria-hidden="true">
        <path
          d="M0 5h18"
          stroke={`var(${look.token})`}
          strokeWidth={look.width ?? (look.bars === undefined ? 2 : 4)}
          strokeDasharray={dashesOf(look.line, true).join(" ")}
        />
      </svg>
      {look.bars === undefined ? null : <Bars bars={look.bars} token={look.token} />}
    </>
  );
}

/** What the colours mean, with counts. Pointing at an entry dims the rest; clicking shows only that. */
export function LegendBar({
  classes,
  chosen,
  onChoose,
  onPoint,
  onPath,
  shown,
  remarks,
  end,
}: {
  readonly classes: Classes;
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
  /** Position of the entry under the pointer, -1 none. */
  readonly onPoint: (index: number) => void;
  readonly onPath: boolean;
  /** What filters leave, with counts: `Rail 3: 16 leaves, 128 hosts`; empty without any. */
  readonly shown: string;
  readonly remarks: readonly string[];
  /** What stands at the end: why nothing is known, with a button that helps. */
  readonly end: ReactNode;
}) {
  return (
    <div className="topology-legend" role="group" aria-label={`Legend: ${classes.title}`}>
      {shown === "" ? null : (
        <span className="topology-legend-shown" role="status">
          <Icon name="filter" size={12} />
          <span>{visibleText(shown)}</span>
        </span>
      )}
      <b>{classes.title}</b>
      {classes.classes.map((look, index) => (
        <button
          key={look.id}
          type="button"
          className={look.count === 0 ? "topology-legend-entry topology-legend-none" : "topology-legend-entry"}
          aria-pressed={chosen.includes(look.id)}
          title={`${groupDigits(look.count)} links. Click to show only these`}
          onPointerEnter={() => onPoint(index)}
          onPointerLeave={() => onPoint(-1)}
          onFocus={() => onPoint(index)}
          onBlur={() => onPoint(-1)}
          onClick={() =>
            onChoose(chosen.includes(look.id) ? chosen.filter((id) => id !== look.id) : [...chosen, look.id])
          }
        >
          <Sample look={look} />
          <span>{look.label}</span>
          <span className="topology-legend-count">{groupDigits(look.count)}</span>
        </button>
      ))}
      {onPath ? (
        <span className="topology-legend-entry">
          <span className="topology-line" />
          <svg width="20" height="8" viewBox="0 0 20 8" aria-hidden="true">
            <path d="M0 4h20" stroke="var(--accent)" strokeWidth="7" opacity=".5" />
            <path d="M0 4h20" stroke="var(--t2)" strokeWidth="2" />
          </svg>
          on path
        </span>
      ) : null}
      {remarks
        .filter((remark) => remark !== "")
        .map((remark) => (
          <span key={remark} className="topology-legend-remark">
            <span className="topology-line" />
            {remark}
          </span>
        ))}
      {end}
    </div>
  );
}
