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

type Written<T> = { -readonly [K in keyof T]: T[K] };
/** A port line without what only its block's header tells. */
export type LinkinfoLine = Omit<LinkinfoPort, "kind" | "line"> & { readonly unknownSpeed: boolean };

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

function externalPort(digits: string | undefined): { readonly external?: number } {
  return digits === undefined || digits === "" ? {} : { external: Number(digits) };
}

/** Places at which a name in quotes is tried to end: a name of 64 bytes cannot hold more. Bounds the work on hostile lines. */
const nameQuotes = 64;

/** Reads a port line of either layout; undefined when it is none, or damaged. */
export function readLinkinfoLine(line: string, pool: TextPool): LinkinfoLine | undefined {
  const guid = match(ownGuid, line, 0);
  const start = guid === null ? 0 : guid[0].length;
  const own = guid === null ? {} : { guid: guid[1] ?? "" };
  if (line.charCodeAt(start) !== 34) return readFrom(line, start, own, pool);
  let quote = line.indexOf('" ', start + 1);
  for (let attempt = 0; attempt < nameQuotes && quote >= 0; attempt += 1, quote = line.indexOf('" ', quote + 1)) {
    const description = line.slice(start + 1, quote);
    const found = readFrom(line, quote + 1, { ...own, description: pool.share(description.trim()) }, pool);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readFrom(
  line: string,
  start: number,
  own: { readonly guid?: string; readonly description?: string },
  pool: TextPool,
): LinkinfoLine | undefined {
  const place = match(ownPlace, line, start);
  if (place === null) return undefined;
  const state = match(link, line, start + place[0].length);
  if (state === null) return undefined;
  const lid = Number(place[1]);
  const number = Number(place[2]);
  if (lid > 0xffff || number > limits.portNumber) return undefined;
  const peer = readPeer(line, start + place[0].length + state[0].length, pool);
  if (peer === undefined) return undefined;
  const guid = own.guid === undefined ? undefined : pool.guid(own.guid);
  const speed = state[2] === undefined ? undefined : speedCodes.get(state[2]);
  const width = state[1] === undefined ? undefined : /^\d+/.exec(state[1])?.[0];
  const port: Written<LinkinfoLine> = {
    ...(guid === undefined ? {} : { guid }),
    ...(own.description === undefined ? {} : { description: own.description }),
    lid,
    number,
    ...externalPort(place[3]),
    ...(state[1] === undefined ? {} : { lanes: Number(width ?? 0), speed: speed ?? 0 }),
    state: stateCode(state[3] ?? ""),
    phys: codeOf(physStates, state[4] ?? ""),
    ...peer,
    unknownSpeed: state[2] !== undefined && speed === undefined,
  };
  return port;
}

type PeerPart = Pick<LinkinfoLine, "peer" | "peerUnavailable" | "couldBeLanes" | "couldBeSpeed">;

function readPeer(line: string, start: number, pool: TextPool): PeerPart | undefined {
  const none = { couldBeLanes: 0, couldBeSpeed: 0 };
  if (match(unavailable, line, start) !== null) return { ...none, peerUnavailable: true };
  if (match(noPeer, line, start) !== null && line.trimEnd().endsWith(")") && line.lastIndexOf('"') < start + 8) return { ...none, peerUnavailable: false };
  const place = match(peerPlace, line, start);
  if (place === null) return undefined;
  const from = start + place[0].length;
  const quote = line.lastIndexOf('"');
  if (quote < from) return undefined;
  const hints = peerTail.exec(line.slice(quote + 1))?.[1];
  const guid = place[1] === undefined ? undefined : pool.guid(place[1]);
  const lid = Number(place[2]);
  const number = Number(place[3]);
  if (hints === undefined || lid > 0xffff || number > limits.portNumber) return undefined;
  return {
    peer: {
      ...(guid === undefined ? {} : { guid }),
      lid,
      number,
      ...externalPort(place[4]),
      description: pool.share(line.slice(from, quote)),
    },
    peerUnavailable: false,
    couldBeLanes: Number(widthHint.exec(hints)?.[1] ?? 0),
    couldBeSpeed: speedCodes.get(speedHint.exec(hints)?.[1] ?? "") ?? 0,
  };
}
