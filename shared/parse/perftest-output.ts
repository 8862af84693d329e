import type { BandwidthRow, LatencyRow, PerftestFailure } from "./records.ts";
import { FailureChoice } from "./perftest-failures.ts";
import type { TableHeader } from "./perftest-table.ts";

export interface Table {
  readonly header: TableHeader;
  readonly line: number;
  readonly bandwidth: BandwidthRow[];
  readonly latency: LatencyRow[];
}

/** One run's output in a text, from its title (or first table) to the next title. */
export class PerftestOutput {
  title: string | undefined;
  /** `*_bw`, `*_lat` by the title. */
  tool: string | undefined;
  bidirectional = false;
  /** The banner of a server stands before it. */
  server = false;
  /** A Map: the keys come from the text, and `__proto__` is as good a key as any. */
  readonly info = new Map<string, string>();
  readonly tables: Table[] = [];
  readonly failures = new FailureChoice();
  readonly firstLine: number;
  lastLine: number;

  constructor(firstLine: number) {
    this.firstLine = firstLine;
    this.lastLine = firstLine;
  }

  get failure(): PerftestFailure | undefined {
    return this.failures.failure;
  }

  /** The first table with rows: after it come `--report-both`'s parts; before it stand histograms' empty headers. */
  get result(): Table | undefined {
    return this.tables.find((table) => table.bandwidth.length + table.latency.length > 0);
  }
}

const verbs: Readonly<Record<string, string>> = {
  Send: "send",
  Send_imm: "send",
  RDMA_Write: "write",
  RDMA_Write_imm: "write",
  RDMA_Read: "read",
  Atomic: "atomic",
};

const titleLine =
  /^\s*((Send|Send_imm|RDMA_Write|RDMA_Write_imm|RDMA_Read|Atomic)( \w+)?( Bidirectional)?(?: Post List)?(?: \w+){0,2} (BW|Latency) (?:forwarding )?(?:Multicast )?Test)\s*$/;

export interface Title {
  readonly title: string;
  readonly tool: string;
  readonly bidirectional: boolean;
}

/** Reads `RDMA_Write Bidirectional BW Test` and its like. */
export function readTitle(line: string): Title | undefined {
  if (line.length > 300) return undefined;
  const hit = titleLine.exec(line);
  const verb = verbs[hit?.[2] ?? ""];
  if (hit === null || verb === undefined) return undefined;
  const title = hit[1] ?? "";
  return {
    title,
    tool: `ib_${verb}_${hit[5] === "BW" ? "bw" : "lat"}`,
    bidirectional: title.includes(" Bidirectional "),
  };
}

/**
 * The `Key : value` pairs of a line of the information block: two to a line, tabs or several spaces between. Undefined
 * when the line has none.
 */
export function readPairs(line: string): [string, string][] | undefined {
  if (line.length > 1000) return undefined;
  const pairs: [string, string][] = [];
  let rest = line.trim();
  while (rest !== "") {
    const colon = rest.indexOf(":");
    if (colon <= 0) break;
    const key = rest.slice(0, colon).trim();
    if (key === "" || key.length > 40) break;
    const after = rest.slice(colon + 1).trimStart();
    const end = /\t| {2}/.exec(after)?.index ?? after.length;
    pairs.push([key, after.slice(0, end).trim()]);
    rest = after.slice(end).trim();
  }
  return pairs.length === 0 ? undefined : pairs;
}
