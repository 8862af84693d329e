/**
 * One entry of a forwarding table, in the spellings of all tools, read in place: tables have millions of lines.
 *
 *   0x0001 012 : (Channel Adapter portguid 0x0c42a10300000201: 'DESC')     dump_fts, ibroute
 *   0x0001 012                                                             the same with -n
 *   0x0005 255 : (illegal port)                                            the same with -a: no route
 *   0x0001 002 # Channel Adapter portguid 0x0c42a10300000201: 'DESC'       opensm-lfts.dump
 *   0x0001 : 002  : 02   : yes                                             opensm.fdbs
 *   0x0001 : UNREACHABLE                                                   the same: no route
 */
import { noRoute, notTold } from "../fabric/lfts.ts";

const space = 32;
const colon = 58;
const zero = 48;

/** Value of a hex digit, or -1. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function decimalDigit(code: number): number {
  const value = code - zero;
  return value >= 0 && value <= 9 ? value : -1;
}

/**
 * Reads the entry that begins at `start` and ends before `end`: LID × 256 + output port (`noRoute` where there is none), or -1 when the text there is no entry.
 */
export function readEntry(text: string, start: number, end: number): number {
  if (end - start < 10 || text.charCodeAt(start) !== zero || (text.charCodeAt(start + 1) | 32) !== 120) return -1;
  let lid = 0;
  for (let index = start + 2; index < start + 6; index += 1) {
    const digit = hexDigit(text.charCodeAt(index));
    if (digit < 0) return -1;
    lid = lid * 16 + digit;
  }
  let index = start + 6;
  if (text.charCodeAt(index) !== space) return -1;
  index += 1;
  if (text.charCodeAt(index) === colon) {
    if (text.charCodeAt(index + 1) !== space) return -1;
    index += 2;
    // UNREACHABLE
    if (text.charCodeAt(index) === 85) return text.startsWith("UNREACHABLE", index) ? lid * 256 + noRoute : -1;
  }
  if (index + 3 > end) return -1;
  let port = 0;
  for (const after = index + 3; index < after; index += 1) {
    const digit = decimalDigit(text.charCodeAt(index));
    if (digit < 0) return -1;
    port = port * 10 + digit;
  }
  if (index < end && text.charCodeAt(index) !== space) return -1;
  if (port > 255) return -1;
  // " : (illegal port)": a number that the switch does not have.
  if (text.charCodeAt(index + 4) === 105 && text.startsWith(" : (illegal", index)) port = noRoute;
  // A switch has 253 ports at most here; 254 has a meaning of its own.
  return lid * 256 + (port === notTold ? noRoute : port);
}
