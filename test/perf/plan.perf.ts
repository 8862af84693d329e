/** Planning the measurement of every kind of cable in fat trees of three levels. */
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { assert } from "../../shared/base/assert.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { linkKind, linkName } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { planMeasurement } from "../../shared/measure/plan.ts";
import { defaultMeasureOptions } from "../../shared/measure/types.ts";
import { parseIblinkinfo } from "../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";

function fabricOf(hosts: number): Fabric {
  const texts = generateFabricTexts({ levels: 3, hosts });
  const file = (name: string) => ({ file: name });
  return buildFabric({
    discover: { file: "d", records: parseIbnetdiscover(texts.ibnetdiscover, file("d")).records },
    linkinfo: { file: "l", records: parseIblinkinfo(texts.iblinkinfo, file("l")).records },
    sminfo: [{ file: "s", records: parseSminfo(texts.sminfo, file("s")).records }],
  }).fabric;
}

const plansPerKind = 40;

/** Milliseconds of the median and of the slowest plan over links spread through the fabric. */
function time(fabric: Fabric, links: readonly number[]): { readonly median: number; readonly slowest: number } {
  const health = {
    linkHealth: new Uint8Array(fabric.links.count),
    nodeHealth: new Uint8Array(fabric.nodes.count),
  };
  const stride = Math.max(1, Math.floor(links.length / plansPerKind));
  const times = links
    .filter((_, index) => index % stride === 0)
    .map((link) => {
      const began = performance.now();
      const plan = planMeasurement(fabric, health, {
        link,
        fabricId: "f",
        planId: "p",
        options: defaultMeasureOptions,
        simulated: true,
      });
      assert(plan.ok, `${linkName(fabric, link)} can be planned: ${JSON.stringify(plan)}`);
      return performance.now() - began;
    })
    .sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 };
}

/** Prints a table: hosts, links, and milliseconds a plan takes for host links and for links between switches. */
export function run(): void {
  console.log("Planning a measurement, milliseconds (median, slowest)");
  console.log("hosts      links     host link       between switches   growth");
  let before = 0;
  for (const hosts of [100, 1_000, 10_000]) {
    const fabric = fabricOf(hosts);
    const all = Array.from({ length: fabric.links.count }, (_, link) => link);
    const host = time(
      fabric,
      all.filter((link) => linkKind(fabric, link) === "host"),
    );
    const between = time(
      fabric,
      all.filter((link) => linkKind(fabric, link) === "inter-switch"),
    );
    const cell = ({ median, slowest }: typeof host): string =>
      `${median.toFixed(1).padStart(6)} ${slowest.toFixed(1).padStart(7)}`;
    const growth = before === 0 ? "" : `x ${(between.median / before).toFixed(1)}`;
    before = between.median;
    console.log(
      `${String(hosts).padEnd(8)} ${String(fabric.links.count).padStart(7)} ${cell(host)} ${cell(between).padStart(20)}   ${growth.padStart(8)}`,
    );
  }
}
