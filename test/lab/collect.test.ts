import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import { readCapture, writeCapture } from "../../electron/store/capture-file.ts";
import type { Understood } from "../../electron/threads/interpret-job.ts";
import type { Finding } from "../../shared/analyse/results.ts";
import { nodeDescription } from "../../shared/fabric/access.ts";
import type { Fabric, SubnetManager } from "../../shared/fabric/model.ts";
import { startLink } from "../support/fake-sshd.ts";
import { must } from "../support/ssh-dependencies.ts";
import { collectCapture, collectFabric, connectToLab, labDependencies, labSource, understood } from "./collecting.ts";
import { fabricDifferences } from "./fabric-differences.ts";
import { eventually } from "./household.ts";
import { cableCommand, labSkipped, startIbLab } from "./ib-lab.ts";
import type { IbLab } from "./ib-lab.ts";
import { makeFatTreeNet } from "./net-file.ts";
import { simName } from "./net-model.ts";
import type { NetLink, NetNode } from "./net-model.ts";

const run = promisify(execFile);
const command = join(import.meta.dirname, "..", "..", "dist", "main", "cli.cjs");
const skipped = labSkipped();

function nodeNamed(lab: IbLab, description: string): NetNode {
  const node = lab.net.nodes.find((one) => one.description.includes(description));
  if (node === undefined) throw new Error(`no ${description} in the net file`);
  return node;
}

function switchToSwitch(lab: IbLab): NetLink {
  const switches = new Set(lab.net.nodes.filter(({ kind }) => kind === "switch").map(({ guid }) => guid));
  const link = lab.net.links.find(({ a, b }) => switches.has(a.guid) && switches.has(b.guid));
  if (link === undefined) throw new Error("no link between switches");
  return link;
}

function rules(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule }) => rule);
}

function master(fabric: Fabric): SubnetManager | undefined {
  return fabric.subnetManagers.find(({ state }) => state === "MASTER");
}

