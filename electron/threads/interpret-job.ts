import { gunzipSync } from "node:zlib";
import { ok, type Result } from "../../shared/base/result.ts";
import type { Analysis, TopologyKind } from "../../shared/analyse/results.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { type LimitChanges, thresholdsOf } from "../../shared/analyse/limits.ts";
import { interpret, type Interpreted } from "../../shared/build/interpret.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { limits } from "../../shared/base/limits.ts";
import { decodeOutput } from "./decode.ts";

export interface RawText {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Instead of `bytes`: pieces of whole lines, each gzipped. Only forwarding tables are kept so. */
  readonly packed?: readonly Uint8Array[];
  readonly isStderr?: boolean;
  /** When its command started, in milliseconds since 1970. */
  readonly takenAt?: number;
  /** Why the file could not be read, a sentence. */
  readonly unread?: string;
}

export interface Understood extends Interpreted {
  readonly analysis: Analysis;
}

function head(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  return first === undefined ? "" : decodeOutput(gunzipSync(first));
}

/**
 * Raw outputs → fabric and analysis: the whole work that grows with the fabric, in one call that a worker can make.
 * `kind`: the user's word on the shape instead of ours. `changes`: limits that the user set.
 */
export function understand(
  files: readonly RawText[],
  path: string,
  kind?: TopologyKind,
  changes: LimitChanges = {},
): Result<Understood, AppError> {
  const inputs = files.map(({ file, bytes, packed, isStderr, takenAt, unread }) => ({
    file,
    // Of a packed output its first piece tells which tool it is from; all of it is read when somebody asks for routes.
    text: packed !== undefined ? head(packed) : bytes.length > limits.fileBytes ? "" : decodeOutput(bytes),
    bytes: bytes.length,
    ...(isStderr === undefined ? {} : { isStderr }),
    ...(takenAt === undefined ? {} : { takenAt }),
    ...(unread === undefined ? {} : { unread }),
  }));
  const interpreted = interpret(inputs, path);
  if (!interpreted.ok) return interpreted;
  return ok({ ...interpreted.value, analysis: analyse(interpreted.value.fabric, thresholdsOf(changes), kind) });
}
