import { describe, expect, it } from "vitest";
import { isPrompt } from "../../../shared/parse/noise.ts";
import { parseToolErrors } from "../../../shared/parse/tool-errors.ts";

const noAnswer =
  "./libibnetdisc/query_smp.c:186; umad (DR path slid 0; dlid 0; 0,1,8,1 Attr 0x11:0) bad status 110; Connection timed out";

describe("parseToolErrors", () => {
  it.each([
    [noAnswer, "node-did-not-answer", "error", true],
    [
      "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x15:7) bad status 110; x",
      "node-did-not-answer",
      "error",
      true,
    ],
    ["x/query_smp.c:1; mad (DR path slid 0; dlid 0; 0,1 Attr 0x15:3) bad status 0x1c", "node-refused", "error", true],
    ["ibwarn: [21171] mad_rpc: _do_madrpc failed; dport (Lid 63)", "node-did-not-answer", "error", true],
    ["ibwarn: [4711] mad_dump_linkwidth: bad width 0", "tool-warning", "warning", false],
    ["ibpanic: [21117] main: 'nope' IB device can't be found: Success", "tool-failed", "error", true],
    ["/usr/sbin/sminfo: iberror: failed: query", "tool-failed", "error", true],
    ["./libibnetdisc/ibnetdisc.c:802; can't open MAD port (nope:0)", "tool-failed", "error", true],
    ["ibnetdiscover: invalid option -- 'X'", "tool-failed", "error", true],
    ["bash: line 1: ibnetdiscover: command not found", "tool-failed", "error", true],
    ["sudo: a password is required", "tool-failed", "error", true],
    ["Failed to find port: 0x1234", "tool-failed", "error", true],
    ["WARNING: something old", "tool-warning", "warning", false],
    ["a line of a new version", "unknown-line", "note", false],
  ])("%s", (line, code, severity, missing) => {
    const { records, diagnostics, stats } = parseToolErrors(`${line}\n`, { file: "stderr" });
    expect(diagnostics.map((entry) => [entry.code, entry.severity, entry.line])).toEqual([[code, severity, 1]]);
    expect(records.missing).toBe(missing);
    expect(stats).toEqual({ lines: 1, understood: 0, ignored: 0, diagnosed: 1 });
  });

  it("names the place and what was asked", () => {
    const { diagnostics } = parseToolErrors(noAnswer, { file: "stderr" });
    expect(diagnostics[0]?.message).toContain("0,1,8,1 (NodeInfo)");
  });

  it("keeps the first hundred of a kind and counts the rest", () => {
    const { diagnostics, stats } = parseToolErrors(`${noAnswer}\n`.repeat(250), { file: "stderr" });
    expect(stats.diagnosed).toBe(250);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics[100]?.message).toBe("150 more of the same kind are not listed.");
  });
});

describe("isPrompt", () => {
  it.each([
    "[user@login-01 ~]$ sudo ibnetdiscover",
    "[root@mgmt1 ~]# ibnetdiscover ",
    "[user@login-01 ~]$ ",
    "user@host:~/maps$ iblinkinfo -l",
    "root@host:~# ",
    "host:~ root# ls",
    "(venv) user@host:~$ x",
    "$ ib_write_bw",
    "bash-5.1$ sminfo",
    "logout",
  ])("takes %j for one", (line) => {
    expect(isPrompt(line)).toBe(true);
  });

  it.each([
    "",
    "# Topology file: generated on",
    '[1]\t"S-b8cef60300000040"[2]',
    "vendid=0x2c9",
    " 65536 5000 1.0 1.0 0.1",
  ])("does not take %j for one", (line) => {
    expect(isPrompt(line)).toBe(false);
  });
});
