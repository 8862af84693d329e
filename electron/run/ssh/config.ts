import { readdir, readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { LineType, glob, parse } from "ssh-config";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";

/** What `~/.ssh/config` says of one host, as far as Ibex follows it. */
export interface SshHostConfig {
  /** The name or address to connect to; the asked name when the file gives none. */
  readonly hostName: string;
  readonly user?: string;
  readonly port?: number;
  /** Key files in order, with `~` and tokens replaced. */
  readonly identityFiles: readonly string[];
  /** Only the key files, nothing else that an agent holds. */
  readonly identitiesOnly: boolean;
  /** Hosts to hop through, first hop first, as `[user@]host[:port]`; empty for a direct connection. */
  readonly proxyJump: readonly string[];
  /** The name under which known_hosts has the key, where it is not the host name. */
  readonly hostKeyAlias?: string;
  readonly identityAgent?: string;
  /** Set when the file wants a command as the way to the host, which Ibex does not run. */
  readonly proxyCommand?: string;
}

/** Most files that Include lines may bring in, against circles. */
const mostFiles = 64;

/**
 * What a configuration text says of a host. Nothing is run: `Match exec` never matches, and names are not looked up
 * for `CanonicalizeHostname`.
 *
 * @param text the file, with its Include lines already replaced (see {@link readSshConfig})
 * @param file its name, for the error
 */
export function sshConfigFor(
  text: string,
  host: string,
  context: { readonly homeDir: string; readonly file: string; readonly user?: string },
): Result<SshHostConfig, AppError> {
  let values: Readonly<Record<string, unknown>>;
  try {
    const config = parse(text);
    for (const line of config) {
      // ssh-config would call nslookup for these.
      if (line.type !== LineType.DIRECTIVE || !("config" in line)) continue;
      for (let index = line.config.length - 1; index >= 0; index -= 1) {
        const inner = line.config[index];
        if (inner?.type === LineType.DIRECTIVE && /^canonical/i.test(inner.param)) line.config.splice(index, 1);
      }
    }
    values = config.compute(context.user === undefined ? { Host: host } : { Host: host, User: context.user }, {
      ignoreCase: true,
      matchExec: false,
    });
  } catch (error) {
    const excerpt = error instanceof Error ? error.message : String(error);
    return err({ kind: "parse", file: context.file, line: 0, expected: "an OpenSSH client configuration", excerpt });
  }
  const first = (name: string): string | undefined => {
    const value = values[name];
    const single: unknown = Array.isArray(value) ? value[0] : value;
    return typeof single === "string" && single !== "" ? single : undefined;
  };
  const hostName = first("hostname")?.replaceAll("%h", host) ?? host;
  const user = first("user");
  const port = Number(first("port"));
  const path = (raw: string): string => expandPath(raw, { homeDir: context.homeDir, hostName, host, user });
  const alias = first("hostkeyalias");
  const agent = first("identityagent");
  const jump = first("proxyjump");
  const command = first("proxycommand");
  return ok({
    hostName,
    ...(user === undefined ? {} : { user }),
    ...(Number.isInteger(port) && port > 0 && port < 65536 ? { port } : {}),
    identityFiles: list(values["identityfile"])
      .filter((file) => file.toLowerCase() !== "none")
      .map(path),
    identitiesOnly: first("identitiesonly")?.toLowerCase() === "yes",
    proxyJump: jump === undefined || jump.toLowerCase() === "none" ? [] : jump.split(",").map((hop) => hop.trim()),
    ...(alias === undefined ? {} : { hostKeyAlias: alias }),
    ...(agent === undefined ? {} : { identityAgent: agent === "SSH_AUTH_SOCK" ? agent : path(agent) }),
    // As in OpenSSH the one that comes first in the file counts; ProxyJump is followed where both are given.
    ...(command === undefined || command.toLowerCase() === "none" || jump !== undefined
      ? {}
      : { proxyCommand: command }),
  });
}

/** The text of a configuration file with its Include lines replaced by the files they name; "" when there is none. */
export async function readSshConfig(file: string): Promise<Result<string, AppError>> {
  const budget = { files: mostFiles };
  const text = await readOne(file, dirname(file), budget);
  if (text.ok) return text;
  return text.error.kind === "file" && text.error.code === "ENOENT" ? ok("") : text;
}

async function readOne(file: string, folder: string, budget: { files: number }): Promise<Result<string, AppError>> {
  budget.files -= 1;
  if (budget.files < 0) return err({ kind: "file", path: file, operation: "read", code: "ELOOP" });
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    return err({ kind: "file", path: file, operation: "read", code: errorCode(error) });
  }
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const wanted = /^\s*include(?:\s+|\s*=\s*)(?<files>.+)$/i.exec(line)?.groups?.["files"];
    if (wanted === undefined) {
      lines.push(line);
      continue;
    }
    for (const pattern of wanted.match(/"[^"]*"|\S+/g) ?? []) {
      for (const included of await matchingFiles(pattern.replaceAll('"', ""), folder)) {
        const inner = await readOne(included, folder, budget);
        // As OpenSSH does, a file that cannot be read is passed over; a circle is not.
        if (inner.ok) lines.push(inner.value);
        else if (inner.error.kind === "file" && inner.error.code === "ELOOP") return inner;
      }
    }
  }
  return ok(lines.join("\n"));
}

/** Files of an Include pattern; wildcards are followed in the last part of the path. */
async function matchingFiles(pattern: string, folder: string): Promise<readonly string[]> {
  const path = pattern.startsWith("~/") ? join(dirname(folder), pattern.slice(2)) : pattern;
  const whole = isAbsolute(path) ? path : join(folder, path);
  if (!/[*?]/.test(basename(whole))) return [whole];
  try {
    const names = await readdir(dirname(whole));
    const matching = names.filter((name) => !name.startsWith(".") && glob(basename(whole), name)).sort();
    return matching.map((name) => join(dirname(whole), name));
  } catch {
    return []; // no such folder: nothing to include
  }
}

function list(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.filter((entry): entry is string => typeof entry === "string");
}

function expandPath(
  raw: string,
  names: { homeDir: string; hostName: string; host: string; user: string | undefined },
): string {
  const text = raw.replace(/%([%dhnru])/g, (whole, token: string) => {
    switch (token) {
      case "%":
        return "%";
      case "d":
        return names.homeDir;
      case "h":
        return names.hostName;
      case "n":
        return names.host;
      case "r":
        return names.user ?? localUser();
      case "u":
        return localUser();
      default:
        return whole;
    }
  });
  if (text.startsWith("~/")) return join(names.homeDir, text.slice(2));
  return isAbsolute(text) ? text : join(names.homeDir, text);
}

/** Login name on this machine; "" where the system has none. */
export function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env["USER"] ?? ""; // no entry in the user database
  }
}

/** `code` of a system error, else `EUNKNOWN`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN";
}
