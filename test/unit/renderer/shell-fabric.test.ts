import { describe, expect, it } from "vitest";
import { analyse } from "../../../shared/analyse/analyse.ts";
import type { CaptureInfo, FabricView } from "../../../shared/contract/views.ts";
import { at, findLink, hostName, linkId, linkName, nodeGuid, nodeName } from "../../../shared/fabric/access.ts";
import type { Fabric, SubnetManager } from "../../../shared/fabric/model.ts";
import { translateSelection } from "../../../renderer/state/translate-selection.ts";
import {
  knowsStandbys,
  managerName,
  managersInOrder,
  managerStatus,
} from "../../../renderer/views/managers/manager-status.ts";
import { takeOverWords } from "../../../renderer/views/managers/live-managers.ts";
import { buildIndex, markParts, searchIndex } from "../../../renderer/views/palette/palette-index.ts";
import {
  captureName,
  captureTime,
  findingCounts,
  linksText,
  summaryLine,
} from "../../../renderer/views/shell/fabric-words.ts";
import { findingsInOrder, nextFinding, selectionOf, selectionName } from "../../../renderer/views/shell/go-to.ts";
import type { Selection } from "../../../renderer/state/selection-store.ts";
import { understandFolder } from "../../support/understand.ts";

const capture: CaptureInfo = {
  name: "mgmt-01",
  how: "ssh",
  simulated: false,
  collectedAt: "2026-03-09T03:14:08Z",
  path: null,
  source: null,
  steps: [],
  files: [],
  partial: false,
};

function viewOf(folder: string, change: (fabric: Fabric) => Fabric = (fabric) => fabric): FabricView {
  const understood = understandFolder(`ib/sim/${folder}`);
  const fabric = change(understood.fabric);
  return { fabricId: folder, capture, fabric, analysis: analyse(fabric), diagnostics: understood.diagnostics };
}

const whole = understandFolder("ib/sim/ft2-32").fabric;

/** A subnet manager like the one that the fixture's sminfo tells of, with other words and not in the fabric. */
function manager(state: SubnetManager["state"], priority: number, guid: string): SubnetManager {
  const [told] = whole.subnetManagers;
  if (told?.node === undefined) throw new Error("the fixture has no subnet manager in its fabric");
  const { node, ...elsewhere } = told;
  expect(node).toBeGreaterThanOrEqual(0);
  return { ...elsewhere, guid, state, priority };
}

function withManagers(...subnetManagers: readonly SubnetManager[]): Fabric {
  return { ...whole, subnetManagers, smAsked: true };
}

const guids = ["0x0000000000000001", "0x0000000000000002", "0x0000000000000003"] as const;

describe("managerStatus", () => {
  it("tells not asked from nobody answers", () => {
    const fabric = withManagers();
    expect(managerStatus({ ...fabric, smAsked: false }).kind).toBe("not-asked");
    expect(managerStatus(fabric).kind).toBe("none");
    expect(managerStatus(withManagers(manager("STANDBY", 14, guids[0]))).kind).toBe("none");
  });

  it("counts masters", () => {
    const one = manager("MASTER", 14, guids[0]);
    expect(managerStatus(withManagers(one, manager("STANDBY", 10, guids[1])))).toEqual({ kind: "one", master: one });
    expect(managerStatus(withManagers(one, manager("MASTER", 10, guids[1]))).kind).toBe("several");
  });

  it("names the host that a manager runs on, and the GUID of one that is not in the fabric", () => {
    const { fabric } = viewOf("ft2-32");
    const [known] = fabric.subnetManagers;
    expect(known?.node).toBeDefined();
    expect(managerName(fabric, known ?? manager("MASTER", 0, guids[0]))).toBe(
      hostName(fabric, at(fabric.nodes.host, known?.node ?? 0)),
    );
    expect(managerName(fabric, manager("MASTER", 0, guids[2]))).toBe(guids[2]);
  });
});

describe("takeOverWords", () => {
  it("chooses the standby with the higher priority, then the lower GUID", () => {
    const master = manager("MASTER", 15, guids[0]);
    const byPriority = withManagers(manager("STANDBY", 3, guids[1]), master, manager("STANDBY", 9, guids[2]));
    expect(managersInOrder(byPriority).map(({ guid }) => guid)).toEqual([guids[0], guids[2], guids[1]]);
    expect(takeOverWords(byPriority).title).toMatch(`${guids[2]} takes over`);
    expect(takeOverWords(byPriority).reason).toContain("priority 9 is the highest");
    const equal = withManagers(manager("STANDBY", 9, guids[2]), master, manager("STANDBY", 9, guids[1]));
    expect(takeOverWords(equal).title).toMatch(`${guids[1]} takes over`);
    expect(takeOverWords(equal).reason).toContain("is the lower one");
  });

  it("does not say that nobody stands by when only the master was asked", () => {
    const alone = withManagers(manager("MASTER", 15, guids[0]));
    expect(knowsStandbys(alone)).toBe(false);
    expect(takeOverWords(alone)).toMatchObject({ title: "Not known", worry: false });
    const asked = withManagers(manager("MASTER", 15, guids[0]), manager("NOTACTIVE", 0, guids[1]));
    expect(takeOverWords(asked)).toMatchObject({ title: "Nobody takes over", worry: true });
  });
});

