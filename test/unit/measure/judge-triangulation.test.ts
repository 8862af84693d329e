import { describe, expect, it } from "vitest";
import {
  crowdedCables,
  judgeTriangulation,
  type TriangulationFacts,
} from "../../../shared/measure/judge-triangulation.ts";
import type { TriangleOutcome, TriangleResult } from "../../../shared/measure/types.ts";
import { planFor } from "./pair-of-hosts.ts";

const plan = planFor();
const [first, last] = plan.path;
if (first === undefined || last === undefined) throw new Error("the plan has two cables");
/** n018 > leaf-03 > spine-6 > leaf-07 > n065; measured is leaf-03 to spine-6. */
const hop = (index: number, fromName: string, toName: string) => ({
  ...first,
  link: `0x00000000000000b${String(index)}:1` as const,
  linkIndex: index,
  fromName,
  toName,
  gbps: 200,
});
const path = [
  hop(0, "n018", "leaf-03"),
  hop(1, "leaf-03", "spine-6"),
  hop(2, "spine-6", "leaf-07"),
  hop(3, "leaf-07", "n065"),
];
const suspect: TriangulationFacts["suspect"] = {
  id: "low",
  link: "0x00000000000000b1:1",
  linkName: "leaf-03:1 to spine-6:1",
  client: plan.client,
  server: plan.server,
  path,
  options: plan.options,
  basis: "routes",
};

type Outcomes = Partial<Record<TriangleResult["role"], TriangleOutcome>>;

function judged(outcomes: Outcomes, more: Partial<TriangulationFacts> = {}) {
  const pairs = { client: ["n018", "n019"], server: ["n066", "n065"], link: ["n019", "n070"], again: ["n018", "n065"] };
  const results = (["client", "server", "link", "again"] as const).map((role): TriangleResult => {
    const outcome = outcomes[role] ?? "none";
    const [clientHost = "", serverHost = ""] = pairs[role];
    const number =
      outcome === "none"
        ? { reason: "no way into it." }
        : { gbps: outcome === "low" ? 108.4 : 194, percent: outcome === "low" ? 54.2 : 97 };
    return { role, clientHost, serverHost, outcome, ...number };
  });
  return judgeTriangulation({ suspect, results, faults: [], crowded: [], untried: [], ...more });
}

const allGood = { client: "good", server: "good", link: "good" } as const;

