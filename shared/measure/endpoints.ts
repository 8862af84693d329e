/** Adapter ports that can take part in a measurement, and how well they suit. */
import { healths, type Analysis } from "../analyse/results.ts";
import {
  at,
  hostName,
  hostOfNode,
  linkGbps,
  linkIsActive,
  nodeDescription,
  nodeGuid,
  portGuid,
} from "../fabric/access.ts";
import { type Fabric, nodeKinds, none } from "../fabric/model.ts";
import type { Endpoint } from "./types.ts";

/** The part of an analysis that planning reads. */
export type HealthColumns = Pick<Analysis, "linkHealth" | "nodeHealth">;

/** An adapter port cabled to a switch, with an active link and a LID. */
export interface Attachment {
  readonly host: number;
  /** String id of the host's name: machines that share one cannot be told apart by who logs in. */
  readonly name: number;
  readonly node: number;
  /** Port index. */
  readonly port: number;
  readonly link: number;
  /** Switch at the other end of the cable. */
  readonly leaf: number;
  readonly gbps: number;
  /** A subnet manager runs on this host: loading it is a last resort. */
  readonly manager: boolean;
  /** Worst health code of adapter and cable (analyse/results.ts). */
  readonly health: number;
}

const hcaCode = nodeKinds.indexOf("hca");
const switchCode = nodeKinds.indexOf("switch");
const warning = healths.indexOf("warning");
const error = healths.indexOf("error");

/** True when a finding of at least a warning is on the adapter or its cable. */
export function hasFinding(attachment: Attachment): boolean {
  return attachment.health >= warning;
}

/**
 * How well a port suits as a partner for a link of `gbps`: 0 suits, 1 would cap or colour the result (slower cable,
 * error), 2 hosts a subnet manager.
 */
export function unsuitability(attachment: Attachment, gbps: number): 0 | 1 | 2 {
  if (attachment.manager) return 2;
  const slower = gbps > 0 && attachment.gbps > 0 && attachment.gbps < gbps;
  return slower || attachment.health >= error ? 1 : 0;
}

/** Hosts on which a subnet manager runs (any that answers, standby included). */
function managerHosts(fabric: Fabric): ReadonlySet<number> {
  const hosts = new Set<number>();
  for (const manager of fabric.subnetManagers) {
    if (manager.node === undefined || manager.state === "NOTACTIVE") continue;
    const host = hostOfNode(fabric, manager.node);
    if (host !== undefined) hosts.add(host);
  }
  return hosts;
}

/** Adapter port at an end of a link, when it belongs to a host. */
function attachmentOf(
  fabric: Fabric,
  analysis: HealthColumns,
  managers: ReadonlySet<number>,
  adapterPort: number,
  switchPort: number,
): Attachment | undefined {
  const node = at(fabric.ports.node, adapterPort);
  const host = hostOfNode(fabric, node);
  const link = at(fabric.ports.link, adapterPort);
  if (host === undefined || link === none) return undefined;
  return {
    host,
    name: at(fabric.hosts.name, host),
    node,
    port: adapterPort,
    link,
    leaf: at(fabric.ports.node, switchPort),
    gbps: linkGbps(fabric, link),
    manager: managers.has(host),
    health: Math.max(analysis.linkHealth[link] ?? 0, analysis.nodeHealth[node] ?? 0),
  };
}

/** All adapter ports from which something can be measured. O(links). */
export function usableAttachments(fabric: Fabric, analysis: HealthColumns): readonly Attachment[] {
  const { nodes, ports, links } = fabric;
  const managers = managerHosts(fabric);
  const usable: Attachment[] = [];
  // Columns are read without the bounds check of `at`: this runs for every click and over every cable.
  for (let link = 0; link < links.count; link += 1) {
    // A host is always end B; end A is then a switch, or another adapter when two are cabled back to back.
    const switchPort = links.a[link] ?? 0;
    const adapterPort = links.b[link] ?? 0;
    if (nodes.kind[ports.node[adapterPort] ?? 0] !== hcaCode) continue;
    if (nodes.kind[ports.node[switchPort] ?? 0] !== switchCode) continue;
    if (ports.lid[adapterPort] === 0 || !linkIsActive(fabric, link)) continue;
    const attachment = attachmentOf(fabric, analysis, managers, adapterPort, switchPort);
    if (attachment !== undefined) usable.push(attachment);
  }
  return usable;
}

/**
 * Names that drivers and udev give to verbs devices: `mlx5_0`, `mlx4_0`, `hfi1_0`, `qib0`, `mthca0`, `rxe0`,
 * `bnxt_re0`, `irdma0`, `ibp65s0`, `rocep1s0f0`.
 */
const deviceName = /^(?:mlx[45]_\w+|hfi\d_\d+|qib\d+|mthca\d+|rxe\w*|siw\w*|bnxt_re\w*|irdma\w*|(?:ib|roce)p?\d*s\w+)$/;

/** Verbs device that a node description names (`n018 mlx5_0`); undefined when it names none. */
function deviceHintOf(description: string): string | undefined {
  return description
    .split(/\s+/)
    .slice(1)
    .find((word) => deviceName.test(word));
}

/** One side of a plan. */
export function endpointOf(fabric: Fabric, attachment: Pick<Attachment, "host" | "node" | "port">): Endpoint {
  const deviceHint = deviceHintOf(nodeDescription(fabric, attachment.node));
  return {
    host: hostName(fabric, attachment.host),
    nodeGuid: nodeGuid(fabric, attachment.node),
    node: attachment.node,
    port: at(fabric.ports.number, attachment.port),
    portGuid: portGuid(fabric, attachment.port),
    lid: at(fabric.ports.lid, attachment.port),
    ...(deviceHint === undefined ? {} : { deviceHint }),
  };
}
