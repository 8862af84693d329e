/**
 * A planned InfiniBand fabric, and its net file for ibsim. The net format is the plain output of ibnetdiscover
 * (ibsim(1)); ibsim gives LIDs none until a subnet manager does, and takes width, speed and GUIDs from the file.
 * Everything is deterministic: the same calls give the same text, byte for byte.
 */

export type NetSpeed = "QDR" | "FDR" | "EDR" | "HDR";
export type NetWidth = 1 | 2 | 4;
export type NetNodeKind = "switch" | "hca" | "aggregation";

/** One end of a cable: node GUID (`0x` and 16 digits) and port number. */
export interface NetEnd {
  readonly guid: string;
  readonly port: number;
}

/** A node as the tools must show it. */
export interface NetNode {
  readonly kind: NetNodeKind;
  /** `0x` and 16 digits, like all GUIDs here. */
  readonly guid: string;
  readonly systemGuid: string;
  readonly description: string;
  /** Ports that the node has, cabled or not. */
  readonly ports: number;
  /** Of ports 1 … `ports`; a switch has only the one of its port 0. */
  readonly portGuids: readonly string[];
}

/** A cable as the tools must show it. */
export interface NetLink {
  readonly a: NetEnd;
  readonly b: NetEnd;
  readonly lanes: NetWidth;
  readonly speed: NetSpeed;
}

/** A net file and what a correct collection of it must find. */
export interface NetFile {
  readonly text: string;
  readonly nodes: readonly NetNode[];
  readonly links: readonly NetLink[];
  /** What was planted, and where. */
  readonly faults: readonly NetFault[];
}

export interface NetFault {
  readonly kind: string;
  /** The cable, or the one that is missing. */
  readonly a: NetEnd;
  readonly b: NetEnd;
}

interface DraftPort {
  readonly node: DraftNode;
  readonly number: number;
  peer?: DraftPort;
  lanes: NetWidth;
  speed: NetSpeed;
}

export interface DraftNode {
  readonly kind: NetNodeKind;
  readonly guid: bigint;
  readonly systemGuid: bigint;
  readonly description: string;
  readonly ports: number;
  readonly vendorId: number;
  readonly deviceId: number;
  readonly cabled: Map<number, DraftPort>;
}

/** Device ids of Quantum (MQM8700), its aggregation node, and ConnectX-6; vendor id of Mellanox. */
const vendorId = 0x2c9;
const switchModel = { name: "MQM8700", deviceId: 0xd2f0, ports: 40 } as const;
const aggregationDeviceId = 0xcf09;
const adapterDeviceId = 0x101b;

const firstSwitchGuid = 0xb8cef60300000000n;
const firstAdapterGuid = 0x0c42a10300000000n;
/** As on real switches: GUID of the aggregation node = GUID of its switch + 8. */
const aggregationOffset = 8n;

function guidText(guid: bigint): string {
  return `0x${guid.toString(16).padStart(16, "0")}`;
}

/** Name of a node on ibsim's console and in net files: `"S-b8cef60300000000"`, in quotes. */
export function simName(node: { readonly kind: NetNodeKind; readonly guid: string }): string {
  return `"${node.kind === "switch" ? "S" : "H"}-${node.guid.slice(2)}"`;
}

/** Builds a fabric node by node and cable by cable. */
export class NetDraft {
  private readonly nodes: DraftNode[] = [];
  private readonly notes: string[] = [];
  private readonly faults: NetFault[] = [];
  private readonly speed: NetSpeed;
  private switches = 0;
  private adapters = 0;

  constructor(speed: NetSpeed) {
    this.speed = speed;
  }

