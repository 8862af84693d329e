/** Net files for ibsim: a two-level fat tree with management hosts and faults to find. */
import { NetDraft } from "./net-model.ts";
import type { DraftNode, NetFile, NetSpeed } from "./net-model.ts";

/** Where the subnet managers run and where a person logs in, when `management` is set. */
export const managementHosts = { managers: ["sm-01 mlx5_0", "sm-02 mlx5_0"], login: "login-01 HCA-1" } as const;

/**
 * `narrow`: an uplink at 1x. `slow`: a host link at EDR and an uplink at QDR. `missing`: an uplink without a cable.
 * `halfpair`: one of two parallel cables without the other. `nohost`: a host without its cable. `miscabled`: an uplink in
 * a free port of the wrong spine.
 */
export type NetFaultKind = "narrow" | "slow" | "missing" | "halfpair" | "nohost" | "miscabled";

/** A host of the tree with a name of the caller's. */
export interface NamedHost {
  readonly name: string;
  /** Verbs device in the node description; `mlx5_0` when left out. */
  readonly device?: string;
  /** Node GUID, `0x` and 16 digits. */
  readonly nodeGuid?: string;
}

export interface FatTreeNet {
  readonly spines?: number;
  readonly leaves?: number;
  readonly hostsPerLeaf?: number;
  /** Parallel cables between each leaf and each spine. */
  readonly cables?: number;
  readonly speed?: NetSpeed;
  /** Two hosts for subnet managers, one to log in, two for storage with a port on each of two leaves. */
  readonly management?: boolean;
  /** An aggregation node in every switch. */
  readonly sharp?: boolean;
  /** Names of the first hosts, in order of leaves and ports; the rest are gpu-a01, gpu-a02 … */
  readonly hosts?: readonly NamedHost[];
  readonly faults?: readonly NetFaultKind[];
}

/** Makes the net file of a two-level fat tree, and what a collection of it must find. */
export function makeFatTreeNet(options: FatTreeNet = {}): NetFile {
  const { spines = 4, leaves = 8, hostsPerLeaf = 4, cables = 2, speed = "HDR", sharp = true } = options;
  const draft = new NetDraft(speed);
  const digits = Math.max(2, String(Math.max(spines, leaves)).length);
  const named = (role: string, index: number): string => `${role}-${String(index + 1).padStart(digits, "0")}`;
  const top = Array.from({ length: spines }, (_, index) => draft.addSwitch(named("spine", index), sharp));
  const bottom = Array.from({ length: leaves }, (_, index) => draft.addSwitch(named("leaf", index), sharp));
  for (const [index, leaf] of bottom.entries()) {
    for (let slot = 0; slot < hostsPerLeaf; slot += 1) {
      const number = index * hostsPerLeaf + slot;
      const host = options.hosts?.[number] ?? { name: hostName(number) };
      const guid = host.nodeGuid === undefined ? {} : { guid: host.nodeGuid };
      draft.link(leaf, slot + 1, draft.addAdapter(`${host.name} ${host.device ?? "mlx5_0"}`, guid), 1);
    }
  }
  for (const [s, spine] of top.entries()) {
    for (const [l, leaf] of bottom.entries()) {
      for (let cable = 0; cable < cables; cable += 1) {
        draft.link(leaf, hostsPerLeaf + s * cables + cable + 1, spine, l * cables + cable + 1);
      }
    }
  }
  if (options.management ?? true) addManagement(draft, bottom);
  for (const fault of options.faults ?? []) plant(draft, bottom, fault);
  return draft.finish();
}

/** `gpu-a01` … `gpu-a16`, `gpu-b01` …: sixteen to a rack. */
function hostName(number: number): string {
  let rack = Math.floor(number / 16) + 1;
  let letters = "";
  while (rack > 0) {
    letters = String.fromCharCode(97 + ((rack - 1) % 26)) + letters;
    rack = Math.floor((rack - 1) / 26);
  }
  return `gpu-${letters}${String((number % 16) + 1).padStart(2, "0")}`;
}

function addManagement(draft: NetDraft, leaves: readonly DraftNode[]): void {
  const [first, second = first] = leaves;
  if (first === undefined || second === undefined) throw new Error("management hosts need a leaf");
  const attach = (leaf: DraftNode, adapter: DraftNode, port: number): void =>
    draft.link(leaf, draft.highestFreePort(leaf), adapter, port);
  attach(first, draft.addAdapter(managementHosts.managers[0]), 1);
  attach(second, draft.addAdapter(managementHosts.managers[1]), 1);
  attach(first, draft.addAdapter(managementHosts.login), 1);
  for (const name of ["stor-01 mlx5_0", "stor-02 mlx5_0"]) {
    const adapter = draft.addAdapter(name, { ports: 2 });
    attach(first, adapter, 1);
    attach(second, adapter, 2);
  }
}

/** The leaf that a fault is planted on; small trees reuse their leaves. */
function leafAt(leaves: readonly DraftNode[], index: number): DraftNode {
  const leaf = leaves[index % leaves.length];
  if (leaf === undefined) throw new Error("a fault needs a leaf");
  return leaf;
}

function existing(port: number | undefined, what: string): number {
  if (port === undefined) throw new Error(`this tree has no ${what}`);
  return port;
}

function plant(draft: NetDraft, leaves: readonly DraftNode[], fault: NetFaultKind): void {
  const uplinks = (leaf: DraftNode): readonly number[] => draft.portsTo(leaf, "switch");
  const hosts = (leaf: DraftNode): readonly number[] => draft.portsTo(leaf, "hca");
  switch (fault) {
    case "narrow": {
      const leaf = leafAt(leaves, 1);
      draft.retrain(leaf, existing(uplinks(leaf)[0], "uplink"), { lanes: 1 }, fault);
      return;
    }
    case "slow": {
      const leaf = leafAt(leaves, 2);
      draft.retrain(leaf, existing(hosts(leaf)[0], "host"), { speed: "EDR" }, fault);
      draft.retrain(leaf, existing(uplinks(leaf)[1], "second uplink"), { speed: "QDR" }, fault);
      return;
    }
    case "missing": {
      const leaf = leafAt(leaves, 3);
      draft.unlink(leaf, existing(uplinks(leaf).at(-1), "uplink"), fault);
      return;
    }
    case "halfpair": {
      const leaf = leafAt(leaves, 3);
      const ports = uplinks(leaf);
      const paired = ports.find(
        (port) => ports.filter((other) => draft.peerOf(leaf, other) === draft.peerOf(leaf, port)).length > 1,
      );
      draft.unlink(leaf, existing(paired, "parallel cables"), fault);
      return;
    }
    case "miscabled": {
      const leaf = leafAt(leaves, 4);
      const ports = uplinks(leaf);
      const port = existing(ports[0], "uplink");
      const wrong = draft.peerOf(leaf, existing(ports.at(-1), "second spine"));
      if (wrong === undefined || wrong === draft.peerOf(leaf, port)) throw new Error("this tree has one spine");
      draft.replug(leaf, port, wrong, draft.highestFreePort(wrong), fault);
      return;
    }
    case "nohost": {
      const leaf = leafAt(leaves, 0);
      draft.unlink(leaf, existing(hosts(leaf)[1], "second host"), fault);
      return;
    }
  }
}
