import type { Bench, Finished } from "./bench.ts";

export interface Pair {
  readonly client: Finished;
  readonly server: Finished;
}

/** Runs a server and a client to their ends; `clientArgv` where the two differ. */
export async function pair(
  bench: Bench,
  names: readonly [server: string, client: string],
  argv: readonly string[],
  clientArgv: readonly string[] = argv,
): Promise<Pair> {
  const server = bench.start(names[0], argv);
  await bench.clock.advance(200);
  const client = bench.start(names[1], [...clientArgv, names[0]]);
  await bench.clock.advance(60_000);
  return { client: await client.done, server: await server.done };
}

/** A bandwidth test as Ibex runs it. */
export const bandwidth = [
  "ib_write_bw",
  "-d",
  "mlx5_0",
  "-i",
  "1",
  "-p",
  "18741",
  "-q",
  "4",
  "-s",
  "65536",
  "-D",
  "10",
  "--report_gbits",
  "-F",
];

/** Average of the (last) row of a bandwidth table, in the unit of the table. */
export function averageOf(stdout: string): number {
  const row = /^ (\d+) +(\d+) +(\S+) +(\S+)\s+(\S+)$/m.exec(stdout);
  return Number(row?.[4] ?? Number.NaN);
}
