/** Known causes of low results on the two hosts, each judged from what a command on the host prints. */
import type { CauseCheck } from "./types.ts";

/** What was read on one host; undefined where nothing could be read. */
export interface HostFacts {
  readonly host: string;
  readonly device: string;
  readonly port: number;
  /** numa_node of the adapter, and the nodes that are online (`0`, `0-1`). */
  readonly numaNode?: string;
  readonly numaOnline?: string;
  readonly width?: string;
  readonly maxWidth?: string;
  readonly speed?: string;
  readonly maxSpeed?: string;
  readonly governor?: string;
  /** /proc/self/limits of a command there. */
  readonly limits?: string;
  /** ibv_devinfo of all devices of the host. */
  readonly devinfo?: string;
}

type Check = Omit<CauseCheck, "host">;

function unreadable(what: CauseCheck["what"], detail = "not readable there"): Check {
  return { what, state: "unreadable", detail };
}

function numa({ numaNode, numaOnline, device }: HostFacts): Check {
  if (numaNode === undefined || numaOnline === undefined) return unreadable("numa-node");
  if (/^\d+$/.test(numaOnline)) return { what: "numa-node", state: "fine", detail: "the host has one NUMA node" };
  if (numaNode === "-1") {
    const detail = `the firmware does not tell on which NUMA node ${device} is (nodes ${numaOnline} are online)`;
    return { what: "numa-node", state: "fault", detail };
  }
  const detail = `${device} is on NUMA node ${numaNode} of ${numaOnline}, and the test was not bound to it: compare with numactl --cpunodebind=${numaNode}`;
  return unreadable("numa-node", detail);
}

/** `16.0 GT/s PCIe` → 16. */
function transfers(text: string): number {
  return Number.parseFloat(text);
}

function pcie(facts: HostFacts): readonly Check[] {
  const { width, maxWidth, speed, maxSpeed, device } = facts;
  const compare = (what: "pcie-width" | "pcie-speed", now: string | undefined, max: string | undefined): Check => {
    if (now === undefined || max === undefined) return unreadable(what);
    const [current, possible] = [transfers(now), transfers(max)];
    if (!(current > 0) || !(possible > 0)) return unreadable(what, `${device} says ${now} of ${max}`);
    const [a, b] = what === "pcie-width" ? [`x${now}`, `x${max}`] : [now, max];
    return current < possible
      ? { what, state: "fault", detail: `${device} runs at ${a} of ${b}` }
      : { what, state: "fine", detail: a };
  };
  return [compare("pcie-width", width, maxWidth), compare("pcie-speed", speed, maxSpeed)];
}

function governorOf({ governor }: HostFacts): Check {
  if (governor === undefined) return unreadable("governor");
  const fine = governor === "performance";
  return { what: "governor", state: fine ? "fine" : "fault", detail: fine ? governor : `it is ${governor}` };
}

/** Less than this is too little for some queue pairs with large messages, in bytes. */
const lockedBytesMin = 64 * 1024 * 1024;

function memlock({ limits }: HostFacts): Check {
  const soft = /^Max locked memory\s+(unlimited|\d+)\s/m.exec(limits ?? "")?.[1];
  if (soft === undefined) return unreadable("memlock");
  if (soft === "unlimited" || Number(soft) >= lockedBytesMin) return { what: "memlock", state: "fine", detail: soft };
  return { what: "memlock", state: "fault", detail: `the login may lock ${Math.floor(Number(soft) / 1024)} KiB only` };
}

interface Device {
  readonly name: string;
  /** Of the device itself, and of its ports by number. */
  readonly fields: ReadonlyMap<string, string>;
  readonly ports: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** Every device in the output of `ibv_devinfo` (libibverbs-utils). */
function devicesOf(text: string): readonly Device[] {
  const devices: { name: string; fields: Map<string, string>; ports: Map<number, Map<string, string>> }[] = [];
  let fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key = "", value = ""] = /^\s*(\w+):\s*(\S.*?)\s*$/.exec(line) ?? [];
    const device = devices.at(-1);
    if (key === "hca_id") {
      fields = new Map();
      devices.push({ name: value, fields, ports: new Map() });
    } else if (key === "port" && device !== undefined) {
      fields = new Map();
      device.ports.set(Number(value), fields);
    } else if (key !== "") fields.set(key, value);
  }
  return devices;
}

function deviceOf({ devinfo = "", device }: HostFacts): Device | undefined {
  return devicesOf(devinfo).find(({ name }) => name === device);
}

