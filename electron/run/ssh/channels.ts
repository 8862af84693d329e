/**
 * Hands out places for channels: at most `limit` at once, first come first served. sshd takes 10 sessions on one
 * connection unless told otherwise (MaxSessions).
 */
export class ChannelPlaces {
  private limit: number;
  private taken = 0;
  private readonly queue: ((place: boolean) => void)[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Places in use. */
  get inUse(): number {
    return this.taken;
  }

  /** True with a place, to be given back by {@link release}; false when `stop` was aborted first. */
  acquire(stop: AbortSignal, first = false): Promise<boolean> {
    if (stop.aborted) return Promise.resolve(false);
    if (this.taken < this.limit) {
      this.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (place: boolean): void => {
        stop.removeEventListener("abort", onAbort);
        resolve(place);
      };
      const onAbort = (): void => {
        const index = this.queue.indexOf(settle);
        if (index >= 0) this.queue.splice(index, 1);
        settle(false);
      };
      stop.addEventListener("abort", onAbort, { once: true });
      if (first) this.queue.unshift(settle);
      else this.queue.push(settle);
    });
  }

  release(): void {
    this.taken -= 1;
    this.serve();
  }

  /** Takes no more than this from now on, one at least. */
  lowerTo(limit: number): void {
    this.limit = Math.max(1, Math.min(this.limit, limit));
  }

  private serve(): void {
    while (this.taken < this.limit) {
      const next = this.queue.shift();
      if (next === undefined) return;
      this.taken += 1;
      next(true);
    }
  }
}
