/** From raw text to findings: time and memory of parse, build and analyse at three sizes. */
import { performance } from "node:perf_hooks";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { decodeOutput } from "../../electron/threads/decode.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { parseIblinkinfo } from "../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { recognise } from "../../shared/parse/recognise.ts";
import { growth, milliseconds, printTable } from "./support.ts";

const sizes = [
  { levels: 2, hosts: 100 },
  { levels: 3, hosts: 1000 },
  { levels: 3, hosts: 10_000 },
] as const;
const steps = ["decode", "recognise", "parse ibnetdiscover", "parse iblinkinfo", "build", "analyse"] as const;
type Step = (typeof steps)[number];
const rounds = 3;

interface Measured {
  readonly links: number;
  readonly hosts: number;
  readonly textBytes: number;
  readonly times: Record<Step, number>;
  readonly fabricBytes: number;
  readonly heapBytes: number;
}

/** Bytes of all typed arrays and strings below a value. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return value.length * 2;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value === "object" && value !== null)
    return Object.values(value).reduce((sum: number, part) => sum + bytesOf(part), 0);
  return 0;
}

function measure(levels: 2 | 3, wanted: number): Measured {
  const texts = generateFabricTexts({ levels, hosts: wanted });
  const raw = [texts.ibnetdiscover, texts.iblinkinfoLine].map((text) => new TextEncoder().encode(text));
  const times = Object.fromEntries(steps.map((step) => [step, Infinity])) as Record<Step, number>;
  const timed = <T>(step: Step, work: () => T): T => {
    const begin = performance.now();
    const result = work();
    times[step] = Math.min(times[step], performance.now() - begin);
    return result;
  };
  let fabricBytes = 0;
  let links = 0;
  let hosts = 0;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let heapBytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [discoverText = "", linkinfoText = ""] = timed("decode", () => raw.map(decodeOutput));
    timed("recognise", () => [recognise(discoverText), recognise(linkinfoText)]);
    const discover = timed("parse ibnetdiscover", () => parseIbnetdiscover(discoverText, { file: "a" }));
    const linkinfo = timed("parse iblinkinfo", () => parseIblinkinfo(linkinfoText, { file: "b" }));
    const { fabric } = timed("build", () =>
      buildFabric({
        discover: { file: "a", records: discover.records },
        linkinfo: { file: "b", records: linkinfo.records },
        sminfo: [],
      }),
    );
    timed("analyse", () => analyse(fabric));
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed - before);
    fabricBytes = bytesOf(fabric);
    links = fabric.links.count;
    hosts = fabric.hosts.count;
  }
  return { links, hosts, textBytes: raw.reduce((sum, bytes) => sum + bytes.length, 0), times, fabricBytes, heapBytes };
}

export async function run(): Promise<void> {
  await Promise.resolve();
  const measured = sizes.map(({ levels, hosts }) => measure(levels, hosts));
  const links = measured.map((m) => m.links);
  const total = measured.map((m) => steps.reduce((sum, step) => sum + m.times[step], 0));
  printTable(
    "Text to findings, best of 3, ms (growth: factor in time per factor in links, last two sizes)",
    ["step", ...measured.map((m) => `${m.hosts} hosts`), "growth"],
    [
      ...steps.map((step) => [
        step,
        ...measured.map((m) => milliseconds(m.times[step])),
        growth(
          measured.map((m) => m.times[step]),
          links,
        ),
      ]),
      ["all", ...total.map(milliseconds), growth(total, links)],
      ["links", ...links.map(String), ""],
      [
        "text, MB",
        ...measured.map((m) => (m.textBytes / 1e6).toFixed(1)),
        growth(
          measured.map((m) => m.textBytes),
          links,
        ),
      ],
      [
        "fabric, MB",
        ...measured.map((m) => (m.fabricBytes / 1e6).toFixed(2)),
        growth(
          measured.map((m) => m.fabricBytes),
          links,
        ),
      ],
      ["heap at most, MB", ...measured.map((m) => (m.heapBytes / 1e6).toFixed(0)), ""],
    ],
  );
}
