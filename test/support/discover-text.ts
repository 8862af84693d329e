/** Made-up fabrics as ibnetdiscover prints them: devices by number, cables as [device, port, device, port]. */
import type { Device, Plan } from "./generated-fabric.ts";

export interface Drawn {
  /** Description of each switch. */
  readonly switches: readonly string[];
  /** Description of each adapter; its device number is counted on from the switches. */
  readonly adapters?: readonly string[];
  readonly cables: readonly (readonly [number, number, number, number])[];
}

function guidOf(device: number): string {
  return (0xb8cef60300000000n + BigInt(device) * 64n).toString(16).padStart(16, "0");
}

/** The text of ibnetdiscover for a fabric. */
export function discoverText({ switches, adapters = [], cables }: Drawn): string {
  const names = [...switches, ...adapters];
  const idOf = (device: number): string => `${device < switches.length ? "S" : "H"}-${guidOf(device)}`;
  const ports: string[][] = names.map(() => []);
  const end = (own: number, port: number, far: number, farPort: number): void => {
    const name = names[far] ?? "";
    ports[own]?.push(
      own < switches.length
        ? `[${port}]\t"${idOf(far)}"[${farPort}]\t\t# "${name}" lid ${far + 1} 4xHDR`
        : `[${port}](${guidOf(own)}) \t"${idOf(far)}"[${farPort}]\t\t# lid ${own + 1} lmc 0 "${name}" lid ${far + 1} 4xHDR`,
    );
  };
  for (const [a, p, b, q] of cables) {
    end(a, p, b, q);
    if (a !== b || p !== q) end(b, q, a, p);
  }
  const blocks = names.map((name, device) => {
    const isSwitch = device < switches.length;
    const guid = guidOf(device);
    return [
      "vendid=0x2c9",
      "devid=0xd2f0",
      `sysimgguid=0x${guid}`,
      isSwitch ? `switchguid=0x${guid}(${guid})` : `caguid=0x${guid}`,
      isSwitch
        ? `Switch\t254 "${idOf(device)}"\t\t# "${name}" enhanced port 0 lid ${device + 1} lmc 0`
        : `Ca\t2 "${idOf(device)}"\t\t# "${name}"`,
      ...(ports[device] ?? []),
      "",
    ].join("\n");
  });
  return `#\n# Topology file: generated on Mon Jun  1 12:00:00 2026\n#\n# Initiated from node ${guidOf(0)} port ${guidOf(0)}\n\n${blocks.join("\n")}`;
}

/** The text of ibnetdiscover for a plan. `named`: names of switches; without one a switch is `switch-0001` …  */
export function planText(
  { devices, cables }: Plan,
  named: (device: Device) => string | undefined = () => undefined,
): string {
  const switches = devices.filter((device) => device.kind === "switch");
  const adapters = devices.filter((device) => device.kind === "ca");
  const number = new Map([...switches, ...adapters].map((device, i) => [device, i]));
  return discoverText({
    switches: switches.map((device, i) => named(device) ?? `switch-${String(i + 1).padStart(4, "0")}`),
    adapters: adapters.map((_, i) => `n${String(i + 1).padStart(5, "0")} mlx5_0`),
    cables: cables.map(({ a, b }) => [number.get(a.device) ?? 0, a.port, number.get(b.device) ?? 0, b.port]),
  });
}
