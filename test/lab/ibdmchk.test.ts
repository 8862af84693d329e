/** Our numbers beside those of Debian's ibdmchk (package ibutils), on the same dump files. Skipped where it is not installed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyseRoutes } from "../../shared/analyse/routes/analyse-routes.ts";
import { findCreditLoops } from "../../shared/analyse/routes/credit-loops.ts";
import { summariseRoutes } from "../../shared/analyse/routes/summary.ts";
import { defaultThresholds } from "../../shared/analyse/thresholds.ts";
import { switchGraph } from "../../shared/analyse/switch-graph.ts";
import { topologyOf } from "../../shared/analyse/topology.ts";
import {
  clockwiseRing,
  hostLid,
  readRouted,
  type Routed,
  type RoutedShape,
  routedTexts,
  switchLid,
} from "../support/routed-fabric.ts";
import { fixtures } from "../support/understand.ts";

interface Numbers {
  /** `undefined` when the tool gives up before it looks for them. */
  readonly creditLoops: boolean | undefined;
  readonly hops: Readonly<Record<string, number>>;
  readonly destinationsPerPort: Readonly<Record<string, number>>;
  readonly pairs: number;
  readonly unreachable: number;
}

const installed = spawnSync("ibdmchk", ["-h"]).error === undefined && process.env.IBEX_NO_LAB !== "1";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-ibdmchk-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The rows of the table below a title. */
function rows(text: string, title: string): Record<string, number> {
  const section = text.slice(text.indexOf(title));
  const table = section.slice(0, section.indexOf("\n-----", section.indexOf("\n")));
  return Object.fromEntries([...table.matchAll(/^ *(\d+) +(\d+)$/gm)].map((hit) => [hit[1] ?? "", Number(hit[2])]));
}

