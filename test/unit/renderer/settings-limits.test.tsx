import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { limitRows } from "../../../shared/analyse/limits.ts";
import { defaultSettings } from "../../../shared/contract/settings.ts";
import { useSettings } from "../../../renderer/state/settings-store.ts";
import { Limits } from "../../../renderer/views/settings/limit-settings.tsx";

const initial = useSettings.getInitialState();
afterEach(() => useSettings.setState(initial, true));

function markup(limits: typeof defaultSettings.limits): string {
  // Static rendering reads a store's initial state.
  Object.assign(useSettings.getInitialState(), { settings: { ...defaultSettings, limits } });
  return renderToStaticMarkup(<Limits />);
}

describe("limits in the settings", () => {
  it("show every rule with its levels, unit and default, and no reset while nothing is changed", () => {
    const html = markup({});
    for (const { title } of limitRows) expect(html).toContain(title);
    const fields = limitRows.reduce((sum, row) => sum + (row.error === undefined ? 1 : 2), 0);
    expect(html.match(/<input/g)).toHaveLength(fields);
    expect(html).toContain("5e-15, 1e-14");
    expect(html).not.toContain("Reset all");
    expect(html).not.toContain("setting-dot");
  });

  it("mark a changed rule and offer its default again", () => {
    const html = markup({ "module-temperature": { warn: 60 } });
    expect(html).toContain('aria-label="Reset Module temperature"');
    expect(html.match(/setting-dot/g)).toHaveLength(1);
    expect(html).toContain('value="60"');
    expect(html).toContain("Reset all 1");
  });
});
