import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { understand } from "../../../electron/threads/interpret-job.ts";
import { fixtures, understandFolder } from "../../support/understand.ts";

function file(name: string, path: string): { file: string; bytes: Uint8Array } {
  return { file: name, bytes: new Uint8Array(readFileSync(join(fixtures, path))) };
}

describe("interpret", () => {
  it("refuses the outputs of two fabrics in one folder", () => {
    const result = understand(
      [file("a.txt", "ib/sim/ft2-32/ibnetdiscover.txt"), file("b.txt", "ib/sim/odd/ibnetdiscover.txt")],
      "both",
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "several-fabrics", files: ["a.txt", "b.txt"] } });
  });

  it("refuses iblinkinfo of another fabric than ibnetdiscover's", () => {
    const result = understand(
      [file("a.txt", "ib/sim/ft2-32/ibnetdiscover.txt"), file("b.txt", "ib/sim/odd/iblinkinfo-l.txt")],
      "both",
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "several-fabrics" } });
  });

  it("takes the whole one of two dumps of one fabric", () => {
    const result = understand(
      [file("cut.txt", "ib/edge/ibnetdiscover-cut-between.txt"), file("whole.txt", "ib/sim/ft2-32/ibnetdiscover.txt")],
      "both",
    );
    expect(result).toMatchObject({ ok: true, value: { partial: false } });
    if (result.ok) expect(result.value.diagnostics.map((d) => d.code)).toEqual(["superseded"]);
  });

  it("is partial when the error output says that nodes did not answer", () => {
    expect(understandFolder("ib/sim/states", ["ibnetdiscover.txt"]).partial).toBe(false);
    expect(understandFolder("ib/sim/states", ["ibnetdiscover.txt", "ibnetdiscover.stderr.txt"]).partial).toBe(true);
  });

  it.each([
    ["an empty file", "", "empty-output"],
    ["text of no tool", "hello\nworld\n", "not-recognised"],
    ["a picture", "\u0089PNG\r\n\u001a\n\u0000\u0000", "not-recognised"],
    ["output of another tool", "Infiniband device 'mlx5_0' port 1 status:\n\tstate: 4: ACTIVE\n", "no-topology"],
    ["a run that failed", "/usr/sbin/ibnetdiscover: iberror: failed: discover failed\n\n", "failed-output"],
  ])("says what %s is", (_what, text, kind) => {
    const result = understand([{ file: "x.txt", bytes: new TextEncoder().encode(text) }], "x.txt");
    expect(result).toMatchObject({ ok: false, error: { kind } });
  });

  it("makes a fabric of subnet managers only from sminfo alone", () => {
    const result = understand([file("sminfo.txt", "ib/edge/sminfo-states.txt")], "sminfo.txt");
    expect(result.ok && result.value.fabric.subnetManagers.map((sm) => sm.state)).toEqual([
      "MASTER",
      "STANDBY",
      "NOTACTIVE",
      "DISCOVERING",
    ]);
  });

  it("reads a Latin-1 name map line by line", () => {
    const { fabric } = understandFolder("ib/edge", ["ibnetdiscover-latin1-map.txt"]);
    expect(fabric.strings.some((text) => /[\u00c0-\u00ff]/.test(text))).toBe(true);
    expect(fabric.strings.some((text) => text.includes("\ufffd"))).toBe(false);
  });
});
