import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { candidatesOf, managerCandidates } from "../../../electron/collect/manager-bits.ts";
import { searchManagers } from "../../../electron/collect/managers.ts";
import type { ToolPlace } from "../../../electron/collect/step.ts";
import { decodeOutput } from "../../../electron/threads/decode.ts";
import { understand, type Understood } from "../../../electron/threads/interpret-job.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import { type Reply, type Script, ScriptedHost } from "../../support/scripted-runner.ts";
import { fixtures } from "../../support/understand.ts";

const discovery = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
const total = managerCandidates(discovery).length;
const master = "sminfo: sm lid 1 sm guid 0xc42a10300000201, activity count 3713 priority 14 state 3 SMINFO_MASTER\n";
const standby = "sminfo: sm lid 12 sm guid 0xc42a10300000211, activity count 1050 priority 5 state 2 SMINFO_STANDBY\n";
const missing: Reply = { stderr: "sh: saquery: not found\n", exitCode: 127 };

/** As smpquery prints it, shortened. */
function portInfo(lid: number, isSm: boolean): string {
  return `# Port info: Lid ${lid} port 0\nLid:.............................${lid}\nCapMask:.........................0x2651e84a\n${isSm ? "\t\t\t\tIsSM\n" : ""}\t\t\t\tIsTrapSupported\nLinkState:.......................Active\n`;
}

const script: Script = ([tool = "", ...rest]) => {
  if (tool === "saquery") return missing;
  if (tool === "smpquery") return { stdout: portInfo(Number(rest[1]), ["1", "12"].includes(rest[1] ?? "")) };
  if (tool === "sminfo") return { stdout: rest[0] === "12" ? standby : master };
  return { stdout: discovery };
};

function place(own: Script): {
  readonly place: ToolPlace;
  readonly host: ScriptedHost;
  readonly abort: AbortController;
} {
  const host = new ScriptedHost("mgmt-01", own);
  const abort = new AbortController();
  return { place: { runner: host, source: sshSource("mgmt-01"), signal: abort.signal }, host, abort };
}

async function understood(at: ToolPlace): Promise<{ readonly note: string; readonly result: Understood }> {
  const search = await searchManagers(at, [1], discovery);
  const files = search.outputs.map(({ name, stdout }) => ({ file: name, bytes: stdout }));
  const result = understand([{ file: "ibnetdiscover.txt", bytes: new TextEncoder().encode(discovery) }, ...files], "t");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { note: search.note, result: result.value };
}

