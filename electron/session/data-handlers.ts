/** What Ibex keeps on this machine: its files by size, and the machines whose key the user has trusted. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "../../shared/base/result.ts";
import type { DataSummary, KnownHost } from "../../shared/contract/requests.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Handlers } from "../ipc/router.ts";
import { knownHostsOf } from "../run/ssh/known-hosts.ts";
import { readKnownHosts, removeKnownHost } from "../store/known-hosts.ts";
import type { SessionParts } from "./parts.ts";

/** Parts of the data folder that grow with use. */
const partNames = ["measurements.jsonl", "managers.jsonl", "sweeps", "logs"] as const;

/** Bytes of a file, or of all files below a folder; 0 when there is none. */
async function bytesOf(path: string): Promise<number> {
  try {
    const own = await stat(path);
    if (!own.isDirectory()) return own.size;
    const entries = await readdir(path, { withFileTypes: true });
    // Links lead out of the folder: what they point at is not Ibex's.
    const inside = entries.filter((entry) => entry.isFile() || entry.isDirectory());
    const sizes = await Promise.all(inside.map(({ name }) => bytesOf(join(path, name))));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
}

async function summary(folder: string): Promise<DataSummary> {
  const sizes = await Promise.all(partNames.map((name) => bytesOf(join(folder, name))));
  return { folder, parts: partNames.map((name, i) => ({ name, bytes: sizes[i] ?? 0 })) };
}

async function known(file: string): Promise<Result<readonly KnownHost[], AppError>> {
  const read = await readKnownHosts([file]);
  return read.ok ? ok(read.value.flatMap(({ text }) => knownHostsOf(text))) : read;
}

export function dataHandlers({
  dataFolder,
  ssh,
}: Pick<SessionParts, "dataFolder" | "ssh">): Pick<Handlers, "hosts.known" | "hosts.forget" | "data.summary"> {
  const { own } = ssh.knownHostsFiles;
  return {
    "hosts.known": () => known(own),
    "hosts.forget": async ({ line }) => {
      const removed = await removeKnownHost(own, line);
      return removed.ok ? known(own) : removed;
    },
    "data.summary": async () => ok(await summary(dataFolder)),
  };
}