describe("what third and fourth hosts tell of a low pair", () => {
  it("is the client when it is slow with another partner and all else is not", () => {
    const { blames, sentence, why, next } = judged({ ...allGood, client: "low", again: "low" });
    expect(blames).toEqual(["client"]);
    expect(sentence).toBe("It is n018 or its cable.");
    expect(why).toEqual([
      "n018 to n019 reaches 108.4 Gb/s (54\u00a0%), low too: n018 is slow with another partner as well.",
      "n066 to n065 reaches 194 Gb/s (97\u00a0%), as it should: n065 is not to blame.",
      "n019 to n070 reaches 194 Gb/s (97\u00a0%), as it should: leaf-03:1 to spine-6:1 is not to blame.",
      "n018 to n065 reaches 108.4 Gb/s (54\u00a0%), low too: the pair is still slow.",
    ]);
    expect(next).toEqual(["Look at PCIe, firmware and the error counters of n018, reseat its cable, then swap it."]);
  });

  it("is the host itself where a command has found why", () => {
    const fault = { host: "n065", what: "pcie-width", state: "fault", detail: "mlx5_0 runs at x8 of x16" } as const;
    const { sentence, next } = judged({ ...allGood, server: "low" }, { faults: [fault] });
    expect(sentence).toBe("It is n065 itself (PCIe width: mlx5_0 runs at x8 of x16).");
    expect(next).toEqual(["Mend what was found on n065, then measure again."]);
  });

  it("is the link when other hosts are slow over it", () => {
    expect(judged({ ...allGood, link: "low", again: "low" })).toMatchObject({
      blames: ["link"],
      sentence: "It is leaf-03:1 to spine-6:1.",
      next: ["Clean and reseat both ends of leaf-03:1 to spine-6:1, measure again, then swap the cable."],
    });
  });

  it("is more than one thing when more than one is slow with others", () => {
    expect(judged({ client: "low", server: "low", link: "good", again: "low" }).blames).toEqual(["client", "server"]);
    expect(judged({ client: "low", server: "good", link: "low", again: "low" }).sentence).toBe(
      "It is n018 or its cable, and leaf-03:1 to spine-6:1.",
    );
  });

  it("is the route when all three are fast and the pair stays slow, with where it meets others", () => {
    const crowded = judged({ ...allGood, again: "low" }, { crowded: ["spine-6:1 to leaf-07:1"] });
    expect(crowded.blames).toEqual(["routes"]);
    expect(crowded.sentence).toContain("others send over spine-6:1 to leaf-07:1");
    const untried = judged({ ...allGood, again: "low" }, { untried: path.slice(2, 3) });
    expect(untried.sentence).toContain("only this pair crosses spine-6:1 to leaf-07:1");
    expect(untried.next[0]).toContain("Measure each of the cables that only this pair crossed: spine-6:1 to leaf-07:1");
  });

  it("has passed when the pair is fast again and nothing else is slow", () => {
    expect(judged({ ...allGood, again: "good" }).blames).toEqual(["passed"]);
    expect(judged({ client: "good", again: "good" }).sentence).toContain("is not slow any more");
  });

  it.each<[Outcomes, string]>([
    [{ ...allGood }, "not to blame"],
    [{ client: "good", server: "good", again: "low" }, "n018 and n065 are not to blame"],
    [{ client: "good", link: "good", again: "low" }, "n018 and leaf-03:1 to spine-6:1 are not to blame"],
    [{ again: "low" }, "It cannot be told: not all"],
    [{}, "It cannot be told: not all"],
  ])("cannot be told by %j", (outcomes, words) => {
    const { blames, sentence } = judged(outcomes);
    expect(blames).toEqual(["unclear"]);
    expect(sentence).toContain(words);
  });

  it("takes a host's own cable together with its host: the link need not be tried", () => {
    const own = { ...suspect, link: "0x00000000000000b0:1" as const, linkName: "leaf-03:1 to n018:1" };
    expect(judged({ client: "good", server: "good", again: "low" }, { suspect: own }).blames).toEqual(["routes"]);
    expect(judged({ client: "low", server: "good", again: "low" }, { suspect: own }).sentence).toBe(
      "It is n018 or its cable.",
    );
  });

  it("every combination gives one word at least, and blames nobody who was fast", () => {
    const all: readonly TriangleOutcome[] = ["good", "low", "none"];
    for (const client of all)
      for (const server of all)
        for (const link of all)
          for (const again of all) {
            const outcomes = { client, server, link, again };
            const { blames, sentence } = judged(outcomes);
            expect(blames.length).toBeGreaterThan(0);
            expect(sentence).toMatch(/^It (?:is|has|cannot) /);
            for (const role of ["client", "server", "link"] as const)
              expect(blames.includes(role)).toBe(outcomes[role] === "low");
          }
  });
});

describe("cables on which others send", () => {
  const port = (name: string, sentBytes: number, ambientSent: number) => ({
    name,
    sentBytes,
    receivedBytes: 0,
    ambientSent,
    ambientReceived: 0,
  });
  const run = (ports: readonly ReturnType<typeof port>[]) => ({
    tool: "ib_write_bw",
    startedAt: "2026-11-29T00:00:00.000Z",
    durationMs: 10_000,
    server: { host: "n065", commandLine: "", stdout: "", stderr: "" },
    client: { host: "n018", commandLine: "", stdout: "", stderr: "" },
    bandwidth: [],
    latency: [],
    evidence: { route: { kind: "proven" as const, others: [], sentence: "" }, ports, newErrors: [], unread: [] },
  });

  it("are told by what they carried before, and by what they carried beside the test", () => {
    const ports = [
      port("n018:1", 1e11, 0),
      port("leaf-03:1", 1e11, 2e9),
      port("spine-6:1", 2e11, 0),
      port("leaf-07:1", 1e11, 1e6),
    ];
    expect(crowdedCables({ path, runs: [run(ports)] })).toEqual(["leaf-03:1 to spine-6:1", "spine-6:1 to leaf-07:1"]);
    expect(crowdedCables({ path, runs: [run([port("n018:1", 1e11, 0)])] })).toEqual([]);
  });
});
