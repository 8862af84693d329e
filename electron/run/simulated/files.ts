/** The few files of a simulated host that Ibex reads. */
import { dataRateGbps, speedName } from "../../../shared/fabric/rates.ts";
import { deviceName, type SimulatedMachine } from "./machine.ts";
import type { SimulatedPort } from "./model.ts";

const tcpTitle = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const tcp6Title =
  "  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";

/** One line of /proc/net/tcp for a socket that listens on all addresses (state 0A). */
function listening(index: number, port: number): string {
  const local = `00000000:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const inode = String(20_000 + port);
  return `${String(index).padStart(4)}: ${local} 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0`;
}

const sshPort = 22;

function procNetTcp(machine: SimulatedMachine): string {
  const ports = [sshPort, ...machine.listeners.keys()];
  return `${[tcpTitle, ...ports.map((port, index) => listening(index, port))].join("\n")}\n`;
}

const stateTexts = { Down: "1: DOWN", Initialize: "2: INIT", Armed: "3: ARMED", Active: "4: ACTIVE" } as const;

function portFile(port: SimulatedPort, name: string): string | undefined {
  switch (name) {
    case "state":
      return stateTexts[port.state];
    case "phys_state":
      return port.physical === "LinkUp" ? "5: LinkUp" : "2: Polling";
    case "rate":
      return `${String(dataRateGbps(port.lanes, port.speed))} Gb/sec (${String(port.lanes)}X ${speedName(port.speed)})`;
    case "lid":
      return `0x${(port.lid === 0 ? 0xffff : port.lid).toString(16)}`;
    case "link_layer":
      return "InfiniBand";
    case "counters/port_xmit_data":
      return String(Math.floor((port.counters?.transmittedBytes ?? 0) / 4));
    case "counters/port_rcv_data":
      return String(Math.floor((port.counters?.receivedBytes ?? 0) / 4));
    case "counters/symbol_error":
      return String(port.counters?.errors.get("SymbolErrorCounter") ?? 0);
    default:
      return undefined;
  }
}

const processLimits =
  "Limit                     Soft Limit           Hard Limit           Units     \nMax locked memory         unlimited            unlimited            bytes     \n";

/** /proc/uptime adds up the idle time of all cores. */
const idleCores = 63;

const deviceFiles: Readonly<Record<string, string>> = {
  numa_node: "0",
  current_link_width: "16",
  max_link_width: "16",
  current_link_speed: "16.0 GT/s PCIe",
  max_link_speed: "16.0 GT/s PCIe",
};

/**
 * Text of a file, or undefined when the host has none of that name.
 * @param uptimeSeconds how long the host has been up, in its own time
 */
export function readSimulatedFile(machine: SimulatedMachine, path: string, uptimeSeconds: number): string | undefined {
  if (path === "/proc/uptime") return `${uptimeSeconds.toFixed(2)} ${(uptimeSeconds * idleCores).toFixed(2)}\n`;
  if (path === "/proc/net/tcp") return procNetTcp(machine);
  if (path === "/proc/net/tcp6") return `${tcp6Title}\n`;
  if (path === "/proc/sys/kernel/hostname" || path === "/etc/hostname") return `${machine.name}\n`;
  if (path === "/sys/devices/system/node/online") return "0\n";
  if (path === "/proc/self/limits") return processLimits;
  if (path === "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") return "performance\n";
  const running = /^\/proc\/(\d+)\/(cmdline|comm)$/.exec(path);
  if (running !== null) {
    const argv = machine.processes.get(Number(running[1]))?.argv;
    if (argv === undefined) return undefined;
    return running[2] === "comm" ? `${(argv[0] ?? "").slice(0, 15)}\n` : argv.map((word) => `${word}\0`).join("");
  }
  const inDevice = /^\/sys\/class\/infiniband\/([^/]+)\/(.+)$/.exec(path);
  const adapter = machine.adapters.find((node) => deviceName(node) === inDevice?.[1]);
  if (adapter === undefined || inDevice === null) return undefined;
  const rest = inDevice[2] ?? "";
  if (rest === "node_guid") return `${adapter.guid.replace(/(.{4})(?=.)/g, "$1:")}\n`;
  if (rest.startsWith("device/")) {
    const file = rest.slice("device/".length);
    const narrow = file === "current_link_width" ? adapter.slotLanes : undefined;
    const text = narrow === undefined ? deviceFiles[file] : String(narrow);
    return text === undefined ? undefined : `${text}\n`;
  }
  const ofPort = /^ports\/(\d+)\/(.+)$/.exec(rest);
  const port = ofPort === null ? undefined : adapter.ports[Number(ofPort[1])];
  const text = port === undefined ? undefined : portFile(port, ofPort?.[2] ?? "");
  return text === undefined ? undefined : `${text}\n`;
}
