/** Views of simulated fabrics, printed and read the way real ones arrive, for tests of tables and inspectors. */
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { printIbnetdiscover } from "../../../electron/run/simulated/discover-text.ts";
import { printIblinkinfo } from "../../../electron/run/simulated/linkinfo-text.ts";
import { printSminfo } from "../../../electron/run/simulated/manager-text.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import type { Finding } from "../../../shared/analyse/results.ts";
import { assert } from "../../../shared/base/assert.ts";
import { interpret } from "../../../shared/build/interpret.ts";
import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import { linkId, linkName } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";

/** The simulated fabric `fat-tree` with its planted faults; every call reads it anew. */
export function simulatedView(name = "fat-tree"): FabricView {
  const simulated = createSimulatedFabric(name);
  assert(simulated !== undefined, `no fabric ${name}`);
  const origin = simulated.topology.nodes.find((node) => node.kind === "hca" && node.description.startsWith("mgmt-01"));
  assert(origin !== undefined, "a management host");
  const texts = [
    ["ibnetdiscover.txt", printIbnetdiscover(origin, 0)],
    ["iblinkinfo.txt", printIblinkinfo(origin, false)],
    ...simulated.topology.managers.map((manager, i) => [`sminfo-${i}.txt`, printSminfo(manager, 0)] as const),
  ] as const;
  const understood = interpret(
    texts.map(([file, text]) => ({ file, text, bytes: text.length })),
    name,
  );
  assert(understood.ok, "it can be read");
  const { fabric, diagnostics } = understood.value;
  return {
    fabricId: name,
    capture: {
      name,
      how: "simulated",
      simulated: true,
      collectedAt: "2026-03-12T03:14:08Z",
      path: null,
      source: { kind: "simulated", name },
      steps: [],
      files: understood.value.files.map((file) => ({
        name: file.file,
        tool: file.tool ?? null,
        bytes: 1,
        commandLine: null,
        exitCode: 0,
      })),
      partial: false,
    },
    fabric,
    analysis: analyse(fabric),
    diagnostics,
  };
}

/** Link index by its name or the start of it. */
export function linkNamed(fabric: Fabric, start: string): number {
  for (let link = 0; link < fabric.links.count; link += 1) if (linkName(fabric, link).startsWith(start)) return link;
  assert(false, `no link ${start}`);
}

/** The finding with a title, and the link it is about. */
export function findingTitled(view: FabricView, title: string): { readonly finding: Finding; readonly link: number } {
  const finding = view.analysis.findings.find((entry) => entry.title === title);
  assert(finding?.subject.kind === "link", `no finding ${title} on a link`);
  return { finding, link: finding.subject.index };
}

/** A result of a link as the history lists it. */
export function result(
  view: FabricView,
  link: number,
  percent: number,
  at = "2026-03-12T03:16:00Z",
): MeasurementSummary {
  return {
    id: `m-${link}-${percent}-${at}`,
    at,
    link: linkId(view.fabric, link),
    linkName: linkName(view.fabric, link),
    source: view.capture.name,
    simulated: view.capture.simulated,
    clientHost: "n001",
    serverHost: "n009",
    bandwidthGbps: percent * 2,
    latencyUs: 1.71,
    expectedGbps: 200,
    percent,
    level: percent >= 95 ? "good" : "slow",
    sentence: `${percent * 2} Gb/s`,
  };
}
