/** The distribution's kernel with its modules for Soft-RoCE: only downloaded, never installed. */
import { execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { cached, labCache } from "./cache.ts";

const run = promisify(execFile);

/** Not linux-image-cloud-amd64: that one has no rdma_rxe. */
export const kernelPackage = "linux-image-amd64";

/** What the guest needs loaded. What a kernel has built in is not found and not needed. */
const wantedModules = [
  ...["virtio_pci", "virtio_net", "veth", "ib_uverbs", "ib_umad", "rdma_ucm", "rdma_rxe"],
  // Not among rdma_rxe's own dependencies, but without it no device can be added.
  "crc32_generic",
];

/** Parts of the package that can hold them. */
const wantedPaths = [
  "./boot/vmlinuz-*",
  ...["*/drivers/virtio/*", "*/drivers/net/virtio_net.ko*", "*/drivers/net/net_failover.ko*", "*/drivers/net/veth.ko*"],
  ...["*/net/core/failover.ko*", "*/infiniband/core/*", "*/infiniband/sw/rxe/*", "*/ipv4/udp_tunnel.ko*"],
  ...["*/ipv6/ip6_udp_tunnel.ko*", "*/crypto/crc32*.ko*", "*/fs/configfs/*"],
];

export interface GuestKernel {
  /** The kernel to boot: uncompressed where possible, because unpacking it is the slowest part of an emulated boot. */
  readonly image: string;
  /** In the order in which they must be loaded. */
  readonly modules: readonly string[];
}

/** Downloads and unpacks the kernel that this release of Debian installs, unless it is in the cache. */
export async function fetchKernel(say: (text: string) => void): Promise<GuestKernel> {
  const wanted = (await packageToDownload()) ?? (await updatedPackage());
  if (wanted === undefined) {
    const kept = await newestKept();
    if (kept !== undefined) return readKernel(kept);
    throw new Error(`apt offers no ${kernelPackage}: the RoCE lab needs Debian's package lists (apt-get update).`);
  }
  const { directory } = await cached("kernel", `${wanted.name}_${wanted.version}`, async (draft) => {
    say(`downloading ${wanted.name} ${wanted.version}`);
    await unpackKernel(wanted.name, draft);
  });
  return readKernel(directory);
}

interface KernelPackage {
  readonly name: string;
  readonly version: string;
}

async function packageToDownload(): Promise<KernelPackage | undefined> {
  const environment = { env: { ...process.env, LC_ALL: "C" } };
  try {
    const depends = await run("apt-cache", ["depends", kernelPackage], environment);
    const name = /^ *Depends: (linux-image-\S+)$/m.exec(depends.stdout)?.[1];
    if (name === undefined) return undefined;
    const policy = await run("apt-cache", ["policy", name], environment);
    const version = /^ *Candidate: (?!\(none\))(\S+)$/m.exec(policy.stdout)?.[1];
    return version === undefined ? undefined : { name, version };
  } catch {
    return undefined; // no lists
  }
}

/** Once more after the package lists were fetched. */
async function updatedPackage(): Promise<KernelPackage | undefined> {
  try {
    await run("apt-get", ["-q", "update"]);
  } catch {
    return undefined; // not root, or offline
  }
  return packageToDownload();
}

async function newestKept(): Promise<string | undefined> {
  const kept = await readdir(labCache()).catch(() => []);
  const name = kept
    .filter((entry) => entry.startsWith("kernel-"))
    .sort()
    .at(-1);
  return name === undefined ? undefined : join(labCache(), name);
}

async function readKernel(directory: string): Promise<GuestKernel> {
  const modules = (await readdir(join(directory, "modules"))).sort();
  return { image: join(directory, "image"), modules: modules.map((name) => join(directory, "modules", name)) };
}

async function unpackKernel(name: string, directory: string): Promise<void> {
  const tree = join(directory, "tree");
  await mkdir(tree);
  const download = await run("apt-get", ["-q", "download", name], { cwd: tree }).catch((error: unknown) => error);
  const archive = (await readdir(tree)).find((file) => file.endsWith(".deb"));
  if (archive === undefined) throw new Error(`${name} could not be downloaded: ${String(download)}`);
  // A pattern that matches nothing makes tar end with an error; what is missing shows below.
  await run("/bin/sh", ["-c", 'dpkg-deb --fsys-tarfile "$0" | tar -x --wildcards "$@" || :', archive, ...wantedPaths], {
    cwd: tree,
  });
  const files = (await readdir(tree, { recursive: true })).map((file) => join(tree, file));
  const packed = files.find((file) => basename(file).startsWith("vmlinuz-"));
  if (packed === undefined) throw new Error(`${archive} has no kernel`);
  const image = join(directory, "image");
  const bare = await uncompressedKernel(packed);
  if (bare === undefined) await rename(packed, image);
  else await writeFile(image, bare);
  await mkdir(join(directory, "modules"));
  const ordered = await loadOrder(files);
  if (!ordered.some(({ name: module }) => module === "rdma_rxe")) throw new Error(`${archive} has no rdma_rxe`);
  for (const [index, { name: module, bytes }] of ordered.entries()) {
    await writeFile(join(directory, "modules", `${String(index).padStart(3, "0")}-${module}.ko`), bytes);
  }
  await rm(tree, { recursive: true });
}

/** The ELF image inside a bzImage; undefined when none is found. */
async function uncompressedKernel(packed: string): Promise<Buffer | undefined> {
  const bytes = await readFile(packed);
  const streams = [
    { program: "xz", magic: Buffer.from("fd377a585a00", "hex") },
    { program: "zstd", magic: Buffer.from("28b52ffd", "hex") },
  ];
  for (const { program, magic } of streams) {
    const at = bytes.indexOf(magic);
    if (at < 0) continue;
    const whole = await decompress(program, bytes.subarray(at));
    if (whole.subarray(0, 4).toString("latin1") === "\x7fELF") return whole;
  }
  return undefined;
}

/** What a decompressor gives; bytes behind the stream, which it complains about, do not matter. */
function decompress(program: string, bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve) => {
    const child = spawn(program, ["-dc"], { stdio: ["pipe", "pipe", "ignore"] });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve(Buffer.alloc(0)));
    child.on("close", () => resolve(Buffer.concat(pieces)));
    child.stdin.end(bytes);
  });
}

interface Module {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The wanted modules and what they depend on (`depends=` in each), those that others need first. */
async function loadOrder(files: readonly string[]): Promise<readonly Module[]> {
  const paths = new Map<string, string>();
  for (const file of files) {
    const name = /^(.+)\.ko(?:\.xz|\.zst)?$/.exec(basename(file))?.[1];
    if (name !== undefined) paths.set(name.replaceAll("-", "_"), file);
  }
  const ordered = new Map<string, Module>();
  const add = async (name: string): Promise<void> => {
    const path = paths.get(name);
    if (path === undefined || ordered.has(name)) return;
    const raw = await readFile(path);
    const bytes = path.endsWith(".xz")
      ? await decompress("xz", raw)
      : path.endsWith(".zst")
        ? await decompress("zstd", raw)
        : raw;
    const depends = /(?:^|\0)depends=([^\0]*)/.exec(bytes.toString("latin1"))?.[1] ?? "";
    for (const needed of depends.split(",")) await add(needed.replaceAll("-", "_"));
    ordered.set(name, { name, bytes });
  };
  for (const name of wantedModules) await add(name);
  // rdma_rxe looks for its checksum when it is loaded.
  const modules = [...ordered.values()];
  return [...modules.filter(({ name }) => name !== "rdma_rxe"), ...modules.filter(({ name }) => name === "rdma_rxe")];
}
