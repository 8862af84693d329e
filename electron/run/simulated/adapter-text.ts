/** ibstat and ibv_devinfo of a host's own adapter. */
import { dataRateGbps } from "../../../shared/fabric/rates.ts";
import { deviceName } from "./machine.ts";
import type { SimulatedNode, SimulatedPort } from "./model.ts";

const firmware = "20.43.2566";
const stateNames = { Down: "Down", Initialize: "Initializing", Armed: "Armed", Active: "Active" } as const;
const verbsStates = {
  Down: "PORT_DOWN (1)",
  Initialize: "PORT_INIT (2)",
  Armed: "PORT_ARMED (3)",
  Active: "PORT_ACTIVE (4)",
} as const;

function ports(node: SimulatedNode): SimulatedPort[] {
  return node.ports.filter((port): port is SimulatedPort => port !== undefined);
}

/** `ibstat DEVICE`. A port that is down or was never given a LID shows 65535, as with mlx5. */
export function printIbstat(node: SimulatedNode, managerLid: number): string {
  const lines = [
    `CA '${deviceName(node)}'`,
    "\tCA type: MT4123",
    `\tNumber of ports: ${String(node.portCount)}`,
    `\tFirmware version: ${firmware}`,
    "\tHardware version: 0",
    `\tNode GUID: 0x${node.guid}`,
    `\tSystem image GUID: 0x${node.systemGuid}`,
  ];
  for (const port of ports(node)) {
    lines.push(
      `\tPort ${String(port.number)}:`,
      `\t\tState: ${stateNames[port.state]}`,
      `\t\tPhysical state: ${port.physical}`,
      `\t\tRate: ${String(dataRateGbps(port.lanes, port.speed))}`,
      `\t\tBase lid: ${String(port.lid === 0 ? 65_535 : port.lid)}`,
      "\t\tLMC: 0",
      `\t\tSM lid: ${String(managerLid)}`,
      "\t\tCapability mask: 0xa651e848",
      `\t\tPort GUID: 0x${port.guid}`,
      "\t\tLink layer: InfiniBand",
    );
  }
  return `${lines.join("\n")}\n`;
}

/** `ibv_devinfo -d DEVICE`. */
export function printIbvDevinfo(node: SimulatedNode, managerLid: number): string {
  const colons = (guid: string): string => guid.replace(/(.{4})(?=.)/g, "$1:");
  const lines = [
    `hca_id:\t${deviceName(node)}`,
    "\ttransport:\t\t\tInfiniBand (0)",
    `\tfw_ver:\t\t\t\t${firmware}`,
    `\tnode_guid:\t\t\t${colons(node.guid)}`,
    `\tsys_image_guid:\t\t\t${colons(node.systemGuid)}`,
    "\tvendor_id:\t\t\t0x02c9",
    "\tvendor_part_id:\t\t\t4123",
    "\thw_ver:\t\t\t\t0x0",
    "\tboard_id:\t\t\tMT_0000000223",
    `\tphys_port_cnt:\t\t\t${String(node.portCount)}`,
  ];
  for (const port of ports(node)) {
    lines.push(
      `\t\tport:\t${String(port.number)}`,
      `\t\t\tstate:\t\t\t${verbsStates[port.state]}`,
      "\t\t\tmax_mtu:\t\t4096 (5)",
      "\t\t\tactive_mtu:\t\t4096 (5)",
      `\t\t\tsm_lid:\t\t\t${String(managerLid)}`,
      `\t\t\tport_lid:\t\t${String(port.lid === 0 ? 65_535 : port.lid)}`,
      "\t\t\tport_lmc:\t\t0x00",
      "\t\t\tlink_layer:\t\tInfiniBand",
      "",
    );
  }
  return `${lines.join("\n")}\n`;
}
