import type { KnownHost } from "../../../shared/contract/requests.ts";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** One usable line of a known_hosts file. */
interface KnownHostsLine {
  readonly file: string;
  readonly line: number;
  readonly revoked: boolean;
  readonly hosts: string;
  readonly keyType: string;
  readonly key: Buffer;
}

/** A known_hosts file as text, with its name for messages. */
export interface KnownHostsText {
  readonly file: string;
  readonly text: string;
}

/** What the files say of a host's key. */
export type KnownHostAnswer =
  | { readonly kind: "known" }
  | { readonly kind: "unknown" }
  /** Another key stands there, or this one is revoked. `known`: fingerprint of the key that stands there, or `revoked`. */
  | { readonly kind: "changed"; readonly file: string; readonly line: number; readonly known: string };

/** A host's public key as the server sends it. */
export interface HostKey {
  readonly keyType: string;
  readonly data: Buffer;
}

/** Longest known_hosts line that is read, in characters; an RSA key of 16,384 bits takes 2,800. */
const longestLine = 16 * 1024;

/**
 * Looks a host key up in known_hosts files (format: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT): plain and hashed (`|1|`)
 * names, `[host]:port`, `*` and `?`, negated patterns, `@revoked`. `@cert-authority` lines are passed over, as Ibex
 * takes no host certificates.
 *
 * As in OpenSSH: a revoked key is refused whatever else stands there; one matching entry makes the key known; an entry
 * for this host with another key, of whatever type, makes it changed; on another port than 22 an entry without a
 * port counts only when its key matches.
 */
export function lookUpHostKey(
  files: readonly KnownHostsText[],
  host: string,
  port: number,
  key: HostKey,
): KnownHostAnswer {
  const lines = files.flatMap(readLines);
  const name = hostEntry(host, port);
  const entries = lines.filter((line) => hostMatches(line.hosts, name));
  const sameKey = (line: KnownHostsLine): boolean =>
    line.key.length === key.data.length && timingSafeEqual(line.key, key.data);
  const revoked = lines.find(
    (line) =>
      line.revoked && sameKey(line) && (hostMatches(line.hosts, name) || hostMatches(line.hosts, bareName(host))),
  );
  if (revoked) return { kind: "changed", file: revoked.file, line: revoked.line, known: "revoked" };
  const valid = entries.filter((line) => !line.revoked);
  if (valid.some(sameKey)) return { kind: "known" };
  const other = valid[0];
  if (other) return { kind: "changed", file: other.file, line: other.line, known: fingerprint(other.key) };
  const portless =
    port !== 22 && lines.some((line) => !line.revoked && sameKey(line) && hostMatches(line.hosts, bareName(host)));
  return portless ? { kind: "known" } : { kind: "unknown" };
}

/** Types of the keys that the files hold for a host: a server should be asked for one of these first. */
export function knownKeyTypes(files: readonly KnownHostsText[], host: string, port: number): readonly string[] {
  const name = hostEntry(host, port);
  const lines = files.flatMap(readLines).filter((line) => !line.revoked && hostMatches(line.hosts, name));
  return [...new Set(lines.map((line) => line.keyType))];
}

/** The line that makes a host key known, without line end. */
export function knownHostsLine(host: string, port: number, key: HostKey): string {
  return `${hostEntry(host, port)} ${key.keyType} ${key.data.toString("base64")}`;
}

/** `SHA256:…` as OpenSSH prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** The type that a public key in SSH wire format names; `unknown` when it is none. */
export function keyTypeOf(key: Buffer): string {
  if (key.length < 4) return "unknown";
  const length = key.readUInt32BE(0);
  const type = key.toString("latin1", 4, 4 + Math.min(length, 64));
  return /^[a-z0-9@.-]+$/i.test(type) && type.length === length ? type : "unknown";
}

function bareName(host: string): string {
  return host.toLowerCase();
}

function hostEntry(host: string, port: number): string {
  return port === 22 ? bareName(host) : `[${bareName(host)}]:${String(port)}`;
}

function readLines({ file, text }: KnownHostsText): readonly KnownHostsLine[] {
  const lines: KnownHostsLine[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (raw.length > longestLine) continue;
    const words = raw.trim().split(/\s+/);
    const marker = words[0]?.startsWith("@") === true ? words.shift() : undefined;
    const [hosts, keyType, base64] = words;
    if (hosts === undefined || hosts.startsWith("#") || keyType === undefined || base64 === undefined) continue;
    if (marker !== undefined && marker !== "@revoked") continue;
    const key = Buffer.from(base64, "base64");
    // A torn or damaged line, or one of SSH protocol 1 (numbers instead of a type).
    if (keyTypeOf(key) !== keyType) continue;
    lines.push({ file, line: index + 1, revoked: marker !== undefined, hosts, keyType, key });
  }
  return lines;
}

/** The lines of a file that name a key and are not revoked, as people look at them. */
export function knownHostsOf(text: string): readonly KnownHost[] {
  const raw = text.split(/\r?\n/);
  return readLines({ file: "", text })
    .filter(({ revoked }) => !revoked)
    .map(({ line, hosts, keyType, key }) => ({
      ...{ line: raw[line - 1] ?? "", host: hosts, keyType },
      fingerprint: fingerprint(key),
    }));
}

function hostMatches(field: string, name: string): boolean {
  if (field.startsWith("|")) return hashedMatches(field, name);
  let hit = false;
  for (const pattern of field.toLowerCase().split(",")) {
    if (pattern.startsWith("!")) {
      if (wildcardMatches(pattern.slice(1), name)) return false;
    } else if (!hit) {
      hit = wildcardMatches(pattern, name);
    }
  }
  return hit;
}

/** `|1|salt|hash`: HMAC-SHA1 of the name under the salt, both in base64. */
function hashedMatches(field: string, name: string): boolean {
  const [, version, saltText, hashText] = field.split("|");
  if (version !== "1" || saltText === undefined || hashText === undefined) return false;
  const expected = Buffer.from(hashText, "base64");
  const actual = createHmac("sha1", Buffer.from(saltText, "base64")).update(name).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** `*` and `?` only, in time that grows with the product of the lengths at worst. */
function wildcardMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      starAt = p;
      resumeAt = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (starAt >= 0) {
      p = starAt + 1;
      resumeAt += 1;
      t = resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
