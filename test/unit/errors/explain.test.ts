import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explain } from "../../../shared/errors/explain.ts";
import type { AppError, ErrorKind } from "../../../shared/errors/kinds.ts";

const host = "mgmt-01";

/** One of each kind; a new kind does not compile without one here. */
const samples: { readonly [K in ErrorKind]: Extract<AppError, { kind: K }> } = {
  unreachable: { kind: "unreachable", host, port: 22, code: "ECONNREFUSED" },
  auth: { kind: "auth", host, user: "admin", tried: ["agent", "password"] },
  "key-file": { kind: "key-file", path: "/k", problem: "passphrase" },
  "host-key-unknown": { kind: "host-key-unknown", host, port: 22, keyType: "ssh-ed25519", fingerprint: "SHA256:abc" },
  "host-key-changed": {
    kind: "host-key-changed",
    host,
    port: 22,
    keyType: "ssh-ed25519",
    fingerprint: "SHA256:new",
    known: "SHA256:old",
    file: "/kh",
    line: 7,
  },
  "connection-lost": { kind: "connection-lost", host, during: "ibnetdiscover" },
  "channel-refused": { kind: "channel-refused", host, detail: "open failed" },
  "tool-missing": { kind: "tool-missing", tool: "ib_write_bw", host, stderr: "" },
  "no-permission": { kind: "no-permission", tool: "sminfo", host, sudo: false, stderr: "can't open UMAD port" },
  "sudo-refused": { kind: "sudo-refused", host, stderr: "sudo: a password is required" },
  "no-device": { kind: "no-device", tool: "sminfo", host, stderr: "" },
  "no-sm": { kind: "no-sm", host, stderr: "" },
  "port-down": { kind: "port-down", host, device: "mlx5_0", port: 1, state: "Down" },
  "timed-out": { kind: "timed-out", what: "iblinkinfo", host, seconds: 300 },
  cancelled: { kind: "cancelled", what: "Collecting" },
  "output-truncated": { kind: "output-truncated", what: "iblinkinfo", host, limitBytes: 268435456 },
  "command-failed": { kind: "command-failed", tool: "iblinkinfo", host, exitCode: 3, stderr: "oh" },
  parse: { kind: "parse", file: "hosts.map", line: 3, expected: "a name and an address", excerpt: "x" },
  "empty-output": { kind: "empty-output", what: "a.txt" },
  "not-recognised": { kind: "not-recognised", path: "a.png", hint: "image" },
  "too-large": { kind: "too-large", path: "a.txt", bytes: 314572800, limitBytes: 268435456 },
  "failed-output": { kind: "failed-output", path: "a.txt", tool: "ibnetdiscover", line: 1, said: "discover failed" },
  "several-fabrics": { kind: "several-fabrics", path: "dir", files: ["a", "b"] },
  "no-topology": { kind: "no-topology", path: "dir", found: ["sminfo"] },
  file: { kind: "file", path: "/x", operation: "write", code: "ENOSPC" },
  "capture-damaged": { kind: "capture-damaged", path: "a.fabric", problem: "it is empty", readable: [] },
  "capture-newer": { kind: "capture-newer", path: "a.fabric", version: 9 },
  "no-path": { kind: "no-path", link: "leaf-01:1 to n1:1", reason: "The link is down.", help: "Plug it in." },
  busy: { kind: "busy", what: "The HCA of n001" },
  "already-started": { kind: "already-started", what: "Host links of leaf-03" },
  "in-use": {
    kind: "in-use",
    uses: [
      { what: "traffic", host: "n018", device: "mlx5_0", port: 1, gbps: 88.4, rateGbps: 200 },
      { what: "process", host: "n065", device: "mlx5_1", tool: "ib_write_bw", pid: 4711, user: "alice" },
    ],
  },
  "not-listening": { kind: "not-listening", tool: "ib_write_bw", host, port: 18600, seconds: 10, stderr: "" },
  "peer-refused": { kind: "peer-refused", host, port: 18600, stderr: "" },
  "version-mismatch": { kind: "version-mismatch", client: "6.06", server: "5.60", detail: "older than 5.70" },
  perftest: { kind: "perftest", tool: "ib_write_bw", host, code: "retry-exceeded", text: "Failed status 12" },
  "no-result": { kind: "no-result", tool: "ib_write_bw", host, problem: "no row", output: "" },
  "unknown-id": { kind: "unknown-id", what: "link", id: "0x1:1" },
  "bad-request": { kind: "bad-request", detail: "link" },
  unsupported: { kind: "unsupported", what: "Measuring", detail: "It was opened from files." },
  internal: { kind: "internal", incident: "ab12" },
};

describe("explain", () => {
  it.each(Object.values(samples))("$kind: a plain sentence that ends, without words of the code", (error) => {
    const words = explain(error);
    expect(words.sentence).toMatch(/^[A-Z0-9a-z/].*\.$/s);
    expect(words.title).not.toMatch(/[.!]$/);
    for (const text of [words.title, words.sentence, ...words.remedy]) {
      expect(text).not.toMatch(/undefined|\[object|\bnull\b|payload|promise|\bIPC\b|exception|please|oops|!/i);
      expect(text).not.toContain("..");
    }
    if (!["cancelled", "unsupported"].includes(error.kind)) expect(words.remedy.length).toBeGreaterThan(0);
  });

  it("has words for every perftest failure that the parser names", () => {
    const source = readFileSync(join(import.meta.dirname, "../../../shared/parse/perftest-failures.ts"), "utf8");
    const codes = [...source.matchAll(/text\(\s*"([a-z-]+)"|code: "([a-z-]+)"/g)].map((hit) => hit[1] ?? hit[2] ?? "");
    expect(codes.length).toBeGreaterThan(30);
    for (const code of new Set(codes)) {
      const { sentence, remedy } = explain({ kind: "perftest", tool: "ib_write_bw", host, code, text: "TEXT" });
      expect(sentence.length).toBeGreaterThan(20);
      // These become kinds of their own; all others are said in our words, not perftest's.
      const ownKind = ["tool-missing", "no-permission", "version-mismatch"].includes(code);
      expect(sentence.includes("TEXT")).toBe(ownKind);
      expect(remedy.length).toBeGreaterThan(0);
    }
  });
});
