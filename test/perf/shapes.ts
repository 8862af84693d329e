/** Texts of ibnetdiscover for the three shapes at three sizes. */
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { planText } from "../support/discover-text.ts";
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
    return { ibnetdiscover: planText(plan), links: plan.cables.length };
  }
  const texts = generateFabricTexts({ levels: 3, hosts });
  return { ibnetdiscover: texts.ibnetdiscover, links: texts.links };
}

/** The same text after the first cable between two switches was pulled. */
export function withoutOneCable(text: string): string {
  const lines = text.split("\n");
  let device = "";
  let pulled: { readonly near: number; readonly far: string; readonly back: string } | undefined;
  for (const [place, line] of lines.entries()) {
    device = /^Switch\t\d+ "([^"]+)"/.exec(line)?.[1] ?? (line === "" ? "" : device);
    if (pulled === undefined) {
      const [, port, far, farPort] = /^\[(\d+)\]\t"(S-[^"]+)"\[(\d+)\]/.exec(line) ?? [];
      if (device !== "" && port !== undefined && far !== undefined && farPort !== undefined)
        pulled = { near: place, far, back: `[${farPort}]\t"${device}"[${port}]` };
    } else if (device === pulled.far && line.startsWith(pulled.back)) {
      return lines.filter((_, other) => other !== place && other !== pulled?.near).join("\n");
    }
  }
  throw new Error("no cable between two switches has two ends");
}
