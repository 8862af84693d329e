/** Before a run: the way to a host, its verbs device and port, and whether the tools are there. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { isBandwidthTool, type PerftestTool, toolsOf } from "../../shared/measure/steps.ts";
import type { Endpoint, MeasureOptions } from "../../shared/measure/types.ts";
import type { HostAccess } from "../run/access.ts";
import type { CommandRunner } from "../run/runner.ts";
import { type Argv, askAll } from "./batch.ts";
import { ask, linkedController, type TextOutput } from "./commands.ts";
import { requireGpu } from "./gpu.ts";
import { findPort, listDevices, parseDevices, type FoundPort } from "./devices.ts";

/** One side, ready to run. */
export interface PreparedSide {
  readonly endpoint: Endpoint;
  readonly runner: CommandRunner;
  /** By what the other host reaches it by TCP. */
  readonly address: string;
  readonly device: string;
  readonly ibPort: number;
  /** InfiniBand or Ethernet; empty when no tool told. */
  readonly linkLayer: string;
  /** Hardware address of the port, for raw Ethernet only. */
  readonly mac?: string;
  /** Version text of each tool, as it prints it: `Version: 6.06`. */
  readonly versions: ReadonlyMap<PerftestTool, string>;
}

/**
 * Prepares both hosts at once; the first failure stops the other side's questions.
 *
 * @returns the access's errors, `tool-missing`, `no-device`, `port-down`, `unsupported` (different link layers),
 * `cancelled`.
 */
export async function prepareSides(
  access: HostAccess,
  client: Endpoint,
  server: Endpoint,
  options: MeasureOptions,
  signal: AbortSignal,
): Promise<Result<{ readonly client: PreparedSide; readonly server: PreparedSide }, AppError>> {
  const tools = toolsOf(options);
  const { controller, release } = linkedController(signal);
  let first: AppError | undefined;
  const prepare = async (endpoint: Endpoint): Promise<PreparedSide | undefined> => {
    const side = await prepareSide(access, endpoint, options, tools, controller.signal);
    if (side.ok) return side.value;
    first ??= side.error;
    controller.abort();
    return undefined;
  };
  const [clientSide, serverSide] = await Promise.all([prepare(client), prepare(server)]);
  release();
  if (clientSide === undefined || serverSide === undefined) {
    return err(first ?? { kind: "cancelled", what: "the preparation" });
  }
  const layers = [clientSide.linkLayer, serverSide.linkLayer];
  if (layers[0] !== layers[1] && !layers.includes("")) {
    const detail = `${client.host} has ${layers[0] ?? ""}, ${server.host} has ${layers[1] ?? ""}`;
    return err({ kind: "unsupported", what: "A test between ports of different link layers", detail });
  }
  return ok({ client: clientSide, server: serverSide });
}

async function prepareSide(
  access: HostAccess,
  endpoint: Endpoint,
  options: MeasureOptions,
  tools: readonly PerftestTool[],
  signal: AbortSignal,
): Promise<Result<PreparedSide, AppError>> {
  const way = await access.host(endpoint.host, signal);
  if (!way.ok) return way;
  const { runner, address } = way.value;
  const [deviceTool] = deviceTools;
  const questions: readonly Argv[] = [[deviceTool], ...tools.map((tool): Argv => [tool, "--version"])];
  const answered = await askAll(runner, questions, signal);
  if (!answered.ok) return answered;
  const [devices, ...answers] = answered.value;
  // The device first: a host without one need not have perftest.
  const found = await findDevice(runner, endpoint, devices, signal);
  if (!found.ok) return found;
  const versions = new Map<PerftestTool, string>();
  for (const [index, tool] of tools.entries()) {
    const version = readVersion(endpoint.host, tool, answers[index]);
    if (!version.ok) return version;
    versions.set(tool, version.value);
  }
  const { device, port } = found.value;
  if (port.state !== "Active" && port.state !== "") {
    return err({ kind: "port-down", host: endpoint.host, device, port: port.number, state: port.state });
  }
  const { gpu } = options;
  const cuda = gpu === undefined ? undefined : tools.find(isBandwidthTool);
  if (gpu !== undefined && cuda !== undefined) {
    const usable = await requireGpu(runner, endpoint.host, cuda, gpu, signal);
    if (!usable.ok) return usable;
  }
  const side = { endpoint, runner, address, device, ibPort: port.number, linkLayer: port.linkLayer, versions };
  if (!tools.includes("raw_ethernet_bw")) return ok(side);
  const mac = await findMac(side, signal);
  return mac.ok ? ok({ ...side, mac: mac.value }) : mac;
}

