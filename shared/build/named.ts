/** One parsed text with the name of its file, for diagnostics. */
export interface Named<T> {
  readonly file: string;
  readonly records: T;
}

/** A text with the time at which its command started, in milliseconds since 1970, when that is known. */
export type Timed<T> = Named<T> & { readonly takenAt?: number };
