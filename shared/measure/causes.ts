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
  /** ibv_devinfo of the device. */
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

/** Fields of the port in question and of its device in `ibv_devinfo -d DEVICE`. */
function devinfoFields(text: string, port: number): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let current = 0;
  for (const line of text.split(/\r?\n/)) {
    const [, key = "", value = ""] = /^\s*(\w+):\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (key === "port") current = Number(value);
    else if (key !== "" && (current === 0 || current === port)) fields.set(key, value);
  }
  return fields;
}

function mtuOf(facts: HostFacts): { readonly active: number; readonly max: number } | undefined {
  const fields = devinfoFields(facts.devinfo ?? "", facts.port);
  const active = Number.parseInt(fields.get("active_mtu") ?? "", 10);
  const max = Number.parseInt(fields.get("max_mtu") ?? "", 10);
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

function firmware(own: HostFacts, other: HostFacts): Check {
  const [here, there] = [own, other].map(({ devinfo, port }) => devinfoFields(devinfo ?? "", port));
  const version = here?.get("fw_ver");
  const others = there?.get("fw_ver");
  if (version === undefined || others === undefined) return unreadable("firmware");
  if (here?.get("vendor_part_id") !== there?.get("vendor_part_id")) {
    return { what: "firmware", state: "fine", detail: `${version}; the other adapter is of another type` };
  }
  return version === others
    ? { what: "firmware", state: "fine", detail: version }
    : { what: "firmware", state: "fault", detail: `${version} here and ${others} on ${other.host}` };
}

/** Judges what was read on both hosts. */
export function judgeCauses(client: HostFacts, server: HostFacts): readonly CauseCheck[] {
  return [[client, server] as const, [server, client] as const].flatMap(([own, other]) =>
    [...pcie(own), mtu(own, other), numa(own), governorOf(own), memlock(own), firmware(own, other)].map((check) => ({
      host: own.host,
      ...check,
    })),
  );
}

const remedies: Readonly<Record<CauseCheck["what"], string>> = {
  "pcie-width": "put the adapter into a wider slot or reseat it, and look for a riser or bifurcation that narrows it",
  "pcie-speed": "look at the slot's generation and at the BIOS setting of the link speed",
  mtu: "have the subnet manager give the partition an MTU of 4096, and look at the driver's setting",
  "numa-node": "update the BIOS, or put the adapter into another slot",
  governor: "set it to performance",
  memlock: "set memlock to unlimited for the login",
  firmware: "bring both adapters to the same firmware",
};

const names: Readonly<Record<CauseCheck["what"], string>> = {
  "pcie-width": "PCIe width",
  "pcie-speed": "PCIe speed",
  mtu: "MTU",
  "numa-node": "NUMA node",
  governor: "processor governor",
  memlock: "locked memory",
  firmware: "firmware",
};

/** The faults as next steps, the one that costs most first. */
export function causeSteps(checks: readonly CauseCheck[]): readonly string[] {
  return checks
    .filter(({ state }) => state === "fault")
    .map(({ host, what, detail }) => `Found on ${host}: ${names[what]}, ${detail}; ${remedies[what]}.`);
}
