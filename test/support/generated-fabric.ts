/** Fabrics of known shape as ibnetdiscover records, with random damage, for property tests. Names tell nothing. */
import { buildFabric } from "../../shared/build/build-fabric.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { type Guid, guidFromBigint } from "../../shared/base/guid.ts";
import { type PlainNode, type PlainPort, recordsOf } from "./discover-records.ts";

export interface Device {
  readonly kind: "switch" | "ca";
  readonly guid: Guid;
  /** Tier from 1, 0 for hosts. */
  readonly tier: number;
  /** Pod or group, -1 for none. */
  readonly block: number;
  /** Host that an adapter is in, where a host has several. */
  readonly host?: string;
  nextPort: number;
}

export interface Cable {
  a: { device: Device; port: number };
  b: { device: Device; port: number };
}

export interface Plan {
  readonly devices: readonly Device[];
  readonly cables: Cable[];
}

export class Planner {
  readonly devices: Device[] = [];
  readonly cables: Cable[] = [];

  device(kind: Device["kind"], tier: number, block: number, host?: string): Device {
    const base = kind === "switch" ? 0x1000_0000n : 0x2000_0000n;
    const device: Device = {
      kind,
      tier,
      block,
      guid: guidFromBigint(base + BigInt(this.devices.length) * 16n),
      nextPort: 1,
      ...(host === undefined ? {} : { host }),
    };
    this.devices.push(device);
    return device;
  }

  link(a: Device, b: Device, times = 1): void {
    for (let i = 0; i < times; i += 1) {
      this.cables.push({ a: { device: a, port: a.nextPort++ }, b: { device: b, port: b.nextPort++ } });
    }
  }

  hosts(leaf: Device, count: number): void {
    for (let i = 0; i < count; i += 1) this.link(leaf, this.device("ca", 0, leaf.block));
  }
}

export function twoLevels(leaves: number, spines: number, hosts: number, cables: number): Plan {
  const plan = new Planner();
  const tops = Array.from({ length: spines }, () => plan.device("switch", 2, -1));
  for (let i = 0; i < leaves; i += 1) {
    const leaf = plan.device("switch", 1, -1);
    plan.hosts(leaf, hosts);
    for (const spine of tops) plan.link(leaf, spine, cables);
  }
  return plan;
}

export function threeLevels(
  pods: number,
  leaves: number,
  spines: number,
  cores: number,
  hosts: number,
  cables: { readonly down: number; readonly up: number } = { down: 1, up: 1 },
): Plan {
  const plan = new Planner();
  const tops = Array.from({ length: spines }, () => Array.from({ length: cores }, () => plan.device("switch", 3, -1)));
  for (let pod = 0; pod < pods; pod += 1) {
    const middles = Array.from({ length: spines }, () => plan.device("switch", 2, pod));
    for (let i = 0; i < leaves; i += 1) {
      const leaf = plan.device("switch", 1, pod);
      plan.hosts(leaf, hosts);
      for (const spine of middles) plan.link(leaf, spine, cables.down);
    }
    for (const [s, spine] of middles.entries()) for (const core of tops[s] ?? []) plan.link(spine, core, cables.up);
  }
  return plan;
}

/** Three levels without planes: every spine goes to every core. */
export function threeLevelsMeshed(pods: number, leaves: number, spines: number, cores: number, hosts: number): Plan {
  const plan = new Planner();
  const tops = Array.from({ length: cores }, () => plan.device("switch", 3, -1));
  for (let pod = 0; pod < pods; pod += 1) {
    const middles = Array.from({ length: spines }, () => plan.device("switch", 2, pod));
    for (let i = 0; i < leaves; i += 1) {
      const leaf = plan.device("switch", 1, pod);
      plan.hosts(leaf, hosts);
      for (const spine of middles) plan.link(leaf, spine);
    }
    for (const spine of middles) for (const core of tops) plan.link(spine, core);
  }
  return plan;
}

