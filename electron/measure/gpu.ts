/** Asks a host whether bandwidth tests can use the memory of its GPUs. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type GpuMemory, readGpuMemory } from "../../shared/measure/gpu.ts";
import { defaultTools, type PerftestTool } from "../../shared/measure/steps.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";
import type { HostAccess } from "../run/access.ts";
import type { CommandRunner } from "../run/runner.ts";
import { ask } from "./commands.ts";

/** Neither question starts anything: `--help` prints and ends. */
async function askGpuMemory(
  runner: CommandRunner,
  host: string,
  tool: PerftestTool,
  signal: AbortSignal,
): Promise<Result<GpuMemory, AppError>> {
  const help = await ask(runner, [tool, "--help"], signal);
  if (!help.ok) return help;
  const list = await ask(runner, ["nvidia-smi", "-L"], signal);
  return list.ok ? ok(readGpuMemory(host, tool, help.value, list.value)) : list;
}

/** What both hosts of a plan offer; the error of the first that cannot be reached. */
export async function gpusOfPlan(
  { client, server, options }: MeasurePlan,
  access: HostAccess,
  signal: AbortSignal,
): Promise<Result<{ readonly hosts: readonly GpuMemory[] }, AppError>> {
  const hosts: GpuMemory[] = [];
  for (const { host } of [client, server]) {
    const way = await access.host(host, signal);
    if (!way.ok) return way;
    const memory = await askGpuMemory(way.value.runner, host, options.bandwidthTool ?? defaultTools.bandwidth, signal);
    if (!memory.ok) return memory;
    hosts.push(memory.value);
  }
  return ok({ hosts });
}

/** Refuses a test that wants a GPU which the host has not, or cannot use. */
export async function requireGpu(
  runner: CommandRunner,
  host: string,
  tool: PerftestTool,
  gpu: number,
  signal: AbortSignal,
): Promise<Result<void, AppError>> {
  const memory = await askGpuMemory(runner, host, tool, signal);
  if (!memory.ok) return memory;
  const { gpus, reason } = memory.value;
  const what = `The memory of GPU ${gpu} on ${host}`;
  if (reason !== "") return err({ kind: "unsupported", what, detail: reason });
  if (gpu < gpus.length) return ok(undefined);
  return err({ kind: "unsupported", what, detail: `nvidia-smi lists GPU 0 to ${gpus.length - 1} only` });
}
