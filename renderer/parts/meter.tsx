import { percentClass } from "./percent.ts";

/** Five bars: the cue beside the colour of "per cent of expected". 5 bars = pass, 1 bar = below 60. */
export function PercentMeter({ percent, pass = 95 }: { readonly percent: number; readonly pass?: number }) {
  const bars = percentClass(percent, pass);
  return <Bars bars={bars} token={`--pct-${bars}`} label={`${bars} of 5 bars`} />;
}

/** Some of five bars in the colour of a token; without a label they are decoration beside a text that says the same. */
export function Bars({
  bars,
  token,
  label,
}: {
  readonly bars: number;
  readonly token: string;
  readonly label?: string;
}) {
  return (
    <svg
      className="meter"
      width="25"
      height="10"
      viewBox="0 0 25 10"
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      {[0, 1, 2, 3, 4].map((bar) =>
        bar < bars ? (
          <rect key={bar} x={bar * 5} y="0" width="3.6" height="10" rx=".8" fill={`var(${token})`} />
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