/** Runs ibdmchk. It crashes when it frees its memory, after all is printed, so its exit code says nothing. */
function ibdmchk(subnetFile: string, fdbsFile: string): Numbers {
  const empty = join(folder, "empty");
  writeFileSync(empty, "");
  const { stdout } = spawnSync("ibdmchk", ["-s", subnetFile, "-f", fdbsFile, "-m", empty], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  const whole = /-I- Scanned:(\d+) CA to CA paths/.exec(stdout);
  const part = /-E- Found (\d+) missing paths out of:(\d+) paths/.exec(stdout);
  const loops = /(no credit loops found|credit loops in routing)/.exec(stdout)?.[1];
  return {
    hops: rows(stdout, "LFT ROUTE HOP HISTOGRAM"),
    destinationsPerPort: rows(stdout, "NUM DLIDS HISTOGRAM"),
    pairs: Number(whole?.[1] ?? part?.[2]),
    unreachable: Number(part?.[1] ?? 0),
    creditLoops: loops === undefined ? undefined : loops === "credit loops in routing",
  };
}

function counted(counts: readonly number[]): Record<string, number> {
  return Object.fromEntries([...counts.entries()].filter(([, n]) => n > 0).map(([index, n]) => [String(index), n]));
}

function ours({ network }: Routed): Numbers {
  const summary = summariseRoutes(network);
  return {
    hops: counted(summary.hops),
    destinationsPerPort: counted(summary.destinationsPerPort),
    pairs: summary.pairs,
    unreachable: summary.unreachable,
    creditLoops: findCreditLoops(network).length > 0,
  };
}

/** Both on a shape; what ibdmchk does not tell is left out of the comparison. */
function both(shape: RoutedShape): { readonly theirs: Numbers; readonly own: Numbers } {
  const texts = routedTexts(shape);
  const subnet = join(folder, "subnet.lst");
  const fdbs = join(folder, "fdbs");
  writeFileSync(subnet, texts.subnet);
  writeFileSync(fdbs, texts.fdbs);
  const theirs = ibdmchk(subnet, fdbs);
  const own = ours(readRouted(texts.discover, { "opensm.fdbs": texts.fdbs }));
  return { theirs, own: theirs.creditLoops === undefined ? { ...own, creditLoops: undefined } : own };
}

const switches = 6;

type Shape = Omit<RoutedShape, "route">;

/** Switches in a ring, so that all is in one piece (ibdmchk looks at nothing else), with more cables and hosts at random. */
const fabrics = fc
  .record({
    links: fc.array(fc.tuple(fc.nat(switches - 1), fc.nat(switches - 1)), { maxLength: 3 }),
    hosts: fc.array(fc.nat(switches - 1), { minLength: 4, maxLength: 10 }),
  })
  .map(({ links, hosts }) => {
    const used = Array.from({ length: switches }, () => 0);
    const take = (atSwitch: number): number => (used[atSwitch] = (used[atSwitch] ?? 0) + 1);
    const ring = Array.from({ length: switches }, (_, index) => [index, (index + 1) % switches] as const);
    const shape: Shape = {
      switches,
      hosts: hosts.map((atSwitch) => [atSwitch, take(atSwitch)] as const),
      cables: [...links, ...ring].map(([a, b]) => [a, take(a), b, take(b)] as const),
    };
    return { shape, used };
  });

/** Port of a switch for its own LID and for those of its hosts. */
function lastHop(shape: Shape, atSwitch: number, lid: number): number | undefined {
  if (lid === switchLid(atSwitch)) return 0;
  const home = shape.hosts[lid - shape.switches - 1];
  return home?.[0] === atSwitch ? home[1] : undefined;
}

/** Ports of a switch on a shortest way to another. */
function shortestPorts(shape: Shape, from: number, to: number): number[] {
  const distance = new Map([[to, 0]]);
  for (const [node, far] of distance) {
    for (const [a, , b] of shape.cables) {
      if (a === node && !distance.has(b)) distance.set(b, far + 1);
      if (b === node && !distance.has(a)) distance.set(a, far + 1);
    }
  }
  const nearer = (distance.get(from) ?? 0) - 1;
  return shape.cables.flatMap(([a, portA, b, portB]) => [
    ...(a === from && distance.get(b) === nearer ? [portA] : []),
    ...(b === from && distance.get(a) === nearer ? [portB] : []),
  ]);
}

describe.skipIf(!installed)("beside ibdmchk", () => {
  it.each(["ft2-32", "ft2-32-lmc2", "odd"])("the routes of %s have the same numbers", (name) => {
    const path = (file: string): string => join(fixtures, "ib/sim", name, file);
    const theirs = ibdmchk(path("opensm-subnet.lst"), path("opensm.fdbs"));
    expect(theirs.pairs).toBeGreaterThan(1000);
    const discover = readFileSync(path("ibnetdiscover.txt"), "utf8");
    for (const file of ["opensm.fdbs", "opensm-lfts.dump", "dump_fts.txt"].filter((one) => existsSync(path(one)))) {
      expect(ours(readRouted(discover, { [file]: readFileSync(path(file), "utf8") })), file).toEqual(theirs);
    }
  });

  it("a ring that is routed one way round has a credit loop for both", () => {
    const { theirs, own } = both(clockwiseRing(5));
    expect(theirs.creditLoops).toBe(true);
    expect(own).toEqual(theirs);
  });

  it("random tables on random fabrics have the same numbers, lost packets and forwarding loops included", () => {
    let unreachable = 0;
    fc.assert(
      fc.property(fabrics, fc.array(fc.nat(11), { minLength: 40, maxLength: 40 }), (fabric, choices) => {
        const { shape, used } = fabric;
        const { theirs, own } = both({
          ...shape,
          route(atSwitch, lid) {
            const last = lastHop(shape, atSwitch, lid);
            if (last !== undefined) return last;
            const choice = choices[(atSwitch * 7 + lid) % choices.length] ?? 0;
            return choice === 0 ? undefined : 1 + (choice % (used[atSwitch] ?? 1));
          },
        });
        expect(own).toEqual(theirs);
        if (theirs.unreachable > 0) unreachable += 1;
      }),
      { numRuns: 100, seed: 7 },
    );
    // The comparison is worth something only where there was something to see.
    expect(unreachable).toBeGreaterThan(50);
  });

  it("random shortest routes on random fabrics have the same numbers and verdicts on credit loops", () => {
    let circles = 0;
    fc.assert(
      fc.property(fabrics, fc.array(fc.nat(11), { minLength: 40, maxLength: 40 }), (fabric, choices) => {
        const { shape } = fabric;
        const { theirs, own } = both({
          ...shape,
          route(atSwitch, lid) {
            const last = lastHop(shape, atSwitch, lid);
            if (last !== undefined) return last;
            const ports = shortestPorts(
              shape,
              atSwitch,
              lid <= switches ? lid - 1 : (shape.hosts[lid - switches - 1]?.[0] ?? 0),
            );
            return ports[(choices[(atSwitch * 7 + lid) % choices.length] ?? 0) % ports.length];
          },
        });
        expect(own).toEqual(theirs);
        expect(theirs.unreachable).toBe(0);
        if (theirs.creditLoops === true) circles += 1;
      }),
      { numRuns: 100, seed: 7 },
    );
    expect(circles).toBeGreaterThan(5);
    expect(circles).toBeLessThan(95);
  });

  it("what it reports of planted faults in the tables is among our findings", () => {
    const ring = clockwiseRing(5);
    // A tree of two leaves (0, 1) and a spine (2), two hosts on each leaf.
    const tree: RoutedShape = {
      switches: 3,
      cables: [
        [0, 10, 2, 1],
        [1, 10, 2, 2],
      ],
      hosts: [
        [0, 1],
        [0, 2],
        [1, 1],
        [1, 2],
      ],
      route(atSwitch, to) {
        if (to === switchLid(atSwitch)) return 0;
        const home = to <= 3 ? to - 1 : Math.floor((to - hostLid(tree, 0)) / 2);
        if (atSwitch === 2) return home + 1;
        if (to <= 3 || home !== atSwitch) return 10;
        return ((to - hostLid(tree, 0)) % 2) + 1;
      },
    };
    const but = (change: (atSwitch: number, to: number) => number | undefined | "same"): RoutedShape => ({
      ...tree,
      route: (atSwitch, to) => {
        const changed = change(atSwitch, to);
        return changed === "same" ? tree.route(atSwitch, to) : changed;
      },
    });
    const far = hostLid(tree, 3);
    const cases: readonly (readonly [name: string, shape: RoutedShape, rule: string])[] = [
      ["none", tree, ""],
      ["ring routed one way round", ring, "credit-loop"],
      [
        "a destination that a leaf does not know",
        but((s, to) => (s === 0 && to === far ? undefined : "same")),
        "unreachable-pairs",
      ],
      [
        "a table that sends to a port without a cable",
        but((s, to) => (s === 2 && to === far ? 30 : "same")),
        "stale-route",
      ],
      ["two switches that send to each other", but((s, to) => (s === 2 && to === far ? 1 : "same")), "forwarding-loop"],
    ];
    const rows = cases.map(([name, shape, rule]) => {
      const { theirs } = both(shape);
      const texts = routedTexts(shape);
      const { fabric, network } = readRouted(texts.discover, { "opensm.fdbs": texts.fdbs });
      const rules = analyseRoutes(network, topologyOf(fabric, switchGraph(fabric)), defaultThresholds).findings.map(
        (one) => one.rule,
      );
      const reported = [
        theirs.unreachable > 0 ? `${theirs.unreachable} of ${theirs.pairs} paths missing` : "",
        theirs.creditLoops === true ? "credit loops" : "",
      ].filter((words) => words !== "");
      expect([name, reported.length > 0]).toEqual([name, rule !== ""]);
      if (rule !== "") expect(rules, name).toContain(rule);
      return `${name.padEnd(46)}${(reported.join(", ") || "–").padEnd(28)}${rules.join(", ") || "–"}`;
    });
    process.stdout.write(`\n${"planted in the tables".padEnd(46)}${"ibdmchk".padEnd(28)}Ibex\n${rows.join("\n")}\n\n`);
  });
});
