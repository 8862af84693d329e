import { describe, expect, it } from "vitest";
import type { Finding } from "../../../shared/analyse/results.ts";
import { understand, type Understood } from "../../../electron/threads/interpret-job.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures, understandFolder } from "../../support/understand.ts";

const leaf02 = "0xb8cef60300000140";
const spine01 = "0xb8cef60300000000";
const summary =
  "\n## Summary: 61 nodes checked, 1 bad nodes found\n##          553 ports checked, 1 ports have errors beyond threshold\n## Thresholds: \n## Suppressed:\n";

/** Counters by `GUID:port`, as ibqueryerrors prints them. */
function counted(ports: Readonly<Record<string, Readonly<Record<string, number>>>>, tail = summary): string {
  return (
    Object.entries(ports)
      .map(([place, counters]) => {
        const [guid = "", port = ""] = place.split(":");
        const fields = Object.entries(counters).map(([name, value]) => ` [${name} == ${value}]`);
        return `Errors for ${guid} "x"\n   GUID ${guid} port ${port}:${fields.join("")}\n`;
      })
      .join("") + tail
  );
}

/** The 32-host fabric with one or two readings of its counters. */
function read(first: string, later?: { readonly text: string; readonly minutes: number }): Understood {
  const start = Date.parse("2026-11-29T10:00:00Z");
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const understood = understand(
    [
      { file: "n.txt", bytes: new Uint8Array(readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"))) },
      { file: "a.txt", bytes: encode(first), takenAt: start },
      ...(later === undefined
        ? []
        : [{ file: "b.txt", bytes: encode(later.text), takenAt: start + later.minutes * 60_000 }]),
    ],
    "test",
  );
  if (!understood.ok) throw new Error(JSON.stringify(understood.error));
  return understood.value;
}

function growth(
  from: Readonly<Record<string, Readonly<Record<string, number>>>>,
  to: Readonly<Record<string, Readonly<Record<string, number>>>>,
  minutes = 60,
): readonly Finding[] {
  return read(counted(from), { text: counted(to), minutes }).analysis.findings;
}

function brief(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject.name}`);
}

describe("one reading of the counters", () => {
  it("names ports that have counted errors and judges none of them", () => {
    const { fabric, analysis } = understandFolder("ib/sim/ft2-32-counters", ["ibnetdiscover.txt", "ibqueryerrors.txt"]);
    const found = analysis.findings.filter(({ rule }) => rule === "errors-not-judged");
    // VL15Dropped, PortXmitWait, PortXmitDiscards and PortRcvSwitchRelayErrors are no errors of a cable.
    expect(found).toHaveLength(7);
    expect(analysis.findings.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(found.map(({ message }) => message).join()).toContain("LocalLinkIntegrityErrors ≥ 15");
    // Two of one link have one title and one subject: the evidence tells the ends from each other.
    expect(new Set(found.map(({ evidence }) => evidence.split(": ")[0])).size).toBe(7);
    for (const { evidence, message } of found) expect(message).toContain(evidence.split(": ")[0]);
    expect([...(fabric.counters?.latest.told ?? [])].filter((told) => told === 1)).toHaveLength(fabric.links.count * 2);
  });

  it("knows that a port which is not listed is clean, but not where queries failed or a threshold was set", () => {
    const told = (tail: string): number => {
      const { counters } = read(counted({ [`${leaf02}:5`]: { PortRcvErrors: 1 } }, tail)).fabric;
      return [...(counters?.latest.told ?? [])].filter((one) => one === 1).length;
    };
    expect(told(summary)).toBeGreaterThan(200);
    expect(told(summary.replace("## Suppressed", "##          3 PMA query failures\n## Suppressed"))).toBe(1);
    expect(told(summary.replace("Thresholds: ", "Thresholds: [PortRcvErrors = 10]"))).toBe(1);
    expect(told("")).toBe(1);
  });
});

describe("counters of some ports only", () => {
  const missing = (tail: string): readonly string[] =>
    read(counted({ [`${leaf02}:5`]: { PortRcvErrors: 1 } }, tail))
      .analysis.findings.filter(({ rule }) => rule === "counters-missing")
      .map(({ severity, evidence }) => `${severity} ${evidence.split(";")[0] ?? ""}`);

  it("are said: what did not tell is unknown, not clean", () => {
    expect(missing(summary)).toEqual([]);
    expect(missing(summary.replace("## Suppressed", "##          3 PMA query failures\n## Suppressed"))).toEqual([
      "note 1 of 230 ports read",
    ]);
  });
});

describe("two readings of the counters", () => {
  it("warn of any growth of link errors and call more than ten an hour an error", () => {
    const before = { [`${leaf02}:5`]: { SymbolErrorCounter: 100 } };
    expect(growth(before, before)).toEqual([]);
    const slow = growth(before, { [`${leaf02}:5`]: { SymbolErrorCounter: 104 } });
    expect(brief(slow)).toEqual(["warning growing-errors leaf-02:5 to spine-01:3"]);
    expect(slow[0]?.evidence).toBe("leaf-02:5: SymbolErrorCounter 100 to 104 in 60 min (4 an hour)");
    const fast = growth(before, { [`${leaf02}:5`]: { SymbolErrorCounter: 104 } }, 10);
    expect(brief(fast)).toEqual(["error growing-errors leaf-02:5 to spine-01:3"]);
  });

  it("take a counter that fell as cleared and count from there", () => {
    const found = growth({ [`${leaf02}:5`]: { PortRcvErrors: 500 } }, { [`${leaf02}:5`]: { PortRcvErrors: 3 } });
    expect(found[0]?.evidence).toBe(
      "leaf-02:5: PortRcvErrors 500 to 3 in 60 min (at least 3 an hour, cleared in between)",
    );
  });

  it("say of a counter at its ceiling that it cannot show growth, or at least how much", () => {
    const full = { [`${leaf02}:5`]: { SymbolErrorCounter: 65_535 } };
    expect(brief(growth(full, full))).toEqual(["note counter-full leaf-02:5 to spine-01:3"]);
    const filled = growth({ [`${leaf02}:5`]: { SymbolErrorCounter: 65_000 } }, full);
    expect(filled[0]?.evidence).toContain("≥ 65,535");
    expect(filled[0]?.evidence).toContain("at least 535 an hour");
  });

  it("never accuse a cable of congestion", () => {
    const waits = growth({}, { [`${leaf02}:5`]: { PortXmitWait: 4_000_000_000 } });
    expect(waits).toMatchObject([
      { rule: "congestion", severity: "note", subject: { kind: "port", name: "leaf-02:5" } },
    ]);
    const discards = growth({}, { [`${leaf02}:5`]: { PortXmitDiscards: 30 } });
    expect(discards[0]).toMatchObject({ severity: "warning", rule: "consequence-PortXmitDiscards" });
    expect(discards[0]?.cause).toContain("Congestion");
  });

  it("name the ports at which packets waited longest and count the rest", () => {
    const waiting = Object.fromEntries(
      Array.from({ length: 12 }, (_, port) => [`${leaf02}:${port + 1}`, { PortXmitWait: 1000 + port }]),
    );
    const found = growth({}, waiting);
    expect(found).toHaveLength(11);
    expect(found[0]?.message).toContain("leaf-02:12");
    expect(found.at(-1)?.message).toBe(
      "Packets waited at 2 more ports; the 10 at which they waited longest are listed.",
    );
  });

  it("point from damaged packets to the neighbour's sick port", () => {
    const found = growth(
      {},
      {
        [`${leaf02}:5`]: { PortRcvRemotePhysicalErrors: 50 },
        [`${spine01}:5`]: { SymbolErrorCounter: 50 },
      },
    );
    expect(brief(found)).toEqual([
      "error growing-errors leaf-03:5 to spine-01:5",
      "note consequence-PortRcvRemotePhysicalErrors spine-01:3",
    ]);
    expect(found[1]?.message).toContain("spine-01:5");
    const alone = growth({}, { [`${leaf02}:5`]: { PortRcvRemotePhysicalErrors: 50 } });
    expect(brief(alone)).toEqual(["warning consequence-PortRcvRemotePhysicalErrors spine-01:3"]);
  });

  it("count how often a link went down instead of scaling it up", () => {
    const once = growth({}, { [`${leaf02}:5`]: { LinkDownedCounter: 1 } }, 5);
    expect(brief(once)).toEqual(["warning link-flaps leaf-02:5 to spine-01:3"]);
    const twice = growth({}, { [`${leaf02}:5`]: { LinkDownedCounter: 2 } }, 5);
    expect(brief(twice)).toEqual(["error link-flaps leaf-02:5 to spine-01:3"]);
  });

  it("grant a link that came up the errors of its training", () => {
    const counters = { LinkDownedCounter: 1, SymbolErrorCounter: 40 };
    expect(growth({}, { [`${leaf02}:5`]: counters })[0]).toMatchObject({ severity: "warning", rule: "growing-errors" });
    expect(growth({}, { [`${leaf02}:5`]: { ...counters, PortRcvErrors: 40 } })[0]).toMatchObject({ severity: "error" });
  });

  it("have a finding for each end of a link that takes errors at both", () => {
    const found = growth(
      {},
      {
        [`${leaf02}:5`]: { SymbolErrorCounter: 40 },
        [`${spine01}:3`]: { SymbolErrorCounter: 40 },
      },
    );
    expect(found).toHaveLength(2);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  });
});
