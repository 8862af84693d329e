/**
 * The simulated fabric as objects: nodes, ports and cables with their true condition. What the tools print is derived
 * from it; a fault that no tool shows (a cable that carries less than it says) is here as well.
 */
import { assert } from "../../../shared/base/assert.ts";
import { dataRateGbps, speedCode } from "../../../shared/fabric/rates.ts";

type SimulatedNodeKind = "switch" | "hca" | "aggregation";
type LogicalState = "Down" | "Initialize" | "Armed" | "Active";
type PhysicalState = "Polling" | "LinkUp";

/** Traffic and errors of one port. Bytes are what crossed the wire, headers included. */
export interface PortCounters {
  transmittedBytes: number;
  receivedBytes: number;
  transmittedPackets: number;
  receivedPackets: number;
  /** Error counters by the name that perfquery prints; absent = 0. */
  readonly errors: Map<string, number>;
}

export interface SimulatedPort {
  readonly node: SimulatedNode;
  readonly number: number;
  /** 16 hex digits. A switch's ports all carry the GUID of its port 0. */
  readonly guid: string;
  /** LID of an adapter port; of a switch port always 0 (its LID is the node's). */
  lid: number;
  /** The other end of the cable, also when the link is down. */
  cable: SimulatedPort | undefined;
  lanes: number;
  /** Speed code (shared/fabric/rates.ts). */
  speed: number;
  state: LogicalState;
  physical: PhysicalState;
  /** Share of the data rate that the cable really carries, 1 when healthy. Same at both ends. */
  carries: number;
  counters: PortCounters | undefined;
}

export interface SimulatedNode {
  readonly kind: SimulatedNodeKind;
  /** 16 hex digits. */
  readonly guid: string;
  readonly systemGuid: string;
  readonly description: string;
  readonly vendorId: number;
  readonly deviceId: number;
  readonly portCount: number;
  /** By port number from 1; holes are ports that nothing was ever plugged into. */
  readonly ports: (SimulatedPort | undefined)[];
  /** LID of a switch's port 0; adapters keep theirs on the port. */
  lid: number;
  /** Widest and fastest that every port of the node supports. */
  readonly lanesSupported: number;
  readonly speedSupported: number;
  /** PCIe lanes that an adapter's slot gives it; all 16 unless told. */
  slotLanes?: number;
}

export interface SimulatedManager {
  readonly port: SimulatedPort;
  priority: number;
  /** 2 STANDBY, 3 MASTER, as sminfo prints it; one that is dead answers nobody. */
  state: 2 | 3 | "dead";
  /** Activity count when the fabric came up; grows by one a second, and with every answer. */
  activity: number;
}

const switchModels = {
  MSB7800: { deviceId: 0xcf08, ports: 36, speed: "EDR" },
  MQM8700: { deviceId: 0xd2f0, ports: 40, speed: "HDR" },
} as const;
export type SwitchModel = keyof typeof switchModels;

const mellanox = 0x2c9;
const hcaDeviceId = 0x101b;
const aggregationDeviceId = 0xcf09;
const switchGuidBase = 0xb8cef60300000000n;
const hcaGuidBase = 0x0c42a10300000000n;

function hex(guid: bigint): string {
  return guid.toString(16).padStart(16, "0");
}

/**
 * A fabric under construction and afterwards. GUIDs count up from `guidOffset`, so that two fabrics with different
 * offsets share none (the history of measurements is kept by GUID).
 */
export class SimulatedTopology {
  readonly nodes: SimulatedNode[] = [];
  readonly managers: SimulatedManager[] = [];
  private readonly guidOffset: bigint;
  private switches = 0;
  private adapters = 0;

  constructor(guidOffset = 0) {
    this.guidOffset = BigInt(guidOffset);
  }

  /** Adds a switch named as a managed one; with `sharp` its aggregation node sits on one more port. */
  addSwitch(name: string, model: SwitchModel = "MQM8700", sharp = false): SimulatedNode {
    const { deviceId, ports, speed } = switchModels[model];
    const value = switchGuidBase + this.guidOffset + 0x40n * BigInt(this.switches);
    this.switches += 1;
    const node: SimulatedNode = {
      kind: "switch",
      guid: hex(value),
      systemGuid: hex(value),
      description: `MF0;${name}:${model}/U1`,
      vendorId: mellanox,
      deviceId,
      portCount: sharp ? ports + 1 : ports,
      ports: [],
      lid: 0,
      lanesSupported: 4,
      speedSupported: speedCode(speed),
    };
    this.nodes.push(node);
    if (sharp) {
      const aggregation = this.addChannelAdapter({
        kind: "aggregation",
        guid: value + 8n,
        systemGuid: value,
        description: "Mellanox Technologies Aggregation Node",
        deviceId: aggregationDeviceId,
        portCount: 1,
      });
      this.connect(node, node.portCount, aggregation, 1);
    }
    return node;
  }

