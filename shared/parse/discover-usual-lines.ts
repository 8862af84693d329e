/**
 * The lines of ibnetdiscover's records exactly as the tool of today prints them, which is nearly all lines of nearly all
 * texts, read by character codes. Whatever is odd in any way — another spelling, a chassis remark, an unknown speed,
 * damage — is left to the regular expressions of discover-lines.ts; what is read here they read to the same records.
 */
import type { Guid } from "../base/guid.ts";
import { limits } from "../base/limits.ts";
import { speedCode } from "../fabric/rates.ts";
import type { DiscoverDump } from "./discover-dump.ts";
import type { NodeHeader } from "./discover-lines.ts";
import type { LineCursor } from "./line-cursor.ts";
import type { DiscoverPort, RecordKind } from "./records.ts";
import type { TextPool } from "./text-pool.ts";

const space = 32;
const tab = 9;
const quote = 34;
const hash = 35;
const openParenthesis = 40;
const closeParenthesis = 41;
const dash = 45;
const letterD = 68;
const letterR = 82;
const closeBracket = 93;
const letterL = 108;
const letterX = 120;

/** Codes of the speeds that end in DR (not FDR10), by the character code of their first letter. */
const speedOfLetter = new Map(Array.from("SDQFEHNX", (letter) => [letter.charCodeAt(0), speedCode(`${letter}DR`)]));

function kindOfLetter(letter: number): RecordKind | undefined {
  return letter === 83 ? "switch" : letter === 72 ? "ca" : letter === 82 ? "router" : undefined;
}

/** Place of the last quote of a line, looked for from its end; -1 when there is none from `start` on. */
function lastQuote(line: string, start: number): number {
  let at = line.length - 1;
  while (at >= start && line.charCodeAt(at) !== quote) at -= 1;
  return at < start ? -1 : at;
}

/** Reads `(<hex>)`: the GUID's number, -1 for a value of up to three digits (which is no GUID), -2 when it is damaged. */
function guidInParentheses(cursor: LineCursor, pool: TextPool): number {
  const digits = cursor.hex();
  if (digits === 0 || digits > 16) return -2;
  const number = digits > 3 ? pool.guidNumber(cursor) : -1;
  if (digits > 3 && number < 0) return -2;
  return cursor.take(closeParenthesis) ? number : -2;
}

/**
 * Reads a port line; undefined when it is not a usual one.
 * @param ownGuids as for readPortLine.
 */
export function readUsualPortLine(
  cursor: LineCursor,
  line: string,
  number: number,
  ownGuids: boolean,
  pool: TextPool,
): DiscoverPort | undefined {
  cursor.begin(line, 1);
  const port = cursor.decimal(3);
  if (port < 0 || !cursor.take(closeBracket)) return undefined;
  cursor.skipSpace();
  let own = -1;
  if (cursor.take(openParenthesis)) {
    own = guidInParentheses(cursor, pool);
    cursor.skipSpace();
  }
  if (own === -2 || !cursor.take(quote)) return undefined;
  const peerKind = kindOfLetter(cursor.peek());
  cursor.at += 1;
  if (peerKind === undefined || !cursor.take(dash) || cursor.hex() !== 16) return undefined;
  const peer = pool.guidNumber(cursor);
  if (peer < 0 || !cursor.takeText('"[')) return undefined;
  const peerPort = cursor.decimal(3);
  if (peerPort < 0 || !cursor.take(closeBracket)) return undefined;
  cursor.skipSpace();
  let peerPortGuid = -1;
  if (cursor.take(openParenthesis)) {
    peerPortGuid = guidInParentheses(cursor, pool);
    cursor.skipSpace();
  }
  if (peerPortGuid === -2 || !cursor.take(hash)) return undefined;
  cursor.skipSpace();
  let lid: number | undefined;
  let lmc: number | undefined;
  if (cursor.peek() === letterL) {
    if (!cursor.takeText("lid ")) return undefined;
    lid = cursor.decimal(5);
    if (!cursor.takeText(" lmc ")) return undefined;
    lmc = cursor.decimal(1);
    if (lid < 0 || lmc < 0 || !cursor.take(space)) return undefined;
  }
  if (!cursor.take(quote)) return undefined;
  const nameStart = cursor.at;
  const nameEnd = lastQuote(line, nameStart);
  if (nameEnd < 0) return undefined;
  cursor.at = nameEnd + 1;
  if (!cursor.takeText(" lid ")) return undefined;
  const peerLid = cursor.decimal(5);
  if (peerLid < 0 || !cursor.take(space)) return undefined;
  const lanes = cursor.decimal(2);
  if (lanes < 0 || !cursor.take(letterX)) return undefined;
  const speed = speedOfLetter.get(cursor.peek());
  cursor.at += 1;
  if (speed === undefined || !cursor.take(letterD) || !cursor.take(letterR)) return undefined;
  if (!cursor.isAtEnd() && cursor.peek() !== space && cursor.peek() !== tab) return undefined;
  if (port > limits.portNumber || peerPort > limits.portNumber || peerLid > 0xffff || (lid ?? 0) > 0xffff)
    return undefined;
  const peerGuid = pool.guidOf(peer);
  if (peerGuid === undefined) return undefined;
  return {
    number: port,
    peerKind,
    peerGuid,
    peerPort,
    peerDescription: pool.nameOf(peer, line, nameStart, nameEnd),
    peerLid,
    lanes,
    speed,
    line: number,
    guid: ownGuids ? pool.guidOf(own) : undefined,
    peerPortGuid: pool.guidOf(peerPortGuid),
    external: undefined,
    peerExternal: undefined,
    lid,
    lmc,
  };
}

