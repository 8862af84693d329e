import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fingerprint,
  keyTypeOf,
  knownHostsLine,
  knownKeyTypes,
  lookUpHostKey,
} from "../../../../electron/run/ssh/known-hosts.ts";

/** A public key in wire format: its type, then anything. */
function makeKey(keyType: string): { readonly keyType: string; readonly data: Buffer } {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(keyType.length);
  return { keyType, data: Buffer.concat([head, Buffer.from(keyType), randomBytes(40)]) };
}

const key = makeKey("ssh-ed25519");
const other = makeKey("ssh-ed25519");
const rsa = makeKey("ssh-rsa");
const words = (k: typeof key): string => `${k.keyType} ${k.data.toString("base64")}`;

function hashed(name: string): string {
  const salt = randomBytes(20);
  const hash = createHmac("sha1", salt).update(name).digest("base64");
  return `|1|${salt.toString("base64")}|${hash}`;
}

function ask(text: string, host = "mgmt", port = 22, asked = key): string {
  const answer = lookUpHostKey([{ file: "k", text }], host, port, asked);
  return answer.kind === "changed" ? `changed ${String(answer.line)}` : answer.kind;
}

describe("lookUpHostKey", () => {
  it.each([
    ["a plain name", `mgmt ${words(key)}`, "mgmt", 22, "known"],
    ["one of several names", `a,mgmt,10.0.0.1 ${words(key)} comment here`, "10.0.0.1", 22, "known"],
    ["another spelling of the name", `MGMT ${words(key)}`, "Mgmt", 22, "known"],
    ["a hashed name", `${hashed("mgmt")} ${words(key)}`, "mgmt", 22, "known"],
    ["a hashed name of another host", `${hashed("other")} ${words(key)}`, "mgmt", 22, "unknown"],
    ["a name with port", `[mgmt]:2222 ${words(key)}`, "mgmt", 2222, "known"],
    ["a hashed name with port", `${hashed("[mgmt]:2222")} ${words(key)}`, "mgmt", 2222, "known"],
    ["another port", `[mgmt]:2223 ${words(key)}`, "mgmt", 2222, "unknown"],
    ["a name without port, the same key", `mgmt ${words(key)}`, "mgmt", 2222, "known"],
    ["a name without port, another key", `mgmt ${words(other)}`, "mgmt", 2222, "unknown"],
    ["a wildcard", `*.cluster ${words(key)}`, "n1.cluster", 22, "known"],
    ["a single-letter wildcard", `n? ${words(key)}`, "n12", 22, "unknown"],
    ["a negated pattern", `*.cluster,!bad.cluster ${words(key)}`, "bad.cluster", 22, "unknown"],
    ["a negated pattern alone", `!bad ${words(key)}`, "mgmt", 22, "unknown"],
    ["another key", `# c\n\nmgmt ${words(other)}`, "mgmt", 22, "changed 3"],
    ["another key and the right one", `mgmt ${words(other)}\nmgmt ${words(key)}`, "mgmt", 22, "known"],
    ["a key of another type only", `mgmt ${words(rsa)}`, "mgmt", 22, "changed 1"],
    ["a revoked key", `mgmt ${words(key)}\n@revoked * ${words(key)}`, "mgmt", 22, "changed 2"],
    ["another revoked key", `@revoked mgmt ${words(other)}`, "mgmt", 22, "unknown"],
    ["a certificate authority", `@cert-authority * ${words(key)}`, "mgmt", 22, "unknown"],
    ["a torn line", `mgmt ssh-ed25519 AAAA`, "mgmt", 22, "unknown"],
    ["a type that is not the key's", `mgmt ssh-rsa ${key.data.toString("base64")}`, "mgmt", 22, "unknown"],
    ["nothing", "", "mgmt", 22, "unknown"],
  ])("%s", (_name, text, host, port, expected) => {
    expect(ask(text, host, port)).toBe(expected);
  });

  it("names the file, the line and the key that stands there", () => {
    const files = [
      { file: "own", text: "" },
      { file: "user", text: `x ${words(key)}\nmgmt ${words(other)}\n` },
    ];
    expect(lookUpHostKey(files, "mgmt", 22, key)).toEqual({
      kind: "changed",
      file: "user",
      line: 2,
      known: fingerprint(other.data),
    });
  });

  it("finds the line again that it writes", () => {
    for (const [host, port] of [
      ["mgmt", 22],
      ["Mgmt.Example", 2222],
      ["fe80::1", 22],
      ["::1", 2200],
    ] as const) {
      expect(ask(knownHostsLine(host, port, key), host, port)).toBe("known");
    }
  });

  it("takes any text without an exception and without an answer that trusts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(lookUpHostKey([{ file: "k", text }], "mgmt", 22, key).kind).not.toBe("known");
      }),
    );
  });
});

describe("knownKeyTypes", () => {
  it("lists the types that a server should be asked for first", () => {
    const files = [
      { file: "k", text: `mgmt ${words(rsa)}\nmgmt ${words(key)}\nother ${words(makeKey("ecdsa-sha2-nistp256"))}` },
    ];
    expect(knownKeyTypes(files, "mgmt", 22)).toEqual(["ssh-rsa", "ssh-ed25519"]);
  });
});

describe("keyTypeOf", () => {
  it("reads the type, and says unknown for junk", () => {
    expect(keyTypeOf(key.data)).toBe("ssh-ed25519");
    expect(keyTypeOf(Buffer.from([0, 0, 1]))).toBe("unknown");
    expect(keyTypeOf(Buffer.from([0, 0, 255, 255, 65]))).toBe("unknown");
  });
});