  /** A switch of 40 ports; with `sharp` it has a port 41 with an aggregation node behind it. */
  addSwitch(name: string, sharp: boolean): DraftNode {
    const guid = firstSwitchGuid + 0x40n * BigInt(this.switches);
    this.switches += 1;
    const node = this.add({
      kind: "switch",
      guid,
      systemGuid: guid,
      description: `MF0;${name}:${switchModel.name}/U1`,
      ports: switchModel.ports + (sharp ? 1 : 0),
      deviceId: switchModel.deviceId,
    });
    if (sharp) {
      const aggregation = this.add({
        kind: "aggregation",
        guid: guid + aggregationOffset,
        systemGuid: guid,
        description: "Mellanox Technologies Aggregation Node",
        ports: 1,
        deviceId: aggregationDeviceId,
      });
      this.link(node, node.ports, aggregation, 1);
    }
    return node;
  }

  /** An adapter; its port p has GUID + p, as ibsim's own examples have it. */
  addAdapter(description: string, options: { readonly ports?: number; readonly guid?: string } = {}): DraftNode {
    const guid = options.guid === undefined ? firstAdapterGuid + 0x10n * BigInt(this.adapters) : BigInt(options.guid);
    this.adapters += 1;
    return this.add({
      kind: "hca",
      guid,
      systemGuid: guid,
      description,
      ports: options.ports ?? 1,
      deviceId: adapterDeviceId,
    });
  }

  link(a: DraftNode, aPort: number, b: DraftNode, bPort: number): void {
    const ends = [this.port(a, aPort), this.port(b, bPort)] as const;
    const used = ends.find((end) => end.peer !== undefined);
    if (used !== undefined) throw new Error(`port in use: ${used.node.description}[${used.number}]`);
    [ends[0].peer, ends[1].peer] = [ends[1], ends[0]];
  }

  /** Takes a cable out, as a planted fault. */
  unlink(node: DraftNode, port: number, fault: string): void {
    const end = this.port(node, port);
    this.noteFault(fault, end, "not connected");
    if (end.peer !== undefined) delete end.peer.peer;
    delete end.peer;
  }

  /** Plugs a cable's far end into another port of another node, as a planted fault; that port has no cable yet. */
  replug(node: DraftNode, port: number, to: DraftNode, toPort: number, fault: string): void {
    const end = this.port(node, port);
    if (end.peer === undefined) throw new Error(`${node.description}[${port}] has no cable`);
    delete end.peer.peer;
    delete end.peer;
    this.link(node, port, to, toPort);
    this.noteFault(fault, end, "plugged into the wrong port");
  }

  /** Makes a cable narrower or slower, as a planted fault. */
  retrain(
    node: DraftNode,
    port: number,
    change: { readonly lanes?: NetWidth; readonly speed?: NetSpeed },
    fault: string,
  ): void {
    const end = this.port(node, port);
    for (const side of [end, end.peer]) if (side !== undefined) Object.assign(side, change);
    this.noteFault(fault, end, `${end.lanes}x ${end.speed}`);
  }

  /** Cabled ports of a switch that lead to a node of this kind, by rising number. */
  portsTo(node: DraftNode, kind: NetNodeKind): readonly number[] {
    return [...node.cabled.values()]
      .filter((port) => port.peer?.node.kind === kind)
      .map((port) => port.number)
      .sort((x, y) => x - y);
  }

  peerOf(node: DraftNode, port: number): DraftNode | undefined {
    return node.cabled.get(port)?.peer?.node;
  }

  /** The highest port of a switch without a cable. */
  highestFreePort(node: DraftNode): number {
    for (let port = node.ports; port > 0; port -= 1) if (node.cabled.get(port)?.peer === undefined) return port;
    throw new Error(`no port left on ${node.description}`);
  }

  finish(): NetFile {
    const links: NetLink[] = [];
    for (const node of this.nodes) {
      for (const port of cabledPorts(node)) {
        if (port.peer === undefined) continue;
        const other = port.peer;
        const isFirst = node.guid < other.node.guid || (node.guid === other.node.guid && port.number < other.number);
        if (isFirst) links.push({ a: endOf(port), b: endOf(other), lanes: port.lanes, speed: port.speed });
      }
    }
    return { text: this.text(), nodes: this.nodes.map(plannedNode), links, faults: [...this.faults] };
  }

