import { describe, expect, it } from "vitest";
import { panelFloats, roomFor } from "../../../renderer/views/shell/room.ts";

describe("what gives way first", () => {
  it("is nothing at 1440 × 900 and above", () => {
    for (const [width, height] of [
      [1440, 900],
      [2560, 1440],
    ] as const) {
      expect(roomFor(width, height)).toMatchObject({ panelFolds: false, narrow: false, narrower: false, tight: false });
    }
  });

  it("is the bottom panel, then the inspector, then words in chips, then the rail's labels", () => {
    expect(roomFor(1440, 839)).toMatchObject({ panelFolds: true, narrow: false });
    expect(roomFor(1365, 900)).toMatchObject({ panelFolds: true, narrow: true, narrower: false });
    expect(roomFor(1239, 900)).toMatchObject({ narrow: true, narrower: true, tight: false });
    expect(roomFor(1099, 900)).toMatchObject({ narrower: true, tight: true });
    expect(roomFor(960, 600)).toMatchObject({ panelFolds: true, narrow: true, narrower: true, tight: true });
  });

  it("does not touch a panel whose height the user has set", () => {
    expect(panelFloats(roomFor(1280, 800), false)).toBe(true);
    expect(panelFloats(roomFor(1280, 800), true)).toBe(false);
  });
});
