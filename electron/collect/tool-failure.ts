/** How a failed InfiniBand tool becomes an expected error. Texts: infiniband-diags 1.x to rdma-core 60, sudo. */
import type { AppError } from "../../shared/errors/kinds.ts";
import { decodeOutput } from "../threads/decode.ts";
import type { CommandOutput, CommandRunner } from "../run/runner.ts";

const umadTrouble = /can't open (?:UMAD|MAD) port|Failed to open .* port|umad_init|can't init UMAD library/i;

/** What a tool that ended with `output` failed at; undefined when the exit code is 0. */
export async function toolFailure(
  runner: CommandRunner,
  tool: string,
  sudo: boolean,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<AppError | undefined> {
  if (output.exitCode === 0) return undefined;
  const { host } = runner;
  const stderr = decodeOutput(output.stderr).trim();
  const said = `${decodeOutput(output.stdout.subarray(0, 4000))}\n${stderr}`;
  if (/^sudo: .*(?:password|terminal|not allowed|not in the sudoers|sorry)/im.test(stderr))
    return { kind: "sudo-refused", host, stderr };
  if (output.exitCode === 127 || /sudo: \S+: command not found/.test(stderr))
    return { kind: "tool-missing", tool, host, stderr };
  if (umadTrouble.test(said) || /Permission denied/.test(stderr)) {
    return (await mayNotOpenDevice(runner, signal))
      ? { kind: "no-permission", tool, host, sudo, stderr }
      : { kind: "no-device", tool, host, stderr: said.trim() };
  }
  if (tool === "sminfo") return { kind: "no-sm", host, stderr: said.trim() };
  if (output.exitCode === undefined)
    return {
      kind: "command-failed",
      tool,
      host,
      exitCode: -1,
      stderr: `ended by ${output.signal ?? "a signal"}\n${stderr}`,
    };
  return { kind: "command-failed", tool, host, exitCode: output.exitCode, stderr: said.trim() };
}

/** The tools say the same for "no device" and "no rights": there is a device, and we are not root. */
async function mayNotOpenDevice(runner: CommandRunner, signal: AbortSignal): Promise<boolean> {
  const limit = { timeoutMs: 10_000, maxOutputBytes: 64 * 1024 };
  const devices = await runner.run({ argv: ["ls", "/sys/class/infiniband_mad"], ...limit }, signal);
  const user = await runner.run({ argv: ["id", "-u"], ...limit }, signal);
  const hasDevice = devices.ok && /\bumad\d/.test(decodeOutput(devices.value.stdout));
  const isRoot = user.ok && decodeOutput(user.value.stdout).trim() === "0";
  return hasDevice && !isRoot;
}
