import { hostname } from "node:os";
import { ok } from "../../shared/base/result.ts";
import type { HostAccess } from "./access.ts";
import { HostPool } from "./host-pool.ts";
import { createLocalRunner } from "./local.ts";
import type { LocalRunnerOptions } from "./local.ts";
import type { SshDependencies } from "./ssh/connect.ts";
import { parseSshAddress } from "./ssh/target.ts";

export interface LocalAccessOptions {
  /** For hosts whose address names no user, or no port. */
  readonly user?: string;
  readonly port?: number;
  readonly identityFile?: string;
  /** From a host's name in the fabric to `[user@]host[:port]` (see parseNameRule). */
  readonly nameRule: (hostName: string) => string;
  /** Name in the fabric → `[user@]host[:port]`; goes before the rule (see parseHostMap). */
  readonly map: ReadonlyMap<string, string>;
  readonly deps: SshDependencies;
  /** Name of this machine; the system's when left out. */
  readonly hostName?: string;
  readonly local?: LocalRunnerOptions;
}

/**
 * The way to the machines of a fabric that this machine belongs to: commands run here, other hosts are reached over SSH
 * as `~/.ssh/config` says. A host with this machine's own name (with or without domain) needs no SSH.
 */
export function createLocalAccess(options: LocalAccessOptions): HostAccess {
  const runner = createLocalRunner(options.local);
  const pool = new HostPool({ ...options, useConfig: true });
  const own = shortName(options.hostName ?? hostname());
  return {
    source: runner,
    simulated: false,
    host(name, signal) {
      if (shortName(name) !== own) return pool.host(name, signal);
      const mapped = parseSshAddress(pool.addressText(name));
      return Promise.resolve(ok({ runner, address: mapped.ok ? mapped.value.host : name }));
    },
    async close() {
      await pool.close();
      await runner.close();
    },
  };
}

function shortName(name: string): string {
  return name.toLowerCase().replace(/\..*$/, "");
}
