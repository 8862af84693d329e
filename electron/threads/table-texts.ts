import { gunzipSync } from "node:zlib";
import type { InputText } from "../../shared/build/interpret.ts";
import { decodeOutput } from "./decode.ts";
import type { RawText } from "./interpret-job.ts";

/** Texts with forwarding tables, decoded one by one and packed ones piece by piece: only one is held as text at a time. */
export function* tableTexts(
  texts: readonly RawText[],
  progress: (done: number, total: number, file: string) => void,
): Generator<InputText> {
  const total = texts.reduce((sum, { packed }) => sum + (packed?.length ?? 1), 0);
  let done = 0;
  for (const { file, bytes, packed } of texts) {
    const pieces = packed ?? [bytes];
    for (const piece of pieces) {
      progress(done, total, file);
      const whole = packed === undefined ? piece : gunzipSync(piece);
      yield { file, text: decodeOutput(whole), bytes: whole.length };
      done += 1;
    }
  }
}
