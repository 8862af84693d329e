import type { ReactNode } from "react";
import { defaultSettings, type Settings } from "../../../shared/contract/settings.ts";
import { Button } from "../../parts/button.tsx";
import { useSettings } from "../../state/settings-store.ts";

/** True for two plain values that say the same. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** One setting: name, what it does, its control; a dot and "Reset" when it is not as it came. */
export function Setting<
  K extends "theme" | "passPercent" | "hosts" | "notifyManagers" | "notifyConnections" | "collectRoutes",
>({
  name,
  title,
  note,
  children,
}: {
  readonly name: K;
  readonly title: string;
  readonly note: ReactNode;
  readonly children: (value: Settings[K], set: (value: Settings[K]) => void) => ReactNode;
}) {
  const value = useSettings((state) => state.settings[name]);
  const change = useSettings((state) => state.change);
  const set = (next: Settings[K]): void => void change({ [name]: next });
  const changed = !same(value, defaultSettings[name]);
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>
          {title}
          {changed ? <ChangedDot /> : null}
        </h3>
        {changed ? (
          <Button kind="ghost" size="small" onClick={() => set(defaultSettings[name])}>
            Reset
          </Button>
        ) : null}
      </div>
      <p>{note}</p>
      {children(value, set)}
    </section>
  );
}

/** Beside what is not as it came. */
export function ChangedDot() {
  return <span className="setting-dot" title="Changed" role="img" aria-label="changed" />;
}
