/** Words and places of sweeps. Pure; no React. */
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { SweepLine, SweepPlanView, SweepState, SweepStatus } from "../../../shared/contract/sweeps.ts";
import { at, linkKind, nodeName } from "../../../shared/fabric/access.ts";
import type { Fabric, LinkId } from "../../../shared/fabric/model.ts";
import { sweepTimeText } from "../../../shared/measure/sweep-time.ts";
import { percentText, rateNumber } from "./words.ts";

const hostsNamed = 6;

/** `n001, n002, n003 and 29 more`. */
function hostsText(hosts: readonly string[]): string {
  const named = hosts.slice(0, hostsNamed).join(", ");
  const more = hosts.length - hostsNamed;
  return more > 0 ? `${named} and ${groupDigits(more)} more` : named;
}

/** What a sweep does to the fabric, for the confirmation: hosts and duration. */
export function sweepLoadText(plan: SweepPlanView): { readonly fills: string; readonly felt: string } {
  const hosts = count(plan.hosts.length, "host");
  const latency = plan.example?.options.preset === "latency";
  const fills = latency
    ? `This keeps the HCAs of ${hosts} busy for about ${sweepTimeText(plan)}`
    : `This runs the HCAs of ${hosts} and the links between them at line rate for about ${sweepTimeText(plan)}`;
  return {
    fills: `${fills}: ${hostsText(plan.hosts)}.`,
    felt: latency
      ? "Small messages: jobs there hardly feel it."
      : "Jobs that use them will feel it. A host whose HCA is in use is left out and named.",
  };
}

/** `16 rounds, as few as possible`, `18 rounds, at least 16 are needed`. */
export function roundsText({ rounds, lowerBound }: Pick<SweepPlanView, "rounds" | "lowerBound">): string {
  const text = count(rounds, "round");
  if (rounds <= lowerBound) return `${text}, as few as possible`;
  return `${text}, at least ${groupDigits(lowerBound)} ${lowerBound === 1 ? "is" : "are"} needed`;
}

export const stateWords: Readonly<Record<SweepState, string>> = {
  running: "running",
  paused: "paused",
  finished: "finished",
  cancelled: "cancelled",
  interrupted: "interrupted",
  stopped: "stopped by an error",
  elsewhere: "runs in another program",
};

/** True when there is something left that can be taken up again. */
export function canResume({ state }: Pick<SweepStatus, "state">): boolean {
  return state === "interrupted" || state === "cancelled" || state === "stopped";
}

/** What a finished link says: `121.4 Gb/s, 61 %`. */
export function lineText(line: SweepLine): string {
  if (line.level === "not-measured") return line.reason === "" ? "not measured" : line.reason;
  if (line.bandwidthGbps === null) {
    return line.latencyUs === null ? `no result (${line.level})` : `${line.latencyUs.toFixed(2)} µs`;
  }
  const percent = line.percent === null ? "" : `, ${percentText(line.percent)}`;
  return `${rateNumber(line.bandwidthGbps)} Gb/s${percent}`;
}

/** Where the links of a sweep stand in its picture. */
export interface SweepGrid {
  readonly rows: readonly string[];
  /** Empty: rows of links, each as long as it is. */
  readonly columns: readonly string[];
  /** By row and column: the links there. */
  readonly cells: ReadonlyMap<string, readonly LinkId[]>;
}

/** Beyond this a grid is no picture any more: rows per switch then. */
const mostColumns = 48;
const mostRows = 96;

function endsOfLink(
  fabric: Fabric,
  tierOfNode: Int8Array,
  link: number,
): { readonly lower: number; readonly upper: number; readonly port: number } {
  const [a, b] = [at(fabric.links.a, link), at(fabric.links.b, link)];
  const nodeOf = (port: number): number => at(fabric.ports.node, port);
  const [tierA, tierB] = [at(tierOfNode, nodeOf(a)), at(tierOfNode, nodeOf(b))];
  // A host is tier 0: its switch is the upper end, and the one whose row it stands in.
  const aLower = tierA <= tierB;
  return {
    lower: nodeOf(aLower ? a : b),
    upper: nodeOf(aLower ? b : a),
    port: at(fabric.ports.number, aLower ? b : a),
  };
}

export function cellKey(row: string, column: string): string {
  return `${row}\n${column}`;
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true });
}

/**
 * Places of the links of a sweep: upper switches as rows and lower ones as columns where all are between switches;
 * otherwise a row for each switch with its links in port order. Links that the fabric does not have are left out.
 */
export function sweepGrid(
  fabric: Fabric,
  tierOfNode: Int8Array,
  links: readonly { readonly link: LinkId; readonly index: number }[],
): SweepGrid {
  const ends = links.map(({ link, index }) => ({ link, index, ...endsOfLink(fabric, tierOfNode, index) }));
  const between = ends.length > 1 && ends.every(({ index }) => linkKind(fabric, index) === "inter-switch");
  const lowers = [...new Set(ends.map(({ lower }) => lower))];
  const cells = new Map<string, LinkId[]>();
  const put = (row: string, column: string, link: LinkId): void => {
    const here = cells.get(cellKey(row, column));
    if (here === undefined) cells.set(cellKey(row, column), [link]);
    else here.push(link);
  };
  const uppers = new Set(ends.map(({ upper }) => upper));
  if (between && lowers.length > 1 && lowers.length <= mostColumns && uppers.size <= mostRows) {
    const columns = lowers.map((node) => nodeName(fabric, node)).sort(byName);
    const rows = [...new Set(ends.map(({ upper }) => nodeName(fabric, upper)))].sort(byName);
    for (const { link, lower, upper } of ends) put(nodeName(fabric, upper), nodeName(fabric, lower), link);
    return { rows, columns, cells };
  }
  // A host's link stands in the row of its switch, a link between switches in that of its lower one.
  const ordered = [...ends].sort((x, y) => x.port - y.port);
  const rowOf = ({ index, lower, upper }: (typeof ends)[number]): string =>
    nodeName(fabric, linkKind(fabric, index) === "host" ? upper : lower);
  for (const end of ordered) put(rowOf(end), "", end.link);
  return { rows: [...new Set(ends.map(rowOf))].sort(byName), columns: [], cells };
}

/** One line of cells in the list of a sweep's switches. */
export interface SweepStrip {
  /** The switch; on its first line only. */
  readonly name: string;
  readonly links: readonly LinkId[];
}

/** Cells of a line. */
const stripCells = 12;

/** The rows of a sweep's picture without columns as lines of one height, so that only those in sight need be drawn. */
export function sweepStrips({ rows, cells }: SweepGrid): readonly SweepStrip[] {
  return rows.flatMap((row) => {
    const links = cells.get(cellKey(row, "")) ?? [];
    const lines = Math.ceil(links.length / stripCells);
    return Array.from({ length: lines }, (_, line) => ({
      name: line === 0 ? row : "",
      links: links.slice(line * stripCells, (line + 1) * stripCells),
    }));
  });
}

/** `01` of `leaf-01` when all names begin alike: the heads of narrow columns. */
export function shortNames(names: readonly string[]): readonly string[] {
  const [first = ""] = names;
  let same = names.length < 2 ? 0 : first.length;
  for (const name of names) {
    while (same > 0 && !name.startsWith(first.slice(0, same))) same -= 1;
  }
  const start = /[\d]*$/.exec(first.slice(0, same))?.index ?? same;
  return names.map((name) => (name.length > start ? name.slice(start) : name));
}
