/** iblinkinfo's two layouts, as version 44 prints them. */
import { speedName, type Speed } from "../../../shared/fabric/rates.ts";
import { discoveryOrder, lidOf, peerOf, type SimulatedNode, type SimulatedPort } from "./model.ts";

/** Speeds as libibmad spells them: signalling rate of one lane. */
const speedTexts: Readonly<Record<Speed, string>> = {
  unknown: "Extended speed",
  SDR: "2.5 Gbps",
  DDR: "5.0 Gbps",
  QDR: "10.0 Gbps",
  FDR10: "10.0 Gbps (FDR10)",
  FDR: "14.0625 Gbps",
  EDR: "25.78125 Gbps",
  HDR: "53.125 Gbps",
  NDR: "106.25 Gbps",
  XDR: "212.5 Gbps",
};

/** `(Could be 4X Could be 53.125 Gbps)`, either part or both empty: what both ends support beyond what runs. */
function hints(port: SimulatedPort, peer: SimulatedPort): string {
  const lanes = Math.min(port.node.lanesSupported, peer.node.lanesSupported);
  const speed = Math.min(port.node.speedSupported, peer.node.speedSupported);
  const width = lanes > port.lanes ? `Could be ${String(lanes)}X` : "";
  const faster = speed > port.speed ? `Could be ${speedTexts[speedName(speed)]}` : "";
  return `(${width} ${faster})`;
}

function link(port: SimulatedPort | undefined): string {
  if (port === undefined || port.state === "Down") {
    return `(${" ".repeat(14)}  Down/${(port?.physical ?? "Polling").padStart(8)})`;
  }
  const width = `${String(port.lanes)}X`.padStart(3);
  const speed = speedTexts[speedName(port.speed)].padStart(18);
  return `(${width} ${speed} ${port.state.padStart(6)}/${port.physical.padStart(8)})`;
}

interface Layout {
  readonly line: boolean;
}

function portLine(node: SimulatedNode, number: number, layout: Layout): string {
  const port = node.ports[number];
  const own = port?.guid ?? node.guid;
  const lid = node.kind === "switch" ? node.lid : (port?.lid ?? 0);
  let head = "";
  if (layout.line) head = `0x${own} "${node.description.padStart(30)}" `;
  else head = node.kind === "switch" ? "      " : `      0x${own} `;
  const start = `${head}${String(lid).padStart(6)} ${String(number).padStart(4)}[  ] ==${link(port)}==>  `;
  const peer = port === undefined ? undefined : peerOf(port);
  if (port === undefined || peer === undefined) return `${start}           [  ] "" ( )`;
  const peerGuid = layout.line ? `0x${peer.guid} ` : "";
  return `${start}${peerGuid}${String(lidOf(peer)).padStart(6)} ${String(peer.number).padStart(4)}[  ] "${peer.node.description}" ${hints(port, peer)}`;
}

/** One link as `ibqueryerrors -r` shows it: iblinkinfo's line form from the LID on. */
export function printLinkOf(port: SimulatedPort): string {
  const own = `0x${port.guid} "${port.node.description.padStart(30)}" `;
  return portLine(port.node, port.number, { line: true }).slice(own.length);
}

/**
 * Prints what `iblinkinfo` (or `iblinkinfo --line`) prints: every reachable node, newest-found first, every port of a
 * switch, the connected ports of an adapter.
 */
export function printIblinkinfo(origin: SimulatedNode, line: boolean): string {
  const lines: string[] = [];
  const layout = { line };
  for (const node of discoveryOrder(origin).reverse()) {
    if (!line) {
      lines.push(node.kind === "switch" ? `Switch: 0x${node.guid} ${node.description}:` : `CA: ${node.description}:`);
    }
    for (let number = 1; number <= node.portCount; number += 1) {
      if (node.kind !== "switch" && node.ports[number] === undefined) continue;
      lines.push(portLine(node, number, layout));
    }
  }
  return `${lines.join("\n")}\n`;
}
