/**
 * The port lines of iblinkinfo.
 *
 *   default   6 spaces, for CA and router ports `0x<port GUID> `, then LID PORT[EXT] ==(LINK)==> PEER
 *   --line    `0x<GUID> "NAME" ` LID PORT[EXT] ==(LINK)==> PEER; NAME is right-aligned in 30 columns
 *   LINK      [WIDTH SPEED] STATE/PHYS, then after the parenthesis perhaps ` (HOQ:n VL_Stall:n)`
 *   PEER      `"Port not available"`, or `[  ] "" ( )`, or [0x<GUID>] LID PORT[EXT] "DESC" (HINTS)
 *
 * Perl's version (OFED 1.4 and older) has ` / ` in the state and two spaces before `==`. Nothing is escaped: in --line
 * mode the own name ends where the rest of the line is a whole link and peer; the peer's name at the line's last quote.
 */
import { limits } from "../base/limits.ts";
import { physStates, portStates } from "../fabric/model.ts";
import type { LinkinfoPort } from "./records.ts";
import type { TextPool } from "./text-pool.ts";

/** A port line before its block's header adds what only that tells: kind, GUID and description are still open. */
export type LinkinfoLine = { -readonly [K in keyof LinkinfoPort]: LinkinfoPort[K] };
type Peer = { -readonly [K in keyof NonNullable<LinkinfoPort["peer"]>]: NonNullable<LinkinfoPort["peer"]>[K] };

const ownGuid = /\s*(0x[0-9a-fA-F]{1,16}) +/y;
const ownPlace = /\s*(\d{1,5}) +(\d{1,3})\[ *(\d{0,3}) *\] +==\(/y;
const link =
  / *(?:(\d{1,2}X|undefined \(\d{1,3}\)) +(\d[\d.]{0,9} Gbps(?: \(FDR10\))?|undefined \(\d{1,5}\)|No Extended Speed|Extended speed) *)?([A-Za-z]+|\?\(\d{1,3}\)) *\/ *([A-Za-z]+|\?\(\d{1,3}\))\)(?: \(HOQ:\d{1,5} VL_Stall:\d{1,5}\))?==> */y;
const unavailable = /"Port not available"\s*$/y;
const noPeer = /\[ *\] "" \(/y;
const peerPlace = /(?:(0x[0-9a-fA-F]{1,16}) +)?(\d{1,5}) +(\d{1,3})\[ *(\d{0,3}) *\] "/y;
const peerTail = /^ \((.*)\)\s*$/;
const widthHint = /Could be (\d{1,2})X/;
const speedHint = /Could be (FDR10|\d[\d.]{0,9} Gbps)/;

/** Speed code by iblinkinfo's text of one lane's signalling rate. */
const speedCodes = new Map<string, number>([
  ["2.5 Gbps", 1],
  ["5.0 Gbps", 2],
  ["10.0 Gbps", 3],
  ["10.0 Gbps (FDR10)", 4],
  ["FDR10", 4],
  ["14.0625 Gbps", 5],
  ["25.78125 Gbps", 6],
  ["53.125 Gbps", 7],
  ["106.25 Gbps", 8],
  ["212.5 Gbps", 9],
]);

function match(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function codeOf(names: readonly string[], name: string): number {
  const code = names.indexOf(name);
  return code < 0 ? 0 : code;
}

function stateCode(name: string): number {
  return name === "Init" ? codeOf(portStates, "Initialize") : codeOf(portStates, name);
}

/** Places at which a name in quotes is tried to end: a name of 64 bytes cannot hold more. Bounds the work on hostile lines. */
const nameQuotes = 64;

/**
 * Reads a port line of either layout; undefined when it is none, or damaged. `speed` is 0 when one is printed that has
 * no known name. Objects are filled field by field: spreads cost more here than all the matching.
 */
export function readLinkinfoLine(line: string, number: number, pool: TextPool): LinkinfoLine | undefined {
  const guid = match(ownGuid, line, 0);
  const start = guid === null ? 0 : guid[0].length;
  let port: LinkinfoLine | undefined;
  if (line.charCodeAt(start) !== 34) port = readFrom(line, start, number, pool);
  else {
    let quote = line.indexOf('" ', start + 1);
    for (let attempt = 0; attempt < nameQuotes && quote >= 0; attempt += 1, quote = line.indexOf('" ', quote + 1)) {
      port = readFrom(line, quote + 1, number, pool);
      if (port === undefined) continue;
      port.description = pool.share(line.slice(start + 1, quote).trim());
      break;
    }
  }
  const own = port === undefined || guid === null ? undefined : pool.guid(guid[1] ?? "");
  if (port !== undefined && own !== undefined) port.guid = own;
  return port;
}

function readFrom(line: string, start: number, number: number, pool: TextPool): LinkinfoLine | undefined {
  const place = match(ownPlace, line, start);
  if (place === null) return undefined;
  const afterPlace = start + place[0].length;
  const state = match(link, line, afterPlace);
  if (state === null) return undefined;
  const port: LinkinfoLine = {
    kind: "unknown",
    lid: Number(place[1]),
    number: Number(place[2]),
    state: stateCode(state[3] ?? ""),
    phys: codeOf(physStates, state[4] ?? ""),
    peerUnavailable: false,
    couldBeLanes: 0,
    couldBeSpeed: 0,
    line: number,
  };
  if (port.lid > 0xffff || port.number > limits.portNumber) return undefined;
  if (place[3] !== undefined && place[3] !== "") port.external = Number(place[3]);
  const width = state[1];
  if (width !== undefined) {
    port.lanes = width.endsWith("X") ? Number(width.slice(0, -1)) : 0;
    port.speed = speedCodes.get(state[2] ?? "") ?? 0;
  }
  return readPeer(line, afterPlace + state[0].length, port, pool) ? port : undefined;
}

/** Adds the peer's part to `port`; false when it is damaged. */
function readPeer(line: string, start: number, port: LinkinfoLine, pool: TextPool): boolean {
  const first = line.charCodeAt(start);
  if (first === 34 && match(unavailable, line, start) !== null) {
    port.peerUnavailable = true;
    return true;
  }
  const quote = line.lastIndexOf('"');
  if (first === 91 && match(noPeer, line, start) !== null) return line.trimEnd().endsWith(")") && quote < start + 8;
  const place = match(peerPlace, line, start);
  if (place === null) return false;
  const from = start + place[0].length;
  if (quote < from) return false;
  const peer: Peer = {
    lid: Number(place[2]),
    number: Number(place[3]),
    description: pool.share(line.slice(from, quote)),
  };
  const guid = place[1] === undefined ? undefined : pool.guid(place[1]);
  if (guid !== undefined) peer.guid = guid;
  if (place[4] !== undefined && place[4] !== "") peer.external = Number(place[4]);
  if (peer.lid > 0xffff || peer.number > limits.portNumber) return false;
  port.peer = peer;
  const tail = line.slice(quote + 1);
  if (tail === " ( )") return true;
  const hints = peerTail.exec(tail)?.[1];
  if (hints === undefined) return false;
  port.couldBeLanes = Number(widthHint.exec(hints)?.[1] ?? 0);
  port.couldBeSpeed = speedCodes.get(speedHint.exec(hints)?.[1] ?? "") ?? 0;
  return true;
}
