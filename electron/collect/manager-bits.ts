/**
 * Looks for subnet managers without the SA: every port where one runs has the bit IsSM in its capability mask, which
 * `smpquery portinfo` prints. One question a port, so the number is bounded and the likely places come first.
 */
import type { AppError } from "../../shared/errors/kinds.ts";
import { at, nodeKind, nodeName, portsOfNode } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import type { DiscoverPorts } from "../../shared/parse/discover-ports.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import type { DiscoverNode } from "../../shared/parse/records.ts";
import { parseSmpquery } from "../../shared/parse/smpquery.ts";
import type { CommandOutput } from "../run/runner.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { deviceOptions, runTool, type ToolPlace } from "./step.ts";
import { keylessOutput } from "./without-keys.ts";

/** Ports asked at most: some seconds over SSH. */
const portsAsked = 256;
const atOnce = 4;
const timeoutMs = 15_000;

/** Device id of a SHARP aggregation node, which runs no subnet manager. */
const aggregationNode = 0xcf09;

/** Hosts that usually carry a subnet manager. */
const likely = /\b(?:mgmt|mgt|management|head|master|admin|ufm|sm|opensm|service|infra|login)\b|mgmt|ufm|opensm/i;

export interface ManagerBits {
  /** LIDs with the bit. */
  readonly lids: readonly number[];
  /** Ports that were asked, and all there are. */
  readonly asked: number;
  readonly total: number;
  /** What the tools printed, in one text. */
  readonly output?: CaptureOutput;
  readonly toolMissing: boolean;
}

/** LIDs of all end ports of a discovery: likely hosts, then switches, then the other hosts. */
export function managerCandidates(discovery: string): readonly number[] {
  const { nodes, ports } = parseIbnetdiscover(discovery, { file: "" }).records;
  const seen = new Set<number>();
  const places: Place[] = [];
  for (const node of nodes) {
    if (seen.has(node.guid)) continue;
    seen.add(node.guid);
    const lids = node.kind === "switch" ? [node.lid ?? 0] : lidsOf(ports, node);
    const { description, deviceId } = node;
    for (const lid of lids) places.push({ lid, description, deviceId, isSwitch: node.kind === "switch" });
  }
  return inOrder(places);
}

/** LIDs that a node's port lines tell of its own ports, 0 for those that tell none. */
function lidsOf(ports: DiscoverPorts, { firstPort, endPort }: DiscoverNode): readonly number[] {
  const lids: number[] = [];
  for (let row = firstPort; row < endPort; row += 1) lids.push((ports.lmc[row] ?? -1) < 0 ? 0 : (ports.lid[row] ?? 0));
  return lids;
}

/** The same of a fabric that is open. O(nodes + ports). */
export function candidatesOf(fabric: Fabric): readonly number[] {
  const places: Place[] = [];
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    const isSwitch = nodeKind(fabric, node) === "switch";
    const lids = isSwitch
      ? [at(fabric.nodes.lid, node)]
      : portsOfNode(fabric, node).map((port) => at(fabric.ports.lid, port));
    const [description, deviceId] = [nodeName(fabric, node), at(fabric.nodes.deviceId, node)];
    for (const lid of lids) places.push({ lid, description, deviceId, isSwitch });
  }
  return inOrder(places);
}

/** An end port, and what stands behind it. */
interface Place {
  readonly lid: number;
  readonly description: string;
  readonly deviceId: number | undefined;
  readonly isSwitch: boolean;
}

function inOrder(places: readonly Place[]): readonly number[] {
  const rank = new Map<number, number>();
  for (const { lid, description, deviceId, isSwitch } of places) {
    if (deviceId === aggregationNode || lid <= 0 || lid >= 0xc000 || rank.has(lid)) continue;
    rank.set(lid, likely.test(description) ? 0 : isSwitch ? 1 : 2);
  }
  return [...rank].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([lid]) => lid);
}

/** After these no other port answers either. */
const hopeless: ReadonlySet<AppError["kind"]> = new Set(["tool-missing", "no-device", "no-permission", "sudo-refused"]);

/** Asks the ports for the bit, a few at a time. Ends early when the tool cannot work here at all, or on an abort. */
export async function askManagerBits(place: ToolPlace, candidates: readonly number[]): Promise<ManagerBits> {
  const lids: number[] = [];
  const outputs: CommandOutput[] = [];
  let asked = 0;
  let toolMissing = false;
  let ends = false;
  const wanted = candidates.slice(0, portsAsked);
  for (let start = 0; start < wanted.length && !ends && !place.signal.aborted; start += atOnce) {
    const answers = await Promise.all(
      wanted.slice(start, start + atOnce).map(async (lid) => {
        // Port 0 is a switch's own; an adapter answers for the port that was asked.
        const argv = ["smpquery", ...deviceOptions(place.source), "portinfo", String(lid), "0"] as const;
        return { lid, ran: await runTool(place, argv, timeoutMs) };
      }),
    );
    for (const { lid, ran } of answers) {
      if (ran.error?.kind === "tool-missing") toolMissing = true;
      if (ran.error !== undefined && hopeless.has(ran.error.kind)) ends = true;
      const { portInfos } = parseSmpquery(ran.stdout, { file: "" }).records;
      if (ran.output === undefined || portInfos.length === 0) continue;
      asked += 1;
      outputs.push(ran.output);
      if (portInfos.some(({ isSm }) => isSm)) lids.push(lid);
    }
  }
  const first = outputs[0];
  return {
    lids: lids.sort((a, b) => a - b),
    asked,
    total: candidates.length,
    toolMissing,
    ...(first === undefined
      ? {}
      : {
          output: {
            ...keylessOutput("smpquery-portinfo.txt", { ...first, stdout: joined(outputs) }),
            commandLine: "smpquery portinfo LID 0",
          },
        }),
  };
}

function joined(outputs: readonly CommandOutput[]): Uint8Array {
  const all = new Uint8Array(outputs.reduce((sum, { stdout }) => sum + stdout.length, 0));
  let at = 0;
  for (const { stdout } of outputs) {
    all.set(stdout, at);
    at += stdout.length;
  }
  return all;
}
