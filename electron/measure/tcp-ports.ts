/**
 * TCP ports in use on a host, from /proc/net/tcp and /proc/net/tcp6: no tool is needed that may be missing.
 *
 *    sl  local_address rem_address   st tx_queue …
 *     0: 00000000:4853 00000000:0000 0A 00000000:00000000 …
 */

const socket =
  /^\s*\d+: [0-9A-F]{8}(?:[0-9A-F]{24})?:([0-9A-F]{4}) [0-9A-F]{8}(?:[0-9A-F]{24})?:[0-9A-F]{4} ([0-9A-F]{2})\b/gim;
const title = /^\s*sl\s+local_address\b/m;

export interface TcpPorts {
  /** Local ports of sockets in any state. */
  readonly used: ReadonlySet<number>;
  /** Those on which somebody listens (state 0A). */
  readonly listening: ReadonlySet<number>;
}

/** Reads the tables; undefined when the text is none, as on a system without /proc. */
export function parseTcpPorts(text: string): TcpPorts | undefined {
  if (!title.test(text)) return undefined;
  const used = new Set<number>();
  const listening = new Set<number>();
  for (const [, port, state] of text.matchAll(socket)) {
    if (port === undefined) continue;
    const number = Number.parseInt(port, 16);
    used.add(number);
    if (state?.toUpperCase() === "0A") listening.add(number);
  }
  return { used, listening };
}

/** Range of rendezvous ports: below the kernel's range for outgoing connections (32768 and up), above perftest's own 18515. */
export const rendezvousPorts = { first: 18_600, last: 28_600 } as const;
