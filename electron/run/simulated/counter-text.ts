/** perfquery and ibqueryerrors, as version 44 prints them. */
import { unpadded } from "./discover-text.ts";
import { printLinkOf } from "./linkinfo-text.ts";
import { discoveryOrder, type PortCounters, type SimulatedNode, type SimulatedPort } from "./model.ts";
import type { Answer } from "./programs.ts";

const none: PortCounters = {
  transmittedBytes: 0,
  receivedBytes: 0,
  transmittedPackets: 0,
  receivedPackets: 0,
  errors: new Map(),
};

function countersRead(port: SimulatedPort | undefined): PortCounters {
  return port?.counters ?? none;
}

/** The sum over all ports, which a switch keeps as port 255. */
function summed(node: SimulatedNode): PortCounters {
  const total = { ...none, errors: new Map<string, number>() };
  for (const port of node.ports) {
    const counters = countersRead(port);
    total.transmittedBytes += counters.transmittedBytes;
    total.receivedBytes += counters.receivedBytes;
    total.transmittedPackets += counters.transmittedPackets;
    total.receivedPackets += counters.receivedPackets;
    for (const [name, value] of counters.errors) total.errors.set(name, (total.errors.get(name) ?? 0) + value);
  }
  return total;
}

/** Data counters count words of four bytes. */
const words = (bytes: number): number => Math.floor(bytes / 4);

type Line = readonly [name: string, value: string];

function dotted(lines: readonly Line[]): string {
  return lines.map(([name, value]) => `${`${name}:`.padEnd(33, ".")}${value}\n`).join("");
}

const ceiling16 = 65_535;
const ceiling8 = 255;
const ceiling4 = 15;
const ceiling32 = 4_294_967_295;

/** Error counters of the classic attribute in their order, with the value at which each stops. */
const errorCounters: readonly (readonly [name: string, ceiling: number])[] = [
  ["SymbolErrorCounter", ceiling16],
  ["LinkErrorRecoveryCounter", ceiling8],
  ["LinkDownedCounter", ceiling8],
  ["PortRcvErrors", ceiling16],
  ["PortRcvRemotePhysicalErrors", ceiling16],
  ["PortRcvSwitchRelayErrors", ceiling16],
  ["PortXmitDiscards", ceiling16],
  ["PortXmitConstraintErrors", ceiling8],
  ["PortRcvConstraintErrors", ceiling8],
  ["LocalLinkIntegrityErrors", ceiling4],
  ["ExcessiveBufferOverrunErrors", ceiling4],
  ["VL15Dropped", ceiling16],
];

function classic(counters: PortCounters, port: number): Line[] {
  const error = (name: string, ceiling: number): Line => [
    name,
    String(Math.min(counters.errors.get(name) ?? 0, ceiling)),
  ];
  const lines: Line[] = [
    ["PortSelect", String(port)],
    ["CounterSelect", "0x0000"],
  ];
  for (const [name, ceiling] of errorCounters) {
    if (name === "LocalLinkIntegrityErrors") lines.push(["CounterSelect2", "0x00"]);
    if (name === "VL15Dropped") lines.push(["QP1Dropped", "0"]);
    lines.push(error(name, ceiling));
  }
  lines.push(
    ["PortXmitData", String(Math.min(words(counters.transmittedBytes), ceiling32))],
    ["PortRcvData", String(Math.min(words(counters.receivedBytes), ceiling32))],
    ["PortXmitPkts", String(Math.min(counters.transmittedPackets, ceiling32))],
    ["PortRcvPkts", String(Math.min(counters.receivedPackets, ceiling32))],
    ["PortXmitWait", String(counters.errors.get("PortXmitWait") ?? 0)],
  );
  return lines;
}

function extended(counters: PortCounters, port: number): Line[] {
  return [
    ["PortSelect", String(port)],
    ["CounterSelect", "0x0000"],
    ["PortXmitData", String(words(counters.transmittedBytes))],
    ["PortRcvData", String(words(counters.receivedBytes))],
    ["PortXmitPkts", String(counters.transmittedPackets)],
    ["PortRcvPkts", String(counters.receivedPackets)],
    ["PortUnicastXmitPkts", String(counters.transmittedPackets)],
    ["PortUnicastRcvPkts", String(counters.receivedPackets)],
    ["PortMulticastXmitPkts", "0"],
    ["PortMulticastRcvPkts", "0"],
    ["CounterSelect2", "0x00000000"],
    ...errorCounters.map(([name]): Line => [name, String(counters.errors.get(name) ?? 0)]),
    ["PortXmitWait", String(counters.errors.get("PortXmitWait") ?? 0)],
    ["QP1Dropped", "0"],
  ];
}

