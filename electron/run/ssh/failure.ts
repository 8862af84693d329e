import type { AppError } from "../../../shared/errors/kinds.ts";

/** How far a connection had come. */
export type SshStage = "connecting" | "handshake" | "login" | "open";

export interface FailureContext {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly stage: SshStage;
  /** Ways to log in that were tried, in order. */
  readonly tried: readonly string[];
  /** Ways that the server offers, where it said so. */
  readonly offered: readonly string[];
}

const duringStage: Readonly<Record<SshStage, string>> = {
  connecting: "connecting",
  handshake: "the SSH handshake",
  login: "the login",
  open: "an open connection",
};

/** SSH_DISCONNECT_… (RFC 4253, section 11.1) that a server sends when the login is over. */
const disconnectReasonsOfLogin: ReadonlySet<unknown> = new Set([2, 13, 14, 15]);

/**
 * What an error of ssh2's client or of the socket below means. ssh2 says where in `level` (`client-socket`,
 * `client-timeout`, `client-authentication`, `client-dns`, `handshake`, `protocol`), the system what in `code`; a
 * server's farewell has its reason number in `code`.
 */
export function sshFailure(error: unknown, context: FailureContext): AppError {
  const { host, port, stage } = context;
  const { level, code, message } = facts(error);
  if (level === "client-authentication") return authFailure(context);
  if (level === "client-dns") return { kind: "unreachable", host, port, code: "ENOTFOUND" };
  if (level === "client-timeout" && stage !== "open") {
    return { kind: "unreachable", host, port, code: "ETIMEDOUT" };
  }
  if (stage === "connecting") {
    return { kind: "unreachable", host, port, code: typeof code === "string" ? code : "EUNKNOWN" };
  }
  if (/no matching|no mutual/i.test(message)) {
    const detail = message.replace(/^Handshake failed: /, "");
    return { kind: "unsupported", what: `the SSH server on ${host}`, detail };
  }
  if (/invalid identification|unexpected.*header|exceeded.*(header|identification)/i.test(message)) {
    const detail = `port ${String(port)} does not answer like an SSH server`;
    return { kind: "unsupported", what: `${host} port ${String(port)}`, detail };
  }
  if (level === "handshake") {
    return { kind: "unsupported", what: `the SSH handshake with ${host}`, detail: message };
  }
  if (stage === "login" && disconnectReasonsOfLogin.has(code)) return authFailure(context, message);
  return { kind: "connection-lost", host, during: duringStage[stage] };
}

/** The login failed: all that was tried, and what the server would have taken. */
export function authFailure(context: FailureContext, message?: string): AppError {
  const { host, user, tried, offered } = context;
  const accepts = offered.length > 0 ? `the server accepts: ${offered.join(", ")}` : undefined;
  const detail = [message, accepts].filter((part) => part !== undefined).join("; ");
  return { kind: "auth", host, user, tried, ...(detail === "" ? {} : { detail }) };
}

/** Why a hop could not be opened (`forwardOut`): its words come from the server in between. */
export function hopFailure(error: unknown, via: string, host: string, port: number): AppError {
  const { message, reason } = facts(error);
  // 1: administratively prohibited (RFC 4254, section 5.1).
  if (reason === 1) return { kind: "channel-refused", host: via, detail: `${via} does not forward to ${host}` };
  const code = /refused/i.test(message)
    ? "ECONNREFUSED"
    : /not known|resol|no address/i.test(message)
      ? "ENOTFOUND"
      : /timed? ?out/i.test(message)
        ? "ETIMEDOUT"
        : "EHOSTUNREACH";
  return { kind: "unreachable", host, port, code };
}

/** The facts of an ssh2 error; whatever was thrown, never an exception. */
export function facts(error: unknown): {
  readonly level: string;
  readonly code: unknown;
  readonly reason: unknown;
  readonly message: string;
} {
  if (!(error instanceof Error)) return { level: "", code: undefined, reason: undefined, message: String(error) };
  const level = "level" in error && typeof error.level === "string" ? error.level : "";
  const code: unknown = "code" in error ? error.code : undefined;
  const reason: unknown = "reason" in error ? error.reason : undefined;
  return { level, code, reason, message: error.message };
}
