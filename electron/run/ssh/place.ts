import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { AuthenticationPlan, SshAuthMethod } from "./authentication.ts";
import { localUser, readSshConfig, sshConfigFor } from "./config.ts";
import type { SshConnection } from "./connection.ts";
import { parseSshAddress } from "./target.ts";
import type { SshAddress } from "./target.ts";

/** Where to log in and how, as far as the person said it. */
export interface SshTarget {
  /** A name (also a `Host` of `~/.ssh/config`) or an address. */
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  /** Private key to try first; `~/` is followed. */
  readonly identityFile?: string;
  /** Ways to log in; all when left out. `password` includes keyboard-interactive. */
  readonly auth?: readonly SshAuthMethod[];
  /** Hosts to hop through, `[user@]host[:port]` with commas between, or an open connection to hop through. */
  readonly jump?: string | SshConnection;
  /** Whether `~/.ssh/config` is read. What the target says itself goes before it. */
  readonly useConfig: boolean;
}

/** A target with everything settled. */
export interface SshPlace {
  /** What to connect to. */
  readonly host: string;
  readonly port: number;
  /** The name under which known_hosts has the key. */
  readonly keyName: string;
  readonly jumps: readonly SshAddress[];
  readonly authentication: AuthenticationPlan;
}

/** Key files that OpenSSH tries when none is named. */
const usualKeyFiles = ["id_ed25519", "id_ecdsa", "id_rsa"] as const;

/** Settles user, port, key files and hops of a target, from itself, `~/.ssh/config` and the usual values, in this order. */
export async function resolvePlace(
  target: SshTarget,
  deps: { readonly homeDir: string; readonly agentSocket?: string },
): Promise<Result<SshPlace, AppError>> {
  const { homeDir } = deps;
  const file = join(homeDir, ".ssh", "config");
  const text = target.useConfig ? await readSshConfig(file) : ok("");
  if (!text.ok) return text;
  const user = target.user === undefined ? {} : { user: target.user };
  const config = sshConfigFor(text.value, target.host, { homeDir, file, ...user });
  if (!config.ok) return config;
  const found = config.value;
  if (found.proxyCommand !== undefined && target.jump === undefined) {
    const detail = "Ibex follows ProxyJump, but runs no command as a way to a host";
    return err({ kind: "unsupported", what: `ProxyCommand for ${target.host} in ${file}`, detail });
  }
  const jumpTexts =
    target.jump === undefined
      ? found.proxyJump
      : typeof target.jump === "string"
        ? target.jump.split(",").map((hop) => hop.trim())
        : [];
  const jumps: SshAddress[] = [];
  for (const jumpText of jumpTexts.filter((hop) => hop !== "")) {
    const jump = parseSshAddress(jumpText);
    if (!jump.ok) return jump;
    jumps.push(jump.value);
  }
  const usual = usualKeyFiles.map((name) => join(homeDir, ".ssh", name)).filter((path) => existsSync(path));
  const agent = agentSocket(found.identityAgent, deps.agentSocket);
  return ok({
    host: found.hostName,
    port: target.port ?? found.port ?? 22,
    keyName: found.hostKeyAlias ?? found.hostName,
    jumps,
    authentication: {
      host: found.hostName,
      user: target.user ?? found.user ?? localUser(),
      methods: target.auth ?? ["agent", "key", "password"],
      ...(target.identityFile === undefined ? {} : { identityFile: absolute(target.identityFile, homeDir) }),
      furtherFiles: found.identityFiles.length > 0 ? found.identityFiles : usual,
      ...(agent === undefined ? {} : { agentSocket: agent }),
      identitiesOnly: found.identitiesOnly,
    },
  });
}

function agentSocket(configured: string | undefined, environment: string | undefined): string | undefined {
  if (configured === undefined || configured === "SSH_AUTH_SOCK") return environment;
  return /(^|\/)none$/i.test(configured) ? undefined : configured;
}

function absolute(path: string, homeDir: string): string {
  if (path.startsWith("~/")) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? path : join(process.cwd(), path);
}
