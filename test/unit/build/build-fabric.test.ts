import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  adaptersOfHost,
  at,
  findLink,
  hostName,
  linkId,
  linkIsActive,
  linkName,
  nodeKind,
  nodeName,
  peerPort,
  portByNumber,
  portName,
  portState,
} from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { fixtures, understandFolder, understandTexts } from "../../support/understand.ts";

function read(path: string): string {
  return readFileSync(join(fixtures, path), "utf8");
}

/** All cables as sorted `name:port name:port` pairs. */
function cables(fabric: Fabric): readonly string[] {
  return Array.from({ length: fabric.links.count }, (_, link) =>
    [portName(fabric, at(fabric.links.a, link)), portName(fabric, at(fabric.links.b, link))].sort().join(" "),
  ).sort();
}

describe("buildFabric", () => {
  it("finds the same cables in ibnetdiscover, in iblinkinfo --line and in iblinkinfo's default layout", () => {
    const all = understandFolder("ib/sim/ft2-32").fabric;
    const discover = understandFolder("ib/sim/ft2-32", ["ibnetdiscover.txt"]).fabric;
    const line = understandFolder("ib/sim/ft2-32", ["iblinkinfo-l.txt"]).fabric;
    const blocks = understandFolder("ib/sim/ft2-32", ["iblinkinfo.txt"]).fabric;
    expect(all.links.count).toBe(115);
    expect(cables(discover)).toEqual(cables(all));
    expect(cables(line)).toEqual(cables(all));
    expect(cables(blocks)).toEqual(cables(all));
  });

  it("joins the ports of a dual-port card that iblinkinfo prints under two port GUIDs", () => {
    const { fabric } = understandFolder("ib/sim/ft2-32", ["iblinkinfo-l.txt"]);
    const storage = Array.from({ length: fabric.hosts.count }, (_, h) => h).filter(
      (h) => hostName(fabric, h) === "stor-01",
    );
    expect(storage).toHaveLength(1);
    expect(adaptersOfHost(fabric, storage[0] ?? -1)).toHaveLength(1);
  });

  it("puts a host's adapters together and keeps aggregation nodes apart", () => {
    const { fabric, analysis } = understandFolder("ib/sim/ft2-32");
    expect(analysis.counts).toMatchObject({
      switches: 12,
      hcas: 37,
      hosts: 37,
      aggregationNodes: 12,
      routers: 0,
      links: 115,
    });
    for (let node = 0; node < fabric.nodes.count; node += 1) {
      if (nodeKind(fabric, node) === "aggregation") expect(at(fabric.nodes.host, node)).toBe(0xffffffff);
    }
  });

  it("keeps the down ports that only iblinkinfo knows", () => {
    const { fabric } = understandFolder("ib/sim/ft2-32");
    const leaf =
      Array.from({ length: fabric.nodes.count }, (_, n) => n).find((n) => nodeName(fabric, n) === "leaf-08") ?? -1;
    const port = portByNumber(fabric, leaf, 13) ?? -1;
    expect(portState(fabric, port)).toBe("Down");
    expect(peerPort(fabric, port)).toBeUndefined();
  });

  it("finds a link by either end, with and without 0x", () => {
    const { fabric } = understandFolder("ib/sim/ft2-32");
    const id = linkId(fabric, 40);
    const far = at(fabric.links.b, 40);
    expect(findLink(fabric, id)).toBe(40);
    expect(findLink(fabric, id.slice(2))).toBe(40);
    const farNode = fabric.nodes.guid[at(fabric.ports.node, far)] ?? 0n;
    expect(findLink(fabric, `0x${farNode.toString(16)}:${at(fabric.ports.number, far)}`)).toBe(40);
    expect(findLink(fabric, "0x1:1")).toBeUndefined();
    expect(findLink(fabric, "nonsense")).toBeUndefined();
  });

  it("gives every index the same meaning in two collections of one fabric", () => {
    const text = read("ib/sim/ft2-32/ibnetdiscover.txt");
    const [header = "", ...blocks] = text.split(/\n(?=vendid=)/);
    const reversed = [header, ...blocks.reverse()].map((block) => block.replace(/\n*$/, "\n")).join("\n");
    const one = understandTexts({ "a.txt": text }).fabric;
    const two = understandTexts({ "a.txt": reversed }).fabric;
    expect(two.nodes.guid).toEqual(one.nodes.guid);
    expect(two.links.a).toEqual(one.links.a);
    expect(two.links.b).toEqual(one.links.b);
  });

  it("keeps a cable whose other end has no record, and says so", () => {
    const { fabric, diagnostics } = understandFolder("ib/edge", ["ibnetdiscover-one-sided.txt"]);
    expect(fabric.links.count).toBe(26);
    expect(diagnostics.map((d) => d.code)).toContain("peer-without-record");
  });

  it("says which two ends disagree", () => {
    const { diagnostics } = understandFolder("ib/edge", ["ibnetdiscover-ends-disagree.txt"]);
    const disagree = diagnostics.filter((d) => d.code === "ends-disagree");
    expect(disagree[0]).toMatchObject({ severity: "warning", file: "ibnetdiscover-ends-disagree.txt", line: 12 });
  });

  it("makes one node of a GUID that stands twice, as an error", () => {
    const { diagnostics } = understandFolder("ib/edge", ["ibnetdiscover-duplicate-guid.txt"]);
    expect(diagnostics.some((d) => d.code === "duplicate-guid" && d.severity === "error")).toBe(true);
  });

  it("draws a cable from a switch to itself once", () => {
    const { fabric } = understandFolder("ib/edge", ["ibnetdiscover-loop.txt"]);
    const loops = Array.from({ length: fabric.links.count }, (_, l) => l).filter(
      (l) => at(fabric.ports.node, at(fabric.links.a, l)) === at(fabric.ports.node, at(fabric.links.b, l)),
    );
    expect(loops.map((l) => linkName(fabric, l))).toEqual(["leaf-08:5 to leaf-08:6"]);
  });

  it("says when the tools disagree on a rate, and shows the later", () => {
    const { fabric, diagnostics } = understandTexts({
      "a.txt": read("ib/sim/ft2-32/ibnetdiscover.txt").replace(/(\[1\]\t"H-0c42a103000001c0".*)4xHDR/, "$14xEDR"),
      "b.txt": read("ib/sim/ft2-32/iblinkinfo-l.txt"),
    });
    expect(diagnostics.filter((d) => d.code === "tools-disagree")).toHaveLength(1);
    const link = findLink(fabric, "0xb8cef603000002c0:1") ?? -1;
    expect(fabric.ports.speed[at(fabric.links.a, link)]).toBe(7);
  });

  it("reads neighbours that old tools name by LID only", () => {
    const { fabric, diagnostics } = understandFolder("ib/edge", ["iblinkinfo-2009-c.txt"]);
    expect(fabric.links.count).toBeGreaterThan(0);
    expect(diagnostics.some((d) => d.code === "node-guid-unknown")).toBe(true);
  });

  it("counts links in Initialize as not active", () => {
    const { fabric } = understandFolder("ib/sim/ft2-32-nosm");
    expect(Array.from({ length: fabric.links.count }, (_, l) => linkIsActive(fabric, l)).filter(Boolean)).toEqual([]);
  });

  it("tells switches of one description apart by their GUID", () => {
    const text = read("ib/sim/ft2-32/ibnetdiscover.txt").replace(
      /MF0;(?:leaf|spine)-\d+:MQM8700\/U1/g,
      "Quantum Mellanox Technologies",
    );
    const { fabric } = understandTexts({ "a.txt": text });
    const names = Array.from({ length: 12 }, (_, node) => nodeName(fabric, node));
    expect(new Set(names).size).toBe(12);
    expect(names[0]).toMatch(/^Quantum Mellanox Technologies [0-9a-f]{6}$/);
  });

  it("finds the subnet manager's node by its port GUID", () => {
    const { fabric } = understandFolder("ib/sim/ft2-32");
    const [master] = fabric.subnetManagers;
    expect(master).toMatchObject({ state: "MASTER", priority: 14, lid: 1 });
    expect(nodeName(fabric, master?.node ?? -1)).toBe("sm-01");
  });
});
