import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { measureCommand } from "../../../electron/cli/measure.ts";
import { pathCommand } from "../../../electron/cli/path.ts";
import { planCommand } from "../../../electron/cli/plan.ts";
import { sweepCommand } from "../../../electron/cli/sweep.ts";
import { fixtures } from "../../support/understand.ts";

const tree = join(fixtures, "ib/sim/ft2-32");
let said = "";
beforeEach(() => {
  said = "";
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const link = "0xb8cef603000002c0:1";

describe("options that are no link, node or number", () => {
  it.each([
    ["1e3:1", `--link takes the name of a node, or its GUID such as 0x0c42a10300000001; there is no "1e3" here`],
    ["b8cef603000002c:1", "--link takes the name of a node, or its GUID such as 0x"],
    ["0xb8cef603000002c0:1e0", "--link takes NODE:PORT of one end, such as leaf-05:10 or 0x"],
    ["57", "--link takes NODE:PORT of one end, such as leaf-05:10 or 0x"],
    ["0x00000000000003e8:1", "There is no link 0x00000000000003e8:1 here."],
  ])("--link %s is refused by plan, measure and sweep", async (text, why) => {
    const local = ["--local", "--yes"];
    for (const run of [
      () => planCommand([tree, "--link", text]),
      () => measureCommand([tree, "--link", text, ...local]),
      () => sweepCommand([tree, "--link", text, "--dry-run"]),
    ]) {
      said = "";
      expect(await run()).toBe(2);
      expect(said).toContain(why);
    }
  });

  it.each([
    ["--seconds", "1e1", '--seconds takes a whole number from 2 to 300, not "1e1"'],
    ["--seconds", "0x10", 'not "0x10"'],
    ["--qps", "", "--qps takes a whole number from 1 to 256"],
    ["--bytes", " 64", "--bytes takes a whole number"],
    ["--bytes", "64k", "--bytes takes a whole number"],
    ["--sl", "16", "--sl takes a whole number from 0 to 15"],
    ["--messages", "1.5", "--messages takes a whole number"],
  ])("%s %j is refused", async (option, text, why) => {
    for (const run of [
      () => planCommand([tree, "--link", link, `${option}=${text}`]),
      () => sweepCommand([tree, "--all-inter-switch", "--dry-run", `${option}=${text}`]),
    ]) {
      said = "";
      expect(await run()).toBe(2);
      expect(said).toContain(why);
    }
  });

  it("--concurrency counts in decimal", async () => {
    expect(await sweepCommand([tree, "--all-inter-switch", "--dry-run", "--concurrency", "1e1"])).toBe(2);
    expect(said).toContain("--concurrency takes a whole number from 1 to 1000");
  });

  it.each([
    ["1e3", "--links-of takes the name of a node, or its GUID such as 0x"],
    [
      "Mellanox Technologies Aggregation Node",
      '12 nodes are called "Mellanox Technologies Aggregation Node"; give --links-of a GUID: 0x',
    ],
  ])("--links-of %s is refused", async (text, why) => {
    expect(await sweepCommand([tree, "--links-of", text, "--dry-run"])).toBe(2);
    expect(said).toContain(why);
  });

  it("a node is taken by its name or its GUID, in any spelling of that", async () => {
    for (const node of ["leaf-08", "0xb8cef603000002c0", "0xB8CEF603000002C0"]) {
      expect(await sweepCommand([tree, "--links-of", node, "--dry-run"]), said).toBe(0);
    }
  });

  it("a link is taken by one of its ends, the node by its name or its GUID", async () => {
    const printed = vi.spyOn(process.stdout, "write");
    const planOf = async (text: string): Promise<unknown> => {
      printed.mockClear();
      expect(await planCommand([tree, "--link", text, "--json"]), said).toBe(0);
      const { link: id, linkName } = JSON.parse(String(printed.mock.calls[0]?.[0])) as Record<string, unknown>;
      return { id, linkName };
    };
    const byGuid = await planOf(link);
    expect(byGuid).toMatchObject({ id: link, linkName: expect.stringContaining("leaf-08:1 to ") as unknown });
    expect(await planOf("leaf-08:1")).toEqual(byGuid);
    said = "";
    expect(await planCommand([tree, "--link", "leaf-08:200"])).toBe(2);
    expect(said).toContain("There is no link leaf-08:200 here.");
  });
});

describe("a command that lacks something, or has too much", () => {
  it.each([
    [() => planCommand([]), "ibex: ibex plan needs a capture and a link: ibex plan PATH --link NODE:PORT."],
    [() => planCommand([tree]), "ibex plan needs a capture and a link"],
    [() => planCommand([tree, "--link"]), "ibex: --link needs a value: --link NODE:PORT."],
    [() => pathCommand(["--from"]), "ibex: --from needs a value: --from NODE|GUID|LID."],
    [() => pathCommand([tree, "--from", "--json"]), "--from needs a value: --from NODE|GUID|LID."],
    [() => pathCommand([tree, "--json=yes"]), "ibex: --json takes no value."],
    [
      () => pathCommand([tree, "--form", "1"]),
      "ibex: This command has no option --form; it takes --json, --from, --to.",
    ],
    [() => sweepCommand([tree, "--all"]), "ibex: This command has no option --all; ibex --help lists what it takes."],
    [() => sweepCommand([]), "ibex: ibex sweep needs a capture: ibex sweep PATH --all-inter-switch."],
    [
      () => sweepCommand([tree, "--all-inter-switch", "--concurrency"]),
      "--concurrency needs a value: --concurrency N.",
    ],
  ])("says what, and how it is written: %#", async (run, why) => {
    expect(await run()).toBe(2);
    expect(said).toContain(why);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(said).not.toMatch(/not what was expected|argument missing|\.\.|ambiguous/);
  });
});
