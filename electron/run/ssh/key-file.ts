import { readFile, stat } from "node:fs/promises";
import ssh2 from "ssh2";
import type { ParsedKey } from "ssh2";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";

/** Larger files are no keys: an RSA key of 16,384 bits takes 13 KB. */
const largestKeyBytes = 256 * 1024;

/** A private key file: ready, or locked by a passphrase. */
export type KeyFile =
  | { readonly kind: "ready"; readonly path: string; readonly key: ParsedKey }
  | { readonly kind: "locked"; readonly path: string; readonly text: Buffer };

type KeyFileError = Extract<AppError, { kind: "key-file" }>;

/** Reads a private key (OpenSSH, PEM, PPK); `key-file` says what is wrong with it, never what is in it. */
export async function readKeyFile(path: string): Promise<Result<KeyFile, KeyFileError>> {
  const refuse = (problem: KeyFileError["problem"]): Result<KeyFile, KeyFileError> =>
    err({ kind: "key-file", path, problem });
  let text: Buffer;
  try {
    const { size } = await stat(path);
    if (size > largestKeyBytes) return refuse("not-a-key");
    text = await readFile(path);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return refuse(missing ? "missing" : "unreadable");
  }
  const parsed = parse(text);
  if (parsed === "locked") return ok({ kind: "locked", path, text });
  if (parsed === undefined) return refuse("not-a-key");
  return ok({ kind: "ready", path, key: parsed });
}

/** The key of a locked file; undefined when the passphrase is not the right one. */
export function unlockKey(file: Extract<KeyFile, { kind: "locked" }>, passphrase: string): ParsedKey | undefined {
  const parsed = parse(file.text, passphrase);
  return parsed === "locked" ? undefined : parsed;
}

/** The public half that stands beside a private key as `<path>.pub`; undefined when there is none. */
export async function readPublicHalf(path: string): Promise<Buffer | undefined> {
  try {
    const parsed = ssh2.utils.parseKey(await readFile(`${path}.pub`));
    return parsed instanceof Error ? undefined : parsed.getPublicSSH();
  } catch {
    return undefined; // missing or unreadable: it only saves a question
  }
}

function parse(text: Buffer, passphrase?: string): ParsedKey | "locked" | undefined {
  let parsed: unknown;
  try {
    parsed = passphrase === undefined ? ssh2.utils.parseKey(text) : ssh2.utils.parseKey(text, passphrase);
  } catch {
    return undefined; // ssh2's reader throws on some damaged keys
  }
  if (parsed instanceof Error) return /no passphrase given/i.test(parsed.message) ? "locked" : undefined;
  // ssh2 gives an array for some formats; the types do not know.
  const key: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isParsedKey(key) && key.isPrivateKey() ? key : undefined;
}

function isParsedKey(value: unknown): value is ParsedKey {
  return (
    typeof value === "object" && value !== null && "isPrivateKey" in value && typeof value.isPrivateKey === "function"
  );
}
