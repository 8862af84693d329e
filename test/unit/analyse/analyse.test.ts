import { describe, expect, it } from "vitest";
import { linkName, portName } from "../../../shared/fabric/access.ts";
import type { Finding } from "../../../shared/analyse/results.ts";
import { understandFolder, understandTexts } from "../../support/understand.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "../../support/understand.ts";

function brief(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject.name}`);
}

function findingsOf(folder: string): readonly string[] {
  return brief(understandFolder(folder).analysis.findings);
}

describe("findings on fabrics of the real tools", () => {
  it("has nothing to say of a healthy fabric", () => {
    expect(findingsOf("ib/sim/ft2-32")).toEqual([]);
  });

  it("finds the narrow uplink", () => {
    expect(findingsOf("ib/sim/ft2-32-narrow")).toEqual(["error width-below-capability leaf-02:5 to spine-01:3"]);
  });

  it("finds the slow host link by its hint and the slow uplink by its siblings", () => {
    expect(findingsOf("ib/sim/ft2-32-slow")).toEqual([
      "warning speed-below-capability leaf-03:1 to gpu-a09:1",
      "warning slower-than-siblings leaf-03:6 to spine-01:6",
    ]);
  });

  it("infers the cable that should be there from the siblings' pattern", () => {
    for (const [folder, a, b] of [
      ["ib/sim/ft2-32-missing", "leaf-04:12", "spine-04:8"],
      ["ib/sim/ft2-32-halfpair", "leaf-04:5", "spine-01:7"],
    ] as const) {
      const { fabric, analysis } = understandFolder(folder);
      expect(brief(analysis.findings)).toEqual([`error link-down ${a}`]);
      expect(analysis.missingLinks.map((m) => [portName(fabric, m.a), portName(fabric, m.b)])).toEqual([[a, b]]);
    }
  });

  it("names the cable between two leaves and the swapped cable as exceptions of the tree", () => {
    const { analysis } = understandFolder("ib/sim/ft2-32-miscabled");
    expect(analysis.topology.kind).toBe("fat-tree");
    expect(analysis.topology.exceptions.map((e) => e.subject.name)).toEqual([
      "leaf-01:13 to leaf-08:13",
      "leaf-05:9 to spine-02:17",
    ]);
  });

  it("does not accuse the spare ports of a host that is off", () => {
    expect(findingsOf("ib/sim/ft2-32-nohost")).toEqual([]);
  });

  it("says once that no subnet manager answers, not once per link", () => {
    expect(findingsOf("ib/sim/ft2-32-nosm")).toEqual([
      "error no-subnet-manager fabric",
      "error port-not-active fabric",
    ]);
  });

  it("says nothing of subnet managers when nobody asked for them", () => {
    const { analysis, fabric } = understandFolder("ib/sim/ft2-32", ["ibnetdiscover.txt"]);
    expect(fabric.smAsked).toBe(false);
    expect(analysis.findings).toEqual([]);
  });

  it("finds ports in Initialize and Armed, and far ends that do not answer", () => {
    const { analysis } = understandFolder("ib/sim/states", ["ibnetdiscover.txt", "iblinkinfo-l.txt"]);
    expect(brief(analysis.findings)).toEqual([
      "error port-not-active leaf-01:8 to spine-02:2",
      "error port-not-active leaf-01:9 to spine-03:1",
      "note port-not-active spine-02:1",
      "note port-not-active leaf-01:7",
    ]);
  });

  it("takes a width that every device claims and no link has as a claim, not as a fault", () => {
    const linkinfo = readFileSync(join(fixtures, "ib/sim/ft2-32/iblinkinfo-l.txt"), "utf8").replaceAll(
      " ( )",
      " (Could be 12X )",
    );
    const discover = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
    const { analysis } = understandTexts({ "a.txt": discover, "b.txt": linkinfo });
    expect(brief(analysis.findings)).toEqual(["note claim-not-used fabric"]);
    expect(analysis.counts.linksDegraded).toBe(0);
  });

  it("colours the link of a finding and no other", () => {
    const { fabric, analysis } = understandFolder("ib/sim/ft2-32-narrow");
    const coloured = [...analysis.linkHealth].flatMap((health, link) => (health > 0 ? [linkName(fabric, link)] : []));
    expect(coloured).toEqual(["leaf-02:5 to spine-01:3"]);
  });
});

describe("topology", () => {
  it("tells tiers from the graph when all names are gone", () => {
    const text = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8")
      .replace(/# "[^"]*"/g, '# "x"')
      .replace(/" lid/g, '" lid');
    const { analysis } = understandTexts({ "a.txt": text });
    expect(analysis.topology.kind).toBe("fat-tree");
    expect(analysis.topology.tiers.map((t) => [t.name, t.switches.length])).toEqual([
      ["leaf", 8],
      ["spine", 4],
    ]);
  });

  it("keeps a leaf without hosts among the leaves", () => {
    const text = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
    const withoutHosts = text
      .split("\n")
      .filter((line) => !(line.includes('"MF0;leaf-08:MQM8700/U1" lid') && line.startsWith("[1](")))
      .join("\n")
      .replace(/(Switch\t41 "S-b8cef603000002c0".*\n)(?:\[[1-4]\]\t"H-.*\n)+/, "$1");
    const { analysis } = understandTexts({ "a.txt": withoutHosts });
    expect(analysis.topology.tiers.map((t) => t.switches.length)).toEqual([8, 4]);
  });

  it("calls a ring irregular and says why", () => {
    const { analysis } = understandFolder("ib/sim/odd");
    expect(analysis.topology.kind).toBe("irregular");
    expect(analysis.topology.evidence.length).toBeGreaterThan(0);
  });
});
