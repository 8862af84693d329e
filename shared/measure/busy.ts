/** When an adapter counts as busy with others' work. */

/**
 * Share of the link's rate above which data that crosses a port before a run is somebody's job: 4 Gb/s of 200. Idle
 * hosts move management packets and a little IPoIB, far less than this; below it, a test and a job hardly feel each other.
 */
const busyShare = 0.02;

/** True when `gbps` of others cross a link of `rateGbps` (0: not known; then any Gb/s counts). */
export function isBusy(gbps: number, rateGbps: number): boolean {
  return rateGbps > 0 ? gbps > rateGbps * busyShare : gbps > 1;
}
