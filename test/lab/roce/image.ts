/** The guest's file system: programs and libraries of this machine, packed as an initramfs. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { cached } from "./cache.ts";
import { packArchive } from "./cpio.ts";
import type { ArchiveEntry } from "./cpio.ts";
import { fetchKernel } from "./kernel.ts";

const run = promisify(execFile);
const compress = promisify(gzip);

/** A program of the guest: where to find it, and the package to install when it is not there. */
interface Program {
  readonly name: string;
  readonly from: string;
}

/** What any host of a cluster has, and the tools to measure. Everything else is busybox. */
const programs: readonly Program[] = [
  ...["timeout", "cat", "ls", "id", "sleep", "env"].map((name) => ({ name, from: "coreutils" })),
  ...["setsid", "unshare"].map((name) => ({ name, from: "util-linux" })),
  { name: "dash", from: "dash" },
  { name: "ps", from: "procps" },
  { name: "ip", from: "iproute2" },
  { name: "rdma", from: "iproute2" },
  { name: "sshd", from: "openssh-server" },
  { name: "ibv_devinfo", from: "ibverbs-utils" },
  { name: "ibv_devices", from: "ibverbs-utils" },
  { name: "ibstat", from: "infiniband-diags" },
  ...["ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_write_lat", "ib_read_lat", "ib_send_lat"].map((name) => ({
    name,
    from: "perftest",
  })),
];
const busybox: Program = { name: "busybox", from: "busybox-static" };
/** Packages without a program of their own among those above. */
const libraries = ["ibverbs-providers", "libibverbs1", "libc6"];

const folders = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
const guestInit = join(import.meta.dirname, "guest-init.sh");

export interface GuestImage {
  readonly kernel: string;
  /** Compressed cpio; more may be appended. */
  readonly initramfs: string;
  /** False when it came from the cache. */
  readonly fresh: boolean;
}

/** Builds the guest, or takes it from the cache when none of its parts has changed. */
export async function buildImage(say: (text: string) => void): Promise<GuestImage> {
  const missing = [...programs, busybox, { name: "qemu-system-x86_64", from: "qemu-system-x86" }].filter(
    ({ name }) => find(name) === undefined,
  );
  if (missing.length > 0) {
    const names = [...new Set(missing.map(({ from }) => from))].join(" ");
    throw new Error(`The RoCE lab needs ${names} (Debian: apt-get install ${names}), or set IBEX_NO_LAB=1.`);
  }
  const kernel = await fetchKernel(say);
  const { directory, fresh } = await cached("guest", await versionKey(kernel.modules), async (draft) => {
    say("packing the guest");
    await writeFile(
      join(draft, "initramfs.gz"),
      await compress(packArchive(await contents(kernel.modules)), { level: 1 }),
    );
  });
  return { kernel: kernel.image, initramfs: join(directory, "initramfs.gz"), fresh };
}

