import { connect as connectTcp } from "node:net";
import ssh2 from "ssh2";
import type { Client, ConnectConfig, ServerHostKeyAlgorithm } from "ssh2";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { appendKnownHost, readKnownHosts } from "../../store/known-hosts.ts";
import { Authentication } from "./authentication.ts";
import { errorCode } from "./config.ts";
import { OpenConnection } from "./connection.ts";
import type { SshConnection, SshWay } from "./connection.ts";
import { authFailure, sshFailure } from "./failure.ts";
import type { SshStage } from "./failure.ts";
import { fingerprint, keyTypeOf, knownHostsLine, knownKeyTypes, lookUpHostKey } from "./known-hosts.ts";
import type { KnownHostsText } from "./known-hosts.ts";
import { resolvePlace } from "./place.ts";
import type { SshPlace, SshTarget } from "./place.ts";
import type { SshQuestions } from "./questions.ts";

/** What a connection needs from outside. */
export interface SshDependencies {
  readonly ask: SshQuestions;
  readonly knownHostsFiles: {
    /** Only read; usually `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`. */
    readonly user: readonly string[];
    /** Ibex's own file: read, and keys that are to be remembered are added. */
    readonly own: string;
  };
  readonly homeDir: string;
  /** Socket of the SSH agent (SSH_AUTH_SOCK). */
  readonly agentSocket?: string;
  /** Of keep-alive questions, in milliseconds; a link is given up after three to four of them without a byte. */
  readonly keepaliveIntervalMs?: number;
  /** Limits of the steps without a person, in milliseconds. */
  readonly timeouts?: { readonly connectMs?: number; readonly handshakeMs?: number };
  /** Something failed beside the way, for instance a key that could not be remembered. */
  readonly notice?: (error: AppError) => void;
}

/** At 3.5 s a dead link is noticed after 10.5 to 14 s. */
const defaultKeepaliveIntervalMs = 3_500;
const defaultConnectMs = 10_000;
const defaultHandshakeMs = 20_000;

/** Hops through hops through hops: more is a circle. */
const deepestJump = 8;

/**
 * Logs in over SSH. The host key is checked against the known_hosts files: an unknown one is asked about, a changed one
 * refused without asking. Settles within the time limits except while a person is asked something; aborting
 * `signal` ends everything (`cancelled`).
 *
 * @returns errors: `unreachable`, `unsupported`, `host-key-unknown` (the person said no), `host-key-changed`, `auth` (with
 *   all that was tried), `key-file`, `connection-lost`, `parse` or `file` for `~/.ssh/config`, `channel-refused` by a
 *   jump host, `cancelled`.
 */
export function connectSsh(
  target: SshTarget,
  deps: SshDependencies,
  signal: AbortSignal,
): Promise<Result<SshConnection, AppError>> {
  return connectAtDepth(target, deps, signal, 0);
}

async function connectAtDepth(
  target: SshTarget,
  deps: SshDependencies,
  signal: AbortSignal,
  depth: number,
): Promise<Result<SshConnection, AppError>> {
  const cancelled = { kind: "cancelled", what: `connecting to ${target.host}` } as const;
  if (signal.aborted) return err(cancelled);
  const place = await resolvePlace(target, deps);
  if (!place.ok) return place;
  const { host, port } = place.value;
  if (depth > deepestJump) {
    return err({ kind: "bad-request", detail: `the jump hosts of ${host} lead in a circle` });
  }
  // Whatever is wrong on this side is said before anything is sent.
  const login = new Login(place.value, deps, signal);
  const prepared = await login.prepare();
  if (!prepared.ok) return prepared;
  const hops: SshConnection[] = [];
  const closeHops = async (): Promise<void> => {
    for (const hop of [...hops].reverse()) await hop.close();
  };
  let last = typeof target.jump === "object" ? target.jump : undefined;
  for (const hop of place.value.jumps) {
    const via: SshTarget = { ...hop, useConfig: target.useConfig, ...(last === undefined ? {} : { jump: last }) };
    const opened = await connectAtDepth(via, deps, signal, depth + 1);
    if (!opened.ok) {
      await closeHops();
      return opened;
    }
    hops.push(opened.value);
    last = opened.value;
  }
  const connectMs = deps.timeouts?.connectMs ?? defaultConnectMs;
  const way = await (last === undefined ? openSocket(host, port, connectMs, signal) : last.forward(host, port));
  if (!way.ok) {
    await closeHops();
    return way;
  }
  const connection = await login.run(way.value, hops);
  if (!connection.ok) await closeHops();
  return connection;
}

