/** Routes against the plainest way to count them, and their parsers against any text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairsAcross, sourcesAcross } from "../../shared/analyse/routes/across.ts";
import { findCreditLoops } from "../../shared/analyse/routes/credit-loops.ts";
import { type RoutePath, routePath } from "../../shared/analyse/routes/path.ts";
import { summariseRoutes } from "../../shared/analyse/routes/summary.ts";
import { parseIbtracert } from "../../shared/parse/ibtracert.ts";
import { parseLfts } from "../../shared/parse/lft-reader.ts";
import { routed, type Routed, switchLid } from "../support/routed-fabric.ts";
import { fixtures } from "../support/understand.ts";

const switches = 5;

/** Any cables, any hosts, any tables; ports without a cable and LIDs without a route among them. */
const networks = fc
  .record({
    links: fc.array(fc.tuple(fc.nat(switches - 1), fc.nat(switches - 1)), { minLength: 3, maxLength: 10 }),
    hosts: fc.array(fc.nat(switches - 1), { minLength: 2, maxLength: 8 }),
    choices: fc.array(fc.nat(9), { minLength: 60, maxLength: 60 }),
  })
  .map(({ links, hosts, choices }): Routed => {
    const used = Array.from({ length: switches }, () => 0);
    const take = (atSwitch: number): number => (used[atSwitch] = (used[atSwitch] ?? 0) + 1);
    const hostsAt = hosts.map((atSwitch) => [atSwitch, take(atSwitch)] as const);
    return routed({
      switches,
      hosts: hostsAt,
      cables: links.map(([a, b]) => [a, take(a), b, take(b)] as const),
      route(atSwitch, lid) {
        if (lid === switchLid(atSwitch)) return 0;
        const home = hostsAt[lid - switches - 1];
        const choice = choices[(atSwitch * 11 + lid) % choices.length] ?? 0;
        if (home?.[0] === atSwitch && choice !== 9) return home[1];
        return choice === 0 ? undefined : 1 + (choice % ((used[atSwitch] ?? 0) + 1));
      },
    });
  });

interface Followed {
  readonly from: number;
  readonly to: number;
  readonly path: RoutePath;
}

/** Every ordered pair, followed on its own. */
function allPaths({ fabric, network }: Routed): Followed[] {
  const ends = Array.from(network.endpoints);
  return ends.flatMap((from) =>
    ends
      .filter((to) => to !== from)
      .map((to) => ({
        from,
        to,
        path: routePath(network, { node: fabric.ports.node[from] ?? -1, port: from }, fabric.ports.lid[to] ?? 0),
      })),
  );
}

