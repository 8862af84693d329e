import { describe, expect, it } from "vitest";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { defaultThresholds } from "../../../shared/analyse/thresholds.ts";
import type { Analysis, Finding } from "../../../shared/analyse/results.ts";
import { understand, type RawText, type Understood } from "../../../electron/threads/interpret-job.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "../../support/understand.ts";

const second = 1000;
const start = Date.parse("2026-11-29T10:00:00Z");

interface Manager {
  readonly lid: number;
  readonly guid: string;
  readonly state: 0 | 1 | 2 | 3;
  readonly priority: number;
  readonly activity?: number;
}

const sm01: Manager = { lid: 1, guid: "0xc42a10300000201", state: 3, priority: 14 };
const sm02: Manager = { lid: 12, guid: "0xc42a10300000211", state: 2, priority: 5 };
const names = ["NOTACT", "DISCOVER", "STANDBY", "MASTER"];

function answer({ lid, guid, state, priority, activity = 7 }: Manager): string {
  return `sminfo: sm lid ${lid} sm guid ${guid}, activity count ${activity} priority ${priority} state ${state} SMINFO_${names[state]}\n`;
}

function list(...lids: readonly number[]): string {
  const ports = lids.map(
    (lid) =>
      `PortInfoRecord dump:\n\t\tEndPortLid..............${lid}\n\t\tPortNum.................1\n\t\tbase_lid................${lid}\n`,
  );
  return `IsSM ports\n${ports.join("")}\nIsSMdisabled ports\n`;
}

/** The 32-host fabric with other texts about its managers; each is taken a second after the one before. */
function withTexts(texts: Readonly<Record<string, string>>): Understood {
  const topology = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
  const files = Object.entries({ "ibnetdiscover.txt": topology, ...texts }).map(([file, text], i): RawText => ({
    file,
    bytes: new TextEncoder().encode(text),
    takenAt: start + i * 5 * second,
  }));
  const understood = understand(files, "test");
  if (!understood.ok) throw new Error(JSON.stringify(understood.error));
  return understood.value;
}

function withManagers(...managers: readonly Manager[]): Understood {
  return withTexts({
    "saquery-s.txt": list(...managers.map(({ lid }) => lid)),
    ...Object.fromEntries(managers.map((manager) => [`sminfo-lid-${manager.lid}.txt`, answer(manager)])),
  });
}

function rules({ findings }: Analysis): readonly string[] {
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
}

function only(understood: Understood, rule: string): Finding {
  const found = understood.analysis.findings.filter((finding) => finding.rule === rule);
  expect(found).toHaveLength(1);
  return found[0] as Finding;
}

describe("all subnet managers of a fabric", () => {
  it("are known with their hosts and their own answers, and a healthy pair has no finding", () => {
    const { fabric, analysis } = withManagers(sm01, sm02);
    expect(fabric.subnetManagers.map(({ guid, state, answers }) => [guid, state, answers])).toEqual([
      ["0x0c42a10300000201", "MASTER", "yes"],
      ["0x0c42a10300000211", "STANDBY", "yes"],
    ]);
    expect(fabric.smListed).toBe(true);
    expect(fabric.smUnasked).toEqual([]);
    expect(rules(analysis)).toEqual([]);
  });

  it("are not called complete when nobody listed them", () => {
    const { fabric, analysis } = withTexts({ "sminfo.txt": answer(sm01) });
    expect(fabric.smListed).toBe(false);
    expect(fabric.smUnasked[0]).toContain("saquery");
    expect(rules(analysis)).toEqual([]);
    expect(analysis.succession).toMatchObject({ heir: null, takeOverSeconds: null });
    expect(analysis.succession.reason).toContain("not all subnet managers could be asked");
  });

  it("believe the live answer more than what the master remembers", () => {
    const record =
      "SMInfoRecord dump:\n\t\tRID\n\t\tLID...................12\n\t\tSMInfo dump:\n\t\tGUID..................0x0c42a10300000211\n\t\tActCount..............1050\n\t\tPriority..............5\n\t\tSMState...............1\n";
    const asked = withTexts({ "sminfo.txt": answer(sm01), "r.txt": record, "sminfo-lid-12.txt": answer(sm02) });
    expect(asked.fabric.subnetManagers[1]).toMatchObject({ state: "STANDBY", answers: "yes" });
    const mailed = withTexts({ "sminfo.txt": answer(sm01), "r.txt": record });
    expect(mailed.fabric.subnetManagers[1]).toMatchObject({ state: "DISCOVERING", answers: "not-asked", priority: 5 });
    expect(mailed.fabric.smUnasked[0]).toContain("LID 12");
  });

  it("of which two give one GUID are both kept, and that is said", () => {
    const { fabric, diagnostics } = withManagers(sm01, { ...sm02, guid: sm01.guid });
    expect(fabric.subnetManagers.map(({ lid }) => lid)).toEqual([1, 12]);
    expect(diagnostics.map(({ code }) => code)).toContain("same-manager-guid");
  });
});

