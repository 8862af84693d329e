/** Small fabrics with forwarding tables of any shape, as the tools and opensm would print them. */
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { interpretRoutes, type InterpretedRoutes } from "../../shared/build/interpret-routes.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { understandTexts } from "./understand.ts";

/** Switch `s` has LID s + 1; host h has LID `switches + 1 + h × 2^lmc`. */
export interface RoutedShape {
  readonly switches: number;
  /** Cables between switches: switch, port, switch, port. */
  readonly cables: readonly (readonly [a: number, portA: number, b: number, portB: number])[];
  /** Hosts: switch and port of each. */
  readonly hosts: readonly (readonly [atSwitch: number, port: number])[];
  readonly lmc?: number;
  /** Output port of a switch for a LID; undefined: no route. */
  route(atSwitch: number, lid: number): number | undefined;
}

export interface RoutedTexts {
  readonly discover: string;
  readonly fdbs: string;
  readonly lfts: string;
  /** opensm-subnet.lst, for ibdmchk. */
  readonly subnet: string;
  readonly topLid: number;
}

const switchGuid = (index: number): string => (0xb8ce_f603_0000_0000n + BigInt(index) * 0x40n).toString(16);
const hostGuid = (index: number): string =>
  (0x000c_42a1_0300_0000n + BigInt(index) * 0x10n).toString(16).padStart(16, "0");
const hostPortGuid = (index: number): string =>
  (0x000c_42a1_0300_0001n + BigInt(index) * 0x10n).toString(16).padStart(16, "0");

const portsOfSwitch = 41;

export function switchLid(index: number): number {
  return index + 1;
}