function find(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function mustFind(name: string): string {
  const path = find(name);
  if (path === undefined) throw new Error(`${name} is gone`);
  return path;
}

/** Changes with every package and file that goes into the image. */
async function versionKey(modules: readonly string[]): Promise<string> {
  const packages = [...new Set([...programs.map(({ from }) => from), busybox.from, ...libraries])];
  const versions = await run("dpkg-query", ["-W", "-f", "${Package} ${Version}\\n", ...packages]).catch(
    (error: unknown) => {
      // Some names differ between releases; what is printed of the others is enough.
      return { stdout: error instanceof Error && "stdout" in error ? String(error.stdout) : "" };
    },
  );
  const sources = await Promise.all([guestInit, import.meta.filename].map((file) => readFile(file)));
  const hash = createHash("sha256").update(versions.stdout).update(modules.join("\n"));
  for (const source of sources) hash.update(source);
  return hash.digest("hex").slice(0, 16);
}

async function contents(modules: readonly string[]): Promise<readonly ArchiveEntry[]> {
  const files = new Map<string, ArchiveEntry>();
  const add = (entry: ArchiveEntry): void => void files.set(entry.path, entry);
  const link = (path: string, target: string): void => add({ path, content: { link: target } });
  const copy = async (from: string, path: string, mode: number): Promise<void> =>
    add({ path, content: await readFile(from), mode });
  for (const name of ["bin", "sbin", "lib", "lib64"]) link(name, `usr/${name}`);
  for (const name of ["usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "etc", "proc", "sys", "dev", "run"])
    add({ path: name });
  add({ path: "root", mode: 0o700 });
  add({ path: "tmp", mode: 0o1777 });

  const applets = await run(mustFind(busybox.name), ["--list"]);
  await copy(mustFind(busybox.name), "usr/bin/busybox", 0o755);
  for (const applet of applets.stdout.split("\n").filter((name) => name !== "" && name !== "busybox")) {
    link(`usr/bin/${applet}`, "busybox");
  }
  const sources = programs.map(({ name }) => mustFind(name));
  for (const source of sources) {
    const folder = basename(source) === "sshd" ? "usr/sbin" : "usr/bin";
    await copy(source, `${folder}/${basename(source)}`, 0o755);
  }
  link("usr/bin/sh", "dash");
  // From OpenSSH 9.8 on, sshd hands over to these.
  const helpers = ["sshd-session", "sshd-auth"]
    .map((name) => join("/usr/lib/openssh", name))
    .filter((path) => existsSync(path));
  for (const helper of helpers) await copy(helper, helper.slice(1), 0o755);

  const provider = await rxeProvider();
  await copy(provider, provider.slice(1), 0o644);
  await copy("/etc/libibverbs.d/rxe.driver", "etc/libibverbs.d/rxe.driver", 0o644);
  for (const library of await sharedLibraries([...sources, ...helpers, provider])) {
    await copy(await realpath(library), inGuest(library), 0o755);
  }

  add(
    text("etc/passwd", [
      "root:x:0:0:root:/root:/bin/sh",
      "lab:x:1000:1000:lab:/tmp:/bin/sh",
      "sshd:x:100:65534::/run/sshd:/bin/false",
    ]),
  );
  add(text("etc/group", ["root:x:0:", "lab:x:1000:", "nogroup:x:65534:"]));
  add(
    text("etc/shadow", ["root:*:19000:0:99999:7:::", "lab:*:19000:0:99999:7:::", "sshd:*:19000:0:99999:7:::"], 0o600),
  );
  add(text("etc/nsswitch.conf", ["passwd: files", "group: files", "shadow: files", "hosts: files"]));
  add(text("etc/hosts", ["127.0.0.1 localhost", "10.77.0.1 hosta", "10.77.0.2 hostb"]));
  add(text("etc/ssh/hosta_config", serverConfig("hosta", 22)));
  add(text("etc/ssh/hostb_config", serverConfig("hostb", 2222)));
  for (const module of modules) await copy(module, `modules/${basename(module)}`, 0o644);
  await copy(guestInit, "init", 0o755);
  return [...files.values()];
}

function text(path: string, lines: readonly string[], mode = 0o644): ArchiveEntry {
  return { path, content: Buffer.from(`${lines.join("\n")}\n`), mode };
}

function serverConfig(name: string, port: number): readonly string[] {
  return [
    `Port ${port}`,
    `HostKey /etc/ssh/${name}_key`,
    `PidFile /run/sshd-${name}.pid`,
    ...["PasswordAuthentication no", "KbdInteractiveAuthentication no", "UsePAM no", "UseDNS no", "StrictModes no"],
    ...["PermitRootLogin prohibit-password", "PrintMotd no", "MaxStartups 50"],
    "AuthorizedKeysFile /etc/ssh/authorized_keys",
  ];
}

/** The user half of rdma_rxe. */
async function rxeProvider(): Promise<string> {
  for (const folder of await readdir("/usr/lib")) {
    const verbs = join("/usr/lib", folder, "libibverbs");
    const name = existsSync(verbs)
      ? (await readdir(verbs)).find((file) => /^librxe-rdmav\d+\.so$/.test(file))
      : undefined;
    if (name !== undefined) return join(verbs, name);
  }
  throw new Error(
    "The RoCE lab needs ibverbs-providers (Debian: apt-get install ibverbs-providers), or set IBEX_NO_LAB=1.",
  );
}

/** All shared libraries that these files load, the loader included. */
async function sharedLibraries(files: readonly string[]): Promise<readonly string[]> {
  const listed = await run("ldd", [...files], { env: { ...process.env, LC_ALL: "C" } });
  return [...new Set(listed.stdout.match(/(?<==> |^\t)\/\S+(?= \()/gm) ?? [])].sort();
}

/** `/lib…` is a link to `/usr/lib…` in the guest, as it is on a Debian of today. */
function inGuest(library: string): string {
  const path = library.startsWith("/usr/") ? library : `/usr${library}`;
  return join(dirname(path), basename(path)).slice(1);
}
