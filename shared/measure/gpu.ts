/** GPU memory for bandwidth tests: what a host must have, read from what its own commands print. */

/** What one host offers. */
export interface GpuMemory {
  readonly host: string;
  /** In the order of their CUDA numbers: `NVIDIA H100 80GB HBM3`. Empty with a reason. */
  readonly gpus: readonly string[];
  /** Why GPU memory cannot be used there; empty when it can. */
  readonly reason: string;
}

/** A command's output; exit code 127 says that there is no such command. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
}

/**
 * Judges the outputs of `<tool> --help` (which ends with 1, so its text counts) and `nvidia-smi -L`:
 *
 *   GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-…)
 */
export function readGpuMemory(host: string, tool: string, help: Printed, list: Printed): GpuMemory {
  const without = (reason: string): GpuMemory => ({ host, gpus: [], reason });
  if (help.exitCode === 127) return without(`${tool} is not installed`);
  if (!/--use_cuda\b/.test(`${help.stdout}\n${help.stderr}`)) {
    return without(`its ${tool} was built without CUDA, as distributions' packages are`);
  }
  if (list.exitCode === 127) return without("nvidia-smi is not installed, so no GPU driver is there");
  const gpus = [...list.stdout.matchAll(/^GPU \d+: (.+?)(?: \(UUID: [^)]*\))?\s*$/gm)].map(([, name = ""]) => name);
  if (gpus.length > 0) return { host, gpus, reason: "" };
  const said = `${list.stderr}\n${list.stdout}`.split("\n").find((line) => line.trim() !== "");
  return without(`nvidia-smi lists no GPU${said === undefined ? "" : `: ${said.trim().slice(0, 200)}`}`);
}
