/** Changed limits as they stand in settings and files. */
import { z } from "zod";
import { type LimitChanges, limitProblems, limitRows } from "../analyse/limits.ts";
import { err, ok, type Result } from "../base/result.ts";

const changeSchema = z.strictObject({ warn: z.number().exactOptional(), error: z.number().exactOptional() });
const shapeSchema = z.record(z.string().max(60), changeSchema);

/** Changes that make sense together; anything else is refused with the reasons. */
export const limitChangesSchema = shapeSchema.superRefine((changes, context) => {
  for (const message of limitProblems(changes)) context.addIssue({ code: "custom", message });
});

/** Reads a file of changed limits; the reasons, a sentence each, when it cannot be used. */
export function readLimitChanges(text: string): Result<LimitChanges, readonly string[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return err([`This is no JSON (${cause instanceof Error ? cause.message : "unreadable"}).`]);
  }
  // The schema passes over this one key of records in silence; every other unknown name is said below.
  if (typeof json === "object" && json !== null && Object.hasOwn(json, "__proto__")) {
    return err(['There is no limit called "__proto__".']);
  }
  const shape = shapeSchema.safeParse(json);
  if (!shape.success) {
    const known = limitRows
      .slice(0, 3)
      .map(({ id }) => id)
      .join(", ");
    return err([
      `Expected limits as { "${limitRows[0]?.id ?? ""}": { "warn": 1, "error": 20 } }, by rules such as ${known}; ${shape.error.issues.map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`).join("; ")}.`,
    ]);
  }
  const problems = limitProblems(shape.data);
  return problems.length > 0 ? err(problems) : ok(shape.data);
}
