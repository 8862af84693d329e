import { describe, expect, it } from "vitest";
import { findLink } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { huntOf, walkToText } from "../../../renderer/views/findings/suspects.ts";
import { cableRows, cableText } from "../../../renderer/views/inspector/cable-facts.ts";
import { dbCsvText, dbGuids } from "../../support/db-csv-text.ts";
import { understandTexts } from "../../support/understand.ts";

const speeds = { [`${dbGuids.leaf1}:1`]: 1024, [`${dbGuids.spine1}:1`]: 1024 };

function viewOf(minutes: string): FabricView {
  const output = {
    "Module Info": { "Temperature [C]": "72" },
    "Physical Counters and BER Info": { "Symbol BER": "2E-14", "Time Since Last Clear [Min]": minutes },
  };
  const { fabric, analysis, diagnostics } = understandTexts({
    "x.db_csv": dbCsvText({
      speeds,
      cables: [
        `${dbGuids.leaf1},1,VENDOR,0,MFS1S00-H015E,SN1,A2,15 m,Active optical module,N/A,38.100.121`,
        `${dbGuids.spine1},1,VENDOR,0,MFS1S00-H015E,SN1,A2,15 m,Active optical module,58C,38.100.121`,
      ],
    }),
    "lid-1-port-1.json": JSON.stringify({ result: { output } }),
  });
  return {
    fabricId: "f",
    capture: {
      ...{
        name: "x",
        how: "file",
        simulated: false,
        collectedAt: null,
        path: null,
        source: null,
        steps: [],
        files: [],
      },
      partial: false,
    },
    fabric,
    analysis,
    diagnostics,
  };
}

function ends(view: FabricView): readonly [number, number, number] {
  const link = findLink(view.fabric, `${dbGuids.leaf1}:1`) ?? -1;
  return [link, view.fabric.links.a[link] ?? -1, view.fabric.links.b[link] ?? -1];
}

describe("cable and bit errors of a link", () => {
  it("stand side by side, coloured by their findings, without rows that nobody told", () => {
    const view = viewOf("600");
    const [, a, b] = ends(view);
    const rows = cableRows(view.fabric, a, b, view.analysis.findings);
    expect(rows.map(({ label, a: near, b: far }) => `${label}: ${near.text} | ${far.text}`)).toEqual([
      "Type: Active optical module | Active optical module",
      "Length: 15 m | 15 m",
      "Vendor: VENDOR | VENDOR",
      "Part: MFS1S00-H015E | MFS1S00-H015E",
      "Serial: SN1 | SN1",
      "Revision: A2 | A2",
      "Firmware: 38.100.121 | 38.100.121",
      "Module: 72 °C | 58 °C",
      "FEC: Ethernet_Consortium_LL_50G_RS_FEC_PLR (272,257+1) | Ethernet_Consortium_LL_50G_RS_FEC_PLR (272,257+1)",
      "Symbol BER: 2e-14 | –",
      "Counted for: 10 h | –",
    ]);
    expect(rows.flatMap(({ label, a: near }) => (near.tone === undefined ? [] : [`${label} ${near.tone}`]))).toEqual([
      "Module warning",
      "Symbol BER error",
    ]);
    expect(cableText(view.fabric.physical, [a, b])).toBe("MFS1S00-H015E, 15 m, serial SN1");
  });

  it("are nothing where nobody told of them", () => {
    const { fabric } = understandTexts({ "x.db_csv": dbCsvText().replaceAll(",14\n", ",N/A\n") });
    expect(cableRows(fabric, 0, 1, [])).toEqual([]);
    expect(cableText(fabric.physical, [0, 1])).toBe("");
  });
});

describe("the hunt", () => {
  it("shows a bit error rate above its limit as evidence, with the cable", () => {
    const { suspects } = huntOf(viewOf("600"), new Map(), {}, 95);
    expect(suspects[0]?.name).toBe("leaf-1:1 to spine-1:1");
    expect(suspects[0]?.cells.errors).toEqual({
      level: "error",
      text: "BER 2e-14",
      detail: "symbol",
    });
    expect(walkToText(viewOf("600").fabric, suspects[0] ?? { a: 0, b: 0 })).toContain(
      "cable MFS1S00-H015E, 15 m, serial SN1",
    );
  });

  it("says when not enough bits have passed", () => {
    const view = viewOf("41.7");
    const cold = {
      ...view,
      analysis: { ...view.analysis, findings: view.analysis.findings.filter(({ rule }) => rule !== "hot-module") },
    };
    expect(huntOf(cold, new Map(), {}, 95).suspects[0]?.cells.errors).toEqual({
      level: "note",
      text: "not enough bits",
      detail: "41 of 125 min",
    });
  });
});
