/**
 * What a host says about its own adapters: `ibv_devinfo` (libibverbs-utils) and `ibstat` (infiniband-diags).
 *
 *   hca_id: mlx5_0                        CA 'mlx5_0'
 *     node_guid:  f452:1403:0091:ba20       Node GUID: 0x9c63c003005548ae
 *     port: 1                               Port 1:
 *       state:      PORT_ACTIVE (4)           State: Active
 *       port_lid:   3                         Base lid: 987
 *       link_layer: InfiniBand                Port GUID: 0x9c63c003005548ae
 *                                             Link layer: InfiniBand
 */
import { formatGuid, parseGuid } from "../../shared/base/guid.ts";
import type { Endpoint } from "../../shared/measure/types.ts";

interface DevicePort {
  readonly number: number;
  /** As the fabric's tools spell it: Active, Armed, Initialize, Down; else as printed. */
  readonly state: string;
  /** 0 when not assigned or not printed. */
  readonly lid: number;
  /** `0x` and 16 digits; empty when not printed. */
  readonly guid: string;
  /** InfiniBand or Ethernet; empty when not printed. */
  readonly linkLayer: string;
}

export interface VerbsDevice {
  readonly name: string;
  /** `0x` and 16 digits; empty when not readable. */
  readonly nodeGuid: string;
  readonly ports: readonly DevicePort[];
}

interface DraftPort {
  number: number;
  state: string;
  lid: number;
  guid: string;
  linkLayer: string;
}

interface DraftDevice {
  name: string;
  nodeGuid: string;
  ports: DraftPort[];
}

const states: Readonly<Record<string, string>> = {
  PORT_NOP: "Down",
  PORT_DOWN: "Down",
  PORT_INIT: "Initialize",
  PORT_ARMED: "Armed",
  PORT_ACTIVE: "Active",
  PORT_ACTIVE_DEFER: "Active",
  Initializing: "Initialize",
};

function stateName(printed: string): string {
  const word = printed.split(/\s/)[0] ?? "";
  return states[word] ?? word;
}

function guidName(printed: string): string {
  const guid = parseGuid(printed.replaceAll(":", ""));
  return guid === undefined ? "" : formatGuid(guid);
}

function lidNumber(printed: string): number {
  const lid = Number(printed);
  // 65535 and 0 both mean that none is assigned.
  return Number.isInteger(lid) && lid > 0 && lid < 0xc000 ? lid : 0;
}

const device = /^\s*(?:hca_id:\s*(?<verbs>[A-Za-z][\w.-]*)|CA '(?<ca>[A-Za-z][\w.-]*)')\s*$/;
const portLine = /^\s*(?:port:\s*(?<verbs>\d{1,3})|Port (?<ca>\d{1,3}):)\s*$/;
const pair = /^\s*(?<key>[A-Za-z][\w ]*):\s*(?<value>\S.*?)\s*$/;

/** Reads the devices of either tool's output; lines of other kinds are passed over. */
export function parseDevices(text: string): readonly VerbsDevice[] {
  const devices: DraftDevice[] = [];
  let port: DraftPort | undefined;
  for (const line of text.split(/\r?\n/)) {
    const header = device.exec(line)?.groups;
    if (header !== undefined) {
      devices.push({ name: header["verbs"] ?? header["ca"] ?? "", nodeGuid: "", ports: [] });
      port = undefined;
      continue;
    }
    const current = devices.at(-1);
    if (current === undefined) continue;
    const portHeader = portLine.exec(line)?.groups;
    if (portHeader !== undefined) {
      const number = Number(portHeader["verbs"] ?? portHeader["ca"]);
      port = { number, state: "", lid: 0, guid: "", linkLayer: "" };
      current.ports.push(port);
      continue;
    }
    const { key, value } = pair.exec(line)?.groups ?? {};
    if (key === undefined || value === undefined) continue;
    readPair(current, port, key.toLowerCase().replaceAll("_", " "), value);
  }
  return devices;
}

function readPair(current: DraftDevice, port: DraftPort | undefined, key: string, value: string): void {
  if (key === "node guid") current.nodeGuid = guidName(value);
  if (port === undefined) return;
  if (key === "state") port.state = stateName(value);
  else if (key === "port lid" || key === "base lid") port.lid = lidNumber(value);
  else if (key === "port guid") port.guid = guidName(value);
  else if (key === "link layer") port.linkLayer = value;
}

/** Device and port of an endpoint on its host. */
export interface FoundPort {
  readonly device: string;
  readonly port: DevicePort;
}

/**
 * Finds an endpoint among a host's devices: by node GUID, else by port GUID, else by a LID that only one InfiniBand
 * port has. Names are no proof: they change with the order of the slots.
 */
export function findPort(devices: readonly VerbsDevice[], endpoint: Endpoint): FoundPort | undefined {
  const all = devices.flatMap(({ name, nodeGuid, ports }) => ports.map((port) => ({ device: name, nodeGuid, port })));
  const byNode = all.find(({ nodeGuid, port }) => nodeGuid === endpoint.nodeGuid && port.number === endpoint.port);
  if (byNode !== undefined) return byNode;
  const byPort = all.find(({ port }) => port.guid !== "" && port.guid === endpoint.portGuid);
  if (byPort !== undefined) return byPort;
  const byLid = all.filter(
    ({ port }) => endpoint.lid !== 0 && port.lid === endpoint.lid && port.linkLayer !== "Ethernet",
  );
  return byLid.length === 1 ? byLid[0] : undefined;
}

/** A short list for messages: `mlx5_0 0x…, mlx5_1 0x…`. */
export function listDevices(devices: readonly VerbsDevice[]): string {
  return devices.map(({ name, nodeGuid }) => `${name} ${nodeGuid}`.trim()).join(", ");
}