/** Trees of three levels side by side, `blocks` of them, whose cores go to switches on top in planes of their own. */
export function fourLevels(
  blocks: number,
  pods: number,
  leaves: number,
  spines: number,
  cores: number,
  tops: number,
  hosts: number,
): Plan {
  const plan = new Planner();
  const top = Array.from({ length: spines * cores }, () =>
    Array.from({ length: tops }, () => plan.device("switch", 4, -1)),
  );
  for (let block = 0; block < blocks; block += 1) {
    const core = Array.from({ length: spines }, () =>
      Array.from({ length: cores }, () => plan.device("switch", 3, -1)),
    );
    core.flat().forEach((own, i) => {
      for (const above of top[i] ?? []) plan.link(own, above);
    });
    for (let pod = 0; pod < pods; pod += 1) {
      const middles = Array.from({ length: spines }, () => plan.device("switch", 2, block * pods + pod));
      for (let i = 0; i < leaves; i += 1) {
        const leaf = plan.device("switch", 1, block * pods + pod);
        plan.hosts(leaf, hosts);
        for (const spine of middles) plan.link(leaf, spine);
      }
      for (const [s, spine] of middles.entries()) for (const above of core[s] ?? []) plan.link(spine, above);
    }
  }
  return plan;
}

/** Two levels, rail-optimised: a leaf for each rail in every pod, and the pod's hosts have an adapter on each. */
export function railTree(pods: number, rails: number, spines: number, hosts: number): Plan {
  const plan = new Planner();
  const tops = Array.from({ length: spines }, () => plan.device("switch", 2, -1));
  for (let pod = 0; pod < pods; pod += 1) {
    const leaves = Array.from({ length: rails }, () => plan.device("switch", 1, pod));
    for (const leaf of leaves) for (const spine of tops) plan.link(leaf, spine);
    for (let host = 0; host < hosts; host += 1) {
      const name = `pod${pod}-n${host}`;
      for (const leaf of leaves) plan.link(leaf, plan.device("ca", 0, pod, name));
    }
  }
  return plan;
}

export function dragonflyPlus(groups: number, leaves: number, spines: number, hosts: number, global: number): Plan {
  const plan = new Planner();
  const all: Device[][] = [];
  for (let group = 0; group < groups; group += 1) {
    const tops = Array.from({ length: spines }, () => plan.device("switch", 2, group));
    all.push(tops);
    for (let i = 0; i < leaves; i += 1) {
      const leaf = plan.device("switch", 1, group);
      plan.hosts(leaf, hosts);
      for (const spine of tops) plan.link(leaf, spine);
    }
  }
  for (let a = 0; a < groups; a += 1) {
    for (let b = a + 1; b < groups; b += 1) {
      for (let s = 0; s < spines; s += 1) {
        const [x, y] = [all[a]?.[s], all[b]?.[s]];
        if (x !== undefined && y !== undefined) plan.link(x, y, global);
      }
    }
  }
  return plan;
}

/** A small seeded generator (mulberry32), so that a failing case can be run again. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The same fabric with its GUIDs dealt out anew: the order in which a tool lists the devices tells nothing. */
export function shuffled(plan: Plan, random: () => number): Plan {
  const guids = plan.devices.map(({ guid }) => ({ guid, key: random() })).sort((a, b) => a.key - b.key);
  const dealt = new Map(plan.devices.map((device, i) => [device, { ...device, guid: guids[i]?.guid ?? device.guid }]));
  const end = ({ device, port }: Cable["a"]): Cable["a"] => ({ device: dealt.get(device) ?? device, port });
  return { devices: [...dealt.values()], cables: plan.cables.map(({ a, b }) => ({ a: end(a), b: end(b) })) };
}

/** The same fabric without some of its switches and with it without their cables, as when they are switched off. */
export function withoutSwitches(plan: Plan, share: number, random: () => number): Plan {
  const off = new Set(plan.devices.filter(({ kind }) => kind === "switch" && random() < share));
  const isOn = ({ device }: Cable["a"]): boolean => !off.has(device);
  const cables = plan.cables.filter(({ a, b }) => isOn(a) && isOn(b));
  const cabled = new Set(cables.flatMap(({ a, b }) => [a.device, b.device]));
  return { devices: plan.devices.filter((device) => cabled.has(device)), cables };
}

