/**
 * Side by side with the field's tools: faults are planted on a simulated fabric, and what ibqueryerrors and iblinkinfo
 * (its "Could be") report of them must be among our findings. The table of faults and who sees them is printed.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect, countersOf } from "../../electron/collect/collect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import type { Understood } from "../../electron/threads/interpret-job.ts";
import type { Finding } from "../../shared/analyse/results.ts";
import { nodeGuid, peerPort } from "../../shared/fabric/access.ts";
import { none } from "../../shared/fabric/model.ts";
import { must } from "../support/ssh-dependencies.ts";
import { collectFabric, connectToLab, labSource, understood } from "./collecting.ts";
import { eventually } from "./household.ts";
import { cableCommand, labSkipped, startIbLab, type IbLab } from "./ib-lab.ts";
import { makeFatTreeNet } from "./net-file.ts";
import { simName, type NetEnd, type NetLink, type NetNode } from "./net-model.ts";

const skipped = labSkipped();

/** A fault, and the ports at which somebody could see it. */
interface Planted {
  readonly fault: string;
  readonly ends: readonly NetEnd[];
}

/** What one tool says: node GUID and port, joined by a colon, to its words. */
type Report = ReadonlyMap<string, string>;

/** Names of the error counters that are planted, and how far each grows between the two looks. */
const grownCounters = {
  SymbolErrorCounter: 1_187,
  LinkErrorRecoveryCounter: 3,
  LinkDownedCounter: 7,
  PortRcvErrors: 250,
  LocalLinkIntegrityErrors: 15,
  ExcessiveBufferOverrunErrors: 2,
  PortXmitDiscards: 211,
  PortRcvSwitchRelayErrors: 12,
  VL15Dropped: 9,
  PortXmitWait: 4_026_531,
} as const;

const keyOf = ({ guid, port }: NetEnd): string => `${guid}:${port}`;

/** Ports that plain `ibqueryerrors` lists; those of an adapter come with its port GUID, which is the node's plus the port. */
function queryErrors(text: string): Report {
  const report = new Map<string, string>();
  for (const [, guid = "", port = "", what = ""] of text.matchAll(/GUID (0x[0-9a-f]+) port (\d+): (.*)/g)) {
    report.set(`0x${guid.slice(2).padStart(16, "0")}:${port}`, what);
  }
  return report;
}

/**
 * Near ends of the lines of `iblinkinfo -l` that say what the link could be. Words that most lines have are the
 * devices' claim (ibsim's say 12X of every port) and tell no link from another.
 */
function couldBe(text: string): { readonly report: Report; readonly claim: string | undefined } {
  const line = /^\s*(0x[0-9a-f]+) ".*"\s+\d+\s+(\d+)\[.*?\(\s*(Could be [^)]*?)\s*\)\s*$/gm;
  const said = [...text.matchAll(line)].map(([, guid = "", port = "", what = ""]) => ({
    key: `${guid}:${port}`,
    words: what.split(/\s*Could be /).filter((words) => words !== ""),
  }));
  const times = new Map<string, number>();
  for (const word of said.flatMap(({ words }) => words)) times.set(word, (times.get(word) ?? 0) + 1);
  const claim = [...times].find(([, n]) => n * 2 > said.length)?.[0];
  const own = said.map(({ key, words }) => [key, words.filter((word) => word !== claim).join(", ")] as const);
  return { report: new Map(own.filter(([, words]) => words !== "")), claim };
}

/** Node GUIDs and ports of what a finding is about: both ends of a link, and of the cable that is or was at a port. */
function subjectPorts({ fabric, analysis }: Understood, { subject }: Finding): readonly string[] {
  const keys = (ports: readonly (number | undefined)[]): readonly string[] =>
    ports.flatMap((port) => {
      const node = fabric.ports.node[port ?? none];
      return node === undefined ? [] : [`${nodeGuid(fabric, node)}:${fabric.ports.number[port ?? none] ?? 0}`];
    });
  if (subject.kind === "port") {
    const pulled = analysis.missingLinks.find(({ a, b }) => a === subject.index || b === subject.index);
    return keys([subject.index, peerPort(fabric, subject.index), pulled?.a, pulled?.b]);
  }
  if (subject.kind === "link") return keys([fabric.links.a[subject.index], fabric.links.b[subject.index]]);
  return [];
}