describe("words of a fabric", () => {
  it("name only what there is", () => {
    const healthy = viewOf("ft2-32");
    expect(linksText(healthy.analysis)).toMatch(/^\d+ links/);
    const narrow = viewOf("ft2-32-narrow");
    expect(narrow.analysis.counts.linksDegraded).toBeGreaterThan(0);
    expect(linksText(narrow.analysis)).toContain(`${narrow.analysis.counts.linksDegraded} below capability`);
  });

  it("add up to one line with the counts of the analysis", () => {
    const view = viewOf("ft2-32-narrow");
    const { counts, findings } = view.analysis;
    const line = summaryLine(view);
    expect(line).toContain(`${counts.switches} switches, ${counts.hosts} hosts`);
    expect(line).toContain(`${findings.length} finding`);
    expect(line).not.toContain("\n");
    const bySeverity = findingCounts(view.analysis);
    expect(bySeverity.error + bySeverity.warning + bySeverity.note).toBe(findings.length);
  });

  it("say that a fabric is simulated, and show its title", () => {
    const view = viewOf("ft2-32");
    const simulated: CaptureInfo = { ...capture, simulated: true, source: { kind: "simulated", name: "fat-tree" } };
    expect(summaryLine({ ...view, capture: simulated })).toContain("(simulated)");
    const title = {
      name: "fat-tree",
      title: "Fat tree, 128 hosts",
      description: "",
      switches: 24,
      hosts: 130,
      faults: 6,
    };
    expect(captureName(simulated, [title])).toBe("Fat tree, 128 hosts");
    expect(captureName(capture, [title])).toBe("mgmt-01");
  });

  it("say when the time of a capture is not known", () => {
    expect(captureTime({ ...capture, collectedAt: null }, Date.now())).toBe("time of capture not known");
    expect(captureTime(capture, Date.parse("2026-03-09T04:00:00Z"))).toMatch(/^captured /);
    expect(captureTime({ ...capture, simulated: true }, Date.now())).toMatch(/^generated /);
  });
});

describe("findings as stops", () => {
  const view = viewOf("ft2-32-narrow");

  it("go from the worst on and round in both directions", () => {
    const order = findingsInOrder(view.analysis.findings);
    const first = nextFinding(view, { kind: "nothing" }, 1);
    const shown = order.find((finding) => finding.subject.kind !== "fabric");
    expect(shown === undefined ? undefined : selectionOf(view, shown.subject)).toEqual(first);
    const seen: Selection[] = [];
    let stop = first;
    while (stop !== undefined && !seen.some((other) => JSON.stringify(other) === JSON.stringify(stop))) {
      seen.push(stop);
      stop = nextFinding(view, stop, 1);
    }
    expect(stop).toEqual(first);
    expect(nextFinding(view, seen[0] ?? { kind: "nothing" }, -1)).toEqual(seen.at(-1));
  });

  it("select the cable of a port, and the host of an adapter", () => {
    const { fabric } = view;
    const port = at(fabric.links.b, 0);
    const node = at(fabric.ports.node, port);
    const subject = { kind: "port", name: "", guid: "", port: 1, index: port, node } as const;
    expect(selectionOf(view, subject)).toEqual({ kind: "link", link: 0 });
    const adapter = at(fabric.hosts.nodes, 0);
    expect(selectionOf(view, { kind: "node", name: "", guid: "", index: adapter })).toEqual({ kind: "host", host: 0 });
  });

  it("become text for the clipboard", () => {
    expect(selectionName(view, { kind: "link", link: 3 })).toBe(linkName(view.fabric, 3));
    expect(selectionName(view, { kind: "nothing" })).toBeUndefined();
  });
});

