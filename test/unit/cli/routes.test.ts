import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { collectCommand } from "../../../electron/cli/collect.ts";
import { pathCommand } from "../../../electron/cli/path.ts";
import { routesCommand } from "../../../electron/cli/routes.ts";
import { clockwiseRing, hostLid, routedTexts } from "../../support/routed-fabric.ts";
import { fixtures } from "../../support/understand.ts";

const tree = join(fixtures, "ib/sim/ft2-32");
let out = "";
let said = "";
let folder = "";

beforeEach(() => {
  out = "";
  said = "";
  folder = mkdtempSync(join(tmpdir(), "ibex-routes-"));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("ibex routes", () => {
  it("prints the numbers as JSON", async () => {
    expect(await routesCommand([tree, "--json"])).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      pairs: 2550,
      hops: { "2": 248, "3": 376, "4": 1926 },
      destinationsPerPort: { "2": 12, "3": 36, "4": 13, "5": 31, "6": 30, "7": 6 },
      creditLoops: [],
      unreachable: 0,
      diagnostics: [],
    });
  });

  it("names the ports of a credit loop", async () => {
    const texts = routedTexts(clockwiseRing(3));
    writeFileSync(join(folder, "topology.txt"), texts.discover);
    writeFileSync(join(folder, "tables.txt"), texts.fdbs);
    expect(await routesCommand([folder, "--json"])).toBe(0);
    const report = JSON.parse(out) as { readonly creditLoops: readonly (readonly string[])[] };
    expect(report.creditLoops.map((ports) => [...ports].sort())).toEqual([
      ["0xb8cef60300000000:2", "0xb8cef60300000040:2", "0xb8cef60300000080:2"],
    ]);
    out = "";
    expect(await routesCommand([folder])).toBe(0);
    expect(out).toContain("1 credit loop:");
  });

  it("tells credit loops between hosts from those of aggregation nodes, and says what is simulated", async () => {
    vi.stubEnv("IBEX_DATA", join(folder, "data"));
    const capture = join(folder, "simulated.fabric");
    expect(await collectCommand(["--simulated", "fat-tree", "--routes", "--out", capture]), said).toBe(0);
    out = "";
    expect(await routesCommand([capture, "--json"])).toBe(0);
    const report = JSON.parse(out) as Record<"creditLoops" | "creditLoopsOfAdapters", readonly unknown[]>;
    expect(report.creditLoopsOfAdapters).toEqual([]);
    expect(report.creditLoops.length).toBeGreaterThan(0);
    out = "";
    expect(await routesCommand([capture])).toBe(0);
    expect(out).toContain("[simulated]: tables of");
    expect(out).toContain("No credit loops by what hosts send to hosts.");
    expect(out).toMatch(/\d+ credit loops? with aggregation nodes, which talk along trees of their own:/);
  });

  it("says what to add when there are no tables", async () => {
    expect(await routesCommand([join(fixtures, "ib/sim/ft2-32-slow")])).toBe(2);
    expect(out).toBe("");
    expect(said).toContain("has no forwarding tables. Collect it with --routes, or add an output of dump_fts");
  });
});

describe("ibex path", () => {
  const first = readFileSync(join(tree, "ibtracert.txt"), "utf8").split(/(?<=^To .*\n)/m)[0] ?? "";

  it.each([
    ["57", "5"],
    ["0x39", "0x0005"],
    ["0xb8cef603000002c8", "0x0c42a10300000000"],
    ["0xb8cef603000002c9", "0c42a10300000001"],
  ])("from %s to %s prints what ibtracert prints", async (from, to) => {
    expect(await pathCommand([tree, "--from", from, "--to", to])).toBe(0);
    expect(out).toBe(first);
  });

  it("takes ends by name, as every text shows them: hosts and switches", async () => {
    expect(await pathCommand([tree, "--from", "52", "--to", "5"]), said).toBe(0);
    const byLid = out;
    const [, host = ""] = /^To .* "(\S+)/m.exec(byLid) ?? [];
    out = "";
    expect(await pathCommand([tree, "--from", "leaf-08", "--to", host]), said).toBe(0);
    expect(out).toBe(byLid);
    expect(byLid).toContain("From switch {0xb8cef603000002c0}");
  });

  it("prints the same hops as JSON", async () => {
    expect(await pathCommand([tree, "--from", "57", "--to", "5", "--json"])).toBe(0);
    const report = JSON.parse(out) as Record<string, unknown>;
    expect(report).toMatchObject({
      from: { node: "0xb8cef603000002c8", port: 1, lid: 57 },
      to: { node: "0x0c42a10300000000", port: 1, lid: 5 },
      links: 4,
      reached: true,
      end: { kind: "arrived" },
    });
    expect(report.hops).toMatchObject([
      { outPort: 1, inPort: 41, node: "0xb8cef603000002c0", lid: 52 },
      { outPort: 5, inPort: 15, node: "0xb8cef60300000000", lid: 2 },
      { outPort: 1, inPort: 5, node: "0xb8cef60300000100", lid: 3 },
      { outPort: 1, inPort: 1, node: "0x0c42a10300000000", portGuid: "0x0c42a10300000001", lid: 5 },
    ]);
  });

  it("that does not arrive says where and why, and exits with 1", async () => {
    const ring = clockwiseRing(3);
    const shape = {
      ...ring,
      route: (atSwitch: number, lid: number) => (atSwitch === 1 ? undefined : ring.route(atSwitch, lid)),
    };
    const texts = routedTexts(shape);
    writeFileSync(join(folder, "topology.txt"), texts.discover);
    writeFileSync(join(folder, "tables.txt"), texts.fdbs);
    const ends = ["--from", String(hostLid(ring, 0)), "--to", String(hostLid(ring, 2))];
    expect(await pathCommand([folder, ...ends])).toBe(1);
    expect(out.trim().split("\n")).toHaveLength(3);
    expect(said).toContain("has no route to LID 6 and drops the packet.");
    out = "";
    expect(await pathCommand([folder, ...ends, "--json"])).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ reached: false, end: { kind: "no-route", node: "0xb8cef60300000040" } });
  });

  it.each([
    [["--from", "57"], "ibex path needs a capture and two ends"],
    [["--from", "57", "--to", "4000"], "Nobody has the LID 4000 of --to"],
    [["--from", "no-such-leaf", "--to", "5"], "--from takes a LID, the name of a node, or its GUID such as 0x"],
    [["--from", "1e3", "--to", "5"], 'there is no "1e3" here'],
    [["--from", "57", "--to", "c42a10300000201"], "--to takes a LID, the name of a node"],
    [["--from", "99999", "--to", "5"], "--from takes a LID from 1 to 49151, not 99999"],
    [["--from", "57", "--to", ""], "--to takes a LID, the name of a node"],
    [["--from", "0x3g", "--to", "5"], "--from takes a LID, the name of a node"],
    [["--from", "0xffff", "--to", "5"], "--from takes a LID from 1 to 49151, not 0xffff"],
    [["--from", "57", "--to", "0x1234567890abcdef"], "There is no node 0x1234567890abcdef here."],
  ])("refuses %j", async (words, why) => {
    expect(await pathCommand([tree, ...words])).toBe(2);
    expect(said).toContain(why);
  });
});
