import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";

/** Where to log in, as people write it: `[user@]host[:port]`. */
export interface SshAddress {
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
}

/** User, then a host in brackets, a bare IPv6 address (two colons at least) or a name, then a port. */
const written =
  /^(?:(?<user>[^@\s]+(?:@[^@\s]+)*)@)?(?:\[(?<bracketed>[^\]\s]+)\]|(?<host>[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?|[^@\s:[\]]+))(?<port>:\S*)?$/i;

/**
 * Reads `[user@]host[:port]`, also with `ssh://` in front. A literal IPv6 address takes brackets when a port follows.
 *
 * @returns `bad-request` for anything else, with what is wrong.
 */
export function parseSshAddress(text: string): Result<SshAddress, AppError> {
  const bare = text
    .trim()
    .replace(/^ssh:\/\//, "")
    .replace(/\/$/, "");
  const groups = written.exec(bare)?.groups;
  const host = groups?.["bracketed"] ?? groups?.["host"];
  const refuse = (why: string): Result<SshAddress, AppError> =>
    err({ kind: "bad-request", detail: `${JSON.stringify(text)} is not [user@]host[:port]: ${why}` });
  if (groups === undefined || host === undefined) return refuse("the host name is missing or holds odd characters");
  if (host.startsWith("-")) return refuse("a host name does not begin with a dash");
  const user = groups["user"];
  const portText = groups["port"];
  if (portText === undefined) return ok({ host, ...(user === undefined ? {} : { user }) });
  const port = /^:\d{1,5}$/.test(portText) ? Number(portText.slice(1)) : 0;
  if (port < 1 || port > 65535) return refuse("the port is a number from 1 to 65535");
  return ok({ host, port, ...(user === undefined ? {} : { user }) });
}
