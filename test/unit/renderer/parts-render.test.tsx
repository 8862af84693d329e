import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { explain } from "../../../shared/errors/explain.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { ErrorBox } from "../../../renderer/parts/error-box.tsx";
import { Facts } from "../../../renderer/parts/facts.tsx";
import { type GlyphKind, HealthGlyph } from "../../../renderer/parts/glyph.tsx";
import { PercentMeter } from "../../../renderer/parts/meter.tsx";
import { percentClass } from "../../../renderer/parts/percent.ts";

const kinds: readonly GlyphKind[] = [
  "ok",
  "note",
  "warning",
  "error",
  "down",
  "unknown",
  "not-enough-data",
  "not-run",
  "running",
];

describe("HealthGlyph", () => {
  it("has a shape of its own for every state, also without colour", () => {
    const shapes = kinds.map((kind) =>
      renderToStaticMarkup(<HealthGlyph health={kind} />)
        .replace(/aria-label="[^"]*"/, "")
        .replace(/var\(--[\w-]+\)/g, "grey"),
    );
    expect(new Set(shapes).size).toBe(kinds.length);
  });

  it("says its state to a screen reader", () => {
    expect(renderToStaticMarkup(<HealthGlyph health="not-enough-data" />)).toContain('aria-label="not enough data"');
    expect(renderToStaticMarkup(<HealthGlyph health="down" title="cable missing" />)).toContain(
      'aria-label="cable missing"',
    );
  });
});

describe("percentClass", () => {
  it.each([
    [100, 5],
    [95, 5],
    [94.9, 4],
    [90, 4],
    [89.9, 3],
    [80, 3],
    [79.9, 2],
    [60, 2],
    [59.9, 1],
    [0, 1],
  ])("%d per cent is class %d", (percent, level) => {
    expect(percentClass(percent)).toBe(level);
  });

  it("moves with the pass line", () => {
    expect(percentClass(92, 90)).toBe(5);
    expect(percentClass(86, 90)).toBe(4);
    expect(percentClass(97, 98)).toBe(4);
  });

  it("shows as many bars as the class", () => {
    const filled = (percent: number): number =>
      renderToStaticMarkup(<PercentMeter percent={percent} />).split('fill="var(--pct-').length - 1;
    expect([99, 92, 85, 61, 10].map(filled)).toEqual([5, 4, 3, 2, 1]);
  });
});

describe("Facts", () => {
  it("shows a dash for what is not known", () => {
    const html = renderToStaticMarkup(
      <Facts
        rows={[
          { label: "LID", value: "" },
          { label: "Speed", value: "HDR" },
        ]}
      />,
    );
    expect(html).toContain("<dd>–</dd>");
    expect(html).toContain("<dd>HDR</dd>");
  });
});

describe("ErrorBox", () => {
  const refused: AppError = {
    kind: "no-permission",
    tool: "ibnetdiscover",
    host: "mgmt-01",
    sudo: false,
    stderr: "can't open UMAD port <b>mlx5_0</b>",
  };

  it("shows the sentence, every remedy with its number, and the raw text as text", () => {
    const html = renderToStaticMarkup(<ErrorBox error={refused} />);
    const words = explain(refused);
    expect(html).toContain(words.title);
    expect(words.remedy.length).toBeGreaterThan(1);
    words.remedy.forEach((remedy, index) => {
      expect(html).toContain(`>${index + 1}</span><span>${remedy.replaceAll("'", "&#x27;")}`);
    });
    expect(html).toContain("can&#x27;t open UMAD port &lt;b&gt;mlx5_0&lt;/b&gt;");
    expect(html).toContain('role="alert"');
  });

  it("does not shout when the user has cancelled", () => {
    const html = renderToStaticMarkup(<ErrorBox error={{ kind: "cancelled", what: "Collecting" }} />);
    expect(html).toContain('role="status"');
    expect(html).not.toContain('role="alert"');
  });
});
