/**
 * Names of outputs in a capture that say what was asked, because an empty or failed output cannot. The only names that
 * Ibex reads anything from; a mailed folder without them is understood by its texts alone.
 */

/** Output of `sminfo LID`; `look` counts from 1. */
export function managerFile(lid: number, look: number): string {
  return `sminfo-lid-${lid}${look > 1 ? `-look-${look}` : ""}.txt`;
}

/** The LID that an output of that name was asked for; undefined for other names. */
export function askedLid(file: string): number | undefined {
  const hit = /(?:^|[\\/])sminfo-lid-(\d{1,5})(?:-look-\d+)?\.txt$/.exec(file);
  return hit?.[1] === undefined ? undefined : Number(hit[1]);
}
