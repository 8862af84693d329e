/**
 * perftest on simulated hosts: a server listens until one client comes; then the two run, print and end together.
 * Messages and exit codes are those of the real programs.
 */
import type { SimulatedFabric } from "./fabric.ts";
import { deviceName, type SimulatedMachine, type SimulatedProcess } from "./machine.ts";
import type { SimulatedNode, SimulatedPort } from "./model.ts";
import { BufferedOutput } from "./output.ts";
import { parsePerftestArguments, type PerftestOptions, type PerftestTool } from "./perftest-options.ts";
import { runSession, type Side } from "./perftest-session.ts";
import { waitingBanner } from "./perftest-text.ts";
import type { Pace } from "./programs.ts";

const socketFailure = "Unable to open file descriptor for socket connection Unable to init the socket connection\n";

const stateWords = { Down: "Down", Initialize: "Init", Armed: "Armed", Active: "Active" } as const;

/** The port to test on, or perftest's words for why there is none. */
function openPort(machine: SimulatedMachine, options: PerftestOptions): SimulatedPort | string {
  const adapter: SimulatedNode | undefined =
    options.device === undefined ? machine.adapters[0] : machine.device(options.device);
  if (adapter === undefined) {
    const missing =
      options.device === undefined
        ? " Did not detect devices \n If device exists, check if driver is up\n"
        : `IB device ${options.device} not found\n`;
    return `${missing} Unable to find the Infiniband/RoCE device\n`;
  }
  const port = adapter.ports[options.ibPort];
  if (port === undefined) {
    return ` Unable to query port ${String(options.ibPort)} attributes\n Couldn't set the link layer\n Couldn't get context for the device\n`;
  }
  if (port.state !== "Active") {
    return ` Port number ${String(options.ibPort)} state is ${stateWords[port.state]}\n Couldn't set the link layer\n Couldn't get context for the device\n`;
  }
  return port;
}

/** Machines by the names and addresses that the server argument may have. */
function resolve(fabric: SimulatedFabric, from: SimulatedMachine, address: string): SimulatedMachine | undefined {
  if (["localhost", "127.0.0.1", "::1"].includes(address)) return from;
  return fabric.machines.get(address);
}

export interface PerftestCall {
  readonly fabric: SimulatedFabric;
  readonly process: SimulatedProcess;
  readonly pace: Pace;
  readonly args: readonly string[];
  /** Standard output goes out line by line (`stdbuf -oL`). */
  readonly lineBuffered: boolean;
  /** Hosts that cannot be reached. */
  readonly unreachable: ReadonlySet<string>;
}

/** Runs one perftest program until it has ended. */
export function runPerftest(tool: PerftestTool, call: PerftestCall): void {
  const { process, pace, fabric } = call;
  const fail = (stderr: string, stdout = "", exitCode = 1): void => {
    process.out(stdout);
    process.err(stderr);
    process.exit(exitCode);
  };
  process.after(pace.latency(12), () => {
    const parsed = parsePerftestArguments(tool, call.args);
    if (parsed.kind === "end") {
      fail(parsed.stderr, parsed.stdout, parsed.exitCode);
      return;
    }
    const { options } = parsed;
    process.err(options.warnings);
    const port = openPort(process.machine, options);
    if (typeof port === "string") {
      fail(port);
      return;
    }
    const output = new BufferedOutput(process, call.lineBuffered);
    const side: Side = { process, options, port, output, device: deviceName(port.node) };
    if (options.server === undefined) serve(pace, side);
    else connect(fabric, pace, side, options.server, call.unreachable);
  });
}

/** Clients find the server's side by its listener's process. */
const waiting = new WeakMap<SimulatedProcess, Side>();

function serve(pace: Pace, side: Side): void {
  const { process, output, options } = side;
  const { listeners } = process.machine;
  output.write(waitingBanner);
  process.after(pace.latency(15), () => {
    if (listeners.has(options.tcpPort)) {
      output.flush();
      process.err(`Couldn't listen to port ${String(options.tcpPort)}\n${socketFailure}`);
      process.exit(1);
      return;
    }
    const listener = { process };
    listeners.set(options.tcpPort, listener);
    waiting.set(process, side);
    process.whenEnded(() => {
      if (listeners.get(options.tcpPort) === listener) listeners.delete(options.tcpPort);
    });
  });
}

function connect(
  fabric: SimulatedFabric,
  pace: Pace,
  side: Side,
  address: string,
  unreachable: ReadonlySet<string>,
): void {
  const { process, options } = side;
  const target = resolve(fabric, process.machine, address);
  const where = `${address}:${String(options.tcpPort)}`;
  if (target === undefined) {
    process.err(
      `Name or service not known for ${where}\nProblem in resolving basic address and port\n${socketFailure}`,
    );
    process.exit(1);
    return;
  }
  process.after(pace.latency(4), () => {
    const listener = unreachable.has(target.name) ? undefined : target.listeners.get(options.tcpPort);
    const server = listener === undefined ? undefined : waiting.get(listener.process);
    if (server === undefined) {
      process.err(`Couldn't connect to ${where}\n${socketFailure}`);
      process.exit(1);
      return;
    }
    // One client only: the listening socket is closed as soon as it is there.
    target.listeners.delete(options.tcpPort);
    waiting.delete(server.process);
    runSession(fabric, pace, side, server);
  });
}