/** `perfquery [-x] LID PORT`; port 255 is the sum over all ports. */
export function printPerfquery(node: SimulatedNode, lid: number, port: number, wide: boolean): string {
  const counters = port === 255 ? summed(node) : countersRead(node.ports[port]);
  const capabilities = node.kind === "switch" ? "0x5B00" : "0x5A00";
  const title = wide
    ? `# Port extended counters: Lid ${String(lid)} port ${String(port)} (CapMask: ${capabilities} CapMask2: 0x0000002)\n`
    : `# Port counters: Lid ${String(lid)} port ${String(port)} (CapMask: ${capabilities})\n`;
  return title + dotted(wide ? extended(counters, port) : classic(counters, port));
}

/** `446.062K`: by 1024, as the tool's own scaling. */
function scaled(value: number): string {
  const units = ["", "K", "M", "G", "T", "P"];
  let rest = value;
  let unit = 0;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${rest.toFixed(3).padStart(5)}${units[unit] ?? ""}`;
}

function dataFields(counters: PortCounters): string {
  const fields: string[] = [];
  const data = (name: string, bytes: number): void => {
    const value = words(bytes);
    if (value > 0) fields.push(` [${name} == ${String(value)} (${scaled(value * 4)}B)]`);
  };
  const packets = (name: string, value: number): void => {
    if (value > 0) fields.push(` [${name} == ${String(value)} (${scaled(value)})]`);
  };
  data("PortXmitData", counters.transmittedBytes);
  data("PortRcvData", counters.receivedBytes);
  packets("PortXmitPkts", counters.transmittedPackets);
  packets("PortRcvPkts", counters.receivedPackets);
  return fields.join("");
}

/**
 * `ibqueryerrors` from the host of `origin`: nodes with errors, newest-found first, then the summary. Exit code 1 when
 * there are errors.
 */
export function printIbqueryerrors(
  origin: SimulatedNode,
  options: { readonly suppressed: readonly string[]; readonly data: boolean; readonly reportPort: boolean },
): Answer {
  const reported = [...errorCounters, ["PortXmitWait", ceiling32] as const].filter(
    ([name]) => !options.suppressed.includes(name),
  );
  const errorFields = (counters: PortCounters): string =>
    reported
      .map(([name, ceiling]) => [name, Math.min(counters.errors.get(name) ?? 0, ceiling)] as const)
      .filter(([, value]) => value > 0)
      .map(([name, value]) => ` [${name} == ${String(value)}]`)
      .join("");
  const lines: string[] = [];
  let nodes = 0;
  let badNodes = 0;
  let ports = 0;
  let badPorts = 0;
  for (const node of discoveryOrder(origin).reverse()) {
    nodes += 1;
    ports += node.portCount;
    const bad = node.ports.filter(
      (port): port is SimulatedPort => port !== undefined && errorFields(countersRead(port)) !== "",
    );
    if (bad.length === 0) continue;
    badNodes += 1;
    badPorts += bad.length;
    const guid = `0x${unpadded(node.guid)}`;
    const report = (where: string, counters: PortCounters): void => {
      lines.push(`   GUID ${guid} port ${where}:${errorFields(counters)}${options.data ? dataFields(counters) : ""}`);
    };
    if (node.kind === "switch") {
      // The sum of all ports is one more port that was asked.
      ports += 1;
      lines.push(`Errors for ${guid} "${node.description}"`);
      report("ALL", summed(node));
    } else lines.push(`Errors for "${node.description}"`);
    for (const port of bad) {
      report(String(port.number), countersRead(port));
      if (options.reportPort) lines.push(`       Link info: ${printLinkOf(port)}`);
    }
  }
  const suppressed = options.suppressed.map((name) => ` ${name}`).join("");
  lines.push(
    "",
    `## Summary: ${String(nodes)} nodes checked, ${String(badNodes)} bad nodes found`,
    `##          ${String(ports)} ports checked, ${String(badPorts)} ports have errors beyond threshold`,
    "## Thresholds: ",
    `## Suppressed:${suppressed}`,
    "",
  );
  return { stdout: lines.join("\n"), exitCode: badNodes > 0 ? 1 : 0 };
}
