import { describe, expect, it } from "vitest";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { limitProblems, limitRows, thresholdsOf } from "../../../shared/analyse/limits.ts";
import { healths } from "../../../shared/analyse/results.ts";
import { defaultThresholds } from "../../../shared/analyse/thresholds.ts";
import { linkName } from "../../../shared/fabric/access.ts";
import { dbCsvText, dbGuids } from "../../support/db-csv-text.ts";
import { understandTexts } from "../../support/understand.ts";

interface Port {
  readonly minutes?: number;
  readonly raw?: string;
  readonly effective?: string;
  readonly symbol?: string;
  readonly meters?: number;
  readonly celsius?: string;
}

const hdr = { [`${dbGuids.leaf1}:1`]: 2048, [`${dbGuids.spine1}:1`]: 2048 };
const edr = { [`${dbGuids.leaf1}:1`]: 512, [`${dbGuids.spine1}:1`]: 512 };

/** leaf-1:1 as mlxlink tells of it, at a speed. */
function understood({ minutes, raw, effective, symbol, meters, celsius }: Port, speeds: Record<string, number> = hdr) {
  const output = {
    "Module Info": { "Transfer Distance [m]": String(meters ?? 3), "Temperature [C]": celsius ?? "N/A" },
    "Physical Counters and BER Info": {
      "Time Since Last Clear [Min]": minutes === undefined ? "N/A" : String(minutes),
      "Raw Physical BER": raw ?? "N/A",
      "Effective Physical BER": effective ?? "N/A",
      "Symbol BER": symbol ?? "N/A",
    },
  };
  return understandTexts({
    "x.db_csv": dbCsvText({ speeds }),
    "lid-1-port-1.json": JSON.stringify({ result: { output } }),
  });
}

function found(port: Port, speeds?: Record<string, number>): readonly string[] {
  return understood(port, speeds)
    .analysis.findings.filter(({ rule }) => rule.startsWith("bit-errors") || rule === "hot-module")
    .map(({ rule, severity, subject }) => `${severity} ${rule} ${subject.name}`);
}

const link = "leaf-1:1 to spine-1:1";

describe("bit errors", () => {
  it("are judged by the symbol and effective rate on PAM4 links, by the limits of short reach", () => {
    expect(found({ minutes: 600, symbol: "15E-255", effective: "4E-12", raw: "2E-7" })).toEqual([]);
    expect(found({ minutes: 600, symbol: "6E-15" })).toEqual([`warning bit-errors ${link}`]);
    expect(found({ minutes: 600, symbol: "2E-14" })).toEqual([`error bit-errors ${link}`]);
    expect(found({ minutes: 600, effective: "6E-12" })).toEqual([`warning bit-errors ${link}`]);
    expect(found({ minutes: 600, effective: "2E-11" })).toEqual([`error bit-errors ${link}`]);
  });

  it("have stricter limits on cables over 100 m", () => {
    expect(found({ minutes: 600, effective: "6E-15", meters: 30 })).toEqual([]);
    expect(found({ minutes: 600, effective: "6E-15", meters: 150 })).toEqual([`warning bit-errors ${link}`]);
  });

  it("are judged by the effective rate alone on EDR and older, where a raw rate says nothing", () => {
    expect(found({ minutes: 600, symbol: "1E-9", raw: "1E-4", effective: "5E-14" }, edr)).toEqual([]);
    expect(found({ minutes: 600, effective: "2E-13" }, edr)).toEqual([`warning bit-errors ${link}`]);
    expect(found({ minutes: 600, effective: "2E-12" }, edr)).toEqual([`error bit-errors ${link}`]);
  });

  it("before correction are a warning at most", () => {
    expect(found({ minutes: 600, raw: "1E-3" })).toEqual([`warning bit-errors ${link}`]);
  });

  it("say nothing before enough bits have passed: neither green nor red", () => {
    const { fabric, analysis } = understood({ minutes: 41, symbol: "1E-12" });
    const own = analysis.findings.filter(({ rule }) => rule === "bit-errors-not-judged");
    expect(own.map(({ severity }) => severity)).toEqual(["note", "note"]);
    expect(own[0]?.evidence).toContain("not enough bits yet, 41 of 125 min");
    const at = Array.from({ length: fabric.links.count }, (_, i) => i).find((i) => linkName(fabric, i) === link) ?? -1;
    expect(healths[analysis.linkHealth[at] ?? 0]).toBe("not-enough-data");
    const clean = understood({ minutes: 41, symbol: "15E-255" }).analysis;
    expect(clean.findings.filter(({ rule }) => rule === "bit-errors-not-judged")).toHaveLength(1);
    expect(healths[clean.linkHealth[at] ?? 0]).toBe("not-enough-data");
  });

  it("over an unknown time are a warning at most", () => {
    expect(found({ symbol: "1E-9" })).toEqual([`warning bit-errors ${link}`]);
  });
});

describe("module temperature", () => {
  it("warns from 70 °C and calls 80 °C an error", () => {
    expect(found({ celsius: "69" })).toEqual([]);
    expect(found({ celsius: "70 [-5..75]" })).toEqual([`warning hot-module ${link}`]);
    expect(found({ celsius: "81C" })).toEqual([`error hot-module ${link}`]);
  });
});

describe("changed limits", () => {
  it("stand in the thresholds that they name, and nowhere else", () => {
    expect(thresholdsOf({})).toEqual(defaultThresholds);
    const changed = thresholdsOf({ "module-temperature": { warn: 60 }, SymbolErrorCounter: { warn: 2, error: 50 } });
    expect(changed.celsius).toEqual({ warn: 60, error: 80 });
    expect(changed.counters.SymbolErrorCounter).toEqual({ warnPerHour: 2, errorPerHour: 50 });
    expect({ ...changed, celsius: defaultThresholds.celsius, counters: defaultThresholds.counters }).toEqual(
      defaultThresholds,
    );
    const { fabric } = understood({ celsius: "65" });
    expect(analyse(fabric, changed).findings.map(({ rule }) => rule)).toContain("hot-module");
  });

  it("are all reachable: each row moves a number that a rule reads", () => {
    for (const { id, warn = 0, most, whole } of limitRows) {
      const other = whole === true ? 0 : Math.min(most, warn === 0 ? 1 : warn / 2);
      expect(thresholdsOf({ [id]: { warn: other } }), id).not.toEqual(defaultThresholds);
    }
  });

  it("that make no sense are said, one by one, and not used", () => {
    expect(
      limitProblems({
        "module-temperature": { warn: 90 },
        unheard: { warn: 1 },
        "raw-ber": { error: 1e-3 },
        "link-down": { warn: 0.5 },
        "symbol-ber": { warn: -1 },
      }),
    ).toEqual([
      "module-temperature: the warning 90 is above the error 80.",
      'There is no limit called "unheard".',
      "raw-ber has no error limit.",
      "link-down: warn is a whole number.",
      "symbol-ber: warn is a number from 0 to 1.",
    ]);
    expect(thresholdsOf({ "module-temperature": { warn: 90 }, unheard: { warn: 1 } })).toEqual(defaultThresholds);
  });
});
