/** Before a run: do others use the two adapters? By the data counters of their ports, and by perftests that run there. */
import type { AdapterUse } from "../../shared/errors/kinds.ts";
import { isBusy } from "../../shared/measure/busy.ts";
import type { PathHop } from "../../shared/measure/types.ts";
import type { CommandRunner } from "../run/runner.ts";
import { askAll } from "./batch.ts";
import type { Sleep } from "./commands.ts";
import { askPortSample, type PortSample, portSampleCommand, readPortSample } from "./live-rate.ts";
import { mayUseDevice, perftestsCommand, readPerftests, toolName } from "./perftest-processes.ts";
import { queryPorts } from "./port-query.ts";
import type { PreparedSide } from "./prepare.ts";
import type { SourceTools } from "./source-tools.ts";

const directions = ["port_xmit_data", "port_rcv_data"] as const;
const sampleMs = 1000;
const bytesPerWord = 4;

export interface InUseDeps {
  readonly now: () => number;
  readonly sleep: Sleep;
  /** The source's machine, which asks for counters where a host does not tell its own. */
  readonly source: CommandRunner;
  readonly tools: SourceTools;
}

export interface InUse {
  readonly uses: readonly AdapterUse[];
  /** Hosts whose counters nobody could read, so that nobody knows. */
  readonly unknown: readonly string[];
  /** Processes of earlier measurements that nobody watched any more: ended. */
  readonly ended: readonly string[];
}

/** Looks at both hosts at once. Takes about a second. `path`: for the rates of the two cables at its ends. */
export async function findUses(
  sides: { readonly client: PreparedSide; readonly server: PreparedSide },
  path: readonly PathHop[],
  deps: InUseDeps,
  signal: AbortSignal,
): Promise<InUse> {
  const ends = [
    { side: sides.client, rateGbps: path[0]?.gbps ?? 0 },
    { side: sides.server, rateGbps: path.at(-1)?.gbps ?? 0 },
  ];
  const found = await Promise.all(
    ends.map(async ({ side, rateGbps }) => {
      const { endpoint, device, ibPort: port, runner } = side;
      const { host } = endpoint;
      // What is left over ends before the port is looked at.
      const asked = await askAll(runner, [perftestsCommand, portSampleCommand(side, directions)], signal);
      const [perftests, sample] = asked.ok ? asked.value : [];
      const processes = perftests === undefined ? [] : readPerftests(perftests);
      const before = sample === undefined ? undefined : readPortSample(sample, directions);
      const gbps =
        before === undefined ? await rateByQuery(side, deps, signal) : await rateSince(before, side, deps, signal);
      const uses: AdapterUse[] = processes
        .filter((process) => process.state !== "stale" && mayUseDevice(process, device))
        .map((process) => ({
          what: "process",
          host,
          device,
          tool: toolName(process),
          pid: process.pid,
          user: process.state === "live" ? `another Ibex as ${process.user}` : process.user,
        }));
      if (gbps !== undefined && isBusy(gbps, rateGbps)) {
        uses.push({ what: "traffic", host, device, port, gbps, rateGbps });
      }
      const ended = processes
        .filter(({ state }) => state === "stale")
        .map((process) => `${toolName(process)} on ${host}, pid ${process.pid}`);
      return { uses, ended, unknown: gbps === undefined ? [host] : [] };
    }),
  );
  return {
    uses: found.flatMap(({ uses }) => uses),
    unknown: found.flatMap(({ unknown }) => unknown),
    ended: found.flatMap(({ ended }) => ended),
  };
}

/** Gb/s of the stronger direction since a sample, a second later, by the host's own counters. */
async function rateSince(
  before: PortSample,
  side: PreparedSide,
  deps: InUseDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  await deps.sleep(sampleMs, signal);
  const after = await askPortSample(side, directions, signal);
  if (after === undefined || after.uptime <= before.uptime) return undefined;
  return gbpsOf(before.bytes, after.bytes, after.uptime - before.uptime);
}

/** Of the counter that grew most. One that falls was cleared in this second: it then counts from zero. */
function gbpsOf(before: readonly bigint[], after: readonly bigint[], seconds: number): number {
  const grown = after.map((to, index) => {
    const from = before[index] ?? to;
    return Number(to < from ? to : to - from);
  });
  return (Math.max(0, ...grown) * 8) / seconds / 1e9;
}

/** The same as the source's perfquery sees the port: for hosts that do not tell. */
async function rateByQuery(
  { endpoint: { lid, port } }: PreparedSide,
  { source, tools, now, sleep }: InUseDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (lid === 0) return undefined;
  const sample = async (): Promise<{ readonly at: number; readonly bytes: readonly bigint[] } | undefined> => {
    const asked = await queryPorts([{ lid, port, wide: true }], { runner: source, tools }, signal);
    const [read] = asked.ok ? asked.value : [];
    if (read?.attribute !== "extended") return undefined;
    const { PortXmitData: sent, PortRcvData: received } = read.counters;
    if (sent === undefined || received === undefined) return undefined;
    const inBytes = (words: number): bigint => BigInt(Math.round(words)) * BigInt(bytesPerWord);
    return { at: now(), bytes: [sent, received].map(inBytes) };
  };
  const before = await sample();
  if (before === undefined) return undefined;
  await sleep(sampleMs, signal);
  const after = await sample();
  return after === undefined || after.at <= before.at
    ? undefined
    : gbpsOf(before.bytes, after.bytes, (after.at - before.at) / 1000);
}