export function hostLid(shape: RoutedShape, host: number): number {
  // LMC wants base LIDs that are multiples of 2^lmc.
  const step = 2 ** (shape.lmc ?? 0);
  return Math.ceil((shape.switches + 1) / step) * step + host * step;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

/** Prints a shape. */
export function routedTexts(shape: RoutedShape): RoutedTexts {
  const { switches, cables, hosts } = shape;
  const lmc = shape.lmc ?? 0;
  const lines: string[] = ["#", "# Topology file: generated on Sun Nov 29 16:06:42 2026", "#"];
  const subnet: string[] = [];
  const switchEnd = (index: number, port: number): string =>
    `SW Ports:${hex(portsOfSwitch, 2)} SystemGUID:${switchGuid(index)} NodeGUID:${switchGuid(index)} PortGUID:${switchGuid(index)} VenID:0002C9 DevID:D2F0 Rev:000000A1 {sw ${index}} LID:${hex(switchLid(index), 4)} PN:${hex(port, 2)}`;
  const hostEnd = (index: number): string =>
    `CA Ports:01 SystemGUID:${hostGuid(index)} NodeGUID:${hostGuid(index)} PortGUID:${hostPortGuid(index)} VenID:0002C9 DevID:101B Rev:000000A1 {h${index} mlx5_0} LID:${hex(hostLid(shape, index), 4)} PN:01`;
  const join = (one: string, other: string): void => {
    subnet.push(`{ ${one} } { ${other} } PHY=4x LOG=ACT SPD=50`, `{ ${other} } { ${one} } PHY=4x LOG=ACT SPD=50`);
  };
  for (let index = 0; index < switches; index += 1) {
    const ports = new Map<number, string>();
    for (const [a, portA, b, portB] of cables) {
      if (a === index) ports.set(portA, `"S-${switchGuid(b)}"[${portB}]\t\t# "sw ${b}" lid ${switchLid(b)} 4xHDR`);
      if (b === index) ports.set(portB, `"S-${switchGuid(a)}"[${portA}]\t\t# "sw ${a}" lid ${switchLid(a)} 4xHDR`);
    }
    hosts.forEach(([atSwitch, port], host) => {
      if (atSwitch !== index) return;
      ports.set(
        port,
        `"H-${hostGuid(host)}"[1](${hostPortGuid(host)}) \t\t# "h${host} mlx5_0" lid ${hostLid(shape, host)} 4xHDR`,
      );
    });
    lines.push("", "vendid=0x2c9", "devid=0xd2f0", `sysimgguid=0x${switchGuid(index)}`);
    lines.push(`switchguid=0x${switchGuid(index)}(${switchGuid(index)})`);
    lines.push(
      `Switch\t${portsOfSwitch} "S-${switchGuid(index)}"\t\t# "sw ${index}" enhanced port 0 lid ${switchLid(index)} lmc 0`,
    );
    for (const [port, peer] of [...ports].sort(([a], [b]) => a - b)) lines.push(`[${port}]\t${peer}`);
  }
  hosts.forEach(([atSwitch, port], host) => {
    lines.push("", "vendid=0x2c9", "devid=0x101b", `sysimgguid=0x${hostGuid(host)}`, `caguid=0x${hostGuid(host)}`);
    lines.push(`Ca\t1 "H-${hostGuid(host)}"\t\t# "h${host} mlx5_0"`);
    lines.push(
      `[1](${hostPortGuid(host)}) \t"S-${switchGuid(atSwitch)}"[${port}]\t\t# lid ${hostLid(shape, host)} lmc ${lmc} "sw ${atSwitch}" lid ${switchLid(atSwitch)} 4xHDR`,
    );
    join(hostEnd(host), switchEnd(atSwitch, port));
  });
  for (const [a, portA, b, portB] of cables) join(switchEnd(a, portA), switchEnd(b, portB));
  const topLid = hostLid(shape, hosts.length) - 1;
  const fdbs: string[] = [];
  const lfts: string[] = [];
  for (let index = 0; index < switches; index += 1) {
    fdbs.push(`dump_ucast_routes: Switch 0x${switchGuid(index)}`, "LID    : Port : Hops : Optimal");
    lfts.push(
      `Unicast lids [0-${topLid}] of switch Lid ${switchLid(index)} guid 0x${switchGuid(index)} ('sw ${index}'):`,
    );
    for (let lid = 1; lid <= topLid; lid += 1) {
      const port = shape.route(index, lid);
      const number = String(port ?? 255).padStart(3, "0");
      fdbs.push(`0x${hex(lid, 4)} : ${port === undefined ? "UNREACHABLE" : `${number}  : 01   : yes`}`);
      if (port !== undefined) lfts.push(`0x${hex(lid, 4).toLowerCase()} ${number} # unknown node and type`);
    }
    fdbs.push("");
    lfts.push(`${topLid} lids dumped`);
  }
  const end = (text: readonly string[]): string => `${text.join("\n")}\n`;
  return { discover: end(lines), fdbs: end(fdbs), lfts: end(lfts), subnet: end(subnet), topLid };
}

export interface Routed {
  readonly fabric: Fabric;
  readonly routes: InterpretedRoutes;
  readonly network: RouteNetwork;
}

/** Reads a topology and tables from texts. Fails the test when there is none. */
export function readRouted(discover: string, tables: Readonly<Record<string, string>>): Routed {
  const { fabric } = understandTexts({ "ibnetdiscover.txt": discover });
  const inputs = Object.entries(tables).map(([file, text]) => ({ file, text, bytes: text.length }));
  const routes = interpretRoutes(inputs, fabric, "texts");
  if (routes === undefined) throw new Error("no tables in the texts");
  return { fabric, routes, network: routeNetwork(fabric, routes.lfts) };
}

/** A fabric of that shape with its tables. */
export function routed(shape: RoutedShape): Routed {
  const { discover, fdbs } = routedTexts(shape);
  return readRouted(discover, { "opensm.fdbs": fdbs });
}

/** A ring of switches with one host each; every switch sends everything on clockwise: a credit loop. */
export function clockwiseRing(switches: number): RoutedShape {
  return {
    switches,
    cables: Array.from({ length: switches }, (_, index) => [index, 2, (index + 1) % switches, 3] as const),
    hosts: Array.from({ length: switches }, (_, index) => [index, 1] as const),
    route(atSwitch, lid) {
      if (lid === switchLid(atSwitch)) return 0;
      return lid === hostLid(this, atSwitch) ? 1 : 2;
    },
  };
}