  /** Adds a host channel adapter (ConnectX-6) with the description as the host would set it. */
  addAdapter(description: string, portCount = 1): SimulatedNode {
    const value = hcaGuidBase + this.guidOffset + 0x10n * BigInt(this.adapters);
    this.adapters += 1;
    return this.addChannelAdapter({
      kind: "hca",
      guid: value,
      systemGuid: value,
      description,
      deviceId: hcaDeviceId,
      portCount,
    });
  }

  /** Plugs a cable; both ends come up at the best that both support, Active. */
  connect(a: SimulatedNode, aNumber: number, b: SimulatedNode, bNumber: number): void {
    const first = this.port(a, aNumber);
    const second = this.port(b, bNumber);
    assert(first.cable === undefined && second.cable === undefined, "a port takes one cable");
    first.cable = second;
    second.cable = first;
    for (const port of [first, second]) {
      port.lanes = Math.min(a.lanesSupported, b.lanesSupported);
      port.speed = Math.min(a.speedSupported, b.speedSupported);
      port.state = "Active";
      port.physical = "LinkUp";
    }
  }

  /** The port, made when it is new. */
  port(node: SimulatedNode, number: number): SimulatedPort {
    assert(number >= 1 && number <= node.portCount, `${node.description} has no port ${String(number)}`);
    const known = node.ports[number];
    if (known !== undefined) return known;
    const guid = node.kind === "switch" ? node.guid : hex(BigInt(`0x${node.guid}`) + BigInt(number));
    const port: SimulatedPort = {
      node,
      number,
      guid,
      lid: 0,
      cable: undefined,
      lanes: 0,
      speed: 0,
      state: "Down",
      physical: "Polling",
      carries: 1,
      counters: undefined,
    };
    node.ports[number] = port;
    return port;
  }

  private addChannelAdapter(parts: {
    kind: "hca" | "aggregation";
    guid: bigint;
    systemGuid: bigint;
    description: string;
    deviceId: number;
    portCount: number;
  }): SimulatedNode {
    const node: SimulatedNode = {
      kind: parts.kind,
      guid: hex(parts.guid),
      systemGuid: hex(parts.systemGuid),
      description: parts.description,
      vendorId: mellanox,
      deviceId: parts.deviceId,
      portCount: parts.portCount,
      ports: [],
      lid: 0,
      lanesSupported: 4,
      speedSupported: speedCode("HDR"),
    };
    this.nodes.push(node);
    return node;
  }
}

/** The far end as a discovery sees it: only over a link that is physically up. */
export function peerOf(port: SimulatedPort): SimulatedPort | undefined {
  return port.physical === "LinkUp" ? port.cable : undefined;
}

/** The LID by which a port is reached: of a switch port that of the switch. */
export function lidOf(port: SimulatedPort): number {
  return port.node.kind === "switch" ? port.node.lid : port.lid;
}

/** Changes the condition of a cable at both its ends. */
export function setLink(
  port: SimulatedPort,
  change: Partial<Pick<SimulatedPort, "lanes" | "speed" | "state" | "physical" | "carries">>,
): void {
  for (const end of [port, port.cable]) if (end !== undefined) Object.assign(end, change);
}

/** Takes a link down as a pulled or dead cable does: both ends poll. */
export function takeDown(port: SimulatedPort): void {
  setLink(port, { state: "Down", physical: "Polling" });
}

/** The counters of a port, made at the first use. */
export function countersOf(port: SimulatedPort): PortCounters {
  port.counters ??= {
    transmittedBytes: 0,
    receivedBytes: 0,
    transmittedPackets: 0,
    receivedPackets: 0,
    errors: new Map(),
  };
  return port.counters;
}

/** What the link behind a port really carries in one direction, Gb/s of data. */
export function trueRateGbps(port: SimulatedPort): number {
  return dataRateGbps(port.lanes, port.speed) * port.carries;
}

/**
 * Nodes in the order in which a breadth-first discovery from `origin` finds them, as libibnetdisc does; the tools
 * print the newest-found first. Nodes that no link reaches are absent.
 */
export function discoveryOrder(origin: SimulatedNode): SimulatedNode[] {
  const seen = new Set<SimulatedNode>([origin]);
  const order = [origin];
  for (const node of order) {
    for (const port of node.ports) {
      const peer = port === undefined ? undefined : peerOf(port)?.node;
      if (peer === undefined || seen.has(peer)) continue;
      seen.add(peer);
      order.push(peer);
    }
  }
  return order;
}

/** Gives every reachable node its LIDs, counting up from 1 in discovery order, as a subnet manager at `origin` would. */
export function assignLids(origin: SimulatedNode): void {
  let next = 1;
  for (const node of discoveryOrder(origin)) {
    if (node.kind === "switch") {
      node.lid = next;
      next += 1;
      continue;
    }
    for (const port of node.ports) {
      if (port === undefined || peerOf(port) === undefined) continue;
      port.lid = next;
      next += 1;
    }
  }
}
