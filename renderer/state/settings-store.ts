import { create } from "zustand";
import { defaultSettings, type Settings, type SettingsPatch } from "../../shared/contract/settings.ts";
import { api } from "./api-context.ts";

interface SettingsState {
  readonly settings: Settings;
  readonly load: () => Promise<void>;
  /** Applies at once and is kept on disk. */
  readonly change: (patch: SettingsPatch) => Promise<void>;
}

export const useSettings = create<SettingsState>((set) => ({
  settings: defaultSettings,
  load: async () => {
    const settings = await api().call("settings.get", {});
    if (settings.ok) set({ settings: settings.value });
  },
  change: async (patch) => {
    const settings = await api().call("settings.set", patch);
    if (settings.ok) set({ settings: settings.value });
  },
}));
