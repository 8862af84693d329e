/**
 * The lines of ibnetdiscover's records exactly as the tool of today prints them, which is nearly all lines of nearly all
 * texts, read by character codes. Whatever is odd in any way — another spelling, a chassis remark, an unknown speed,
 * damage — is left to the regular expressions of discover-lines.ts; what is read here they read to the same records.
 */
import { limits } from "../base/limits.ts";
import { speedCode } from "../fabric/rates.ts";
import type { DiscoverDump } from "./discover-dump.ts";
import type { NodeHeader } from "./discover-lines.ts";
import type { PortLine } from "./discover-ports.ts";
import type { LineCursor } from "./line-cursor.ts";
import { recordKinds } from "./records.ts";
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
const openBracket = 91;
const closeBracket = 93;
const letterL = 108;
const letterX = 120;

/** By character code: the code of the speed that begins with this letter and ends in DR (not FDR10), 0 for none. */
const speedOfLetter = new Uint8Array(128);
for (const letter of "SDQFEHNX") speedOfLetter[letter.charCodeAt(0)] = speedCode(`${letter}DR`);

/** Code in {@link recordKinds}, -1 for none. */
function kindOfLetter(letter: number): number {
  return letter === 83 ? 0 : letter === 72 ? 1 : letter === 82 ? 2 : -1;
}

/** Place of the last quote of a line, looked for from its end; -1 when there is none from here on. */
function lastQuote({ text, at: start, end }: LineCursor): number {
  let at = end - 1;
  while (at >= start && text.charCodeAt(at) !== quote) at -= 1;
  return at < start ? -1 : at;
}

/** Reads `(<hex>)`: the GUID's number, -1 for a value of up to three digits (which is no GUID), -2 when it is damaged. */
function guidInParentheses(cursor: LineCursor, pool: TextPool): number {
  const digits = cursor.hex();
  if (digits === 0 || digits > 16) return -2;
  const number = digits > 3 ? pool.guids.add(cursor.high, cursor.low) : -1;
  return cursor.take(closeParenthesis) ? number : -2;
}

/**
 * Reads a port line from its second character on into `port`; false when it is not a usual one.
 * @param ownGuids as for readPortLine.
 */
export function readUsualPortLine(
  cursor: LineCursor,
  number: number,
  ownGuids: boolean,
  pool: TextPool,
  port: PortLine,
): boolean {
  const own = cursor.decimal(3);
  if (own < 0 || !cursor.take(closeBracket)) return false;
  cursor.skipSpace();
  let ownGuid = -1;
  if (cursor.take(openParenthesis)) {
    ownGuid = guidInParentheses(cursor, pool);
    cursor.skipSpace();
  }
  if (ownGuid === -2 || !cursor.take(quote)) return false;
  const peerKind = kindOfLetter(cursor.peek());
  cursor.at += 1;
  if (peerKind < 0 || !cursor.take(dash) || cursor.hex() !== 16) return false;
  const peer = pool.guids.add(cursor.high, cursor.low);
  if (!cursor.take(quote) || !cursor.take(openBracket)) return false;
  const peerPort = cursor.decimal(3);
  if (peerPort < 0 || !cursor.take(closeBracket)) return false;
  cursor.skipSpace();
  let peerPortGuid = -1;
  if (cursor.take(openParenthesis)) {
    peerPortGuid = guidInParentheses(cursor, pool);
    cursor.skipSpace();
  }
  if (peerPortGuid === -2 || !cursor.take(hash)) return false;
  cursor.skipSpace();
  let lid = -1;
  let lmc = -1;
  if (cursor.peek() === letterL) {
    if (!cursor.takeText("lid ")) return false;
    lid = cursor.decimal(5);
    if (!cursor.takeText(" lmc ")) return false;
    lmc = cursor.decimal(1);
    if (lid < 0 || lmc < 0 || !cursor.take(space)) return false;
  }
  if (!cursor.take(quote)) return false;
  const nameStart = cursor.at;
  const nameEnd = lastQuote(cursor);
  if (nameEnd < 0) return false;
  cursor.at = nameEnd + 1;
  if (!cursor.takeText(" lid ")) return false;
  const peerLid = cursor.decimal(5);
  if (peerLid < 0 || !cursor.take(space)) return false;
  const lanes = cursor.decimal(2);
  if (lanes < 0 || !cursor.take(letterX)) return false;
  const speed = speedOfLetter[cursor.peek()] ?? 0;
  cursor.at += 1;
  if (speed === 0 || !cursor.take(letterD) || !cursor.take(letterR)) return false;
  if (!cursor.isAtEnd() && cursor.peek() !== space && cursor.peek() !== tab) return false;
  if (own > limits.portNumber || peerPort > limits.portNumber || peerLid > 0xffff || lid > 0xffff) return false;
  port.number = own;
  port.peerKind = peerKind;
  port.peerGuid = peer;
  port.peerPort = peerPort;
  port.peerDescription = pool.nameOf(peer, cursor.text, nameStart, nameEnd);
  port.peerLid = peerLid;
  port.lanes = lanes;
  port.speed = speed;
  port.line = number;
  port.guid = ownGuids ? ownGuid : -1;
  port.peerPortGuid = peerPortGuid;
  port.external = -1;
  port.peerExternal = -1;
  port.lid = lid;
  port.lmc = lmc;
  return true;
}

