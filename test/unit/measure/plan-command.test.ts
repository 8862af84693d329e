import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pathCommand } from "../../../electron/cli/path.ts";
import { planCommand } from "../../../electron/cli/plan.ts";
import { linkId, linkKind } from "../../../shared/fabric/access.ts";
import { fixtures, understandFolder } from "../../support/understand.ts";

const tree = join(fixtures, "ib/sim/ft2-32");
let out = "";
let folder = "";

beforeEach(() => {
  out = "";
  folder = mkdtempSync(join(tmpdir(), "ibex-plan-"));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

interface PlanJson {
  readonly server: { readonly lid: number; readonly host: string } | null;
  readonly client: { readonly lid: number } | null;
  readonly path: readonly { readonly node: string; readonly port: number; readonly lid: number }[];
  readonly hops: number;
  readonly provable: boolean;
  readonly reason: string;
  readonly commands: readonly { readonly host: string; readonly argv: readonly string[] }[];
}

async function plan(...args: readonly string[]): Promise<{ readonly code: number; readonly json: PlanJson }> {
  out = "";
  const code = await planCommand([...args, "--json"]);
  return { code, json: JSON.parse(out) as PlanJson };
}

describe("ibex plan", () => {
  it("plans every cable between switches along the way that the tables of the real subnet manager give", async () => {
    const { fabric } = understandFolder("ib/sim/ft2-32", ["ibnetdiscover.txt", "iblinkinfo.txt"]);
    let planned = 0;
    for (let link = 0; link < fabric.links.count; link += 1) {
      if (linkKind(fabric, link) !== "inter-switch") continue;
      const { code, json } = await plan(tree, "--link", linkId(fabric, link));
      if (code !== 0) {
        expect(json).toMatchObject({ provable: false, server: null, path: [], commands: [] });
        expect(json.reason).toContain("route");
        continue;
      }
      planned += 1;
      out = "";
      const ends = ["--from", String(json.client?.lid), "--to", String(json.server?.lid)];
      expect(await pathCommand([tree, ...ends, "--json"])).toBe(0);
      const routed = JSON.parse(out) as {
        hops: { outPort: number; inPort: number; node: string; lid: number; link: string }[];
      };
      expect(json.path.slice(0, -1).map(({ port }) => port)).toEqual(routed.hops.map(({ outPort }) => outPort));
      expect(json.path.slice(1).map(({ node, lid }) => [node, lid])).toEqual(
        routed.hops.map(({ node, lid }) => [node, lid]),
      );
      expect(routed.hops.map((hop) => hop.link)).toContain(linkId(fabric, link));
      expect(json).toMatchObject({ provable: true, hops: routed.hops.length });
      expect(json.commands.at(-1)?.argv.at(-1)).toBe(json.server?.host);
    }
    expect(planned).toBeGreaterThan(10);
  });

  it("says by shortest path, and that it is not provable, without tables", async () => {
    writeFileSync(join(folder, "ibnetdiscover.txt"), readFileSync(join(tree, "ibnetdiscover.txt")));
    const { fabric } = understandFolder("ib/sim/ft2-32", ["ibnetdiscover.txt"]);
    const link = Array.from({ length: fabric.links.count }, (_, index) => index).find(
      (index) => linkKind(fabric, index) === "inter-switch",
    );
    const { code, json } = await plan(folder, "--link", linkId(fabric, link ?? 0));
    expect([code, json.provable]).toEqual([0, false]);
    expect(json.reason).toContain("not proven");
  });

  it("refuses a link that is not there, and a call without one", async () => {
    expect(await planCommand([tree, "--link", "0xffff:1"])).toBe(2);
    expect(await planCommand([tree])).toBe(2);
    expect(out).toBe("");
  });
});
