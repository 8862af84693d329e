import { describe, expect, it } from "vitest";
import { type KeyPress, matchesKeys, worksInFields } from "../../../renderer/keyboard.ts";
import { commands } from "../../../renderer/views/shell/commands.ts";

function press(key: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers };
}

describe("matchesKeys", () => {
  it("tells a letter from the same letter with Ctrl or Shift", () => {
    expect(matchesKeys(press("g"), "G", false)).toBe(true);
    expect(matchesKeys(press("G", { shiftKey: true }), "G", false)).toBe(false);
    expect(matchesKeys(press("G", { shiftKey: true }), "Shift G", false)).toBe(true);
    expect(matchesKeys(press("g", { ctrlKey: true }), "G", false)).toBe(false);
    expect(matchesKeys(press("k", { ctrlKey: true }), "Ctrl K", false)).toBe(true);
    expect(matchesKeys(press("k", { ctrlKey: true, shiftKey: true }), "Ctrl K", false)).toBe(false);
  });

  it("takes Cmd for Ctrl on macOS and Ctrl nowhere else", () => {
    expect(matchesKeys(press("k", { metaKey: true }), "Ctrl K", true)).toBe(true);
    expect(matchesKeys(press("k", { ctrlKey: true }), "Ctrl K", true)).toBe(false);
    expect(matchesKeys(press("k", { metaKey: true }), "Ctrl K", false)).toBe(false);
  });

  it("does not mind Shift where a keyboard needs it for the sign", () => {
    expect(matchesKeys(press("?", { shiftKey: true }), "?", false)).toBe(true);
    expect(matchesKeys(press("/", { shiftKey: true }), "/", false)).toBe(true);
    expect(matchesKeys(press(",", { ctrlKey: true }), "Ctrl ,", false)).toBe(true);
  });

  it("leaves combinations with Alt to the system", () => {
    expect(matchesKeys(press("k", { ctrlKey: true, altKey: true }), "Ctrl K", false)).toBe(false);
  });
});

describe("worksInFields", () => {
  it("keeps single letters and copying for the field", () => {
    expect(["M", "G", "Shift G", "?", "/", "1", "Escape", "Ctrl C"].filter(worksInFields)).toEqual([]);
    expect(["Ctrl K", "Ctrl 1", "F6", "Shift F6"].every(worksInFields)).toBe(true);
  });
});

describe("commands", () => {
  it("give each key to one command only", () => {
    const keys = commands.flatMap((command) => command.keys);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it("have ids of their own and titles that are verbs in sentence case", () => {
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(
      commands.filter(({ title }) => !/^[A-Z][^A-Z]*((SSH|GUID)[^A-Z]*)?$/.test(title)).map(({ title }) => title),
    ).toEqual([]);
  });

  it("offer nothing that needs a fabric while none is open", () => {
    const offered = commands.filter((command) => command.applies()).map(({ id }) => id);
    expect(offered).toContain("connect");
    expect(offered).toContain("settings");
    for (const id of ["save", "collect-again", "close", "measure", "view-links", "next-finding", "copy"]) {
      expect(offered).not.toContain(id);
    }
  });
});