/** Reads the line that begins a node; undefined when it is not a usual one. */
export function readUsualNodeHeader(cursor: LineCursor, pool: TextPool): NodeHeader | undefined {
  const kind: number = cursor.takeText("Switch") ? 0 : cursor.takeText("Ca") ? 1 : cursor.takeText("Rt") ? 2 : -1;
  const name = recordKinds[kind];
  if (name === undefined) return undefined;
  cursor.skipSpace();
  const declaredPorts = cursor.decimal(5);
  cursor.skipSpace();
  if (declaredPorts < 0 || declaredPorts > limits.portNumber || !cursor.take(quote)) return undefined;
  const letter = kindOfLetter(cursor.peek());
  cursor.at += 1;
  if (letter !== kind || !cursor.take(dash) || cursor.hex() !== 16) return undefined;
  const guid = pool.guids.add(cursor.high, cursor.low);
  if (!cursor.take(quote)) return undefined;
  cursor.skipSpace();
  if (!cursor.take(hash)) return undefined;
  cursor.skipSpace();
  if (!cursor.take(quote)) return undefined;
  const nameStart = cursor.at;
  const nameEnd = lastQuote(cursor);
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
  const description = pool.nameOf(guid, cursor.text, nameStart, nameEnd);
  return { kind: name, guid, declaredPorts, description, lid, lmc, enhancedPort0, chassis: undefined };
}

/** Text in front of the value, by the first two letters of the line. */
function assignmentOf({ text, at }: LineCursor): string {
  switch (text.charCodeAt(at)) {
    case 118:
      return "vendid=0x";
    case 100:
      return "devid=0x";
    case 115:
      return text.charCodeAt(at + 1) === 121 ? "sysimgguid=0x" : "switchguid=0x";
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
export function readUsualAssignment(cursor: LineCursor, dump: DiscoverDump, pool: TextPool): boolean {
  const key = assignmentOf(cursor);
  if (!cursor.takeText(key)) return false;
  const digits = cursor.hex();
  if (digits === 0 || digits > 16) return false;
  if (key === "vendid=0x" || key === "devid=0x") {
    if (!cursor.isAtEnd()) return false;
    if (key === "vendid=0x") dump.beginPreamble().vendorId = cursor.low >>> 0;
    else dump.beginPreamble().deviceId = cursor.low >>> 0;
    return true;
  }
  const { high, low } = cursor;
  if (key === "sysimgguid=0x") {
    if (!cursor.isAtEnd()) return false;
    dump.beginPreamble().systemGuid = pool.guids.add(high, low);
    return true;
  }
  let portGuid = -1;
  if (cursor.take(openParenthesis)) {
    const portDigits = cursor.hex();
    if (portDigits === 0 || portDigits > 16) return false;
    if (!cursor.take(closeParenthesis)) return false;
    portGuid = pool.guids.add(cursor.high, cursor.low);
  }
  if (!cursor.isAtEnd()) return false;
  const preamble = dump.beginPreamble();
  preamble.kind = key === "switchguid=0x" ? "switch" : key === "caguid=0x" ? "ca" : "router";
  preamble.guid = pool.guids.add(high, low);
  if (portGuid >= 0) preamble.portGuid = portGuid;
  return true;
}
