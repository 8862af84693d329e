/** ibnetdiscover's default output, as version 44 prints it. */
import { speedName } from "../../../shared/fabric/rates.ts";
import { discoveryOrder, lidOf, peerOf, type SimulatedNode, type SimulatedPort } from "./model.ts";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The time as C's ctime() writes it, local time, without the line end. */
function ctime(milliseconds: number): string {
  const date = new Date(milliseconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const day = String(date.getDate()).padStart(2, " ");
  return `${days[date.getDay()] ?? ""} ${months[date.getMonth()] ?? ""} ${day} ${clock} ${String(date.getFullYear())}`;
}

/** GUID as `%x` prints it: without leading zeros. */
export function unpadded(guid: string): string {
  return guid.replace(/^0+(?=.)/, "");
}

function nodeId(node: SimulatedNode): string {
  return `${node.kind === "switch" ? "S" : "H"}-${node.guid}`;
}

function linkRate(port: SimulatedPort): string {
  return `${String(port.lanes)}x${speedName(port.speed)}`;
}

function switchRecord(node: SimulatedNode, lines: string[]): void {
  lines.push(
    `switchguid=0x${unpadded(node.guid)}(${unpadded(node.guid)})`,
    `Switch\t${String(node.portCount)} "${nodeId(node)}"\t\t# "${node.description}" enhanced port 0 lid ${String(node.lid)} lmc 0`,
  );
  for (const port of node.ports) {
    const peer = port === undefined ? undefined : peerOf(port);
    if (port === undefined || peer === undefined) continue;
    const peerGuid = peer.node.kind === "switch" ? "" : `(${unpadded(peer.guid)}) `;
    lines.push(
      `[${String(port.number)}]\t"${nodeId(peer.node)}"[${String(peer.number)}]${peerGuid}\t\t# "${peer.node.description}" lid ${String(lidOf(peer))} ${linkRate(port)}`,
    );
  }
}

function adapterRecord(node: SimulatedNode, lines: string[]): void {
  lines.push(
    `caguid=0x${unpadded(node.guid)}`,
    `Ca\t${String(node.portCount)} "${nodeId(node)}"\t\t# "${node.description}"`,
  );
  for (const port of node.ports) {
    const peer = port === undefined ? undefined : peerOf(port);
    if (port === undefined || peer === undefined) continue;
    const peerGuid = peer.node.kind === "switch" ? "" : ` (${unpadded(peer.guid)}) `;
    lines.push(
      `[${String(port.number)}](${unpadded(port.guid)}) \t"${nodeId(peer.node)}"[${String(peer.number)}]${peerGuid}\t\t# lid ${String(port.lid)} lmc 0 "${peer.node.description}" lid ${String(lidOf(peer))} ${linkRate(port)}`,
    );
  }
}

/**
 * Prints what `ibnetdiscover` on the host of `origin` prints at `now`: switches, then adapters, newest-found first;
 * only ports with a peer.
 */
export function printIbnetdiscover(origin: SimulatedNode, now: number): string {
  const found = discoveryOrder(origin).reverse();
  const firstPort = origin.ports.find((port) => port !== undefined && peerOf(port) !== undefined);
  const lines = [
    "#",
    `# Topology file: generated on ${ctime(now)}`,
    "#",
    `# Initiated from node ${origin.guid} port ${firstPort?.guid ?? origin.guid}`,
  ];
  const record = (node: SimulatedNode, body: (node: SimulatedNode, lines: string[]) => void): void => {
    lines.push(
      "",
      `vendid=0x${node.vendorId.toString(16)}`,
      `devid=0x${node.deviceId.toString(16)}`,
      `sysimgguid=0x${unpadded(node.systemGuid)}`,
    );
    body(node, lines);
  };
  for (const node of found) if (node.kind === "switch") record(node, switchRecord);
  for (const node of found) if (node.kind !== "switch") record(node, adapterRecord);
  return `${lines.join("\n")}\n`;
}

/** `ibhosts` and `ibswitches`: one line a node. */
export function printNodeList(origin: SimulatedNode, which: "hosts" | "switches"): string {
  return discoveryOrder(origin)
    .reverse()
    .filter((node) => (node.kind === "switch") === (which === "switches"))
    .map((node) =>
      node.kind === "switch"
        ? `Switch\t: 0x${node.guid} ports ${String(node.portCount)} "${node.description}" enhanced port 0 lid ${String(node.lid)} lmc 0\n`
        : `Ca\t: 0x${node.guid} ports ${String(node.portCount)} "${node.description}"\n`,
    )
    .join("");
}
