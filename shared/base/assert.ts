/** Thrown for a programming mistake, never for bad input. */
class BugError extends Error {
  override readonly name = "BugError";
}

/**
 * Guards the program's own state.
 * @throws BugError when `condition` is false.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BugError(message);
}

/** Ends an exhaustive switch: does not compile when a case is missing. */
export function assertUnreachable(value: never): never {
  throw new BugError(`unhandled case: ${JSON.stringify(value)}`);
}
