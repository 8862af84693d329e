/** Texts of ibnetdiscover for the three shapes at three sizes. */
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { dragonflyPlus, twoLevels, type Plan } from "../support/generated-fabric.ts";

export const shapeNames = ["3-level fat tree", "wide 2-level tree", "Dragonfly+"] as const;
export type ShapeName = (typeof shapeNames)[number];

export const hostCounts = [100, 1000, 10_000] as const;
type HostCount = (typeof hostCounts)[number];

/** Wide: as many leaves as a spine may have ports, 50,000 cables at the largest. */
const plans: Readonly<Record<Exclude<ShapeName, "3-level fat tree">, Readonly<Record<HostCount, () => Plan>>>> = {
  "wide 2-level tree": {
    100: () => twoLevels(13, 8, 8, 1),
    1000: () => twoLevels(63, 40, 16, 1),
    10000: () => twoLevels(252, 160, 40, 1),
  },
  "Dragonfly+": {
    100: () => dragonflyPlus(4, 4, 4, 7, 1),
    1000: () => dragonflyPlus(10, 10, 10, 10, 1),
    10000: () => dragonflyPlus(31, 18, 18, 18, 1),
  },
};

export interface ShapeText {
  readonly ibnetdiscover: string;
  readonly links: number;
}

export function shapeText(shape: ShapeName, hosts: HostCount): ShapeText {
  if (shape !== "3-level fat tree") {
    const plan = plans[shape][hosts]();
    return { ibnetdiscover: printed(plan), links: plan.cables.length };
  }
  const texts = generateFabricTexts({ levels: 3, hosts });
  return { ibnetdiscover: texts.ibnetdiscover, links: texts.links };
}

function printed({ devices, cables }: Plan): string {
  type Device = (typeof devices)[number];
  const index = new Map(devices.map((device, i) => [device, i]));
  const lid = (device: Device): number => (index.get(device) ?? 0) + 1;
  const name = (device: Device): string =>
    device.kind === "ca"
      ? `n${String(lid(device)).padStart(5, "0")} mlx5_0`
      : `switch-${String(lid(device)).padStart(4, "0")}`;
  const id = (device: Device): string => `${device.kind === "ca" ? "H" : "S"}-${device.guid.slice(2)}`;
  const ports = new Map<Device, string[]>(devices.map((device) => [device, []]));
  const end = (own: (typeof cables)[number]["a"], far: (typeof cables)[number]["a"]): void => {
    const cable = `"${id(far.device)}"[${far.port}]\t\t#`;
    ports
      .get(own.device)
      ?.push(
        own.device.kind === "switch"
          ? `[${own.port}]\t${cable} "${name(far.device)}" lid ${lid(far.device)} 4xHDR`
          : `[${own.port}](${own.device.guid.slice(2)}) \t${cable} lid ${lid(own.device)} lmc 0 "${name(far.device)}" lid ${lid(far.device)} 4xHDR`,
      );
  };
  for (const { a, b } of cables) {
    end(a, b);
    end(b, a);
  }
  const blocks = devices.map((device) => {
    const guid = device.guid.slice(2);
    return [
      "vendid=0x2c9",
      "devid=0xd2f0",
      `sysimgguid=0x${guid}`,
      device.kind === "switch" ? `switchguid=0x${guid}(${guid})` : `caguid=0x${guid}`,
      device.kind === "switch"
        ? `Switch\t254 "${id(device)}"\t\t# "${name(device)}" enhanced port 0 lid ${lid(device)} lmc 0`
        : `Ca\t2 "${id(device)}"\t\t# "${name(device)}"`,
      ...(ports.get(device) ?? []),
      "",
    ].join("\n");
  });
  const first = devices[0]?.guid.slice(2) ?? "";
  const head = `#\n# Topology file: generated on Mon Jun  1 12:00:00 2026\n#\n# Initiated from node ${first} port ${first}\n`;
  return [head, ...blocks].join("\n");
}
