import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect, countersOf } from "../../electron/collect/collect.ts";
import type { HostAccess } from "../../electron/run/access.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import { readManagersFiles } from "../../electron/watch/opensm-files.ts";
import { managerLog } from "../../electron/watch/sm-log.ts";
import { watchManagers } from "../../electron/watch/sm-watch.ts";
import { err, ok } from "../../shared/base/result.ts";
import type { ManagerChange } from "../../shared/contract/manager-log.ts";
import { logTime, parseOpensmLog } from "../../shared/parse/opensm-log.ts";
import { must } from "../support/ssh-dependencies.ts";
import { collectFabric, connectToLab, labSource, understood } from "./collecting.ts";
import { eventually } from "./household.ts";
import { labSkipped, type ManagerNumber, startIbLab } from "./ib-lab.ts";
import type { IbLab } from "./ib-lab.ts";
import { makeFatTreeNet } from "./net-file.ts";
import { simName } from "./net-model.ts";

const skipped = labSkipped();
const intervalMs = 500;

/** Folder of the manager that bound to a port last. */
async function newestHome(lab: IbLab, guid: string): Promise<string> {
  const homes = (await readdir(lab.directory)).filter((name) => name.startsWith("opensm-"));
  const newest = homes.sort((a, b) => Number(b.slice(7)) - Number(a.slice(7)));
  for (const home of newest) {
    const text = await readFile(join(lab.directory, home, "opensm.log"), "utf8");
    if (`0x${parseOpensmLog(text, { file: home }).records.boundTo ?? ""}` === guid) return join(lab.directory, home);
  }
  throw new Error(`no manager on ${guid}`);
}

