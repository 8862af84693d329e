/**
 * Real RDMA without hardware: a QEMU guest with Debian's kernel, rdma_rxe (Soft-RoCE), perftest and OpenSSH, which is two
 * hosts for those who log in. No KVM, no root, no kernel module on this machine. Debian on x86-64: qemu-system-x86,
 * perftest, ibverbs-providers, ibverbs-utils, infiniband-diags, iproute2, busybox-static, openssh-server; the kernel is
 * downloaded by apt.
 */
import { execFile, execFileSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, readFile, writeFile, appendFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { freePort } from "../../support/sshd.ts";
import { eventually, Household } from "../household.ts";
import { packArchive } from "./cpio.ts";
import { buildImage } from "./image.ts";
import { kernelPackage } from "./kernel.ts";

const run = promisify(execFile);

export interface RoceHost {
  readonly name: string;
  /** SSH on 127.0.0.1. */
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  /** `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  readonly device: string;
  /** Of the device, `0x` and 16 digits, as ibv_devinfo prints it. */
  readonly nodeGuid: string;
  /** By which the other host reaches it. */
  readonly address: string;
}

export interface RoceLab {
  /** The first is hosta with rxe0, the second hostb with rxe1. Both see both devices, and share one network. */
  readonly hosts: readonly [RoceHost, RoceHost];
  /** Has the keys of both. */
  readonly knownHostsFile: string;
  readonly directory: string;
  /** Build, boot and both together, in seconds. */
  readonly times: { readonly build: number; readonly boot: number };
  /** What the guest wrote to its serial line. */
  console(): string;
  stop(): Promise<void>;
}

/** What is known of the guests before they run. */
export const roceGuests = [
  // The GUID of an rxe device is the EUI-64 of its network device's address (guest-init.sh).
  { name: "hosta", guestPort: 22, device: "rxe0", nodeGuid: "0x505400fffe770001", address: "10.77.0.1" },
  { name: "hostb", guestPort: 2222, device: "rxe1", nodeGuid: "0x505400fffe770002", address: "10.77.0.2" },
] as const;

const bootLimitMs = 180_000;

/** Says why there can be no RoCE lab here, or undefined. */
export function roceLabSkipped(): string | undefined {
  if (process.env["IBEX_NO_LAB"] === "1") return "IBEX_NO_LAB=1: nothing is tried on real tools";
  if (process.arch !== "x64") return `the RoCE lab needs x86-64, this is ${process.arch}`;
  if (!existsSync("/usr/bin/apt-get")) return "the RoCE lab needs Debian, whose kernel it boots";
  return isDebian() || offersKernel() ? undefined : `the RoCE lab needs Debian: apt here has no ${kernelPackage}`;
}

/** Debian itself has the kernel, even where its package lists are still to be fetched. */
function isDebian(): boolean {
  return existsSync("/etc/os-release") && /^ID="?debian"?$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** So do some of its relatives, but not Ubuntu. */
function offersKernel(): boolean {
  try {
    return (
      execFileSync("/usr/bin/apt-cache", ["show", kernelPackage], { stdio: ["ignore", "pipe", "ignore"] }).length > 0
    );
  } catch {
    return false;
  }
}

export interface RoceLabOptions {
  /** Told what takes long, and at the end how long it took. */
  readonly say?: (text: string) => void;
  /** Public keys that may log in beside the lab's own, as in an authorized_keys file. */
  readonly authorizedKeys?: readonly string[];
}

/** Builds the guest (half a minute the first time, then from the cache) and boots it (about 10 s). */
export async function startRoceLab(options: RoceLabOptions = {}): Promise<RoceLab> {
  const { say = () => undefined, authorizedKeys = [] } = options;
  const began = Date.now();
  const image = await buildImage(say);
  const built = Date.now();
  const house = await Household.open("ibex-roce-");
  try {
    const { hosts, knownHostsFile } = await prepareKeys(house);
    const initramfs = join(house.directory, "initramfs");
    await copyFile(image.initramfs, initramfs);
    // Keys are of this lab alone, so they are no part of the cached image: the kernel unpacks one archive after the other.
    await appendFile(initramfs, await keyArchive(house, authorizedKeys));
    const serial = join(house.directory, "serial.log");
    const guest = boot(house, image.kernel, initramfs, serial, hosts);
    const read = (): string => (existsSync(serial) ? readFileSync(serial, "utf8") : "");
    await waitUntilReady(guest, read);
    const times = { build: (built - began) / 1000, boot: (Date.now() - built) / 1000 };
    const from = image.fresh ? "built" : "from the cache";
    say(`RoCE lab ready: guest ${from} in ${times.build.toFixed(1)} s, booted in ${times.boot.toFixed(1)} s`);
    return {
      hosts,
      knownHostsFile,
      directory: house.directory,
      times,
      console: read,
      stop: () => house.close(),
    };
  } catch (error) {
    await house.close();
    throw error;
  }
}

async function prepareKeys(
  house: Household,
): Promise<{ readonly hosts: readonly [RoceHost, RoceHost]; readonly knownHostsFile: string }> {
  const at = (name: string): string => join(house.directory, name);
  const makeKey = (name: string): Promise<unknown> =>
    run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", at(name)]);
  await Promise.all(["client", "hosta", "hostb"].map(makeKey));
  const host = async ({ name, device, nodeGuid, address }: (typeof roceGuests)[number]): Promise<RoceHost> => {
    const [type, key] = (await readFile(at(`${name}.pub`), "utf8")).split(" ");
    const hostKey = `${type ?? ""} ${key?.trim() ?? ""}`;
    return { name, port: await freePort(), user: "root", keyFile: at("client"), hostKey, device, nodeGuid, address };
  };
  const hosts = [await host(roceGuests[0]), await host(roceGuests[1])] as const;
  const lines = hosts.map(({ port, hostKey }) => `[127.0.0.1]:${port} ${hostKey}\n`);
  await writeFile(at("known_hosts"), lines.join(""));
  return { hosts, knownHostsFile: at("known_hosts") };
}

async function keyArchive(house: Household, authorizedKeys: readonly string[]): Promise<Buffer> {
  const key = (name: string): Promise<Buffer> => readFile(join(house.directory, name));
  const authorized = Buffer.from([(await key("client.pub")).toString(), ...authorizedKeys, ""].join("\n"));
  return gzipSync(
    packArchive([
      { path: "etc/ssh/authorized_keys", content: authorized, mode: 0o600 },
      { path: "etc/ssh/hosta_key", content: await key("hosta"), mode: 0o600 },
      { path: "etc/ssh/hostb_key", content: await key("hostb"), mode: 0o600 },
    ]),
  );
}

function boot(
  house: Household,
  kernel: string,
  initramfs: string,
  serial: string,
  hosts: readonly RoceHost[],
): ChildProcess {
  const forwards = hosts.map(
    ({ port }, index) => `hostfwd=tcp:127.0.0.1:${port}-:${roceGuests[index]?.guestPort ?? 0}`,
  );
  // One processor: with two on a busy machine the times vary threefold. `restrict` keeps the guest off the network.
  const args = [
    ...["-accel", "tcg,thread=multi,tb-size=64", "-cpu", "max", "-smp", "1", "-m", "320"],
    ...["-nodefaults", "-no-reboot", "-display", "none", "-serial", `file:${serial}`],
    ...["-kernel", kernel, "-initrd", initramfs],
    ...["-append", "console=ttyS0 loglevel=3 panic=-1 random.trust_cpu=on mitigations=off nokaslr"],
    ...["-netdev", ["user,id=lan,restrict=on", ...forwards].join(",")],
    ...["-device", "virtio-net-pci,netdev=lan,romfile="],
  ];
  const home = { ...process.env, HOME: userInfo().homedir };
  return house.start("/usr/bin/qemu-system-x86_64", args, {
    cwd: house.directory,
    env: home,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function waitUntilReady(guest: ChildProcess, read: () => string): Promise<void> {
  const state = await eventually("the guest is ready", bootLimitMs, () => {
    const text = read();
    if (text.includes("LAB ready")) return "ready";
    const ended = guest.exitCode !== null || guest.signalCode !== null || guest.pid === undefined;
    return ended || /LAB failed|Kernel panic/.test(text) ? "failed" : undefined;
  });
  if (state === "failed") throw new Error(`The guest did not start:\n${read().slice(-3000)}`);
}