function portFields(facts: HostFacts): ReadonlyMap<string, string> | undefined {
  return deviceOf(facts)?.ports.get(facts.port);
}

function mtuOf(facts: HostFacts): { readonly active: number; readonly max: number } | undefined {
  const fields = portFields(facts);
  const active = Number.parseInt(fields?.get("active_mtu") ?? "", 10);
  const max = Number.parseInt(fields?.get("max_mtu") ?? "", 10);
  return active > 0 && max > 0 ? { active, max } : undefined;
}

function mtu(own: HostFacts, other: HostFacts): Check {
  const [here, there] = [mtuOf(own), mtuOf(other)];
  if (here === undefined) return unreadable("mtu");
  if (there !== undefined && here.active < there.active) {
    return { what: "mtu", state: "fault", detail: `${here.active} here and ${there.active} on ${other.host}` };
  }
  return here.active < here.max
    ? { what: "mtu", state: "fault", detail: `${here.active} of ${here.max}` }
    : { what: "mtu", state: "fine", detail: String(here.active) };
}

/** Firmware of the other adapters of the same type on both hosts, with where they are. */
function siblingFirmware(own: HostFacts, other: HostFacts, type: string) {
  return [own, other].flatMap((facts) =>
    devicesOf(facts.devinfo ?? "").flatMap(({ name, fields }) => {
      const version = fields.get("fw_ver");
      const isOwn = facts === own && name === own.device;
      if (isOwn || version === undefined || fields.get("vendor_part_id") !== type) return [];
      return [{ version, place: facts === own ? name : `${facts.host} ${name}` }];
    }),
  );
}

function firmware(own: HostFacts, other: HostFacts): Check {
  const fields = deviceOf(own)?.fields;
  const version = fields?.get("fw_ver");
  const type = fields?.get("vendor_part_id");
  if (version === undefined || type === undefined) return unreadable("firmware");
  const siblings = siblingFirmware(own, other, type);
  if (siblings.length === 0) {
    return { what: "firmware", state: "fine", detail: `${version}; no other adapter of its type to compare with` };
  }
  const differs = siblings.find((sibling) => sibling.version !== version);
  if (differs === undefined) return { what: "firmware", state: "fine", detail: version };
  return { what: "firmware", state: "fault", detail: `${version} here and ${differs.version} on ${differs.place}` };
}

function linkLayer(own: HostFacts, other: HostFacts): Check {
  const [here, there] = [own, other].map((facts) => portFields(facts)?.get("link_layer"));
  if (here === undefined) return unreadable("link-layer");
  return there !== undefined && here !== there
    ? { what: "link-layer", state: "fault", detail: `${here} here and ${there} on ${other.host}` }
    : { what: "link-layer", state: "fine", detail: here };
}

/** Judges what was read on both hosts. */
export function judgeCauses(client: HostFacts, server: HostFacts): readonly CauseCheck[] {
  return [[client, server] as const, [server, client] as const].flatMap(([own, other]) =>
    [
      ...pcie(own),
      mtu(own, other),
      numa(own),
      governorOf(own),
      memlock(own),
      firmware(own, other),
      linkLayer(own, other),
    ].map((check) => ({ host: own.host, ...check })),
  );
}

const remedies: Readonly<Record<CauseCheck["what"], string>> = {
  "pcie-width": "put the adapter into a wider slot or reseat it, and look for a riser or bifurcation that narrows it",
  "pcie-speed": "look at the slot's generation and at the BIOS setting of the link speed",
  mtu: "have the subnet manager give the partition an MTU of 4096, and look at the driver's setting",
  "numa-node": "update the BIOS, or put the adapter into another slot",
  governor: "set it to performance",
  memlock: "set memlock to unlimited for the login",
  firmware: "bring all adapters of this type to the same firmware",
  "link-layer": "set LINK_TYPE of both ports to the same with mlxconfig, then restart the hosts",
};

/** Their names for people. */
export const causeNames: Readonly<Record<CauseCheck["what"], string>> = {
  "pcie-width": "PCIe width",
  "pcie-speed": "PCIe speed",
  mtu: "MTU",
  "numa-node": "NUMA node",
  governor: "processor governor",
  memlock: "locked memory",
  firmware: "firmware",
  "link-layer": "link layer",
};

/** The faults as next steps, the one that costs most first. */
export function causeSteps(checks: readonly CauseCheck[]): readonly string[] {
  return checks
    .filter(({ state }) => state === "fault")
    .map(({ host, what, detail }) => `Found on ${host}: ${causeNames[what]}, ${detail}; ${remedies[what]}.`);
}
