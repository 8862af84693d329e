import { limits } from "../base/limits.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import type { FabricDraft, NodeDraft, PortDraft } from "./draft.ts";

export interface Cable {
  readonly a: PortDraft;
  readonly b: PortDraft;
}

function name(node: NodeDraft, number: number): string {
  return `${node.description === "" ? `0x${node.guid}` : node.description}, port ${number}`;
}

/**
 * Takes out ports that no device can have: numbers are one byte, 255 means "all", and a larger one would be stored as
 * another port. Parsers refuse them; records may come from elsewhere.
 */
export function dropImpossiblePorts(draft: FabricDraft, remarks: DiagnosticList): void {
  const isPossible = (number: number): boolean =>
    Number.isInteger(number) && number >= 0 && number <= limits.portNumber;
  const remark = (node: NodeDraft, number: number, line: number): void =>
    remarks.add({
      severity: "warning",
      code: "port-out-of-range",
      line,
      message: `${name(node, number)}: InfiniBand has ports 1 to ${limits.portNumber}. The port and its cable are left out.`,
    });
  for (const node of draft.nodes.values()) {
    let impossible = false;
    for (const port of node.ports.values()) {
      if (!isPossible(port.number)) {
        remark(node, port.number, port.discoverLine);
        impossible = true;
      } else if (port.peer !== undefined && !isPossible(port.peer.number)) {
        remark(port.peer.node, port.peer.number, port.discoverLine);
        port.peer = undefined;
      }
    }
    if (impossible) node.ports.keep((port) => isPossible(port.number));
  }
}

function join(a: PortDraft, b: PortDraft): Cable {
  a.cabled = true;
  b.cabled = true;
  return { a, b };
}

/**
 * Makes cables of what the ports say of their peers. A cable that both ends name comes first; one that only one end
 * names is kept when the other end has no other cable; what contradicts is said.
 */
export function joinCables(draft: FabricDraft, remarks: DiagnosticList): readonly Cable[] {
  const cables: Cable[] = [];
  const oneSided: { port: PortDraft; far: PortDraft }[] = [];
  for (const node of draft.nodes.values()) {
    for (const port of node.ports.values()) {
      const far = port.peer;
      if (far === undefined || port.cabled) continue;
      if (far === port) {
        remarks.add({
          severity: "warning",
          code: "loopback-plug",
          line: port.discoverLine,
          message: `${name(node, port.number)} names itself as its peer: a loopback plug, or a fault of the device. No cable is drawn.`,
        });
        continue;
      }
      if (far.peer === port && !far.cabled) {
        cables.push(join(port, far));
      } else {
        oneSided.push({ port, far });
      }
    }
  }
  for (const { port, far } of oneSided) {
    if (port.cabled) continue;
    const claim = `${name(port.node, port.number)} names ${name(far.node, far.number)} as its peer`;
    if (far.cabled) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line: port.discoverLine,
        message: `${claim}, but that port is already cabled to another one. The cable is left out; collect again.`,
      });
      continue;
    }
    if (far.node.discovered && far.peer !== undefined) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line: port.discoverLine,
        message: `${claim}, which names ${name(far.peer.node, far.peer.number)} instead. The fabric changed while it was read, or a GUID stands twice; collect again.`,
      });
    } else if (far.node.discovered && far.node.declaredPorts > 0 && far.number > far.node.declaredPorts) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line: port.discoverLine,
        message: `${claim}, but that node has only ${far.node.declaredPorts} ports.`,
      });
    } else if (far.node.discovered && far.state === 0) {
      remarks.add({
        severity: "warning",
        code: "one-sided-link",
        line: port.discoverLine,
        message: `${claim}; the other end does not mention it. The output may be cut, or the fabric changed while it was read.`,
      });
    }
    cables.push(join(port, far));
  }
  return cables;
}