/** Reads the line that begins a node; undefined when it is not a usual one. */
export function readUsualNodeHeader(cursor: LineCursor, line: string, pool: TextPool): NodeHeader | undefined {
  cursor.begin(line, 0);
  const kind = cursor.takeText("Switch")
    ? "switch"
    : cursor.takeText("Ca")
      ? "ca"
      : cursor.takeText("Rt")
        ? "router"
        : undefined;
  if (kind === undefined) return undefined;
  cursor.skipSpace();
  const declaredPorts = cursor.decimal(5);
  cursor.skipSpace();
  if (declaredPorts < 0 || declaredPorts > limits.portNumber || !cursor.take(quote)) return undefined;
  const letter = kindOfLetter(cursor.peek());
  cursor.at += 1;
  if (letter !== kind || !cursor.take(dash) || cursor.hex() !== 16) return undefined;
  const number = pool.guidNumber(cursor);
  if (!cursor.take(quote)) return undefined;
  cursor.skipSpace();
  if (!cursor.take(hash)) return undefined;
  cursor.skipSpace();
  const guid = pool.guidOf(number);
  if (guid === undefined || !cursor.take(quote)) return undefined;
  const nameStart = cursor.at;
  const nameEnd = lastQuote(line, nameStart);
  if (nameEnd < 0) return undefined;
  cursor.at = nameEnd + 1;
  let lid: number | undefined;
  let lmc: number | undefined;
  let enhancedPort0: boolean | undefined;
  if (!cursor.isAtEnd()) {
    enhancedPort0 = cursor.takeText(" enhanced port 0 lid ");
    if (!enhancedPort0 && !cursor.takeText(" base port 0 lid ")) return undefined;
    lid = cursor.decimal(5);
    if (lid < 0 || lid > 0xffff || !cursor.takeText(" lmc ")) return undefined;
    lmc = cursor.decimal(1);
    if (lmc < 0 || !cursor.isAtEnd()) return undefined;
  }
  const description = pool.nameOf(number, line, nameStart, nameEnd);
  return { kind, guid, declaredPorts, description, lid, lmc, enhancedPort0, chassis: undefined };
}

/** Text in front of the value, by the first two letters of the line. */
function assignmentOf(line: string): string {
  switch (line.charCodeAt(0)) {
    case 118:
      return "vendid=0x";
    case 100:
      return "devid=0x";
    case 115:
      return line.charCodeAt(1) === 121 ? "sysimgguid=0x" : "switchguid=0x";
    case 99:
      return "caguid=0x";
    default:
      return "rtguid=0x";
  }
}

/**
 * Reads a line `key=0x<hex>` or `key=0x<hex>(<hex>)` into what the dump knows of its next node; false, and nothing is
 * taken, when it is not a usual one.
 */
export function readUsualAssignment(cursor: LineCursor, line: string, dump: DiscoverDump, pool: TextPool): boolean {
  const key = assignmentOf(line);
  cursor.begin(line, 0);
  if (!cursor.takeText(key)) return false;
  const digits = cursor.hex();
  if (digits === 0 || digits > 16) return false;
  if (key === "vendid=0x" || key === "devid=0x") {
    if (!cursor.isAtEnd()) return false;
    if (key === "vendid=0x") dump.beginPreamble().vendorId = cursor.low >>> 0;
    else dump.beginPreamble().deviceId = cursor.low >>> 0;
    return true;
  }
  const guid = pool.guidOf(pool.guidNumber(cursor));
  if (guid === undefined) return false;
  if (key === "sysimgguid=0x") {
    if (!cursor.isAtEnd()) return false;
    dump.beginPreamble().systemGuid = guid;
    return true;
  }
  let portGuid: Guid | undefined;
  if (cursor.take(openParenthesis)) {
    const portDigits = cursor.hex();
    if (portDigits === 0 || portDigits > 16) return false;
    portGuid = pool.guidOf(pool.guidNumber(cursor));
    if (portGuid === undefined || !cursor.take(closeParenthesis)) return false;
  }
  if (!cursor.isAtEnd()) return false;
  const preamble = dump.beginPreamble();
  preamble.kind = key === "switchguid=0x" ? "switch" : key === "caguid=0x" ? "ca" : "router";
  preamble.guid = guid;
  if (portGuid !== undefined) preamble.portGuid = portGuid;
  return true;
}
