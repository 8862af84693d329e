import { describe, expect, it } from "vitest";
import { age, ago, clockTime, dayTime, duration, exactTime } from "../../../renderer/parts/time.ts";

const now = new Date(2026, 2, 20, 12, 0, 0).getTime();

function before(ms: number): string {
  return new Date(now - ms).toISOString();
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("age", () => {
  it.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [2 * minute, "2 min"],
    [59 * minute + 59_000, "59 min"],
    [5 * hour, "5 h"],
    [47 * hour, "47 h"],
    [12 * day, "12 d"],
    [14 * day, "14 d"],
  ])("of %d ms is %s", (ms, text) => {
    expect(age(before(ms), now)).toBe(text);
  });

  it("is a date from fourteen days on, with the year when it is another one", () => {
    expect(age(before(15 * day), now)).toBe("5 Mar");
    expect(age(new Date(2025, 1, 12, 9).toISOString(), now)).toBe("12 Feb 2025");
  });

  it("of a clock that runs ahead is not negative", () => {
    expect(age(before(-5 * minute), now)).toBe("0 s");
  });

  it("of no time is empty", () => {
    expect(age("soon", now)).toBe("");
    expect(exactTime("soon")).toBe("");
    expect(clockTime("")).toBe("");
    expect(dayTime("soon", now)).toBe("");
  });
});

describe("ago", () => {
  it("reads as a sentence, and leaves a date as it is", () => {
    expect(ago(before(4 * minute), now)).toBe("4 min ago");
    expect(ago(before(20_000), now)).toBe("just now");
    expect(ago(before(30 * day), now)).toBe("18 Feb");
  });
});

describe("exactTime", () => {
  it("has seconds and the offset of this machine", () => {
    const at = new Date(2026, 1, 12, 3, 14, 8);
    const offset = -at.getTimezoneOffset();
    const text = exactTime(at.toISOString());
    expect(text).toMatch(/^12 Feb 2026 03:14:08 [+−]\d\d:\d\d$/);
    const [, sign, hours, minutes] = /([+−])(\d\d):(\d\d)$/.exec(text) ?? [];
    expect(Math.abs(offset)).toBe(Number(hours) * 60 + Number(minutes));
    expect(sign).toBe(offset < 0 ? "−" : "+");
  });
});

describe("dayTime", () => {
  it("names today and yesterday, and else the date", () => {
    expect(dayTime(new Date(2026, 2, 20, 0, 1).toISOString(), now)).toBe("today 00:01");
    expect(dayTime(new Date(2026, 2, 19, 23, 59).toISOString(), now)).toBe("yesterday 23:59");
    expect(dayTime(new Date(2026, 2, 19, 0, 0).toISOString(), now)).toBe("yesterday 00:00");
    expect(dayTime(new Date(2026, 2, 18, 23, 59).toISOString(), now)).toBe("18 Mar 23:59");
  });
});

describe("duration", () => {
  it.each([
    [8, "8 ms"],
    [3100, "3.1 s"],
    [130_000, "2 min 10 s"],
    [3_599_900, "60 min 0 s"],
  ])("of %d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});