describe.skipIf(skipped !== undefined)(
  `collecting over SSH from the real tools${skipped ? ` (${skipped})` : ""}`,
  () => {
    let lab: IbLab;
    let connection: SshConnection;
    beforeAll(async () => {
      lab = await startIbLab({ net: makeFatTreeNet({ faults: ["narrow", "slow", "missing", "halfpair", "nohost"] }) });
      connection = await connectToLab(lab);
    });
    afterAll(async () => {
      await connection.close();
      await lab.stop();
    });
    afterEach(() => lab.restoreTools());
    /** Waits until the managers have put everything right again, and nudges them when they do not. */
    const healthy = async (): Promise<Understood> => {
      let nextNudge = Date.now() + 5_000;
      return eventually("the fabric is as planned", 90_000, async () => {
        const collected = await collectFabric(connection, labSource(lab));
        if (fabricDifferences(collected.fabric, lab.net).length === 0) return collected;
        if (Date.now() > nextNudge) {
          lab.sweep();
          nextNudge = Date.now() + 5_000;
        }
        return undefined;
      });
    };

    it("finds every node, port and link of the net file, and nothing else", async () => {
      const { fabric, diagnostics } = await collectFabric(connection, labSource(lab));
      expect(fabricDifferences(fabric, lab.net)).toEqual([]);
      expect(diagnostics).toEqual([]);
      expect(fabric.hosts.count).toBe(32 - 1 + 5); // one has no cable
    });

    it("finds the planted faults, each on its cable", async () => {
      const { analysis } = await collectFabric(connection, labSource(lab));
      const subjects = analysis.findings.map(({ rule, subject }) => {
        if (subject.kind === "link") return `${rule} ${subject.link}`;
        return subject.kind === "port" ? `${rule} ${subject.guid}:${subject.port}` : `${rule} ${subject.name}`;
      });
      for (const { kind, a, b } of lab.net.faults) {
        const ends = [a, b].map(({ guid, port }) => `${guid}:${port}`);
        const hits = subjects.filter((subject) => ends.some((end) => subject.endsWith(` ${end}`)));
        // A host without its cable cannot be seen: no tool of the fabric shows it.
        expect([kind, hits.length > 0]).toEqual([kind, kind !== "nohost"]);
      }
    });

    it("names the master with its priority and its host", async () => {
      const { fabric } = await collectFabric(connection, labSource(lab));
      const found = master(fabric);
      expect(found).toMatchObject({ state: "MASTER", priority: 14, guid: lab.managerNode(1).portGuids[0] });
      expect(found?.lid).toBeGreaterThan(0);
      expect(found?.node === undefined ? "" : nodeDescription(fabric, found.node)).toBe("sm-01 mlx5_0");
    });

    it("opens a saved capture to the same fabric", async () => {
      const first = await collectFabric(connection, labSource(lab));
      const file = join(lab.directory, "saved.fabric");
      must(await writeCapture(file, first.capture));
      const again = await understood(must(await readCapture(file)));
      expect(again.fabric).toEqual(first.fabric);
      expect(again.analysis).toEqual(first.analysis);
    });

    it("sees a pulled cable, and the same cable put back", async () => {
      const link = switchToSwitch(lab);
      const node = lab.net.nodes.find(({ guid }) => guid === link.a.guid);
      if (node === undefined) throw new Error("the link's end is no node");
      const before = await collectFabric(connection, labSource(lab));
      await lab.console(cableCommand("Unlink", node, link.a.port));
      const pulled = await collectFabric(connection, labSource(lab));
      expect(fabricDifferences(pulled.fabric, lab.net, { without: [link] })).toEqual([]);
      const fresh = pulled.analysis.findings.filter(({ id }) => !before.analysis.findings.some((old) => old.id === id));
      const ends = [link.a, link.b].map(({ guid, port }) => `${guid}:${port}`);
      expect(rules(fresh)).toEqual(["link-down"]);
      expect(fresh.map(({ id }) => ends.some((end) => id.endsWith(end)))).toEqual([true]);
      await lab.console(cableCommand("ReLink", node, link.a.port));
      const back = await healthy();
      expect(back.analysis.findings.map(({ id }) => id)).toEqual(before.analysis.findings.map(({ id }) => id));
    });

    it("keeps what answered when a node no longer does, and says which did not", async () => {
      const dead = nodeNamed(lab, "gpu-b16");
      await lab.console(`Error ${simName(dead)} 100`);
      const partial = await collectFabric(connection, labSource(lab));
      await lab.console(`Error ${simName(dead)} 0`);
      const cable = lab.net.links.find(({ a, b }) => a.guid === dead.guid || b.guid === dead.guid);
      if (cable === undefined) throw new Error("the node has no cable");
      const leaf = cable.a.guid === dead.guid ? cable.b : cable.a;
      // Its leaf still shows the port as up, with nothing behind it.
      expect(fabricDifferences(partial.fabric, lab.net, { without: [cable] })).toEqual([
        `port ${leaf.guid}:${leaf.port} is Active/LinkUp instead of Down/Polling`,
      ]);
      const alone = partial.analysis.findings.find(({ id }) => id.endsWith(` ${leaf.guid}:${leaf.port}`));
      expect(alone?.title).toBe("Far end not available");
      expect(partial.diagnostics).not.toEqual([]);
      await healthy();
    });

    it("leaves no process behind when it is cancelled in a tool that hangs", async () => {
      // iblinkinfo with -S waits for an answer that ibsim never gives.
      const hangs = `exec ${lab.toolPath("iblinkinfo")} -S ${nodeNamed(lab, "spine-01").guid}`;
      await lab.replaceTool(
        "ibnetdiscover",
        `case $1 in -V) echo "ibnetdiscover BUILD VERSION: 44.0";; *) ${hangs};; esac`,
      );
      const cancel = new AbortController();
      const collecting = collectCapture(connection, labSource(lab), { signal: cancel.signal });
      await eventually("the tool runs", 30_000, async () => {
        const running = await lab.toolProcesses();
        return running.length > 0 ? running : undefined;
      });
      cancel.abort();
      const result = await collecting;
      expect(result.ok ? "a capture" : result.error.kind).toBe("cancelled");
      expect(await lab.toolProcesses()).toEqual([]);
      await lab.restoreTools();
      await healthy();
    });

    it("leaves no process behind when the connection is cut in a tool that hangs", async () => {
      const hangs = `exec ${lab.toolPath("iblinkinfo")} -S ${nodeNamed(lab, "spine-01").guid}`;
      await lab.replaceTool(
        "ibnetdiscover",
        `case $1 in -V) echo "ibnetdiscover BUILD VERSION: 44.0";; *) ${hangs};; esac`,
      );
      const link = await startLink(lab.port);
      const { host, user, keyFile } = lab;
      const hostKeyed = join(lab.directory, "link_known_hosts");
      await writeFile(hostKeyed, `[${host}]:${link.port} ${lab.hostKey}\n`);
      const cuttable = must(
        await connectSsh(
          { host, port: link.port, user, identityFile: keyFile, useConfig: false },
          labDependencies(lab, { knownHostsFiles: { user: [hostKeyed], own: join(lab.directory, "none") } }),
          new AbortController().signal,
        ),
      );
      const collecting = collectCapture(cuttable, labSource(lab));
      await eventually("the tool runs", 30_000, async () => {
        const running = await lab.toolProcesses();
        return running.length > 0 ? running : undefined;
      });
      link.cut();
      const result = await collecting;
      expect(result.ok ? "a capture" : result.error.kind).toBe("connection-lost");
      await eventually("the tool has ended", 20_000, async () => {
        const running = await lab.toolProcesses();
        return running.length === 0 ? running : undefined;
      });
      await link.stop();
    });

    it("refuses a host whose key has changed, before it logs in", async () => {
      const knownHosts = join(lab.directory, "changed_known_hosts");
      const other = await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(lab.directory, "other")]).then(
        () => run("ssh-keygen", ["-y", "-f", join(lab.directory, "other")]),
      );
      await writeFile(knownHosts, `[${lab.host}]:${lab.port} ${other.stdout}`);
      const { host, port, user, keyFile } = lab;
      const result = await connectSsh(
        { host, port, user, identityFile: keyFile, useConfig: false },
        labDependencies(lab, { knownHostsFiles: { user: [knownHosts], own: join(lab.directory, "none") } }),
        new AbortController().signal,
      );
      expect(result.ok ? "connected" : result.error).toMatchObject({
        kind: "host-key-changed",
        file: knownHosts,
        line: 1,
      });
    });

    it("shows an unknown host key with the fingerprint that ssh-keygen prints", async () => {
      const { host, port, user, keyFile } = lab;
      const result = await connectSsh(
        { host, port, user, identityFile: keyFile, useConfig: false },
        labDependencies(lab, {
          knownHostsFiles: { user: [], own: join(lab.directory, "none") },
          ask: { ...labDependencies(lab).ask, hostKeyUnknown: () => Promise.resolve("no") },
        }),
        new AbortController().signal,
      );
      const keyFileOfHost = join(lab.directory, "host.pub");
      await writeFile(keyFileOfHost, `${lab.hostKey}\n`);
      const printed = await run("ssh-keygen", ["-l", "-f", keyFileOfHost]);
      expect(result.ok ? "connected" : result.error).toMatchObject({
        kind: "host-key-unknown",
        fingerprint: printed.stdout.split(" ")[1],
      });
      expect(lab.hostKeyFingerprint).toBe(printed.stdout.split(" ")[1]);
    });

    it("says that there is no InfiniBand device where the tools find none", async () => {
      // The tool itself, which does not see the simulated fabric: this machine has no such device.
      await lab.replaceTool("ibnetdiscover", 'exec /usr/sbin/ibnetdiscover "$@"');
      await lab.replaceTool("iblinkinfo", 'exec /usr/sbin/iblinkinfo "$@"');
      const result = await collectCapture(connection, labSource(lab));
      expect(result.ok ? "a capture" : result.error).toMatchObject({ kind: "no-device", tool: "ibnetdiscover" });
    });

    it("says that a right is missing where there is a device and one is not root", async () => {
      await lab.replaceTool("ibnetdiscover", 'exec /usr/sbin/ibnetdiscover "$@"');
      await lab.replaceTool("iblinkinfo", 'exec /usr/sbin/iblinkinfo "$@"');
      await lab.replaceTool("ls", 'case $1 in /sys/class/infiniband_mad) echo umad0; exit 0;; esac; exec /bin/ls "$@"');
      await lab.replaceTool("id", "echo 1000");
      const result = await collectCapture(connection, labSource(lab));
      expect(result.ok ? "a capture" : result.error).toMatchObject({ kind: "no-permission", sudo: false });
    });

    it("says that sudo asks for a password", async () => {
      await lab.replaceTool("id", "echo 1000"); // root needs no sudo, so it is not asked
      await lab.replaceTool("sudo", "echo 'sudo: a password is required' >&2; exit 1");
      const result = await collectCapture(connection, labSource(lab, { sudo: true }));
      expect(result.ok ? "a capture" : result.error).toMatchObject({ kind: "sudo-refused" });
    });

    it("says which tool is missing, and does not try the others", async () => {
      await lab.replaceTool("ibnetdiscover", "echo 'sh: 1: ibnetdiscover: not found' >&2; exit 127");
      const states: string[][] = [];
      const result = await collectCapture(connection, labSource(lab), {
        onSteps: (steps) => states.push(steps.map(({ state }) => state)),
      });
      expect(result.ok ? "a capture" : result.error).toMatchObject({ kind: "tool-missing", tool: "ibnetdiscover" });
      const [first, ...others] = states.at(-1) ?? [];
      expect(first).toBe("failed");
      expect(new Set(others)).toEqual(new Set(["skipped"]));
    });

    it("keeps ibnetdiscover's fabric when iblinkinfo fails", async () => {
      await lab.replaceTool("iblinkinfo", "echo 'iblinkinfo: iberror: failed: discover failed' >&2; exit 255");
      const { fabric, capture } = await collectFabric(connection, labSource(lab));
      expect(fabric.nodes.count).toBe(lab.net.nodes.length - 1); // one has no cable
      expect(fabric.links.count).toBe(lab.net.links.length);
      expect(capture.steps.map(({ id, state }) => `${id} ${state}`)).toContain("iblinkinfo failed");
    });

    it.skipIf(!existsSync(command))("does the same from the command line", async () => {
      const home = join(lab.directory, "cli-home");
      await mkdir(home);
      const file = join(lab.directory, "cli.fabric");
      const ssh = ["--ssh", `${lab.user}@${lab.host}:${lab.port}`, "--identity", lab.keyFile, "--accept-new-host-key"];
      const environment = { ...process.env, HOME: home, IBEX_DATA: join(home, "data"), SSH_AUTH_SOCK: "" };
      const collected = await run(process.execPath, [command, "collect", ...ssh, "--out", file], { env: environment });
      expect(collected.stderr).toContain(lab.hostKeyFingerprint);
      const { fabric } = await understood(must(await readCapture(file)));
      expect(fabricDifferences(fabric, lab.net)).toEqual([]);
      await copyFile(file, join(home, "copy.fabric"));
      const inspected = await run(process.execPath, [command, "inspect", join(home, "copy.fabric"), "--json"], {
        env: environment,
      });
      expect(JSON.parse(inspected.stdout)).toMatchObject({
        counts: { switches: 12, aggregationNodes: 12, hosts: 36, links: lab.net.links.length },
        topology: { kind: "fat-tree" },
      });
      expect(JSON.parse(inspected.stdout)).toHaveProperty("subnetManagers.0.state", "MASTER");
      expect(JSON.parse(inspected.stdout)).toHaveProperty("subnetManagers.0.priority", 14);
    });

    // These change the managers, so they come last.
    it("sees the standby take over after the master is killed", async () => {
      await lab.killManager(1, "SIGKILL");
      const { fabric, analysis } = await eventually("a master answers", 60_000, async () => {
        const collected = await collectFabric(connection, labSource(lab));
        return master(collected.fabric) === undefined ? undefined : collected;
      });
      expect(master(fabric)).toMatchObject({ state: "MASTER", priority: 5, guid: lab.managerNode(2).portGuids[0] });
      expect(rules(analysis.findings)).not.toContain("no-subnet-manager");
      expect(lab.managerLog(2)).toContain("Entering MASTER state");
      expect(fabricDifferences(fabric, lab.net)).toEqual([]);
    });

    it("sees the first manager come back as standby with a lower priority, and as master with a higher", async () => {
      expect(await lab.startManager(1, 2)).toBe("STANDBY");
      const still = await collectFabric(connection, labSource(lab));
      expect(master(still.fabric)).toMatchObject({ priority: 5 });
      await lab.killManager(1);
      expect(await lab.startManager(1, 14)).toBe("MASTER");
      const back = await eventually("the first is master", 30_000, async () => {
        const found = master((await collectFabric(connection, labSource(lab))).fabric);
        return found?.priority === 14 ? found : undefined;
      });
      expect(back.guid).toBe(lab.managerNode(1).portGuids[0]);
    });

    it("says that no subnet manager answers when all are dead, and still shows the fabric", async () => {
      await lab.killManager(2, "SIGTERM");
      await lab.killManager(1, "SIGTERM");
      const { fabric, analysis, capture } = await collectFabric(connection, labSource(lab));
      expect(rules(analysis.findings)).toContain("no-subnet-manager");
      expect(fabricDifferences(fabric, lab.net)).toEqual([]);
      expect(capture.steps.map(({ id, state }) => `${id} ${state}`)).toContain("sminfo failed");
    });
  },
);

describe.skipIf(skipped !== undefined)(
  `a fabric that no manager has ever seen${skipped ? ` (${skipped})` : ""}`,
  () => {
    let lab: IbLab;
    beforeAll(async () => {
      lab = await startIbLab({ net: makeFatTreeNet({ spines: 2, leaves: 2, hostsPerLeaf: 2 }), managers: 0 });
    });
    afterAll(() => lab.stop());

    it("shows all nodes and links, all in Initialize, and says why once", async () => {
      const connection = await connectToLab(lab);
      const { fabric, analysis } = await collectFabric(connection, labSource(lab));
      await connection.close();
      expect(fabricDifferences(fabric, lab.net, { state: "Initialize" })).toEqual([]);
      const errors = analysis.findings.filter(({ severity }) => severity === "error");
      expect([...rules(errors)].sort()).toEqual(["no-subnet-manager", "port-not-active"]);
    });
  },
);
