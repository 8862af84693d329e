/** Time as the simulated machines see it; tests hand in one that they turn by hand. */
export interface SimulatedClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `action` once after `milliseconds`; the returned function takes it back. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The clock of the machine that Ibex runs on. */
export const systemClock: SimulatedClock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
