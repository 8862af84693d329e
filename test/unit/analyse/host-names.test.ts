import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupHosts, groupNameOf, hostGroupings, namesInShort } from "../../../shared/analyse/host-names.ts";

describe("what a host's name has in common with its siblings'", () => {
  it.each([
    ["node017", "node", undefined],
    ["r12-n03", "r12-n", "r12"],
    ["rack-3-node-07", "rack-3-node", "rack-3"],
    ["dc1r12n03", "dc1r12n", "dc1r12"],
    ["gpu-ab16", "gpu-ab", undefined],
    ["node01.cluster.example", "node", undefined],
    ["node01-ib0", "node", undefined],
    ["login", undefined, undefined],
    ["0042", undefined, undefined],
    ["3fa9c1d", undefined, undefined],
    ["", undefined, undefined],
  ])("is told by %s", (name, byName, byRack) => {
    expect(groupNameOf(name, "name")).toBe(byName);
    expect(groupNameOf(name, "rack")).toBe(byRack);
  });

  it("makes groups of racks and leaves single hosts alone", () => {
    const names = ["r2-n1", "r10-n1", "r2-n2", "r10-n2", "login", "r3-n1"];
    const groups = groupHosts(names, "rack");
    expect(groups?.names).toEqual(["r2", "r10"]);
    expect(groups?.sizes).toEqual([2, 2]);
    expect([...(groups?.ofHost ?? [])]).toEqual([0, 1, 0, 1, -1, -1]);
  });

  it("is nothing where all names are random", () => {
    const random = ["x9f3ab", "kq7zd", "b41e0c", "zzt2p", "m0nk3y", "qwv", "e5d1f7a", "h8"];
    for (const by of hostGroupings) expect(groupHosts(random, by)).toBeUndefined();
    expect(groupHosts([], "name")).toBeUndefined();
  });

  it("is written in short with its gaps and zeros", () => {
    expect(namesInShort(["n001", "n002", "n003", "n007"])).toBe("n[001-003,007]");
    expect(namesInShort(["n9", "n10", "n11"])).toBe("n[9-11]");
    expect(namesInShort(["n1"])).toBe("n1");
    expect(namesInShort(["login", "n1"])).toBe("login, n1");
    expect(namesInShort([])).toBe("");
  });

  const name = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 99 })).map(([r, n]) => `r${r}-n${n}`),
    fc.integer({ min: 0, max: 40 }).map((n) => `node${String(n).padStart(3, "0")}`),
  );

  it("never loses or doubles a host, whatever the names are", () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), fc.constantFrom(...hostGroupings), (names, by) => {
        const groups = groupHosts(names, by);
        if (groups === undefined) return;
        const counts = groups.names.map(() => 0);
        groups.ofHost.forEach((group, host) => {
          if (group < 0) return;
          counts[group] = (counts[group] ?? 0) + 1;
          expect(groupNameOf(names[host] ?? "", by)).toBe(groups.names[group]);
        });
        expect(counts).toEqual(groups.sizes);
        expect(Math.min(...groups.sizes)).toBeGreaterThan(1);
        expect(new Set(groups.names).size).toBe(groups.names.length);
        expect(counts.reduce((sum, n) => sum + n, 0) * 2).toBeGreaterThanOrEqual(names.length);
      }),
    );
  });

  it("does not depend on the order of the hosts", () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), fc.constantFrom(...hostGroupings), (names, by) => {
        const forwards = groupHosts(names, by);
        const backwards = groupHosts([...names].reverse(), by);
        expect(backwards?.names).toEqual(forwards?.names);
        expect([...(backwards?.ofHost ?? [])].reverse()).toEqual([...(forwards?.ofHost ?? [])]);
      }),
    );
  });
});
