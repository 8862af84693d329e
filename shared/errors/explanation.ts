/** An error in words: what happened, what follows, what to do. */
export interface Explanation {
  /** A few words. */
  readonly title: string;
  /** One plain sentence that names who, what and where. */
  readonly sentence: string;
  /** What to do, best first. */
  readonly remedy: readonly string[];
  /** Raw text for a fold: stderr, output, paths. May be empty. */
  readonly detail: string;
  /** True when the same action may work when it is simply tried again. */
  readonly retry: boolean;
}
