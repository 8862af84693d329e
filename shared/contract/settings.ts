import { z } from "zod";
import { rememberedOptionsSchema } from "./measure-options.ts";
import { limitChangesSchema } from "./limits.ts";
import { defaultHostAccess, hostAccessSchema } from "./source.ts";

/** User settings; a file of an older version is filled up with defaults, unknown keys are dropped. */
export const settingsSchema = z.object({
  theme: z.enum(["system", "dark", "light"]).catch("system"),
  /** Per cent of the expected rate from which a bandwidth result is good. */
  passPercent: z.number().min(50).max(100).catch(95),
  /** Sources (labels) for which a quick check starts without asking. */
  measureWithoutAsking: z.array(z.string().max(400)).max(200).catch([]),
  /** Defaults for finding the compute hosts of a new source. */
  hosts: hostAccessSchema.catch(defaultHostAccess),
  /** What was chosen last for each kind of measurement. */
  measureOptions: rememberedOptionsSchema.catch({}),
  /** Limits of the rules that are not at their defaults (analyse/limits.ts). */
  limits: limitChangesSchema.catch({}),
  /** Desktop notifications: of managers that hand over, are lost or come back while they are watched, and of lost connections. */
  notifyManagers: z.boolean().catch(true),
  notifyConnections: z.boolean().catch(true),
  /** Forwarding tables are read with every collection, not only when they are asked for. */
  collectRoutes: z.boolean().catch(false),
  /** Widths of panes in px by name, 0 = closed. */
  panes: z.record(z.string().max(40), z.number().min(0).max(4000)).catch({}),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = z.strictObject({
  theme: z.enum(["system", "dark", "light"]).optional(),
  passPercent: z.number().min(50).max(100).optional(),
  measureWithoutAsking: z.array(z.string().max(400)).max(200).optional(),
  hosts: hostAccessSchema.optional(),
  measureOptions: rememberedOptionsSchema.optional(),
  limits: limitChangesSchema.optional(),
  notifyManagers: z.boolean().optional(),
  notifyConnections: z.boolean().optional(),
  collectRoutes: z.boolean().optional(),
  panes: z.record(z.string().max(40), z.number().min(0).max(4000)).optional(),
});
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

/** What the user says of suspect cables; no entry means new. */
export const markNames = ["known", "handed-over", "fixed"] as const;

const markSchema = z.object({
  mark: z.enum(markNames),
  at: z.string().max(40),
  note: z.string().max(2000).catch(""),
});

/** `marks.json`: by link id, as {@link LinkId} spells it. */
export const marksFileSchema = z.object({ version: z.literal(1), marks: z.record(z.string().max(40), markSchema) });
