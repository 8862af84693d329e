import { describe, expect, it } from "vitest";
import {
  completions,
  namedPositions,
  parseQuery,
  type QueryKey,
  splitQuery,
  withFilter,
} from "../../../renderer/views/links/query.ts";

const keys: readonly QueryKey[] = [
  {
    key: "kind",
    hint: "what it joins",
    values: [
      { value: "host", rows: 128 },
      { value: "inter-switch", rows: 127 },
    ],
  },
  { key: "health", hint: "worst first", values: [{ value: "error" }, { value: "warning" }] },
  { key: "leaf", hint: "an end", values: [{ value: "leaf-03" }, { value: "leaf-13" }, { value: "rack 1 leaf" }] },
];

describe("parseQuery", () => {
  it("tells filters from free text", () => {
    expect(parseQuery("kind:host n046 health:error,warning", keys)).toEqual({
      filters: [
        { key: "kind", value: "host", values: ["host"], negated: false },
        { key: "health", value: "error,warning", values: ["error", "warning"], negated: false },
      ],
      terms: ["n046"],
    });
  });

  it("takes a port name for text, although it has a colon", () => {
    expect(parseQuery("leaf-03:38", keys).terms).toEqual(["leaf-03:38"]);
  });

  it("finds a link by the name it is written with", () => {
    expect(parseQuery("leaf-03:38 to spine-6:3", keys).terms).toEqual(["leaf-03:38", "spine-6:3"]);
  });

  it("negates with a minus and keeps quoted blanks together", () => {
    expect(parseQuery('-kind:host leaf:"rack 1 leaf"', keys).filters).toMatchObject([
      { key: "kind", negated: true },
      { key: "leaf", values: ["rack 1 leaf"] },
    ]);
  });

  it("filters nothing while a value is not typed yet, and with any", () => {
    expect(parseQuery("kind: health:any", keys).filters).toEqual([]);
  });

  it("survives an open quote", () => {
    expect(splitQuery('leaf:"rack 1')).toEqual(['leaf:"rack 1']);
  });
});

describe("completions", () => {
  it("offers keys first, then the values of a key with their rows", () => {
    expect(completions("", keys).map((entry) => entry.label)).toEqual(["kind:", "health:", "leaf:"]);
    expect(completions("ki", keys)).toEqual([{ word: "kind:", label: "kind:", hint: "what it joins" }]);
    expect(completions("kind:", keys).map((entry) => [entry.word, entry.hint])).toEqual([
      ["kind:host", "128"],
      ["kind:inter-switch", "127"],
    ]);
  });

  it("puts what starts with the text before what contains it, and quotes blanks", () => {
    expect(completions("leaf:leaf", keys).map((entry) => entry.word)).toEqual([
      "leaf:leaf-03",
      "leaf:leaf-13",
      'leaf:"rack 1 leaf"',
    ]);
  });

  it("goes on after a comma without offering what is there", () => {
    expect(completions("health:error,", keys).map((entry) => entry.word)).toEqual(["health:error,warning"]);
  });

  it("keeps the minus and offers nothing for free text with a colon", () => {
    expect(completions("-ki", keys).map((entry) => entry.word)).toEqual(["-kind:"]);
    expect(completions("leaf-03:3", keys)).toEqual([]);
  });
});

describe("withFilter", () => {
  it("replaces a filter of the same key and leaves the rest", () => {
    expect(withFilter("n046 kind:host -kind:router", "kind", "inter-switch", keys)).toBe("n046 kind:inter-switch");
    expect(withFilter("n046 kind:host", "kind", "", keys)).toBe("n046");
  });
});

describe("namedPositions", () => {
  it("matches by the start of the name", () => {
    expect([...namedPositions(["not"], ["ok", "not-enough-data", "Note"])]).toEqual([0, 1, 1]);
    expect([...namedPositions(["note"], ["ok", "not-enough-data", "Note"])]).toEqual([0, 0, 1]);
  });
});
