interface NumberColumn extends ArrayLike<number> {
  set(values: ArrayLike<number>): void;
}

/** A column with more room, holding what the old one held. For columns that grow row by row: double their length. */
export function longer<T extends NumberColumn>(column: T, empty: T): T {
  empty.set(column);
  return empty;
}
