import { percentClass } from "./percent.ts";

/** Five bars: the cue beside the colour of "per cent of expected". 5 bars = pass, 1 bar = below 60. */
export function PercentMeter({ percent, pass = 95 }: { readonly percent: number; readonly pass?: number }) {
  const bars = percentClass(percent, pass);
  const colour = `var(--pct-${bars})`;
  return (
    <svg className="meter" width="25" height="10" viewBox="0 0 25 10" role="img" aria-label={`${bars} of 5 bars`}>
      {[0, 1, 2, 3, 4].map((bar) =>
        bar < bars ? (
          <rect key={bar} x={bar * 5} y="0" width="3.6" height="10" rx=".8" fill={colour} />
        ) : (
          <rect
            key={bar}
            x={bar * 5 + 0.5}
            y=".5"
            width="2.6"
            height="9"
            rx=".6"
            fill="none"
            stroke="var(--ctl)"
            strokeWidth=".8"
          />
        ),
      )}
    </svg>
  );
}