  private add(node: Omit<DraftNode, "vendorId" | "cabled">): DraftNode {
    const whole = { ...node, vendorId, cabled: new Map<number, DraftPort>() };
    if (this.nodes.some(({ guid }) => guid === node.guid)) throw new Error(`${guidText(node.guid)} is there already`);
    this.nodes.push(whole);
    return whole;
  }

  private port(node: DraftNode, number: number): DraftPort {
    if (number < 1 || number > node.ports) throw new Error(`${node.description} has no port ${number}`);
    const known = node.cabled.get(number);
    if (known !== undefined) return known;
    const port: DraftPort = { node, number, lanes: 4, speed: this.speed };
    node.cabled.set(number, port);
    return port;
  }

  private noteFault(kind: string, end: DraftPort, what: string): void {
    if (end.peer === undefined) throw new Error(`${end.node.description}[${end.number}] has no cable`);
    const [a, b] = [end, end.peer].map((port) => `${port.node.description}[${port.number}]`);
    this.notes.push(`fault ${kind}: ${what}: ${String(a)} - ${String(b)}`);
    this.faults.push({ kind, a: endOf(end), b: endOf(end.peer) });
  }

  private text(): string {
    const order = [...this.nodes.filter(isSwitch), ...this.nodes.filter((node) => !isSwitch(node))];
    const lines = ["# ibsim net file", ...this.notes.map((note) => `# ${note}`), "", ...order.flatMap(nodeLines)];
    return `${lines.join("\n")}\n`;
  }
}

function isSwitch(node: DraftNode): boolean {
  return node.kind === "switch";
}

function cabledPorts(node: DraftNode): readonly DraftPort[] {
  return [...node.cabled.values()].filter((port) => port.peer !== undefined).sort((x, y) => x.number - y.number);
}

function endOf(port: DraftPort): NetEnd {
  return { guid: guidText(port.node.guid), port: port.number };
}

function plannedNode(node: DraftNode): NetNode {
  const own = Array.from({ length: node.ports }, (_, index) => guidText(node.guid + BigInt(index + 1)));
  return {
    kind: node.kind,
    guid: guidText(node.guid),
    systemGuid: guidText(node.systemGuid),
    description: node.description,
    ports: node.ports,
    portGuids: isSwitch(node) ? [guidText(node.guid)] : own,
  };
}

function nodeLines(node: DraftNode): readonly string[] {
  const hex = (value: number | bigint): string => value.toString(16);
  const name = (of: DraftNode): string => simName({ kind: of.kind, guid: guidText(of.guid) });
  const head = [
    `vendid=0x${hex(node.vendorId)}`,
    `devid=0x${hex(node.deviceId)}`,
    `sysimgguid=0x${hex(node.systemGuid)}`,
    ...(isSwitch(node)
      ? [
          `switchguid=0x${hex(node.guid)}(${hex(node.guid)})`,
          `Switch\t${node.ports} ${name(node)}\t\t# "${node.description}" enhanced port 0 lid 0 lmc 0`,
        ]
      : [`caguid=0x${hex(node.guid)}`, `Ca\t${node.ports} ${name(node)}\t\t# "${node.description}"`]),
  ];
  const cables = cabledPorts(node).flatMap((port) => {
    const peer = port.peer;
    if (peer === undefined) return [];
    const far = `${name(peer.node)}[${peer.number}]`;
    const rate = `${port.lanes}x${port.speed}`;
    if (!isSwitch(node)) {
      const guid = hex(node.guid + BigInt(port.number));
      return [`[${port.number}](${guid}) \t${far}\t\t# lid 0 lmc 0 "${peer.node.description}" lid 0 ${rate}`];
    }
    const guid = isSwitch(peer.node) ? "" : `(${hex(peer.node.guid + BigInt(peer.number))}) `;
    return [`[${port.number}]\t${far}${guid}\t\t# "${peer.node.description}" lid 0 ${rate}`];
  });
  return [...head, ...cables, ""];
}
