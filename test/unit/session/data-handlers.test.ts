import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataHandlers } from "../../../electron/session/data-handlers.ts";
import { isTableTool } from "../../../shared/build/interpret-routes.ts";
import { openSession } from "../../support/session.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";

const key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
const context = { signal: new AbortController().signal, progress: () => undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ibex-data-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function parts() {
  const ssh = dependencies(folder);
  return { dataFolder: folder, ssh: { ...ssh, knownHostsFiles: { user: [], own: join(folder, "known_hosts") } } };
}

describe("known hosts of the settings", () => {
  it("lists what was trusted by its fingerprint, and forgets one without touching the rest", async () => {
    const file = join(folder, "known_hosts");
    const other = `# a remark\n[mgmt-02]:2222 ssh-ed25519 ${key}\ntorn li`;
    await writeFile(file, `mgmt-01 ssh-ed25519 ${key}\n${other}`);
    const handlers = dataHandlers(parts());
    const known = must(await handlers["hosts.known"]({}, context));
    expect(known.map(({ host }) => host)).toEqual(["mgmt-01", "[mgmt-02]:2222"]);
    // As `ssh-keygen -lf` prints it.
    expect(known[0]?.fingerprint).toBe("SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU");
    const left = must(await handlers["hosts.forget"]({ line: known[0]?.line ?? "" }, context));
    expect(left.map(({ host }) => host)).toEqual(["[mgmt-02]:2222"]);
    expect(await readFile(file, "utf8")).toBe(other);
  });

  it("are none before the first was trusted", async () => {
    const handlers = dataHandlers(parts());
    expect(must(await handlers["hosts.known"]({}, context))).toEqual([]);
    expect(must(await handlers["hosts.forget"]({ line: "mgmt-01 ssh-ed25519 x" }, context))).toEqual([]);
  });
});

describe("what is kept", () => {
  it("is counted in folders too, without what a link points at", async () => {
    await writeFile(join(folder, "measurements.jsonl"), "x".repeat(1234));
    await mkdir(join(folder, "sweeps", "one"), { recursive: true });
    await writeFile(join(folder, "sweeps", "one", "journal"), "y".repeat(100));
    await writeFile(join(folder, "sweeps", "index.json"), "z".repeat(20));
    await symlink(join(folder, "measurements.jsonl"), join(folder, "sweeps", "link"));
    const { parts: sizes } = must(await dataHandlers(parts())["data.summary"]({}, context));
    expect(Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes]))).toEqual({
      ...{ "measurements.jsonl": 1234, "managers.jsonl": 0, sweeps: 120, logs: 0 },
    });
  });
});

describe("collecting", () => {
  it("reads forwarding tables every time when the settings say so", async () => {
    const { handlers, sources } = await openSession(folder);
    const source = { kind: "simulated", name: "fat-tree" } as const;
    const tablesOf = async (): Promise<boolean> => {
      const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
      const { capture } = must(await handlers["fabric.get"]({ fabricId }, context));
      return capture.files.some(({ tool }) => isTableTool(tool));
    };
    expect(await tablesOf()).toBe(false);
    must(await handlers["settings.set"]({ collectRoutes: true }, context));
    expect(await tablesOf()).toBe(true);
    await sources.closeAll();
  });
});