describe.skipIf(skipped !== undefined)(`watching real subnet managers${skipped ? ` (${skipped})` : ""}`, () => {
  let lab: IbLab;
  let connection: SshConnection;
  beforeAll(async () => {
    lab = await startIbLab({ net: makeFatTreeNet({ management: true }) });
    connection = await connectToLab(lab);
  });
  afterAll(async () => {
    await connection.close();
    await lab.stop();
  });

  const access = (): HostAccess => ({
    source: connection.runner,
    simulated: false,
    host: (name) => Promise.resolve(err({ kind: "unreachable", host: name, port: 22, code: "ENOTFOUND" })),
    close: () => Promise.resolve(),
  });
  /** A port's GUID is the node's plus its number in the lab. */
  const guidOf = (manager: ManagerNumber): string =>
    `0x${(BigInt(lab.managerNode(manager).guid) + 1n).toString(16).padStart(16, "0")}`;
  /** Times at which a manager's own log says that it entered a state. */
  const entered = (manager: ManagerNumber, state: string): readonly number[] =>
    parseOpensmLog(lab.managerLog(manager), { file: "opensm.log" })
      .records.events.filter(({ kind, value }) => kind === "state" && value === state)
      .map(({ stamp }) => logTime(stamp, { now: Date.now(), offsetMinutes: -new Date().getTimezoneOffset() }));

  it("collects all of them with their own answers and the counters of all ports", async () => {
    const { fabric, capture } = await collectFabric(connection, labSource(lab));
    expect(fabric.smListed).toBe(true);
    expect(fabric.subnetManagers.map(({ guid, state, priority, answers }) => [guid, state, priority, answers])).toEqual(
      [
        [guidOf(1), "MASTER", 14, "yes"],
        [guidOf(2), "STANDBY", 5, "yes"],
      ],
    );
    expect(capture.steps.map(({ id, state }) => `${id} ${state}`)).toEqual(
      expect.arrayContaining(["counters done", "managers done"]),
    );
    const told = [...(fabric.counters?.latest.told ?? [])].filter((one) => one === 1);
    expect(told.length).toBeGreaterThanOrEqual(fabric.links.count * 2);
  });

  it("sees a link go down again and again from one collection to the next", async () => {
    const leaf = lab.net.nodes.find(({ description }) => description.includes("leaf-01"));
    if (leaf === undefined) throw new Error("no leaf-01");
    const set = (value: number): Promise<string> =>
      lab.console(`PerformanceSet ${simName(leaf)}[5] PortCounters.LinkDownedCounter=${value}`);
    await set(5);
    const first = await collectFabric(connection, labSource(lab));
    expect(first.analysis.findings.map(({ rule }) => rule)).toContain("errors-not-judged");
    const earlierCounters = countersOf(first.capture);
    await set(42);
    const again = await collect(connection.runner, {
      source: labSource(lab),
      simulated: false,
      signal: new AbortController().signal,
      now: Date.now,
      onSteps: () => undefined,
      ...(earlierCounters === undefined ? {} : { earlierCounters }),
    });
    const second = await understood(must(again));
    const found = second.analysis.findings.filter(({ rule }) => rule === "link-flaps");
    expect(found).toHaveLength(1);
    expect(found[0]?.severity).toBe("error");
    expect(found[0]?.evidence).toContain("LinkDownedCounter 5 to 42");
    await set(0);
  });

  it("tells what opensm's logs tell, to the polling interval, and keeps it", async () => {
    const controller = new AbortController();
    const changes: ManagerChange[] = [];
    const rounds: number[] = [];
    const log = managerLog(join(lab.directory, "managers.jsonl"));
    const ended = watchManagers(
      access(),
      {
        source: labSource(lab),
        intervalMs,
        clock: {
          now: Date.now,
          monotonic: () => performance.now(),
          sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
        },
        onChange(change) {
          changes.push(change);
          void log.append({ version: 1, source: "lab", simulated: false, ...change });
        },
        onRound: () => rounds.push(Date.now()),
      },
      controller.signal,
    );
    let since = 0;
    const told = (kind: ManagerChange["kind"], manager: ManagerNumber, limitMs = 60_000): Promise<ManagerChange> =>
      eventually(`${kind} of manager ${manager}`, limitMs, () =>
        changes.slice(since).find((change) => change.kind === kind && change.guid === guidOf(manager)),
      );
    const now = (manager: ManagerNumber): string | undefined =>
      changes.filter(({ guid }) => guid === guidOf(manager)).at(-1)?.to;
    await told("seen", 1);
    await told("seen", 2);

    let killed = 0;
    const failOver = async (): Promise<ManagerChange | undefined> => {
      since = changes.length;
      killed = Date.now();
      await lab.killManager(1);
      const lost = await told("lost", 1);
      expect(lost).toMatchObject({ from: "MASTER", to: "NO-ANSWER" });
      expect(Date.parse(lost.time)).toBeGreaterThanOrEqual(killed);
      return told("handover", 2, 20_000).catch(() => undefined);
    };
    /** Under ibsim a standby now and then begins to take over and waits for ever: then both are started anew. */
    const again = async (): Promise<ManagerChange | undefined> => {
      await lab.killManager(2);
      await lab.startManager(1);
      await lab.startManager(2);
      await eventually("both as before", 60_000, () =>
        now(1) === "MASTER" && now(2) === "STANDBY" ? true : undefined,
      );
      return failOver();
    };
    const handover = (await failOver()) ?? (await again()) ?? (await again());
    if (handover === undefined) throw new Error(`no take-over:\n${lab.managerLog(2)}`);
    expect(handover).toMatchObject({ to: "MASTER", before: guidOf(1) });

    // The log has the moment; the watch tells it in the round in which it fell, or the next one.
    const moment = entered(2, "MASTER").at(-1) ?? 0;
    const at = Date.parse(handover.time);
    expect(moment).toBeGreaterThan(killed);
    expect(moment).toBeLessThanOrEqual(at);
    const roundsBefore = rounds.filter((end) => end < at);
    expect(moment).toBeGreaterThan(roundsBefore.at(-2) ?? 0);

    // With a lower priority the old one does not take back what it had.
    expect(await lab.startManager(1, 2)).toBe("STANDBY");
    await told("returned", 1);
    const last = await eventually("manager 1 stands by", 30_000, () => {
      const own = changes.filter(({ guid }) => guid === guidOf(1));
      return own.at(-1)?.to === "STANDBY" ? own.at(-1) : undefined;
    });
    expect(last.priority).toBe(2);
    controller.abort();
    expect(await ended).toMatchObject({ ok: true });

    const kept = must(await managerLog(join(lab.directory, "managers.jsonl")).read());
    expect(kept.damaged).toBe(0);
    expect(kept.lines.map(({ kind, guid, from, to }) => ({ kind, guid, from, to }))).toEqual(
      changes.map(({ kind, guid, from, to }) => ({ kind, guid, from, to })),
    );
  });

  it("reads the tail of a manager's log and its settings over SSH", async () => {
    // Whichever start of the second manager was the last.
    const home = await newestHome(lab, guidOf(2));
    const redirect = (path: string, file: string): string => `${path}) exec /usr/bin/TOOL ${file} ;;`;
    await lab.replaceTool(
      "tail",
      `case $3 in ${redirect("/var/log/opensm.log", `-c "$2" '${home}/opensm.log'`).replace("TOOL", "tail")} *) echo "tail: no such file" >&2; exit 1 ;; esac`,
    );
    await lab.replaceTool(
      "cat",
      `case $1 in ${redirect("/etc/opensm/opensm.conf", `'${home}/opensm.conf'`).replace("TOOL", "cat")} *) exec /usr/bin/cat "$@" ;; esac`,
    );
    // The second manager's own host answers, the first one's does not.
    const hosts: HostAccess = {
      ...access(),
      host: (name) =>
        Promise.resolve(
          name === "sm-02"
            ? ok({ runner: connection.runner, address: "127.0.0.1" })
            : err({ kind: "unreachable", host: name, port: 22, code: "ENOTFOUND" }),
        ),
    };
    const managers = [
      { guid: guidOf(1), host: "sm-01" },
      { guid: guidOf(2), host: "sm-02" },
    ];
    const files = must(await readManagersFiles(hosts, labSource(lab), managers, new AbortController().signal));
    await lab.restoreTools();
    const settings = { pollingMs: 1000, pollingRetries: 2 };
    expect(files.settings).toMatchObject([{ settings }, { settings }]);
    expect(files.unread).toEqual([expect.stringMatching(/^opensm's files on sm-01 could not be read: /)]);
    expect(files.logs).toHaveLength(2);
    expect(`0x${files.logs[0]?.records.boundTo ?? ""}`).toBe(guidOf(2));
    expect(files.logs[0]?.records.events.map(({ value }) => value)).toContain("MASTER");
  });
});
