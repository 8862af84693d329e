import { join } from "node:path";
import { ok, type Result } from "../../shared/base/result.ts";
import { defaultSettings, type Settings, type SettingsPatch, settingsSchema } from "../../shared/contract/settings.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { readStored, writeJson } from "./json-file.ts";

export interface SettingsStore {
  get(): Settings;
  set(patch: SettingsPatch): Promise<Result<Settings, AppError>>;
}

/** `settings.json` in `folder`. What is damaged or unknown in it falls back to defaults, key by key. */
export async function openSettings(folder: string): Promise<SettingsStore> {
  const path = join(folder, "settings.json");
  let settings = (await readStored(path, settingsSchema)) ?? defaultSettings;
  return {
    get: () => settings,
    async set(patch) {
      const defined = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      settings = settingsSchema.parse({ ...settings, ...defined });
      const written = await writeJson(path, settings);
      return written.ok ? ok(settings) : written;
    },
  };
}
