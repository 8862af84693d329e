/**
 * Where a port is on the box, for whoever stands before it. Switches with twin cages or split cables count their ports
 * through, while the box numbers its cages: QM97xx has two ports in each of 32 OSFP cages (NVIDIA's manual of these
 * systems), and a split port of QM87xx or QM97xx is two ports of half the lanes.
 */
import { at, nodeDescription, nodeName } from "./access.ts";
import type { Fabric } from "./model.ts";

interface Front {
  /** Ports of a cage. */
  readonly ports: 1 | 2;
  /** Port numbers of a port: two when it is split. */
  readonly halves: 1 | 2;
}

/** By the model in the description and the ports that the switch says it has, its aggregation node's included or not. */
function frontOf(description: string, declaredPorts: number): Front | undefined {
  const model = /\bM?QM(87|97)\d\d\b/.exec(description)?.[1];
  const cages = model === "87" ? 40 : model === "97" ? 32 : 0;
  const ports = model === "97" ? 2 : 1;
  for (const halves of [1, 2] as const) {
    const all = cages * ports * halves;
    if (cages > 0 && (declaredPorts === all || declaredPorts === all + 1)) return { ports, halves };
  }
  return undefined;
}

/** `cage 19, port 2, half 1`; empty where the box prints the port's own number, or nobody knows. */
function socketWords(fabric: Fabric, port: number): string {
  const node = at(fabric.ports.node, port);
  const declared = at(fabric.nodes.declaredPorts, node);
  const front = frontOf(nodeDescription(fabric, node), declared);
  const number = at(fabric.ports.number, port);
  if (front === undefined || front.ports * front.halves === 1) return "";
  // The last port of an odd number of ports is that of the aggregation node, inside the box.
  if (number === declared && declared % 2 === 1) return "";
  const whole = Math.ceil(number / front.halves);
  return [
    `cage ${Math.ceil(whole / front.ports)}`,
    ...(front.ports === 1 ? [] : [`port ${((whole - 1) % front.ports) + 1}`]),
    ...(front.halves === 1 ? [] : [`half ${((number - 1) % front.halves) + 1}`]),
  ].join(", ");
}

/** `leaf-03 port 38`, and where the box numbers otherwise `leaf-03 port 38 (cage 19, port 2)`. */
export function placeText(fabric: Fabric, port: number): string {
  const socket = socketWords(fabric, port);
  const name = `${nodeName(fabric, at(fabric.ports.node, port))} port ${at(fabric.ports.number, port)}`;
  return socket === "" ? name : `${name} (${socket})`;
}