describe("findings on subnet managers", () => {
  it("two masters", () => {
    const found = only(withManagers(sm01, { ...sm02, state: 3 }), "two-masters");
    expect(found.severity).toBe("error");
    expect(found.message).toContain("sm-01");
  });

  it("no standby", () => {
    expect(rules(withManagers(sm01).analysis)).toEqual(["warning no-standby"]);
    expect(rules(withTexts({ "sminfo.txt": answer(sm01) }).analysis)).toEqual([]);
  });

  it("equal priorities, and whose GUID decides", () => {
    const found = only(withManagers({ ...sm01, priority: 0 }, { ...sm02, priority: 0 }), "equal-priorities");
    expect(found).toMatchObject({ severity: "warning" });
    expect(found.message).toContain("which is sm-01's");
  });

  it("a standby that does not answer", () => {
    const understood = withTexts({
      "saquery-s.txt": list(1, 12),
      "sminfo-lid-1.txt": answer(sm01),
      "sminfo-lid-12.txt": "sminfo: iberror: failed: query\n",
    });
    expect(rules(understood.analysis)).toEqual(["warning manager-silent"]);
    expect(understood.fabric.subnetManagers[1]).toMatchObject({
      answers: "no",
      guid: "0x0c42a10300000211",
      state: "unknown",
      priority: -1,
    });
    // One that hung leaves no text at all.
    const hung = withTexts({
      "saquery-s.txt": list(1, 12),
      "sminfo-lid-1.txt": answer(sm01),
      "sminfo-lid-12.txt": "",
    });
    expect(rules(hung.analysis)).toEqual(["warning manager-silent"]);
  });

  it("a manager whose activity stands still between two answers", () => {
    const twice = (later: number): Understood =>
      withTexts({
        "sminfo.txt": answer({ ...sm01, activity: 100 }),
        "saquery-s.txt": list(1, 12),
        "sminfo-lid-1.txt": answer({ ...sm01, activity: later }),
        "sminfo-lid-12.txt": answer(sm02),
      });
    const found = only(twice(100), "manager-stands-still");
    expect(found).toMatchObject({ severity: "error", evidence: "activity 100 and 10 s later 100" });
    expect(rules(twice(103).analysis)).toEqual([]);
  });

  it("a standby that outranks the master", () => {
    const found = only(withManagers({ ...sm01, priority: 3 }, sm02), "priority-contradicts");
    expect(found.message).toContain("priority 5");
  });

  it("a manager on a compute host, as a guess", () => {
    const compute: Manager = { lid: 5, guid: "0xc42a10300000001", state: 2, priority: 1 };
    const found = only(withManagers(sm01, compute), "manager-on-compute-host");
    expect(found.severity).toBe("note");
    expect(found.subject).toMatchObject({ kind: "node" });
  });
});

describe("who takes over", () => {
  it("is the higher priority, or at a tie the lower GUID, with opensm's default times", () => {
    const third: Manager = { lid: 5, guid: "0xc42a10300000001", state: 2, priority: 5 };
    const { fabric, analysis } = withManagers(sm01, sm02, third);
    const { heir, order, takeOverSeconds, settingsRead, reason } = analysis.succession;
    expect(heir === null ? undefined : fabric.subnetManagers[heir]?.guid).toBe("0x0c42a10300000001");
    expect(order).toHaveLength(2);
    expect([takeOverSeconds, settingsRead]).toEqual([40, false]);
    expect(reason).toContain("its GUID 0x0c42a10300000001 is the lower one");
    const ranked = withManagers(sm01, sm02, { ...third, priority: 6 }).analysis.succession;
    expect(ranked.reason).toContain("priority 6 is the highest");
  });

  it("takes as long as the settings say where they were read", () => {
    const { analysis } = withTexts({
      "saquery-s.txt": list(1, 12),
      "sminfo-lid-1.txt": answer(sm01),
      "sminfo-lid-12.txt": answer(sm02),
      "opensm.conf": "sm_priority 14\nsminfo_polling_timeout 1000\npolling_retry_number 2\n",
    });
    expect(analysis.succession).toMatchObject({ takeOverSeconds: 2, settingsRead: true });
  });
});

describe("thresholds", () => {
  it("are settings", () => {
    const { fabric } = withTexts({
      "sminfo.txt": answer({ ...sm01, activity: 100 }),
      "sminfo-lid-1.txt": answer({ ...sm01, activity: 100 }),
    });
    expect(rules(analyse(fabric))).toEqual(["error manager-stands-still"]);
    expect(rules(analyse(fabric, { ...defaultThresholds, activitySeconds: 60 }))).toEqual([]);
  });
});
