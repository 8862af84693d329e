/** 5 = at or above the pass line … 1 = far below it. */
export type PercentClass = 1 | 2 | 3 | 4 | 5;

/**
 * Class of a measured per cent of the expected rate. With the default pass line of 95: ≥ 95, 90–95, 80–90, 60–80, < 60;
 * the borders move with the pass line.
 */
export function percentClass(percent: number, pass = 95): PercentClass {
  if (percent >= pass) return 5;
  if (percent >= pass - 5) return 4;
  if (percent >= pass - 15) return 3;
  if (percent >= pass - 35) return 2;
  return 1;
}