describe("translateSelection", () => {
  const before = viewOf("ft2-32");
  const after = viewOf("ft2-32-missing");

  it("finds the same cable and node by identity, whatever its number is now", () => {
    let moved = 0;
    for (let link = 0; link < before.fabric.links.count; link += 1) {
      const now = translateSelection({ kind: "link", link }, before, after);
      const expected = findLink(after.fabric, linkId(before.fabric, link));
      if (expected === undefined) expect(now).toEqual({ kind: "nothing" });
      else {
        expect(now).toEqual({ kind: "link", link: expected });
        if (expected !== link) moved += 1;
      }
    }
    expect(moved).toBeGreaterThan(0);
    for (let node = 0; node < before.fabric.nodes.count; node += 1) {
      const now = translateSelection({ kind: "node", node }, before, after);
      if (now.kind === "node") expect(nodeGuid(after.fabric, now.node)).toBe(nodeGuid(before.fabric, node));
      else expect(after.fabric.nodes.guid.includes(before.fabric.nodes.guid[node] ?? 0n)).toBe(false);
    }
  });

  it("keeps a host by its adapter", () => {
    for (let host = 0; host < before.fabric.hosts.count; host += 1) {
      const now = translateSelection({ kind: "host", host }, before, after);
      if (now.kind === "host") expect(hostName(after.fabric, now.host)).toBe(hostName(before.fabric, host));
    }
    expect(translateSelection({ kind: "host", host: 0 }, before, before)).toEqual({ kind: "host", host: 0 });
  });

  it("keeps a missing cable, and takes the cable once it is there", () => {
    const missing = viewOf("ft2-32-missing");
    expect(missing.analysis.missingLinks.length).toBeGreaterThan(0);
    expect(translateSelection({ kind: "missing-link", missing: 0 }, missing, missing)).toEqual({
      kind: "missing-link",
      missing: 0,
    });
    expect(translateSelection({ kind: "missing-link", missing: 0 }, missing, before).kind).toBe("link");
    expect(translateSelection({ kind: "missing-link", missing: 99 }, missing, before)).toEqual({ kind: "nothing" });
  });
});

describe("palette", () => {
  const view = viewOf("ft2-32");
  const index = buildIndex(view);
  const titles = (query: string, limit = 20): readonly string[] =>
    searchIndex(index, query, limit).hits.map((hit) => index.entries[hit]?.title ?? "");

  it("keeps as many hits as asked for and counts the rest, best first, also when a letter finds nearly everything", () => {
    const all = searchIndex(index, "e", index.entries.length);
    expect(all.total).toBe(index.texts.filter((text) => text.includes("e")).length);
    expect(all.hits).toHaveLength(all.total);
    expect(new Set(all.hits).size).toBe(all.total);
    const some = searchIndex(index, "e", 5);
    expect(some).toEqual({ hits: all.hits.slice(0, 5), total: all.total });
  });

  it("finds a switch by its name, before its cables", () => {
    const leaf = view.analysis.topology.tiers[0]?.switches[2] ?? 0;
    const name = nodeName(view.fabric, leaf);
    const [first, second] = searchIndex(index, name.toUpperCase(), 20).hits;
    expect(index.entries[first ?? -1]?.selection).toEqual({ kind: "node", node: leaf });
    expect(index.entries[second ?? -1]?.title).toContain(name);
    expect(titles(name.replace("-", " "))[0]).toBe(name);
  });

  it("finds a node by GUID with and without 0x, and by LID with #", () => {
    const guid = nodeGuid(view.fabric, 0);
    expect(searchIndex(index, guid, 5).hits.map((hit) => index.entries[hit]?.selection)).toContainEqual({
      kind: "node",
      node: 0,
    });
    expect(searchIndex(index, guid.slice(2), 5).total).toBeGreaterThan(0);
    const lid = at(view.fabric.nodes.lid, 0);
    expect(lid).toBeGreaterThan(0);
    expect(searchIndex(index, `#${lid}`, 5).hits.map((hit) => index.entries[hit]?.selection)).toContainEqual({
      kind: "node",
      node: 0,
    });
    expect(searchIndex(index, "#", 5).total).toBe(0);
  });

  it("needs every word, keeps to the limit and counts the rest", () => {
    expect(searchIndex(index, "leaf nosuchthing", 5).total).toBe(0);
    const all = searchIndex(index, "leaf", 7);
    expect(all.hits).toHaveLength(7);
    expect(all.total).toBeGreaterThan(7);
    expect(searchIndex(index, "   ", 7)).toEqual({ hits: [], total: 0 });
  });

  it("marks the words of the query and loses no letter", () => {
    const parts = markParts("leaf-03:38 to spine-6:3", "leaf 6:3");
    expect(parts.map(({ text }) => text).join("")).toBe("leaf-03:38 to spine-6:3");
    expect(parts.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(["leaf", "6:3"]);
    expect(markParts("", "x")).toEqual([]);
  });
});
