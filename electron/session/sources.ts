/** Opens sources and keeps their connections: one per source, shared by collecting and measuring. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { type HostAccessSettings, sourceLabel, type SourceSpec, type SshSource } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { HostAccess } from "../run/access.ts";
import { parseNameRule, parseHostMap } from "../run/host-map.ts";
import { createLocalAccess } from "../run/local-access.ts";
import { createSimulatedAccess } from "../run/simulated/access.ts";
import { createSimulatedFabric, simulatedFabrics } from "../run/simulated/catalogue.ts";
import { createSshAccess } from "../run/ssh/access.ts";
import type { SshAuthMethod } from "../run/ssh/authentication.ts";
import { connectSsh, type SshDependencies } from "../run/ssh/connect.ts";
import type { SshConnection } from "../run/ssh/connection.ts";
import type { SshTarget } from "../run/ssh/place.ts";
import { readSmallText } from "../store/json-file.ts";

/** An open source. */
export interface OpenSource {
  readonly access: HostAccess;
  /** The SSH connection behind it, when there is one. */
  readonly connection?: SshConnection;
}

const authMethods: Readonly<Record<SshSource["auth"], readonly SshAuthMethod[] | undefined>> = {
  auto: undefined,
  agent: ["agent"],
  key: ["key"],
  password: ["password"],
};

/** The login that a source asks for; what it leaves open comes from ~/.ssh/config. */
export function sshTarget(source: SshSource): SshTarget {
  const auth = authMethods[source.auth];
  return {
    host: source.host,
    useConfig: true,
    ...(source.port === 0 ? {} : { port: source.port }),
    ...(source.user === "" ? {} : { user: source.user }),
    ...(source.identityFile === "" ? {} : { identityFile: source.identityFile }),
    ...(source.jump === "" ? {} : { jump: source.jump }),
    ...(auth === undefined ? {} : { auth }),
  };
}

async function hostNames(
  settings: HostAccessSettings,
): Promise<Result<{ nameRule: (name: string) => string; map: ReadonlyMap<string, string> }, AppError>> {
  const rule = parseNameRule(settings.rule);
  if (!rule.ok) return rule;
  if (settings.mapFile === "") return ok({ nameRule: rule.value, map: new Map() });
  const text = await readSmallText(settings.mapFile);
  if (!text.ok) return text;
  const parsed = parseHostMap(text.value, settings.mapFile);
  const bad = parsed.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (bad !== undefined) {
    return err({
      kind: "parse",
      file: settings.mapFile,
      line: bad.line,
      expected: bad.message,
      excerpt: bad.excerpt ?? "",
    });
  }
  return ok({ nameRule: rule.value, map: parsed.map });
}

/** Opens a source: connects, or makes the simulated fabric. */
export async function openSource(
  source: SourceSpec,
  ssh: SshDependencies,
  signal: AbortSignal,
): Promise<Result<OpenSource, AppError>> {
  switch (source.kind) {
    case "simulated": {
      const fabric = createSimulatedFabric(source.name);
      return fabric === undefined
        ? err({ kind: "unknown-id", what: "fabric", id: source.name })
        : ok({ access: createSimulatedAccess(fabric) });
    }
    case "local": {
      const names = await hostNames(source.hosts);
      if (!names.ok) return names;
      const user = source.hosts.user;
      return ok({ access: createLocalAccess({ ...names.value, ...(user === "" ? {} : { user }), deps: ssh }) });
    }
    case "ssh": {
      const names = await hostNames(source.hosts);
      if (!names.ok) return names;
      const connected = await connectSsh(sshTarget(source), ssh, signal);
      if (!connected.ok) return connected;
      const user = source.hosts.user === "" ? source.user : source.hosts.user;
      const access = createSshAccess(connected.value, {
        via: source.hosts.via,
        ...names.value,
        ...(user === "" ? {} : { user }),
        ...(source.identityFile === "" ? {} : { identityFile: source.identityFile }),
        deps: ssh,
      });
      return ok({ access, connection: connected.value });
    }
  }
}

/** Name of a source's captures: `root@mgmt-01`, `this machine`, `Fat tree, 128 hosts`. */
export function captureName(source: SourceSpec): string {
  if (source.kind !== "simulated") return sourceLabel(source);
  return simulatedFabrics.find(({ name }) => name === source.name)?.title ?? source.name;
}

/**
 * Connections by source. A lost one is dropped, so that the next use connects anew. Whoever works on a source for a while
 * does so inside `during`: a closed source keeps its connection until the last of them has ended, and no longer.
 */
export class Sources {
  private readonly open = new Map<string, Promise<Result<OpenSource, AppError>>>();
  /** How much runs on each source. */
  private readonly users = new Map<string, number>();
  /** Sources that nothing is shown of any more: they are open only while something runs on them. */
  private readonly closed = new Set<string>();
  private readonly ssh: SshDependencies;
  private readonly onLost: (source: SourceSpec, error: AppError) => void;

  constructor(ssh: SshDependencies, onLost: (source: SourceSpec, error: AppError) => void) {
    this.ssh = ssh;
    this.onLost = onLost;
  }

  /** The open source, connecting when it is not. Callers at the same time share one attempt. */
  async get(source: SourceSpec, signal: AbortSignal): Promise<Result<OpenSource, AppError>> {
    const key = JSON.stringify(source);
    const known = this.open.get(key);
    if (known !== undefined) {
      const shared = await known;
      // Who began the attempt gave it up; who came after did not.
      const givenUp = !shared.ok && shared.error.kind === "cancelled" && !signal.aborted;
      if (!givenUp) return shared;
      if (this.open.get(key) === known) this.open.delete(key);
      return this.get(source, signal);
    }
    const attempt = openSource(source, this.ssh, signal);
    this.open.set(key, attempt);
    const opened = await attempt;
    // The source may have been closed and opened anew meanwhile: only this attempt is dropped.
    const drop = (): void => {
      if (this.open.get(key) === attempt) this.open.delete(key);
    };
    if (!opened.ok) {
      drop();
      return opened;
    }
    opened.value.connection?.onLost((error) => {
      drop();
      this.onLost(source, error);
    });
    return opened;
  }

  /** Does something on a source; when that is closed meanwhile, or was before, the last of them ends its connection. */
  async during<T>(source: SourceSpec, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(source);
    this.users.set(key, (this.users.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.users.get(key) ?? 1) - 1;
      if (left > 0) this.users.set(key, left);
      else this.users.delete(key);
      if (left === 0 && this.closed.has(key)) await this.end(key);
    }
  }

  /** Keeps the connection of a source from now on, whether something runs on it or not. */
  keep(source: SourceSpec): void {
    this.closed.delete(JSON.stringify(source));
  }

  /** Ends the connection of a source, if it is open; what runs on it ends first. */
  async close(source: SourceSpec): Promise<void> {
    const key = JSON.stringify(source);
    this.closed.add(key);
    if (!this.users.has(key)) await this.end(key);
  }

  private async end(key: string): Promise<void> {
    const known = this.open.get(key);
    this.open.delete(key);
    const opened = await known;
    if (opened?.ok === true) await end(opened.value);
  }

  async closeAll(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    for (const attempt of all) {
      const opened = await attempt;
      if (opened.ok) await end(opened.value);
    }
  }
}

async function end({ access, connection }: OpenSource): Promise<void> {
  await access.close();
  await connection?.close();
}
