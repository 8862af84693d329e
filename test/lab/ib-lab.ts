/**
 * A simulated InfiniBand fabric behind a real SSH server, on loopback: ibsim with a net file, two opensm, OpenSSH's
 * sshd, and the tools of infiniband-diags, which see the fabric through libumad2sim. Debian: ibsim-utils, opensm,
 * infiniband-diags, openssh-server. No InfiniBand hardware, no kernel module, nothing of the machine is changed.
 */
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { startSshd } from "../support/sshd.ts";
import { eventually, Household, processesWith } from "./household.ts";
import { managementHosts } from "./net-file.ts";
import type { NetFile, NetNode } from "./net-model.ts";
import { simName } from "./net-model.ts";
import { startSimulator } from "./simulator.ts";

export type ManagerNumber = 1 | 2;

export interface IbLabOptions {
  readonly net: NetFile;
  /** How many subnet managers are started: none, the master, or the master and a standby (when left out). */
  readonly managers?: 0 | 1 | 2;
  /** Description of the node on which one is logged in; the management's login host, or else the first other host. */
  readonly login?: string;
}

export interface IbLab {
  readonly net: NetFile;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  /** `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** `SHA256:…` as OpenSSH prints it. */
  readonly hostKeyFingerprint: string;
  /** A known_hosts file that has the key. */
  readonly knownHostsFile: string;
  /** Folder of the lab; free for a test's files, removed by `stop`. */
  readonly directory: string;
  /**
   * One command on ibsim's console, for instance `Unlink "S-b8cef60300000100"[5]` (see `cableCommand`); what it
   * printed. Throws when ibsim does not know the command or what it names.
   */
  console(command: string): Promise<string>;
  /** The node on which a manager runs. */
  managerNode(manager: ManagerNumber): NetNode;
  /** Ends a manager (KILL when no signal is named) and waits for its end. */
  killManager(manager: ManagerNumber, signal?: NodeJS.Signals): Promise<void>;
  /** Starts a manager and waits until it is up. Priority: 14 for the first, 5 for the second. */
  startManager(manager: ManagerNumber, priority?: number): Promise<"MASTER" | "STANDBY">;
  /**
   * Has the managers look at everything at once (SIGHUP). After changes in quick succession opensm may miss one, because
   * ibsim drops what repeats a trap; a cable that was put back then stays in Initialize.
   */
  sweep(): void;
  /** The manager's own log so far. */
  managerLog(manager: ManagerNumber): string;
  /** The path of a tool's wrapper, for scripts of {@link replaceTool} that call another tool. */
  toolPath(name: string): string;
  /** Puts a shell script in place of a tool (or before any other command) in the PATH of those who log in. */
  replaceTool(name: string, script: string): Promise<void>;
  /** Takes all replacements back. */
  restoreTools(): Promise<void>;
  /** Pids of the tools that run for those who are logged in. */
  toolProcesses(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

const tools = [
  ...["ibnetdiscover", "iblinkinfo", "sminfo", "saquery", "smpquery", "perfquery", "ibqueryerrors", "ibstat"],
  ...["ibaddr", "ibroute", "ibtracert", "ibportstate", "ibnodes", "ibhosts", "ibswitches", "ibrouters", "vendstat"],
  ...["dump_fts", "dump_lfts", "dump_mfts", "ibfindnodesusing", "ibccquery"],
] as const;

/** Kept short, so that a take-over lasts seconds: with opensm's own 10 s and 4 tries it lasts a minute. */
const managerSettings = {
  sminfo_polling_timeout: "1000",
  polling_retry_number: "2",
  sweep_interval: "5",
  force_log_flush: "TRUE",
};
const usualPriority = { 1: 14, 2: 5 } as const;
/** A manager that has not settled by then is started anew, some times. */
const settleMs = 10_000;
const managerStarts = 4;
/** A hand-over that takes longer has failed. */
const handOverMs = 3_000;

/** Unplugs or plugs a cable at one end. */
export function cableCommand(action: "Unlink" | "ReLink", node: Pick<NetNode, "kind" | "guid">, port: number): string {
  return `${action} ${simName(node)}[${port}]`;
}

/** Says that labs are not wanted, or undefined. */
export function labSkipped(): string | undefined {
  return process.env["IBEX_NO_LAB"] === "1" ? "IBEX_NO_LAB=1: nothing is tried on real tools" : undefined;
}

function preloadLibrary(): string {
  for (const folder of readdirSync("/usr/lib")) {
    const library = `/usr/lib/${folder}/umad2sim/libumad2sim.so`;
    if (readable(library)) return library;
  }
  throw missing("ibsim-utils");
}

function readable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function missing(name: string): Error {
  return new Error(`The lab needs the package ${name} (Debian: apt-get install ${name}), or set IBEX_NO_LAB=1.`);
}

/** Starts the whole lab; about 3 s for 32 hosts. Nothing of it is left when it throws. */
export async function startIbLab(options: IbLabOptions): Promise<IbLab> {
  if (!readable("/usr/sbin/opensm")) throw missing("opensm");
  if (!readable("/usr/sbin/ibnetdiscover")) throw missing("infiniband-diags");
  const preload = preloadLibrary();
  const house = await Household.open("ibex-lab-");
  try {
    return await furnish(house, preload, options);
  } catch (error) {
    await house.close();
    throw error;
  }
}

async function furnish(house: Household, preload: string, options: IbLabOptions): Promise<IbLab> {
  const { net } = options;
  const { directory } = house;
  const socket = basename(directory);
  const at = (...names: string[]): string => join(directory, ...names);
  const hosts = net.nodes.filter(({ kind }) => kind === "hca");
  const named = (description: string): NetNode | undefined => hosts.find((node) => node.description === description);
  const first = named(managementHosts.managers[0]) ?? hosts[0];
  const second = named(managementHosts.managers[1]) ?? hosts.at(-1);
  if (first === undefined || second === undefined) throw new Error("the net file has no host");
  const managerNodes = { 1: first, 2: second };
  const login =
    options.login === undefined
      ? (named(managementHosts.login) ?? hosts.find((node) => node !== first && node !== second) ?? first)
      : named(options.login);
  if (login === undefined) throw new Error(`the net file has no host ${String(options.login)}`);

  house.endMarked(`IBSIM_SOCKNAME=${socket}`);
  const simulator = await startSimulator(house, socket, net);
  const asNode = (node: NetNode): NodeJS.ProcessEnv => ({
    IBSIM_SOCKNAME: socket,
    SIM_HOST: simName(node).replaceAll('"', ""),
    LD_PRELOAD: preload,
  });
  const managers = new Map<ManagerNumber, Manager>();
  let starts = 0;

  const managerLog = (number: ManagerNumber): string => {
    const log = managers.get(number)?.log;
    return log !== undefined && readable(log) ? readFileSync(log, "utf8") : "";
  };
  const killManager = async (number: ManagerNumber, signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    const manager = managers.get(number);
    if (manager !== undefined) await house.end(manager.child, signal);
  };
  const launch = async (number: ManagerNumber, priority: number): Promise<"MASTER" | "STANDBY" | undefined> => {
    starts += 1;
    const home = at(`opensm-${starts}`);
    await mkdir(home);
    const settings = Object.entries(managerSettings).map(([name, value]) => `${name} ${value}\n`);
    await writeFile(join(home, "opensm.conf"), settings.join(""));
    const log = join(home, "opensm.log");
    const child = house.start("/usr/sbin/opensm", ["-F", "opensm.conf", "-p", String(priority), "-f", log], {
      cwd: home,
      env: { ...process.env, ...asNode(managerNodes[number]), OSM_TMP_DIR: home, OSM_CACHE_DIR: home },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const rivals = [...managers].filter(([other, { child }]) => other !== number && isRunning(child));
    managers.set(number, { child, log, priority });
    const wins = rivals.every(([, rival]) => rival.priority < priority);
    return settled(child, () => managerLog(number), rivals.length === 0 ? "alone" : wins ? "master" : "standby");
  };
  /**
   * Hand-overs often fail here: opensm tells the present master with a trap that its own priority is higher, ibsim drops
   * the answer to it, and the first sweep of the new master waits for ever; or the master does not ask again for a
   * priority that it remembers. Then it is killed and started again, and finds no master any more.
   */
  const startManager = async (
    number: ManagerNumber,
    priority: number = usualPriority[number],
  ): Promise<"MASTER" | "STANDBY"> => {
    for (let tries = 0; tries < managerStarts; tries += 1) {
      const state = await launch(number, priority);
      if (state !== undefined) return state;
      await killManager(number);
    }
    throw new Error(`opensm ${number} does not settle:\n${managerLog(number).slice(-2000)}`);
  };
  if ((options.managers ?? 2) >= 1) await startManager(1);
  if ((options.managers ?? 2) >= 2) await startManager(2);

  const toolbox = await makeToolbox(house, asNode(login));
  const sshd = await startSshd({ lines: [`SetEnv PATH=${toolbox.path} HOME=${toolbox.home}`, "MaxSessions 20"] });
  house.adopt(sshd.pid);
  house.removeOnDeath(sshd.directory);

  return {
    net,
    host: sshd.host,
    port: sshd.port,
    user: sshd.user,
    keyFile: sshd.keyFile,
    hostKey: sshd.hostKey,
    hostKeyFingerprint: fingerprint(sshd.hostKey),
    knownHostsFile: sshd.knownHostsFile,
    directory,
    console: (command) => simulator.console(command),
    managerNode: (number) => managerNodes[number],
    killManager,
    startManager,
    managerLog,
    sweep() {
      for (const { child } of managers.values()) if (isRunning(child)) child.kill("SIGHUP");
    },
    toolPath: (name) => toolbox.pathOf(name),
    replaceTool: (name, script) => toolbox.replace(name, script),
    restoreTools: () => toolbox.restore(),
    async toolProcesses() {
      const own = new Set([simulator.pid, ...[...managers.values()].map(({ child }) => child.pid)]);
      return (await processesWith(`IBSIM_SOCKNAME=${socket}`)).filter((pid) => !own.has(pid));
    },
    async stop() {
      await sshd.stop();
      house.release(sshd.pid);
      await house.close();
    },
  };
}

interface Manager {
  readonly child: ChildProcess;
  readonly log: string;
  readonly priority: number;
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/**
 * The state in which an opensm stays; undefined when it has ended or does not settle.
 *
 * @param aim `alone`: no other runs. `master`: its priority is the highest, so it enters STANDBY first and is to become
 *   master when the present one hands over.
 */
async function settled(
  child: ChildProcess,
  log: () => string,
  aim: "alone" | "master" | "standby",
): Promise<"MASTER" | "STANDBY" | undefined> {
  const deadline = Date.now() + settleMs;
  let state: string | undefined;
  let since = Date.now();
  const answer = await eventually("opensm's state", 2 * settleMs, () => {
    if (!isRunning(child) || Date.now() > deadline) return "never";
    const last = [...log().matchAll(/-> (SUBNET UP|Entering (?:MASTER|STANDBY|DISCOVERING) state)/g)].at(-1)?.[1];
    if (last === "SUBNET UP") return "MASTER";
    if (last === "Entering STANDBY state" && aim === "standby") return "STANDBY";
    if (last !== state) [state, since] = [last, Date.now()];
    return aim === "master" && Date.now() - since > handOverMs ? "never" : undefined;
  });
  return answer === "never" ? undefined : answer;
}

interface Toolbox {
  /** PATH and HOME of those who log in. */
  readonly path: string;
  readonly home: string;
  pathOf(name: string): string;
  replace(name: string, script: string): Promise<void>;
  restore(): Promise<void>;
}

/**
 * Puts the tools, made to see the simulated fabric, first in the PATH; also in login shells, which set it anew.
 *
 * The wrapper changes its folder because libumad2sim makes files in the present one. It ignores signals because ibsim
 * has ten places for clients, and one that dies of a signal keeps its place: a tool whose SSH channel is gone ends its
 * run unseen. (KILL still ends it, and costs a place.)
 */
async function makeToolbox(house: Household, environment: NodeJS.ProcessEnv): Promise<Toolbox> {
  const folder = join(house.directory, "tools");
  const home = join(house.directory, "home");
  const state = join(house.directory, "state");
  for (const name of [folder, home, state]) await mkdir(name);
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value ?? ""}'`);
  const wrapper = [
    "#!/bin/sh",
    "trap '' PIPE HUP TERM INT",
    `cd '${state}' || exit 1`,
    `${variables.join(" ")} exec "/usr/sbin/\${0##*/}" "$@"`,
    "",
  ].join("\n");
  await writeScript(join(folder, ".tool"), wrapper);
  for (const tool of tools) await symlink(".tool", join(folder, tool));
  await writeFile(join(home, ".profile"), `PATH=${folder}:$PATH; export PATH\n`);
  const replaced = new Set<string>();
  return {
    path: `${folder}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    home,
    pathOf: (name) => join(folder, name),
    async replace(name, script) {
      replaced.add(name);
      await writeScript(join(folder, name), `#!/bin/sh\n${script}\n`);
    },
    async restore() {
      for (const name of replaced) {
        const path = join(folder, name);
        await rm(path);
        if (tools.some((tool) => tool === name)) await symlink(".tool", path);
      }
      replaced.clear();
    },
  };
}

/** Writes a program in one step, so that nobody runs half of it or finds it busy. */
async function writeScript(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text);
  await chmod(draft, 0o755);
  await rename(draft, path);
}

function fingerprint(publicKey: string): string {
  const key = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}