function openSocket(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result<SshWay, AppError>> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port });
    const give = (result: Result<SshWay, AppError>): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners("error");
      socket.removeAllListeners("connect");
      // Errors of a socket that is given away come with its close as well.
      socket.on("error", () => undefined);
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    const fail = (code: string): void => give(err({ kind: "unreachable", host, port, code }));
    const onAbort = (): void => give(err({ kind: "cancelled", what: `connecting to ${host}` }));
    const timer = setTimeout(() => fail("ETIMEDOUT"), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", (error) => fail(errorCode(error)));
    socket.once("connect", () => {
      socket.setNoDelay(true);
      give(ok({ stream: socket, discard: () => socket.destroy() }));
    });
  });
}

/** One login, from the server's greeting to the open connection. */
class Login {
  private readonly place: SshPlace;
  private readonly deps: SshDependencies;
  private readonly signal: AbortSignal;
  private readonly client: Client = new ssh2.Client();
  private readonly authentication: Authentication;
  private readonly limitMs: number;
  private readonly questions = new AbortController();
  private known: readonly KnownHostsText[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stage: SshStage = "handshake";
  private accepted: Buffer | undefined;
  private remember = false;
  private settle: (result: Result<SshConnection, AppError>) => void = () => undefined;

  constructor(place: SshPlace, deps: SshDependencies, signal: AbortSignal) {
    this.place = place;
    this.deps = deps;
    this.signal = signal;
    this.limitMs = deps.timeouts?.handshakeMs ?? defaultHandshakeMs;
    this.authentication = new Authentication(place.authentication, {
      ask: deps.ask,
      signal: this.questions.signal,
      waiting: (question) => this.waiting(question),
    });
  }

  /** Reads the files that the login needs. */
  async prepare(): Promise<Result<undefined, AppError>> {
    const files = await readKnownHosts([this.deps.knownHostsFiles.own, ...this.deps.knownHostsFiles.user]);
    if (!files.ok) return files;
    this.known = files.value;
    return this.authentication.prepare();
  }

  /**
   * @param way just opened: what happens to it before ssh2 listens would be lost
   * @param hops connections that the new one owns
   */
  async run(way: SshWay, hops: readonly SshConnection[]): Promise<Result<SshConnection, AppError>> {
    const onAbort = (): void => this.fail({ kind: "cancelled", what: `connecting to ${this.place.host}` });
    this.signal.addEventListener("abort", onAbort, { once: true });
    const result = await new Promise<Result<SshConnection, AppError>>((resolve) => {
      this.settle = resolve;
      this.begin(way, hops);
      if (this.signal.aborted) onAbort();
    });
    this.signal.removeEventListener("abort", onAbort);
    clearTimeout(this.timer);
    this.questions.abort();
    if (!result.ok) {
      // ssh2 may still emit while it falls down.
      this.client.on("error", () => undefined);
      way.discard();
    }
    return result;
  }

  private begin(way: SshWay, hops: readonly SshConnection[]): void {
    this.client.on("error", (error: unknown) => this.onError(error));
    this.client.on("handshake", () => {
      this.stage = "login";
      this.restartTimer();
      void this.rememberKey();
    });
    this.client.on("ready", () => this.onReady(way, hops));
    this.client.on("end", () => this.onError(new Error("ended")));
    this.client.on("close", () => this.onError(new Error("closed")));
    this.restartTimer();
    const config: ConnectConfig = {
      sock: way.stream,
      username: this.place.authentication.user,
      readyTimeout: 0, // our own limit, which stands still while a person is asked
      keepaliveInterval: this.keepaliveIntervalMs,
      keepaliveCountMax: Number.MAX_SAFE_INTEGER, // OpenConnection counts
      hostVerifier: (key: Buffer, verify: (valid: boolean) => void) => {
        void this.verifyKey(key).then((valid) => this.goOn(() => verify(valid)));
      },
      authHandler: (methodsLeft, partial, next) => {
        void this.authentication.next(methodsLeft, partial).then((step) => {
          const attempt = step.ok ? step.value : undefined;
          if (!step.ok) this.fail(step.error);
          else if (attempt === undefined) this.fail(authFailure(this.context()));
          else this.goOn(() => next(attempt));
        });
      },
    };
    const known = knownKeyTypes(this.known, this.place.keyName, this.place.port).flatMap(algorithmsOf);
    try {
      this.client.connect(known.length === 0 ? config : { ...config, algorithms: preferring(known) });
    } catch {
      // This build of Node lacks one of the algorithms; then the server's choice is taken.
      this.client.connect(config);
    }
  }

  /** Hands something back to ssh2, which throws when the connection has fallen down meanwhile. */
  private goOn(step: () => void): void {
    if (this.questions.signal.aborted) return;
    try {
      step();
    } catch (error) {
      this.onError(error);
    }
  }

  private get keepaliveIntervalMs(): number {
    return this.deps.keepaliveIntervalMs ?? defaultKeepaliveIntervalMs;
  }

  private async verifyKey(data: Buffer): Promise<boolean> {
    // Again at every new exchange of keys.
    if (this.accepted !== undefined) return this.accepted.equals(data);
    const { keyName, port } = this.place;
    const keyType = keyTypeOf(data);
    const asked = { host: keyName, port, keyType, fingerprint: fingerprint(data) };
    const answer = lookUpHostKey(this.known, keyName, port, { keyType, data });
    if (answer.kind === "changed") {
      const { known, file, line } = answer;
      this.fail({ kind: "host-key-changed", ...asked, known, file, line });
      return false;
    }
    if (answer.kind === "unknown") {
      const decision = await this.waiting(this.deps.ask.hostKeyUnknown(asked, this.questions.signal));
      if (decision === "no") {
        this.fail({ kind: "host-key-unknown", ...asked });
        return false;
      }
      this.remember = decision === "always";
    }
    this.accepted = Buffer.from(data);
    return true;
  }

  /** Only after the handshake: until then the server has not proved that the key is its own. */
  private async rememberKey(): Promise<void> {
    if (!this.remember || this.accepted === undefined) return;
    this.remember = false;
    const key = { keyType: keyTypeOf(this.accepted), data: this.accepted };
    const line = knownHostsLine(this.place.keyName, this.place.port, key);
    const written = await appendKnownHost(this.deps.knownHostsFiles.own, line);
    if (!written.ok) this.deps.notice?.(written.error);
  }

  private onReady(way: SshWay, hops: readonly SshConnection[]): void {
    clearTimeout(this.timer);
    this.stage = "open";
    this.client.removeAllListeners();
    const key = this.accepted ?? Buffer.alloc(0);
    const connection = new OpenConnection({
      client: this.client,
      way,
      facts: {
        user: this.place.authentication.user,
        host: this.place.host,
        port: this.place.port,
        keyType: keyTypeOf(key),
        fingerprint: fingerprint(key),
        authMethod: this.authentication.method,
      },
      keepaliveIntervalMs: this.keepaliveIntervalMs,
      hops,
    });
    this.settle(ok(connection));
  }

  private onError(error: unknown): void {
    if (error instanceof Error && "level" in error && error.level === "agent") {
      // ssh2 goes on with the agent's next key, or with the next way to log in.
      this.authentication.agentFailed(error.message);
      return;
    }
    // A key that cannot sign: ssh2 goes on as well.
    if (error instanceof Error && error.message.startsWith("Error signing data")) return;
    this.fail(sshFailure(error, this.context()));
  }

  private context(): Parameters<typeof sshFailure>[1] {
    const { host, port, authentication } = this.place;
    const { tried, offered } = this.authentication;
    return { host, port, user: authentication.user, stage: this.stage, tried, offered };
  }

  private fail(error: AppError): void {
    this.settle(err(error));
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { host } = this.place;
      const what = this.stage === "login" ? "the login" : "the SSH handshake";
      this.fail({ kind: "timed-out", what, host, seconds: this.limitMs / 1000 });
    }, this.limitMs);
  }

  /** The time limit stands still while a person thinks, and begins anew with the answer. */
  private async waiting<T>(question: Promise<T>): Promise<T> {
    clearTimeout(this.timer);
    try {
      return await question;
    } finally {
      if (this.stage !== "open" && !this.questions.signal.aborted) this.restartTimer();
    }
  }
}

/** Signature algorithms for a key type of known_hosts, the best first. */
function algorithmsOf(keyType: string): readonly ServerHostKeyAlgorithm[] {
  switch (keyType) {
    case "ssh-rsa":
      return ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"];
    case "ssh-ed25519":
    case "ecdsa-sha2-nistp256":
    case "ecdsa-sha2-nistp384":
    case "ecdsa-sha2-nistp521":
      return [keyType];
    default:
      return [];
  }
}

/** The usual algorithms, those of known keys first, so that a server with several keys shows one that is known. */
function preferring(known: readonly ServerHostKeyAlgorithm[]): NonNullable<ConnectConfig["algorithms"]> {
  const usual: readonly ServerHostKeyAlgorithm[] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
    "ssh-rsa",
  ];
  return { serverHostKey: [...new Set([...known, ...usual])] };
}
