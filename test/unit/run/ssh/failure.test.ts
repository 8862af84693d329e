import { describe, expect, it } from "vitest";
import { hopFailure, sshFailure } from "../../../../electron/run/ssh/failure.ts";
import type { SshStage } from "../../../../electron/run/ssh/failure.ts";

function fault(message: string, more: object = {}): Error {
  return Object.assign(new Error(message), more);
}

const place = { host: "mgmt", port: 22, user: "ada", tried: ["agent", "password"], offered: ["publickey"] };
const unreachable = (code: string) => ({ kind: "unreachable", host: "mgmt", port: 22, code });
const auth = (detail: string) => ({ kind: "auth", host: "mgmt", user: "ada", tried: place.tried, detail });
const lost = (during: string) => ({ kind: "connection-lost", host: "mgmt", during });

const table: readonly (readonly [string, Error, SshStage, object])[] = [
  [
    "refused port",
    fault("connect ECONNREFUSED", { level: "client-socket", code: "ECONNREFUSED" }),
    "connecting",
    unreachable("ECONNREFUSED"),
  ],
  [
    "no such name",
    fault("getaddrinfo", { level: "client-socket", code: "ENOTFOUND" }),
    "connecting",
    unreachable("ENOTFOUND"),
  ],
  ["no such name, looked up first", fault("lookup", { level: "client-dns" }), "handshake", unreachable("ENOTFOUND")],
  [
    "silence",
    fault("Timed out while waiting for handshake", { level: "client-timeout" }),
    "handshake",
    unreachable("ETIMEDOUT"),
  ],
  ["silence later", fault("Keepalive timeout", { level: "client-timeout" }), "open", lost("an open connection")],
  [
    "all ways failed",
    fault("All configured authentication methods failed", { level: "client-authentication" }),
    "login",
    auth("the server accepts: publickey"),
  ],
  [
    "server has enough",
    fault("Too many authentication failures", { code: 2 }),
    "login",
    auth("Too many authentication failures; the server accepts: publickey"),
  ],
  [
    "reset in the handshake",
    fault("read ECONNRESET", { level: "client-socket", code: "ECONNRESET" }),
    "handshake",
    lost("the SSH handshake"),
  ],
  [
    "reset in the login",
    fault("read ECONNRESET", { level: "client-socket", code: "ECONNRESET" }),
    "login",
    lost("the login"),
  ],
  [
    "gone before its greeting",
    fault("Connection lost before handshake", { level: "protocol" }),
    "handshake",
    lost("the SSH handshake"),
  ],
  [
    "old algorithms",
    fault("Handshake failed: no matching key exchange algorithm", { level: "handshake" }),
    "handshake",
    { kind: "unsupported", what: "the SSH server on mgmt", detail: "no matching key exchange algorithm" },
  ],
  [
    "wrong signature",
    fault("Handshake failed: signature verification failed", { level: "handshake" }),
    "handshake",
    {
      kind: "unsupported",
      what: "the SSH handshake with mgmt",
      detail: "Handshake failed: signature verification failed",
    },
  ],
  [
    "not SSH",
    fault("Invalid identification string", { level: "protocol" }),
    "handshake",
    { kind: "unsupported", what: "mgmt port 22", detail: "port 22 does not answer like an SSH server" },
  ],
  ["server goes down", fault("Shutting down", { code: 11 }), "open", lost("an open connection")],
];

describe("sshFailure", () => {
  it.each(table)("%s", (_name, error, stage, expected) => {
    expect(sshFailure(error, { ...place, stage })).toEqual(expected);
  });

  it("takes anything that was thrown", () => {
    expect(sshFailure("odd", { ...place, stage: "login" })).toEqual(lost("the login"));
  });
});

describe("hopFailure", () => {
  it.each([
    [
      fault("(SSH) Channel open failure: open failed", { reason: 1 }),
      { kind: "channel-refused", host: "gate", detail: "gate does not forward to far" },
    ],
    [
      fault("(SSH) Channel open failure: Connection refused", { reason: 2 }),
      { kind: "unreachable", host: "far", port: 22, code: "ECONNREFUSED" },
    ],
    [
      fault("(SSH) Channel open failure: Name or service not known", { reason: 2 }),
      { kind: "unreachable", host: "far", port: 22, code: "ENOTFOUND" },
    ],
    [
      fault("(SSH) Channel open failure: Connection timed out", { reason: 2 }),
      { kind: "unreachable", host: "far", port: 22, code: "ETIMEDOUT" },
    ],
    [
      fault("(SSH) Channel open failure: No route to host", { reason: 2 }),
      { kind: "unreachable", host: "far", port: 22, code: "EHOSTUNREACH" },
    ],
  ])("%s", (error, expected) => {
    expect(hopFailure(error, "gate", "far", 22)).toEqual(expected);
  });
});
