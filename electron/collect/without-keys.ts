import type { CommandOutput } from "../run/runner.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { asOutput } from "./step.ts";

/**
 * A line with a key other than 0, in opensm's options (`m_key 0x…`), smpquery (`Mkey:....0x…`) and saquery
 * (`SM_Key....0x…`). Zero says that there is none, and stays.
 */
const keyLine = /^([ \t]*\w*key(?:[ \t]+|:?\.+))0x(?!0+\b)[0-9a-f]+/gim;

/**
 * An output as the capture keeps it, without the keys of the fabric: who knows them may change it, captures are handed on,
 * and nothing here needs them.
 */
export function keylessOutput(name: string, output: CommandOutput): CaptureOutput {
  // One byte a sign, so that all others stay as they are.
  const text = Buffer.from(output.stdout).toString("latin1").replace(keyLine, "$1(left out by Ibex)");
  return asOutput(name, { ...output, stdout: Buffer.from(text, "latin1") });
}
