import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const theme = join(import.meta.dirname, "..", "..", "..", "renderer", "theme");

type Tokens = Readonly<Record<string, string>>;

/** Custom properties of the block whose selector list holds the attribute, `name → #rrggbb`. */
function tokensOf(css: string, attribute: string): Tokens {
  const found: Record<string, string> = {};
  for (const block of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!(block[1] ?? "").includes(attribute)) continue;
    for (const token of (block[2] ?? "").matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/gi)) {
      const [, name = "", value = ""] = token;
      found[name] = value;
    }
  }
  return found;
}

const css = readFileSync(join(theme, "tokens.css"), "utf8") + readFileSync(join(theme, "base.css"), "utf8");
const themes = { dark: tokensOf(css, '[data-theme="dark"]'), light: tokensOf(css, '[data-theme="light"]') };

/** Relative luminance, WCAG 2.x. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Pairs of a theme that stay below the least contrast, in words; empty when all is well. */
function tooLow(tokens: Tokens, front: readonly string[], back: readonly string[], least: number): readonly string[] {
  return front.flatMap((name) =>
    back.flatMap((ground) => {
      const [a, b] = [tokens[name], tokens[ground]];
      if (a === undefined || b === undefined) return [`${a === undefined ? name : ground} is not defined`];
      const value = contrast(a, b);
      return value >= least ? [] : [`${name} on ${ground}: ${value.toFixed(2)} < ${least}`];
    }),
  );
}

const surfaces = ["canvas", "frame", "panel", "raised", "hover", "active"];
const text = 4.5;
const sign = 3;

describe("contrast by WCAG 2.x", () => {
  it("is computed as the standard does", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});

describe.each(Object.entries(themes))("theme %s", (_name, tokens) => {
  it("defines every colour that the other theme defines", () => {
    const names = (of: Tokens): readonly string[] => Object.keys(of).sort();
    expect(names(tokens)).toEqual(names(themes.dark));
  });

  it("keeps text readable on every surface", () => {
    expect(tooLow(tokens, ["t1", "t2", "t3", "accent"], surfaces, text)).toEqual([]);
  });

  it("keeps words of health and of simulated data readable on every surface and on their own soft ground", () => {
    const tones = ["ok", "note", "warn", "error", "sim"];
    expect(tooLow(tokens, tones, surfaces, text)).toEqual([]);
    expect(tones.flatMap((tone) => tooLow(tokens, [tone], [`${tone}-soft`], text))).toEqual([]);
    expect(tooLow(tokens, ["unknown"], surfaces, text)).toEqual([]);
  });

  it("keeps text readable in selected rows and in callouts", () => {
    const grounds = ["accent-soft", "ok-soft", "note-soft", "warn-soft", "error-soft"];
    expect(tooLow(tokens, ["t1", "t2"], grounds, text)).toEqual([]);
  });

  it("keeps the words of a primary button readable", () => {
    expect(tooLow(tokens, ["on-accent"], ["accent-solid"], text)).toEqual([]);
  });

  it("keeps lines that carry meaning visible on the canvas", () => {
    const lines = ["ok-line", "warn-line", "error-line", "unknown-line", "accent"];
    expect(tooLow(tokens, lines, ["canvas"], sign)).toEqual([]);
    const rates = ["sdr", "ddr", "qdr", "fdr10", "fdr", "edr", "hdr", "ndr", "xdr"].map((rate) => `r-${rate}`);
    const percents = [1, 2, 3, 4, 5].map((level) => `pct-${level}`);
    expect(tooLow(tokens, [...rates, ...percents], ["canvas"], sign)).toEqual([]);
  });

  it("keeps glyphs visible: their colour on panels, their ink on their filling", () => {
    expect(tooLow(tokens, ["ok", "note", "unknown", "warn-line", "error-line"], ["panel", "raised"], sign)).toEqual([]);
    expect(tooLow(tokens, ["glyph-ink"], ["error-line", "warn-line"], sign)).toEqual([]);
  });

  it("keeps the borders of controls visible", () => {
    expect(tooLow(tokens, ["ctl"], ["panel", "raised"], sign)).toEqual([]);
  });
});
