import { limits } from "../base/limits.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import type { FabricDraft } from "./draft.ts";
import { type DraftPorts, noPort, type PortDraft } from "./draft-ports.ts";

/** Cables by the ports at their ends, one position each. */
export interface Cables {
  readonly a: PortDraft[];
  readonly b: PortDraft[];
}

function name(draft: FabricDraft, port: PortDraft): string {
  return `${draft.nameOf(draft.nodeOfPort(port))}, port ${draft.numberOfPort(port)}`;
}

/**
 * Takes out ports that no device can have: numbers are one byte, 255 means "all", and a larger one would be stored as
 * another port. Parsers refuse them; records may come from elsewhere.
 */
export function dropImpossiblePorts(draft: FabricDraft, remarks: DiagnosticList): void {
  const { ports } = draft;
  const isPossible = (port: PortDraft): boolean => {
    const number = draft.numberOfPort(port);
    return Number.isInteger(number) && number >= 0 && number <= limits.portNumber;
  };
  if (allPossible(ports)) return;
  const remark = (port: PortDraft, line: number): void =>
    remarks.add({
      severity: "warning",
      code: "port-out-of-range",
      line,
      message: `${name(draft, port)}: InfiniBand has ports 1 to ${limits.portNumber}. The port and its cable are left out.`,
    });
  for (const node of draft.nodes) {
    let impossible = false;
    for (let port = node.firstPort; port !== noPort; port = ports.following(port)) {
      const peer = ports.peer[port] ?? noPort;
      if (!isPossible(port)) {
        remark(port, ports.discoverLine[port] ?? 0);
        impossible = true;
      } else if (peer !== noPort && !isPossible(peer)) {
        remark(peer, ports.discoverLine[port] ?? 0);
        ports.peer[port] = noPort;
      }
    }
    if (impossible) ports.keep(node, isPossible);
  }
}

function allPossible({ count, number }: DraftPorts): boolean {
  for (let port = 0; port < count; port += 1) {
    const value = number[port] ?? 0;
    if (!(value >= 0 && value <= limits.portNumber && Number.isInteger(value))) return false;
  }
  return true;
}

/**
 * Makes cables of what the ports say of their peers. A cable that both ends name comes first; one that only one end
 * names is kept when the other end has no other cable; what contradicts is said.
 */
export function joinCables(draft: FabricDraft, remarks: DiagnosticList): Cables {
  const { ports } = draft;
  const { peer, cabled } = ports;
  const cables: Cables = { a: [], b: [] };
  const oneSided: PortDraft[] = [];
  const join = (a: PortDraft, b: PortDraft): void => {
    cabled[a] = 1;
    cabled[b] = 1;
    cables.a.push(a);
    cables.b.push(b);
  };
  for (const node of draft.nodes) {
    for (let port = node.firstPort; port !== noPort; port = ports.following(port)) {
      const far = peer[port] ?? noPort;
      if (far === noPort || cabled[port] === 1) continue;
      if (far === port) {
        remarks.add({
          severity: "warning",
          code: "loopback-plug",
          line: ports.discoverLine[port] ?? 0,
          message: `${name(draft, port)} names itself as its peer: a loopback plug, or a fault of the device. No cable is drawn.`,
        });
      } else if (peer[far] === port && cabled[far] === 0) join(port, far);
      else oneSided.push(port);
    }
  }
  for (const port of oneSided) {
    if (cabled[port] === 1) continue;
    const far = peer[port] ?? noPort;
    const farNode = draft.nodeOfPort(far);
    const farPeer = peer[far] ?? noPort;
    const line = ports.discoverLine[port] ?? 0;
    const claim = `${name(draft, port)} names ${name(draft, far)} as its peer`;
    if (cabled[far] === 1) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line,
        message: `${claim}, but that port is already cabled to another one. The cable is left out; collect again.`,
      });
      continue;
    }
    if (farNode.discovered && farPeer !== noPort) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line,
        message: `${claim}, which names ${name(draft, farPeer)} instead. The fabric changed while it was read, or a GUID stands twice; collect again.`,
      });
    } else if (farNode.discovered && farNode.declaredPorts > 0 && draft.numberOfPort(far) > farNode.declaredPorts) {
      remarks.add({
        severity: "warning",
        code: "ends-disagree",
        line,
        message: `${claim}, but that node has only ${farNode.declaredPorts} ports.`,
      });
    } else if (farNode.discovered && ports.state[far] === 0) {
      remarks.add({
        severity: "warning",
        code: "one-sided-link",
        line,
        message: `${claim}; the other end does not mention it. The output may be cut, or the fabric changed while it was read.`,
      });
    }
    join(port, far);
  }
  return cables;
}
