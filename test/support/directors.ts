/** Fabrics with director switches: boxes of line and spine chips that are cabled inside. */
import { Planner, type Device, type Looks, type Plan } from "./generated-fabric.ts";

export interface DirectorShape {
  readonly directors: number;
  readonly lines: number;
  readonly spines: number;
  /** Edge switches below, each with two cables to every director; without any, hosts hang on the line chips. */
  readonly edges: number;
  /** Hosts of each edge switch or line chip. */
  readonly hosts: number;
}

/** The plan; `block` of a chip is its director, of everything else -1. */
export function directorPlan(shape: DirectorShape): Plan {
  const plan = new Planner();
  const above = shape.edges > 0 ? 1 : 0;
  const lines = Array.from({ length: shape.directors }, (_, director) => {
    const spines = Array.from({ length: shape.spines }, () => plan.device("switch", above + 2, director));
    return Array.from({ length: shape.lines }, () => {
      const line = plan.device("switch", above + 1, director);
      if (above === 0) hostsOf(plan, line, shape.hosts);
      for (const spine of spines) plan.link(line, spine, 2);
      return line;
    });
  });
  for (let edge = 0; edge < shape.edges; edge += 1) {
    const leaf = plan.device("switch", 1, -1);
    hostsOf(plan, leaf, shape.hosts);
    for (const chips of lines) {
      for (const k of [0, 1]) {
        const chip = chips[(edge * 2 + k) % chips.length];
        if (chip !== undefined) plan.link(leaf, chip);
      }
    }
  }
  return plan;
}

function hostsOf(plan: Planner, leaf: Device, hosts: number): void {
  for (let i = 0; i < hosts; i += 1) plan.link(leaf, plan.device("ca", 0, -1));
}

/** Chips named as their slots (`MF0;core-1:MCS8500/L02/U1`), or unnamed with one system image GUID a box. */
export function directorLooks(plan: Plan, named: boolean): (device: Device) => Looks {
  const slots = new Map<string, string>();
  const seen = new Map<string, number>();
  const top = Math.max(...plan.devices.map((device) => device.tier));
  for (const { guid, kind, block, tier } of plan.devices) {
    if (kind !== "switch" || block < 0) continue;
    const board = `${block} ${tier === top ? "S" : "L"}`;
    const number = (seen.get(board) ?? 0) + 1;
    seen.set(board, number);
    const letter = tier === top ? "S" : "L";
    slots.set(guid, `MF0;core-${block + 1}:MCS8500/${letter}${String(number).padStart(2, "0")}/U1`);
  }
  return ({ guid, kind, block }) => {
    if (kind !== "switch" || block < 0) return {};
    const description = slots.get(guid) ?? "";
    return named
      ? { description }
      : { systemGuid: plan.devices.find((device) => device.block === block)?.guid ?? guid };
  };
}
