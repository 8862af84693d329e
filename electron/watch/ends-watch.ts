import type { AppError } from "../../shared/errors/kinds.ts";

/** True for failures of a tool after which nothing of this source can be asked any more. */
export function endsWatch(error: AppError | undefined, tool: string): boolean {
  if (error === undefined) return false;
  if (error.kind === "tool-missing") return error.tool === tool;
  return ["connection-lost", "sudo-refused", "no-permission", "no-device", "channel-refused"].includes(error.kind);
}