/** Where raw_ethernet_bw sends from and to: the address of the network interface that belongs to the RoCE port. */
async function findMac(
  { endpoint, runner, device, ibPort, linkLayer }: Omit<PreparedSide, "mac">,
  signal: AbortSignal,
): Promise<Result<string, AppError>> {
  const refuse = (detail: string): Result<never, AppError> =>
    err({ kind: "unsupported", what: `raw_ethernet_bw on ${endpoint.host}`, detail });
  if (linkLayer === "InfiniBand") {
    return refuse(
      `${device} port ${ibPort} is InfiniBand, and raw_ethernet_bw sends Ethernet frames: it runs on RoCE ports only. Measure with ib_write_bw, ib_read_bw or ib_send_bw`,
    );
  }
  const read = async (path: string): Promise<string | undefined> => {
    const asked = await ask(runner, ["cat", path], signal);
    return asked.ok && asked.value.exitCode === 0 ? asked.value.stdout.trim() : undefined;
  };
  const name = await read(`/sys/class/infiniband/${device}/ports/${ibPort}/gid_attrs/ndevs/0`);
  const mac =
    name === undefined || !/^[\w.-]{1,15}$/.test(name) ? undefined : await read(`/sys/class/net/${name}/address`);
  if (signal.aborted) return err({ kind: "cancelled", what: "the preparation" });
  return mac !== undefined && /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac)
    ? ok(mac)
    : refuse(`the network interface of ${device} port ${ibPort} and its address cannot be read`);
}

/** perftest prints its version and ends with 1: only the text tells whether it is there. */
function readVersion(host: string, tool: PerftestTool, answer: TextOutput | undefined): Result<string, AppError> {
  const { stdout = "", stderr = "", exitCode } = answer ?? {};
  if (exitCode === 127) return err({ kind: "tool-missing", tool, host, stderr: stderr.trim() });
  if (exitCode === 126) return err({ kind: "no-permission", tool, host, sudo: false, stderr: stderr.trim() });
  const text = /^.*Version:.*$/im.exec(`${stdout}\n${stderr}`)?.[0].trim().slice(0, 200);
  return ok(text ?? "version not told");
}

const deviceTools = ["ibv_devinfo", "ibstat"] as const;

/**
 * Finds the endpoint's port by what the host's own tools say, `first` being the answer of the first of them; by the
 * description's hint only where no such tool is installed.
 */
async function findDevice(
  runner: CommandRunner,
  endpoint: Endpoint,
  first: TextOutput | undefined,
  signal: AbortSignal,
): Promise<Result<FoundPort, AppError>> {
  const { host } = endpoint;
  const missing: TextOutput[] = [];
  let told = "";
  for (const tool of deviceTools) {
    const asked = tool === "ibv_devinfo" && first !== undefined ? ok(first) : await ask(runner, [tool], signal);
    if (!asked.ok) return asked;
    if (asked.value.exitCode === 127) {
      missing.push(asked.value);
      continue;
    }
    const devices = parseDevices(asked.value.stdout);
    const found = findPort(devices, endpoint);
    if (found !== undefined) return ok(found);
    told =
      devices.length > 0
        ? `none of its ports is ${endpoint.nodeGuid} port ${endpoint.port}; ${tool} lists ${listDevices(devices)}`
        : asked.value.stderr.trim();
  }
  if (missing.length < deviceTools.length) return err({ kind: "no-device", tool: "ibv_devinfo", host, stderr: told });
  if (endpoint.deviceHint === undefined) {
    return err({ kind: "tool-missing", tool: "ibv_devinfo", host, stderr: missing[0]?.stderr.trim() ?? "" });
  }
  const port = { number: endpoint.port, state: "", lid: endpoint.lid, guid: endpoint.portGuid, linkLayer: "" };
  return ok({ device: endpoint.deviceHint, port });
}
