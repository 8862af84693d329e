import type { AppError } from "../../shared/errors/kinds.ts";

/** A Node file-system failure as an expected error. Anything that is no such failure is thrown on: a bug. */
export function fileError(cause: unknown, path: string, operation: "read" | "write" | "list"): AppError {
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    return { kind: "file", path, operation, code: cause.code };
  }
  throw cause;
}
