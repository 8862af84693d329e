/** opensm's options file where the tools run. Only reads. */
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { runTool, type ToolPlace } from "./step.ts";
import { keylessOutput } from "./without-keys.ts";

/** opensm's own default, and that of distributions with an rdma folder. */
const paths = ["/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"] as const;
const timeoutMs = 30_000;

export interface OpensmConf {
  /** Undefined where there is none, or it may not be read. */
  readonly output?: CaptureOutput;
  /** Only when the machine cannot be asked any more: `cancelled`, `connection-lost`. */
  readonly error?: AppError;
}

/** What opensm was told, without the keys of the fabric. */
export async function readOpensmConf(place: ToolPlace): Promise<OpensmConf> {
  for (const path of paths) {
    const { error, output, stdout } = await runTool(place, ["cat", path], timeoutMs);
    if (error?.kind === "cancelled" || error?.kind === "connection-lost") return { error };
    if (error === undefined && output !== undefined && stdout.trim() !== "") {
      return { output: keylessOutput("opensm.conf", output) };
    }
  }
  return {};
}
