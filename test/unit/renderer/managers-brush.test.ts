import { describe, expect, it } from "vitest";
import { between, leastShown, moved, scaled, stretched, wholeSpan } from "../../../renderer/views/managers/brush.ts";
import type { Span, Timeline } from "../../../renderer/views/managers/timeline.ts";

const whole: Span = { from: 0, to: 1_000_000 };
const span: Span = { from: 400_000, to: 500_000 };

function watched(...times: readonly Span[]): Timeline {
  return { lanes: [], masterless: [], watched: times, handovers: [] };
}

describe("the brush over a watch", () => {
  it("moves without changing its length, and stops at both ends", () => {
    expect(moved(span, 50_000, whole)).toEqual({ from: 450_000, to: 550_000 });
    expect(moved(span, -900_000, whole)).toEqual({ from: 0, to: 100_000 });
    expect(moved(span, 900_000, whole)).toEqual({ from: 900_000, to: 1_000_000 });
  });

  it("is stretched at one end; the other stays and some time is left", () => {
    expect(stretched(span, "from", 300_000, whole)).toEqual({ from: 300_000, to: 500_000 });
    expect(stretched(span, "to", -5, whole)).toEqual({ from: 400_000, to: 400_000 + leastShown });
    expect(stretched(span, "from", 999_999, whole)).toEqual({ from: 500_000 - leastShown, to: 500_000 });
    expect(stretched(span, "to", 5_000_000, whole)).toEqual({ from: 400_000, to: 1_000_000 });
  });

  it("is drawn anew in either direction, never too short and never outside", () => {
    expect(between(700_000, 600_000, whole)).toEqual({ from: 600_000, to: 700_000 });
    expect(between(1_000_000, 1_000_000, whole)).toEqual({ from: 1_000_000 - leastShown, to: 1_000_000 });
    expect(between(-50, 20_000, whole)).toEqual({ from: 0, to: 20_000 });
  });

  it("grows and shrinks around its middle", () => {
    expect(scaled(span, 0.5, whole)).toEqual({ from: 425_000, to: 475_000 });
    expect(scaled(span, 100, whole)).toEqual(whole);
    const least = scaled({ from: 0, to: leastShown }, 0.5, whole);
    expect(least.to - least.from).toBe(leastShown);
  });

  it("lies over all that was watched and what is shown, at most a week", () => {
    const week = 7 * 24 * 3_600_000;
    expect(wholeSpan(watched({ from: 100, to: 900_000 }), { from: -5_000, to: 900_000 })).toEqual({
      from: -5_000,
      to: 900_000,
    });
    const long = wholeSpan(watched({ from: 0, to: 10 }, { from: 5 * week, to: 6 * week }), {
      from: 6 * week,
      to: 6 * week,
    });
    expect(long).toEqual({ from: 5 * week, to: 6 * week });
    expect(wholeSpan(watched({ from: 0, to: 11_000 }), { from: 0, to: 18_000 })).toEqual({ from: 0, to: 30_000 });
    expect(wholeSpan(watched(), { from: 7, to: 7 })).toEqual({ from: 7, to: 30_007 });
  });
});