/**
 * Switches of a damaged plan that kept more than half of their cables to other switches. The tier of another one is a
 * guess: a top of four cables with two on leaves is as few changes from a spine that lost some as from what it was.
 */
export function recognisable(plan: Plan, damaged: Plan): ReadonlySet<Device> {
  const isBetweenSwitches = ({ a, b }: Cable): boolean => a.device.kind === "switch" && b.device.kind === "switch";
  const pair = ({ a, b }: Cable): string => [a.device.guid, b.device.guid].sort().join(" ");
  const unseen = new Map<string, number>();
  const balance = new Map<Device, number>();
  const add = ({ a, b }: Cable, what: number): void => {
    for (const { device } of [a, b]) balance.set(device, (balance.get(device) ?? 0) + what);
  };
  for (const cable of plan.cables.filter(isBetweenSwitches)) {
    unseen.set(pair(cable), (unseen.get(pair(cable)) ?? 0) + 1);
    add(cable, -1);
  }
  for (const cable of damaged.cables.filter(isBetweenSwitches)) {
    const left = unseen.get(pair(cable)) ?? 0;
    if (left === 0) continue;
    unseen.set(pair(cable), left - 1);
    add(cable, 2);
  }
  return new Set([...balance].filter(([, kept]) => kept > 0).map(([device]) => device));
}

/** Takes out, doubles or swaps a share of the cables. `random` in [0, 1). */
export function damage(plan: Plan, share: number, random: () => number): Plan {
  const cables = plan.cables.map(({ a, b }) => ({ a: { ...a }, b: { ...b } }));
  const hits = Math.floor(cables.length * share);
  for (let i = 0; i < hits; i += 1) {
    const at = Math.floor(random() * cables.length);
    const cable = cables[at];
    if (cable === undefined) continue;
    const what = random();
    if (what < 0.4) {
      cables.splice(at, 1);
    } else if (what < 0.6) {
      const { a, b } = cable;
      if (a.device.kind === "switch" && b.device.kind === "switch") {
        cables.push({
          a: { device: a.device, port: a.device.nextPort++ },
          b: { device: b.device, port: b.device.nextPort++ },
        });
      }
    } else {
      const other = cables[Math.floor(random() * cables.length)];
      if (other !== undefined && other !== cable) [cable.b, other.b] = [other.b, cable.b];
    }
  }
  return { devices: plan.devices, cables };
}

/** A name of its own for each adapter whose host has no other; switches are all called alike. */
function descriptionOf(device: Device): string {
  return device.kind === "ca" ? (device.host ?? `n${device.guid.slice(-8)}`) : "x";
}

/** How a device calls itself. */
export interface Looks {
  readonly description?: string;
  readonly systemGuid?: Guid;
}

/** The plan as a Fabric. Names tell nothing about the shape, unless `looks` gives them. */
export function fabricOf(plan: Plan, looks: (device: Device) => Looks = () => ({})): Fabric {
  const ports = new Map<Device, PlainPort[]>(plan.devices.map((device) => [device, []]));
  const end = (own: Cable["a"], far: Cable["a"]): void => {
    ports.get(own.device)?.push({
      number: own.port,
      peerKind: far.device.kind,
      peerGuid: far.device.guid,
      peerPort: far.port,
      peerDescription: descriptionOf(far.device),
      peerLid: 1,
      lanes: 4,
      speed: 7,
      line: 1,
    });
  };
  for (const { a, b } of plan.cables) {
    end(a, b);
    end(b, a);
  }
  const nodes: PlainNode[] = plan.devices.map((device) => ({
    kind: device.kind,
    guid: device.guid,
    declaredPorts: 250,
    description: descriptionOf(device),
    ports: ports.get(device) ?? [],
    line: 1,
    ...looks(device),
  }));
  return buildFabric({ discover: { file: "generated", records: recordsOf(nodes) }, sminfo: [] }).fabric;
}