describe("routes on random fabrics", { timeout: 60_000 }, () => {
  it("are counted as if each pair had been followed alone", () => {
    fc.assert(
      fc.property(networks, (all) => {
        const paths = allPaths(all);
        const summary = summariseRoutes(all.network);
        const arrived = paths.filter(({ path }) => path.end.kind === "arrived");
        expect(summary.pairs).toBe(paths.length);
        expect(summary.unreachable).toBe(paths.length - arrived.length);
        expect(summary.lostPairs).toHaveLength(summary.unreachable);
        const looping = paths.filter(({ path }) => path.end.kind === "loop").length;
        expect(summary.lostPairs.filter(({ why }) => why === "loop")).toHaveLength(looping);
        expect(summary.loops.length > 0 || looping === 0).toBe(true);
        for (let hops = 0; hops < 12; hops += 1) {
          expect(summary.hops[hops] ?? 0).toBe(arrived.filter(({ path }) => path.hops.length === hops).length);
        }
        const { fabric, network } = all;
        for (let port = 0; port < fabric.ports.count; port += 1) {
          if ((network.lfts.rowOfNode[fabric.ports.node[port] ?? -1] ?? 0xffffffff) === 0xffffffff) continue;
          const crossing = arrived.filter(({ path }) => path.hops.some(({ out }) => out === port));
          expect(summary.pairsOfPort[port]).toBe(crossing.length);
          expect(summary.destinationsOfPort[port]).toBe(new Set(crossing.map(({ to }) => to)).size);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("across a cable are found backwards as they are forwards", () => {
    fc.assert(
      fc.property(networks, (all) => {
        const { fabric, network } = all;
        const arrived = allPaths(all).filter(({ path }) => path.end.kind === "arrived");
        for (let port = 0; port < fabric.ports.count; port += 1) {
          const crossing = arrived.filter(({ path }) => path.hops.some(({ out }) => out === port));
          const { pairs, destinations } = pairsAcross(network, port);
          expect(pairs).toBe(crossing.length);
          expect(destinations.map((destination) => destination.port).sort((a, b) => a - b)).toEqual(
            [...new Set(crossing.map(({ to }) => to))].sort((a, b) => a - b),
          );
          for (const { port: to, lid, sources, closest, hops } of destinations) {
            const expected = crossing.filter((pair) => pair.to === to);
            expect(Array.from(sourcesAcross(network, port, lid))).toEqual(
              expected.map(({ from }) => from).sort((a, b) => a - b),
            );
            expect(sources).toBe(expected.length);
            expect(hops).toBe(Math.min(...expected.map(({ path }) => path.hops.length)));
            expect(expected.find(({ from }) => from === closest)?.path.hops).toHaveLength(hops);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("have the credit loops that following chains of ports finds", () => {
    fc.assert(
      fc.property(networks, (all) => {
        const waits = new Map<number, Set<number>>();
        for (const { path } of allPaths(all)) {
          if (path.end.kind !== "arrived") continue;
          // The first cable is the sender's, the last one waits for nobody.
          const ports = path.hops.slice(1, -1).map(({ out }) => out);
          ports.forEach((port, index) => {
            const next = ports[index + 1];
            if (next === undefined) return;
            const set = waits.get(port) ?? new Set();
            set.add(next);
            waits.set(port, set);
          });
        }
        const reach = (from: number): Set<number> => {
          const seen = new Set(waits.get(from) ?? []);
          for (const port of seen) for (const next of waits.get(port) ?? []) seen.add(next);
          return seen;
        };
        const inCircle = [...waits.keys()].filter((port) => reach(port).has(port));
        const loops = findCreditLoops(all.network);
        // One circle for each knot: ports that reach each other.
        const knots = new Set(
          inCircle.map((port) =>
            Math.min(...inCircle.filter((other) => reach(port).has(other) && reach(other).has(port))),
          ),
        );
        expect(loops).toHaveLength(knots.size);
        for (const ports of loops) {
          ports.forEach((port, index) => {
            expect(waits.get(port)?.has(ports[(index + 1) % ports.length] ?? -1)).toBe(true);
          });
        }
      }),
      { numRuns: 60 },
    );
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    "Unicast lids [0x0-0x3f] of switch Lid 52 guid 0xb8cef603000002c0 (x):\n",
    "Unicast lids [0x0-0xbfff] of switch DR path slid 0; dlid 0; 0,1 guid 0x1 (",
    "Unicast lids [0-63] of switch Lid 2 guid 0x2 ('y'):\n",
    "dump_ucast_routes: Switch 0x3\n",
    "Multicast mlids [0xc000-0xc3ff] of switch Lid 3 guid 0x1 (z):\n",
    "0x0001 012 : (Channel Adapter portguid 0x5: 'd')\n",
    "0x00",
    "0xbfff 001",
    "0x0002 : 003  : 02   : yes\n",
    "0x0004 : UNREACHABLE\n",
    " 007 # Switch portguid 0x7: 'e'\n",
    "63 valid lids dumped \n",
    "2 lids dumped\n",
    "1 valid mlids dumped \n",
    'From ca {0x1} portnum 1 lid 5-5 "d"\n',
    '[1] -> switch port {0x2}[3] lid 4-4 "e"\n',
    "To {0x2}[0]\n",
    "\r",
    "\r\n",
    "\n",
    "\u001b[1m",
    "\ufeff",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);

/** Every line has one fate and every remark points into the text. */
function check(text: string): void {
  for (const parse of [parseLfts, parseIbtracert]) {
    const { stats, diagnostics } = parse(text, { file: "text" });
    expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
    for (const { line } of diagnostics) expect(line >= 0 && line <= stats.lines).toBe(true);
  }
}

describe("the parsers of routes are total", { timeout: 60_000 }, () => {
  it("on any string, and on junk made of pieces of the formats", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), check), { numRuns: 300 });
    const junk = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(junk, check), { numRuns: 600 });
  });

  it("and a table cut anywhere keeps only what the whole one says", () => {
    const text = readFileSync(join(fixtures, "ib/sim/odd/ibroute.txt"), "utf8");
    const whole = parseLfts(text, { file: "text" }).records.tables[0];
    for (let end = 1; end < text.length; end += end < 400 || end > text.length - 60 ? 1 : 13) {
      const { tables, complete } = parseLfts(text.slice(0, end), { file: "text" }).records;
      const table = tables[0];
      if (table === undefined) continue;
      expect(complete).toBe(table.complete);
      // The last line may lack its line end, or the space before it.
      expect(table.complete).toBe(end >= text.length - 2);
      table.ports.forEach((port, lid) => {
        if (port < 254) expect(port).toBe(whole?.ports[lid]);
      });
    }
  });
});
