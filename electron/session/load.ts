/** Captures → understood fabrics: the part that window and command line share. */
import type { TopologyKind } from "../../shared/analyse/results.ts";
import { ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Capture } from "../store/capture.ts";
import { stderrOf } from "../../shared/build/interpret.ts";
import type { Engine } from "../threads/engine.ts";
import type { RawText, Understood } from "../threads/interpret-job.ts";

/** The texts of a capture, error outputs included. */
export function rawTextsOf(capture: Capture): readonly RawText[] {
  return capture.outputs.flatMap((output) => {
    const startedAt = output.startedAt === undefined ? Number.NaN : Date.parse(output.startedAt);
    const time = Number.isFinite(startedAt) ? { takenAt: startedAt } : {};
    const packed = output.packed === undefined ? {} : { packed: output.packed.pieces };
    const unread = output.unread === undefined ? {} : { unread: output.unread };
    const text: RawText = { file: output.name, bytes: output.stdout, ...packed, ...time, ...unread };
    return output.stderr === undefined
      ? [text]
      : [text, { file: stderrOf(output.name), bytes: output.stderr, isStderr: true }];
  });
}

/** Reads all texts of a capture and understands them. `kind`: the user's word on the shape. */
export async function understandCapture(
  capture: Capture,
  engine: Engine,
  signal: AbortSignal,
  kind?: TopologyKind,
): Promise<Result<{ readonly capture: Capture; readonly understood: Understood }, AppError>> {
  const understood = await engine.understand(rawTextsOf(capture), capture.name, signal, kind);
  return understood.ok ? ok({ capture, understood: understood.value }) : understood;
}