describe("subnet managers without saquery", () => {
  it("asks the same ports of an open fabric as of its discovery", async () => {
    const { result } = await understood(place(script).place);
    expect(candidatesOf(result.fabric)).toEqual(managerCandidates(discovery));
  });

  it("are found by their ports' IsSM bit, and asked", async () => {
    const at = place(script);
    const { note, result } = await understood(at.place);
    expect(note).toBe(
      `saquery is not installed there: ${total} of ${total} ports asked for their IsSM bit, 2 of 2 managers answer`,
    );
    expect(result.fabric.subnetManagers.map(({ lid, state, answers }) => [lid, state, answers])).toEqual([
      [1, "MASTER", "yes"],
      [12, "STANDBY", "yes"],
    ]);
    // Every port was asked, so there are no others.
    expect(result.fabric.smListed).toBe(true);
    for (const line of at.host.started) expect(line).not.toMatch(/sminfo .*-[sp]\b/);
  });

  it("are not asked port by port where no adapter is there to ask with", async () => {
    const noDevice: Reply = { stderr: "smpquery: iberror: failed: Failed to open '(null)' port '0'\n", exitCode: 1 };
    const at = place((argv, host) => (argv[0] === "smpquery" ? noDevice : script(argv, host)));
    await searchManagers(at.place, [1], discovery);
    const asked = at.host.started.filter((line) => line.includes("smpquery"));
    expect(total).toBeGreaterThan(asked.length);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it("are asked for without keeping the keys of the fabric, of whatever tool prints them", async () => {
    const keys = ["0x00ab12cd34ef5678", "0x0000000000000077"] as const;
    const key = (lid: number): string => (lid === 1 ? keys[0] : "0x0000000000000000");
    const mkey = (lid: number): string => `Mkey:............................${key(lid)}\nCapMask`;
    const bits: Script = (argv, host) =>
      argv[0] === "smpquery"
        ? { stdout: portInfo(Number(argv[2]), argv[2] === "1").replace("CapMask", mkey(Number(argv[2]))) }
        : script(argv, host);
    const records = readFileSync(join(fixtures, "ib/sim/ft2-32-counters/saquery-SMInfoRecord.txt"), "utf8");
    const listed = readFileSync(join(fixtures, "ib/sim/ft2-32-counters/saquery-s.txt"), "utf8");
    const saquery: Script = (argv, host) => {
      if (argv[0] !== "saquery") return script(argv, host);
      return { stdout: argv.includes("-s") ? listed : records.replace("0x0000000000000000", keys[1]) };
    };
    const kept = async (own: Script): Promise<string> => {
      const at = place(own).place;
      const { result } = await understood(at);
      expect(result.fabric.subnetManagers.map(({ lid }) => lid)).toContain(1);
      expect(result.diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
      return (await searchManagers(at, [1], discovery)).outputs.map(({ stdout }) => decodeOutput(stdout)).join("");
    };
    const [ofBits, ofRecords] = [await kept(bits), await kept(saquery)];
    for (const one of keys) expect(`${ofBits}${ofRecords}`).not.toContain(one);
    expect(ofBits).toContain(
      "Mkey:............................(left out by Ibex)\nCapMask:.........................0x26",
    );
    expect(ofBits).toContain("Mkey:............................0x0000000000000000\n");
    expect(ofRecords).toContain("SM_Key................(left out by Ibex)\n");
  });

  it("that keep silent are told from those that nobody asked", async () => {
    const { place: at } = place((argv, host) =>
      argv[0] === "sminfo" && argv[1] === "12"
        ? { stdout: "sminfo: iberror: failed: query\n", exitCode: 255 }
        : script(argv, host),
    );
    const { result } = await understood(at);
    expect(result.fabric.subnetManagers[1]).toMatchObject({ lid: 12, state: "unknown", answers: "no" });
    expect(result.analysis.findings.map(({ rule }) => rule)).toContain("manager-silent");
  });

  it("of ports that do not answer stay unknown, and that is said", async () => {
    const { place: at } = place((argv, host) =>
      argv[0] === "smpquery" && Number(argv[2]) > 20
        ? { stdout: "smpquery: iberror: failed: operation portinfo: port info query failed\n", exitCode: 255 }
        : script(argv, host),
    );
    const { result } = await understood(at);
    expect(result.fabric.smListed).toBe(false);
    expect(result.fabric.smUnasked).toEqual([
      `The list of subnet managers could not be had from the SA. ${managerCandidates(discovery).filter((lid) => lid <= 20).length} of ${total} ports were asked for their IsSM bit instead: there may be others than those shown.`,
    ]);
    expect(result.analysis.findings.map(({ rule }) => rule)).not.toContain("no-standby");
  });

  it("are given up at once where smpquery is not there either", async () => {
    const at = place((argv, host) => (argv[0] === "smpquery" ? missing : script(argv, host)));
    const search = await searchManagers(at.place, [1], discovery);
    expect(at.host.started.filter((line) => line.startsWith("smpquery")).length).toBeLessThanOrEqual(8);
    expect(search.note).toBe("saquery is not installed there: standbys could not be asked for");
  });

  it("a sminfo that hangs costs its own answer only, and a cancel ends it", async () => {
    const at = place((argv, host) => (argv[0] === "sminfo" && argv[1] === "12" ? "hang" : script(argv, host)));
    const search = searchManagers(at.place, [1], discovery);
    await expect.poll(() => at.host.processes).toEqual(["sminfo 12"]);
    at.abort.abort();
    const { answers } = await search;
    expect(answers.map(({ lid, answers: yes }) => [lid, yes])).toEqual([
      [1, true],
      [12, false],
    ]);
    expect(at.host.processes).toEqual([]);
  });

  it("likely hosts are asked first", () => {
    const named = discovery.replace(/"n032 /g, '"mgmt-1 ').replaceAll("n032", "mgmt-1");
    const first = managerCandidates(named)[0] ?? 0;
    expect(decodeOutput(new TextEncoder().encode(named))).toMatch(new RegExp(`lid ${first} lmc 0`));
    expect(managerCandidates(named)).toHaveLength(total);
    expect(managerCandidates(named).indexOf(first)).toBe(0);
  });
});

describe("two managers with one GUID", () => {
  it("are kept apart by their LIDs, and said", async () => {
    const { place: at } = place((argv, host) =>
      argv[0] === "sminfo" && argv[1] === "12"
        ? { stdout: standby.replace("0xc42a10300000211", "0xc42a10300000201") }
        : script(argv, host),
    );
    const { result } = await understood(at);
    expect(result.fabric.subnetManagers.map(({ lid }) => lid)).toEqual([1, 12]);
    expect(result.diagnostics.map(({ code }) => code)).toContain("same-manager-guid");
  });
});
