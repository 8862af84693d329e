import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Understood } from "../../../electron/threads/interpret-job.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { defaultThresholds } from "../../../shared/analyse/thresholds.ts";
import type { Analysis } from "../../../shared/analyse/results.ts";
import { fixtures, understandFolder, understandTexts } from "../../support/understand.ts";

function structural({ findings }: Analysis): readonly string[] {
  return findings
    .filter(({ rule }) => rule.startsWith("structure-"))
    .map(({ rule, severity, subject }) => `${severity} ${rule} ${subject.name}`);
}

const healthy = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");

/** The healthy fabric without the cables for which `drop` says yes: (node, port, peer) by short names. */
function understoodWithout(drop: (a: string, aPort: number, b: string, bPort: number) => boolean): Understood {
  const name = (text: string): string => /MF0;([\w-]+):/.exec(text)?.[1] ?? /^([\w-]+)/.exec(text)?.[1] ?? text;
  let own = "";
  const lines = healthy.split("\n").filter((line) => {
    const head = /^(?:Switch|Ca)\s+\d+ "[^"]*"\s+# "([^"]*)"/.exec(line);
    if (head !== null) own = name(head[1] ?? "");
    const port =
      /^\[(\d+)\](?:\([0-9a-f]+\))?\s+"[^"]*"\[(\d+)\](?:\([0-9a-f]+\))?\s+# (?:lid \d+ lmc \d+ )?"([^"]*)"/.exec(line);
    if (port === null) return true;
    const [here, there, peer] = [Number(port[1]), Number(port[2]), name(port[3] ?? "")];
    return !drop(own, here, peer, there) && !drop(peer, there, own, here);
  });
  return understandTexts({ "a.txt": lines.join("\n") });
}

function without(drop: Parameters<typeof understoodWithout>[0]): Analysis {
  return understoodWithout(drop).analysis;
}

describe("findings on the structure", () => {
  it("are none on the healthy fabric", () => {
    expect(structural(understandFolder("ib/sim/ft2-32").analysis)).toEqual([]);
  });

  it("name the cable between two leaves and the swapped cable", () => {
    expect(structural(understandFolder("ib/sim/ft2-32-miscabled").analysis)).toEqual([
      "warning structure-odd-cable leaf-01:13 to leaf-08:13",
      "warning structure-swapped-cable leaf-05:9 to spine-02:17",
    ]);
  });

  it("do not say again what a cable that is down says already", () => {
    for (const folder of ["ib/sim/ft2-32-missing", "ib/sim/ft2-32-halfpair"]) {
      expect(structural(understandFolder(folder).analysis)).toEqual([]);
    }
  });

  it("name a leaf with fewer uplinks than its siblings", () => {
    const lost = without((a, port, b) => a === "leaf-03" && (port === 5 || port === 6) && b.startsWith("spine"));
    expect(structural(lost)).toContain("warning structure-uplinks leaf-03");
    expect(structural(lost)).not.toContain("warning structure-single-point leaf-03");
  });

  it("name a leaf whose hosts hang on one switch", () => {
    const hanging = without((a, _port, b) => a === "leaf-03" && b.startsWith("spine") && b !== "spine-02");
    expect(structural(hanging)).toContain("warning structure-single-point leaf-03");
  });

  it("say once of a fabric that was built with one switch above", () => {
    const one = without((a, _port, b) => a.startsWith("leaf") && b.startsWith("spine") && b !== "spine-02");
    expect(structural(one).filter((line) => line.includes("single-point"))).toEqual([
      "warning structure-single-point fabric",
    ]);
    // Four hosts on two uplinks everywhere.
    expect(structural(one)).toContain("note structure-oversubscription fabric");
  });
});

describe("oversubscription of single leaves", () => {
  it("is a note where some leaf has a few hosts more, and a warning from the threshold on", () => {
    const { fabric, analysis } = understoodWithout(
      (a, port, b) =>
        a.startsWith("leaf") &&
        ((b.startsWith("spine") && b !== "spine-02") || (a !== "leaf-03" && port === 4 && b.startsWith("gpu"))),
    );
    expect(structural(analysis)).toContain("note structure-oversubscription leaf-03");
    const strict = analyse(fabric, { ...defaultThresholds, oversubscriptionExcess: { note: 1.1, warn: 1.2 } });
    expect(structural(strict)).toContain("warning structure-oversubscription leaf-03");
  });
});
