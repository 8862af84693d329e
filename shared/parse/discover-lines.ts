/**
 * The lines of ibnetdiscover's records. A description is whatever stands between the first quote of its field and the
 * last quote of the line: nothing in it is escaped, and no tail has a quote.
 *
 *   Switch⇥41 "S-<guid>"⇥⇥# "DESC" enhanced port 0 lid 52 lmc 0
 *   Ca⇥1 "H-<guid>"⇥⇥# "DESC"                                        Rt⇥2 "R-<guid>"⇥⇥# "DESC"
 *   [1]⇥"H-<guid>"[1](c42a103000001c1) ⇥⇥# "DESC" lid 54 4xHDR
 *   [1](c42a10300000001) ⇥"S-<guid>"[1]⇥⇥# lid 5 lmc 0 "DESC" lid 3 4xHDR
 *
 * White space is free: other writers have spaces for tabs, terminal logs lose tabs altogether.
 */
import { limits } from "../base/limits.ts";
import { speedCode } from "../fabric/rates.ts";
import type { PortLine } from "./discover-ports.ts";
import { type RecordKind, recordKinds } from "./records.ts";
import type { TextPool } from "./text-pool.ts";

export interface NodeHeader {
  readonly kind: RecordKind;
  /** Number in the text's table of GUIDs. */
  readonly guid: number;
  readonly declaredPorts: number;
  readonly description: string;
  readonly lid: number | undefined;
  readonly lmc: number | undefined;
  readonly enhancedPort0: boolean | undefined;
  readonly chassis: string | undefined;
}

const kindOfLetter: Readonly<Record<string, RecordKind>> = { S: "switch", H: "ca", R: "router" };
const kindOfWord: Readonly<Record<string, RecordKind>> = { Switch: "switch", Ca: "ca", Rt: "router" };

const headerHead = /^(Switch|Ca|Rt)\s*(\d{1,5})\s*"([SHR])-([0-9a-fA-F]{1,16})"\s*(?:#\s*")?/;
const headerTail = /^\s*(?:(base|enhanced|smart) )?port 0 lid (\d{1,5})(?: lmc (\d))?(?!\d)/;
const chassisRemark = /(?:#\s*)?(Chassis .*|Line .*|Spine .*)$/;

/** Reads the line that begins a node; undefined when it is damaged. */
export function readNodeHeader(line: string, pool: TextPool): NodeHeader | undefined {
  const head = headerHead.exec(line);
  if (head === null) return undefined;
  const kind = kindOfWord[head[1] ?? ""];
  const declaredPorts = Number(head[2]);
  if (kind === undefined || kindOfLetter[head[3] ?? ""] !== kind || declaredPorts > limits.portNumber) return undefined;
  const guid = pool.guidNumber(head[4] ?? "");
  const rest = line.slice(head[0].length);
  const facts = { lid: undefined, lmc: undefined, enhancedPort0: undefined, chassis: undefined };
  // No description at all: net files leave it out.
  if (!head[0].endsWith('"') || !head[0].includes("#"))
    return rest.trim() === "" ? { kind, guid, declaredPorts, description: "", ...facts } : undefined;
  const quote = rest.lastIndexOf('"');
  if (quote < 0) return undefined;
  const description = pool.share(rest.slice(0, quote));
  const tail = rest.slice(quote + 1);
  const end = headerTail.exec(tail);
  const remark = chassisRemark.exec(tail)?.[1]?.trim();
  const chassis = remark === undefined ? undefined : pool.share(remark);
  if (end === null) return { kind, guid, declaredPorts, description, ...facts, chassis };
  const lid = Number(end[2]);
  if (lid > 0xffff) return undefined;
  const lmc = Number(end[3] ?? 0);
  const enhancedPort0 = end[1] === undefined ? undefined : end[1] !== "base";
  return { kind, guid, declaredPorts, description, lid, lmc, enhancedPort0, chassis };
}

const portHead =
  /^\[(\d{1,3})\](?:\[ext (\d{1,5})\])?\s*(?:\(([0-9a-fA-F]{1,16})\)\s*)?"([SHR])-([0-9a-fA-F]{16})"\[(\d{1,3})\](?:\[ext (\d{1,5})\])?\s*(?:\(([0-9a-fA-F]{1,16})\)\s*)?#\s*(?:lid (\d{1,5}) lmc (\d) )?"/;
const portTail = /^\s*lid (\d{1,5}) (?:(\d{1,2})x|\?\?)(?:([A-Z]DR\d{0,3})|\?\?\?)(?=\s|$)/;

/**
 * Reads a port line into `port`; false when it is damaged or cut.
 * @param ownGuids false for texts whose value in parentheses is no port GUID (ibdiagnet's file repeats the number).
 */
export function readPortLine(line: string, number: number, ownGuids: boolean, pool: TextPool, port: PortLine): boolean {
  const head = portHead.exec(line);
  if (head === null) return false;
  const start = head[0].length;
  const quote = line.lastIndexOf('"');
  if (quote < start) return false;
  const tail = portTail.exec(line.slice(quote + 1));
  if (tail === null) return false;
  const peerKind = kindOfLetter[head[4] ?? ""];
  const own = Number(head[1]);
  const peerPort = Number(head[6]);
  const peerLid = Number(tail[1]);
  const lid = head[9] === undefined ? -1 : Number(head[9]);
  if (peerKind === undefined) return false;
  if (own > limits.portNumber || peerPort > limits.portNumber || peerLid > 0xffff || lid > 0xffff) return false;
  port.number = own;
  port.peerKind = recordKinds.indexOf(peerKind);
  port.peerGuid = pool.guidNumber(head[5] ?? "");
  port.peerPort = peerPort;
  port.peerDescription = pool.share(line.slice(start, quote));
  port.peerLid = peerLid;
  port.lanes = tail[2] === undefined ? 0 : Number(tail[2]);
  port.speed = tail[3] === undefined ? 0 : speedCode(tail[3]);
  port.line = number;
  port.guid = ownGuids && head[3] !== undefined && head[3].length > 3 ? pool.guidNumber(head[3]) : -1;
  port.peerPortGuid = head[8] === undefined || head[8].length <= 3 ? -1 : pool.guidNumber(head[8]);
  port.external = head[2] === undefined ? -1 : Number(head[2]);
  port.peerExternal = head[7] === undefined ? -1 : Number(head[7]);
  port.lid = lid;
  port.lmc = lid < 0 ? -1 : Number(head[10]);
  return true;
}

/** Sentence about a port line that cannot be read. */
export function whyMalformed(line: string): string {
  const numbers = [/^\[(\d+)\]/.exec(line)?.[1], /"\[(\d+)\]/.exec(line)?.[1]];
  const beyond = numbers.find((text) => text !== undefined && Number(text) > limits.portNumber);
  return beyond === undefined
    ? "A port line is damaged and was left out."
    : `A port has the number ${beyond}; the highest of InfiniBand is ${limits.portNumber}. The line was left out.`;
}
