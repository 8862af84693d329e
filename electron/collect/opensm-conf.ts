/** opensm's options file where the tools run. Only reads. */
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { asOutput, runTool, type ToolPlace } from "./step.ts";

/** opensm's own default, and that of distributions with an rdma folder. */
const paths = ["/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"] as const;
const timeoutMs = 30_000;

export interface OpensmConf {
  /** Undefined where there is none, or it may not be read. */
  readonly output?: CaptureOutput;
  /** Only when the machine cannot be asked any more: `cancelled`, `connection-lost`. */
  readonly error?: AppError;
}

/**
 * Keys other than 0 (`m_key 0x…`, `sa_key`, `vs_key` …): who knows them may change the fabric, captures are handed on, and
 * nothing here needs them. Zero says that there is none, and stays.
 */
const keyLine = /^([ \t]*\w*key[ \t]+)0x(?!0+\b)[0-9a-f]+/gim;

function withoutKeys(conf: Uint8Array): Uint8Array {
  // One byte a sign, so that all others stay as they are.
  return Buffer.from(Buffer.from(conf).toString("latin1").replace(keyLine, "$1(left out by Ibex)"), "latin1");
}

/** What opensm was told, without the keys of the fabric. */
export async function readOpensmConf(place: ToolPlace): Promise<OpensmConf> {
  for (const path of paths) {
    const { error, output, stdout } = await runTool(place, ["cat", path], timeoutMs);
    if (error?.kind === "cancelled" || error?.kind === "connection-lost") return { error };
    if (error === undefined && output !== undefined && stdout.trim() !== "") {
      return { output: asOutput("opensm.conf", { ...output, stdout: withoutKeys(output.stdout) }) };
    }
  }
  return {};
}
