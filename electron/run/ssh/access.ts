import type { HostAccess } from "../access.ts";
import { HostPool } from "../host-pool.ts";
import type { SshDependencies } from "./connect.ts";
import type { SshConnection } from "./connection.ts";

export interface SshAccessOptions {
  /** `source`: through the source's own connection, as names are known there. `direct`: from this machine. */
  readonly via: "source" | "direct";
  /** For hosts whose address names no user, or no port. */
  readonly user?: string;
  readonly port?: number;
  readonly identityFile?: string;
  /** From a host's name in the fabric to `[user@]host[:port]` (see parseNameRule). */
  readonly nameRule: (hostName: string) => string;
  /** Name in the fabric → `[user@]host[:port]`; goes before the rule (see parseHostMap). */
  readonly map: ReadonlyMap<string, string>;
  readonly deps: SshDependencies;
}

/**
 * The way to the machines of a source that is reached over SSH. Takes the connection over: `close` closes it.
 *
 * A direct way reads `~/.ssh/config`; through the source it does not, because names are the source's there.
 */
export function createSshAccess(connection: SshConnection, options: SshAccessOptions): HostAccess {
  const { via, ...ways } = options;
  const through = via === "source" ? { through: connection, useConfig: false } : { useConfig: true };
  const pool = new HostPool({ ...ways, ...through });
  return {
    source: connection.runner,
    simulated: false,
    host: (name, signal) => pool.host(name, signal),
    async close() {
      await pool.close();
      await connection.close();
    },
  };
}