/** Rules by port, the worst first said. */
function findingsByPort(seen: Understood): Report {
  const report = new Map<string, string>();
  for (const found of seen.analysis.findings) {
    for (const key of subjectPorts(seen, found)) {
      const said = report.get(key);
      if (said === undefined) report.set(key, found.rule);
      else if (!said.split(", ").includes(found.rule)) report.set(key, `${said}, ${found.rule}`);
    }
  }
  return report;
}

/** An adapter's port GUID is its node's plus the port in the lab; tools that print port GUIDs are brought to node GUIDs. */
function byNode(report: Report, nodes: readonly NetNode[]): Report {
  const owners = new Map(
    nodes.flatMap(({ guid, kind, portGuids }) =>
      kind === "switch" ? [] : portGuids.map((port) => [port, guid] as const),
    ),
  );
  return new Map(
    [...report].map(([key, what]) => {
      const [guid = "", port = ""] = key.split(":");
      return [`${owners.get(guid) ?? guid}:${port}`, what];
    }),
  );
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

describe.skipIf(skipped !== undefined)(
  `planted faults beside ibqueryerrors and iblinkinfo${skipped ? ` (${skipped})` : ""}`,
  () => {
    let lab: IbLab;
    let connection: SshConnection;
    let planted: readonly Planted[] = [];
    let ibqueryerrors: Report = new Map();
    let iblinkinfo: Report = new Map();
    let claim: string | undefined;
    let ours: Report = new Map();
    let findings: readonly Finding[] = [];

    const run = async (argv: readonly [string, ...string[]]): Promise<string> => {
      const limits = { timeoutMs: 60_000, maxOutputBytes: 10_000_000 };
      const output = must(await connection.runner.run({ argv, ...limits }, new AbortController().signal));
      return new TextDecoder().decode(output.stdout);
    };
    const named = (part: string): NetNode => {
      const node = lab.net.nodes.find(({ description }) => description.includes(part));
      if (node === undefined) throw new Error(`no ${part} in the net file`);
      return node;
    };
    const cableAt = (end: NetEnd): NetLink => {
      const link = lab.net.links.find(({ a, b }) => keyOf(a) === keyOf(end) || keyOf(b) === keyOf(end));
      if (link === undefined) throw new Error(`no cable at ${keyOf(end)}`);
      return link;
    };

    beforeAll(async () => {
      const faults = ["narrow", "slow", "missing", "halfpair", "nohost", "miscabled"] as const;
      lab = await startIbLab({ net: makeFatTreeNet({ faults }) });
      connection = await connectToLab(lab);
      const before = await collectFabric(connection, labSource(lab));

      const plan: Planted[] = lab.net.faults.map(({ kind, a, b }) => ({ fault: kind, ends: [a, b] }));
      // Each counter on an uplink of its own.
      const counters = Object.entries(grownCounters).map(([counter, growth], index) => {
        const leaf = named(`leaf-0${[1, 6, 7, 8][index % 4] ?? 1}:`);
        const end = { guid: leaf.guid, port: 6 + Math.floor(index / 4) };
        return { counter, growth, leaf, end };
      });
      for (const { counter, growth, leaf, end } of counters) {
        await lab.console(`PerformanceSet ${simName(leaf)}[${end.port}] PortCounters.${counter}=${growth}`);
        plan.push({ fault: `${counter} grows`, ends: [end] });
      }
      const leaf = named("leaf-06:");
      const pulled = cableAt({ guid: leaf.guid, port: 11 });
      await lab.console(cableCommand("Unlink", leaf, 11));
      plan.push({ fault: "cable pulled", ends: [pulled.a, pulled.b] });
      const dead = named("gpu-b16");
      await lab.console(`Error ${simName(dead)} 100`);
      const behind = cableAt({ guid: dead.guid, port: 1 });
      plan.push({ fault: "host does not answer", ends: [behind.a, behind.b] });
      planted = plan;

      const earlierCounters = countersOf(before.capture);
      if (earlierCounters === undefined) throw new Error("the first look has no counters");
      const again = await eventually("the pulled cable is seen", 60_000, async () => {
        const capture = must(
          await collect(connection.runner, {
            source: labSource(lab),
            simulated: false,
            signal: new AbortController().signal,
            now: Date.now,
            onSteps: () => undefined,
            earlierCounters,
          }),
        );
        const seen = await understood(capture);
        return seen.analysis.findings.some(({ rule }) => rule === "link-down") ? seen : undefined;
      });
      ({ findings } = again.analysis);
      ours = findingsByPort(again);
      ibqueryerrors = byNode(queryErrors(await run(["ibqueryerrors"])), lab.net.nodes);
      const hints = couldBe(await run(["iblinkinfo", "-l"]));
      iblinkinfo = byNode(hints.report, lab.net.nodes);
      claim = hints.claim;
    });
    afterAll(async () => {
      await connection.close();
      await lab.stop();
    });

    const at = (report: Report, { ends }: Planted): string =>
      [...new Set(ends.map((end) => report.get(keyOf(end))).filter((words) => words !== undefined))].join("; ");

    it("prints who sees what", () => {
      const rows = planted.map((one) => [
        one.fault,
        at(ibqueryerrors, one) || "–",
        at(iblinkinfo, one) || "–",
        at(ours, one) || "–",
      ]);
      const fabricWide = findings.filter(({ subject }) => subject.kind === "fabric").map(({ rule }) => rule);
      process.stdout.write(
        `\n${tableOf([["planted", "ibqueryerrors", "iblinkinfo: could be", "Ibex"], ...rows])}\nof the whole fabric: ${fabricWide.join(", ") || "nothing"}\n\n`,
      );
      expect(planted.length).toBeGreaterThan(15);
    });

    it("finds all that ibqueryerrors reports", () => {
      expect(ibqueryerrors.size).toBeGreaterThanOrEqual(Object.keys(grownCounters).length);
      expect([...ibqueryerrors].filter(([key]) => !ours.has(key))).toEqual([]);
    });

    it("finds all of which iblinkinfo says what it could be, and says of a claim for all that it is one", () => {
      expect(iblinkinfo.size).toBeGreaterThanOrEqual(2);
      expect([...iblinkinfo].filter(([key]) => !ours.has(key))).toEqual([]);
      const claims = findings.filter(({ rule }) => rule === "claim-not-used").map(({ message }) => message);
      if (claim === undefined) expect(claims).toEqual([]);
      else expect(claims.join(" ").toLowerCase()).toContain(claim.toLowerCase());
    });

    it("finds what both cannot see", () => {
      // What is left in a port when its cable is pulled is discarded, if there is anything: no tool says more of it.
      const alone = planted.filter(
        (one) => one.fault === "cable pulled" || (at(ibqueryerrors, one) === "" && at(iblinkinfo, one) === ""),
      );
      const seen = alone.filter((one) => at(ours, one) !== "").map(({ fault }) => fault);
      expect([...new Set(seen)].sort()).toEqual([
        "cable pulled",
        "halfpair",
        "host does not answer",
        "miscabled",
        "missing",
        "narrow",
        "slow",
      ]);
      // A host without its cable is nowhere on the fabric.
      expect(alone.filter((one) => at(ours, one) === "").map(({ fault }) => fault)).toEqual(["nohost"]);
    });
  },
);
