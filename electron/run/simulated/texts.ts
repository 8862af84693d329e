/** Tool outputs of generated fat trees of any size, for benchmarks and demonstrations. */
import { assert } from "../../../shared/base/assert.ts";
import { printIbnetdiscover } from "./discover-text.ts";
import { buildFatTree, buildThreeLevelFatTree } from "./fat-tree.ts";
import { printIblinkinfo } from "./linkinfo-text.ts";
import { printSminfo } from "./manager-text.ts";

export interface FabricTexts {
  readonly ibnetdiscover: string;
  readonly iblinkinfo: string;
  /** Of `iblinkinfo --line`. */
  readonly iblinkinfoLine: string;
  /** Of the master subnet manager. */
  readonly sminfo: string;
  readonly switches: number;
  /** Two management hosts included. */
  readonly hosts: number;
  /** Cables, all of them up. */
  readonly links: number;
}

/**
 * Generates a healthy HDR fat tree and prints it as the tools would. Two levels reach 720 hosts (40-port
 * switches, 18 hosts a leaf), three levels 12,960. The same input gives the same text.
 * @param options.hosts compute hosts, without the two management hosts
 */
export function generateFabricTexts(options: { readonly levels: 2 | 3; readonly hosts: number }): FabricTexts {
  const hostsPerLeaf = 18;
  assert(options.hosts >= 1, "a fabric has hosts");
  const leaves = Math.ceil(options.hosts / hostsPerLeaf);
  const tree =
    options.levels === 2
      ? buildFatTree({ spines: 18, leaves, hosts: options.hosts, hostsPerLeaf, sharp: false, guidOffset: 0 })
      : buildThreeLevelFatTree(options.hosts);
  const origin = tree.managementHosts[0];
  const master = tree.topology.managers[0];
  assert(origin !== undefined && master !== undefined, "a fat tree has management");
  const nodes = tree.topology.nodes;
  let cabled = 0;
  for (const node of nodes) for (const port of node.ports) if (port?.cable !== undefined) cabled += 1;
  return {
    ibnetdiscover: printIbnetdiscover(origin, generatedAt),
    iblinkinfo: printIblinkinfo(origin, false),
    iblinkinfoLine: printIblinkinfo(origin, true),
    sminfo: printSminfo(master, 0),
    switches: nodes.filter((node) => node.kind === "switch").length,
    hosts: nodes.filter((node) => node.kind === "hca").length,
    links: cabled / 2,
  };
}

/** Fixed, so that the text does not change from run to run. */
const generatedAt = new Date(2026, 0, 5, 9, 30, 0).getTime();
