/**
 * The way of today beside ours, on the same fabrics: the text of ibnetdiscover turned into Graphviz and laid out by `sfdp`
 * and by `dot` (as ibnetdiscover's own converters do), against the same text parsed, built, analysed and laid out by Ibex.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { placeViewGraph } from "../../renderer/graph/geometry.ts";
import { layoutOptions } from "../../renderer/graph/graph-model.ts";
import { layoutFabric } from "../../renderer/graph/layout.ts";
import { buildStructure } from "../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../renderer/graph/view-graph.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { assert } from "../../shared/base/assert.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { growth, milliseconds, printTable } from "./support.ts";

const sizes = [
  { levels: 2, hosts: 100 },
  { levels: 3, hosts: 1000 },
  { levels: 3, hosts: 10_000 },
] as const;
const rounds = 3;
const limitMs = 60_000;

/** Text → everything that a picture needs. Best of so many rounds, ms. */
function ours(text: string, hosts: number, times: number): { readonly ms: number; readonly links: number } {
  let ms = Infinity;
  let links = 0;
  for (let round = 0; round < times; round += 1) {
    const begin = performance.now();
    const { records } = parseIbnetdiscover(text, { file: "ibnetdiscover" });
    const { fabric } = buildFabric({ discover: { file: "ibnetdiscover", records }, sminfo: [] });
    const analysis = analyse(fabric);
    const structure = buildStructure(fabric, analysis);
    const layout = layoutFabric(structure, layoutOptions(fabric, structure, { width: 1300, height: 760 }, undefined));
    const large = hosts > 1500;
    const graph = buildViewGraph(fabric, analysis, structure, {
      unfolded: large ? new Set<number>() : "all",
      bundles: large,
    });
    placeViewGraph(graph, layout);
    ms = Math.min(ms, performance.now() - begin);
    links = fabric.links.count;
  }
  return { ms, links };
}

/** The same once, in a thread of its own, ms: as when a file is opened, nothing is compiled yet. */
async function firstRun(text: string, hosts: number): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { text, hosts } });
  const message: readonly unknown[] = await once(worker, "message");
  const ms = message[0];
  assert(typeof ms === "number", "the thread tells its time");
  return ms;
}

if (parentPort !== null) {
  const { text, hosts } = workerData as { readonly text: string; readonly hosts: number };
  parentPort.postMessage(ours(text, hosts, 1).ms);
}

/**
 * ibnetdiscover's text as a Graphviz graph, line by line and without any model, the way a script does it: each device a
 * node, each cable an edge, once.
 */
function graphvizOf(text: string): string {
  const lines = ["graph fabric {", "node [shape=box];"];
  let device = "";
  for (const line of text.split("\n")) {
    const head = /^(?:Switch|Ca|Rt)\t\d+ "([^"]+)"\s+# "([^"]*)"/.exec(line);
    if (head !== null) {
      device = head[1] ?? "";
      lines.push(`"${device}" [label="${(head[2] ?? "").replaceAll(/["\\]/g, "")}"];`);
      continue;
    }
    const cable = /^\[(\d+)\](?:\([0-9a-f]+\))?\s+"([^"]+)"\[(\d+)\]/.exec(line);
    if (cable === null) continue;
    const [own, far] = [`${device} ${cable[1] ?? ""}`, `${cable[2] ?? ""} ${cable[3] ?? ""}`];
    if (own < far) lines.push(`"${device}" -- "${cable[2] ?? ""}";`);
  }
  lines.push("}");
  return lines.join("\n");
}

/** Milliseconds of one run of a Graphviz program, or undefined when the limit ended it. */
async function graphviz(program: "sfdp" | "dot", file: string): Promise<number | undefined> {
  const begin = performance.now();
  const child = spawn(program, ["-Tplain", "-o", "/dev/null", file], { stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status, by) => resolve([status, by]));
  });
  clearTimeout(timer);
  if (signal === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal ?? "nothing"}`);
  return performance.now() - begin;
}

interface Measured {
  readonly hosts: number;
  readonly links: number;
  readonly ours: number;
  readonly first: number;
  readonly sfdp: number | undefined;
  readonly dot: number | undefined;
}

async function measure(levels: 2 | 3, hosts: number, folder: string): Promise<Measured> {
  const text = generateFabricTexts({ levels, hosts }).ibnetdiscover;
  const first = await firstRun(text, hosts);
  const { ms, links } = ours(text, hosts, rounds);
  const file = join(folder, `${hosts}.gv`);
  const begin = performance.now();
  writeFileSync(file, graphvizOf(text));
  const converting = performance.now() - begin;
  const after = (time: number | undefined): number | undefined => (time === undefined ? undefined : time + converting);
  return {
    hosts,
    links,
    ours: ms,
    first,
    sfdp: after(await graphviz("sfdp", file)),
    dot: after(await graphviz("dot", file)),
  };
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? `> ${limitMs}` : milliseconds(ms);
}

function ratioText(theirs: number | undefined, own: number): string {
  return theirs === undefined ? `> ${Math.floor(limitMs / own)} x` : `${(theirs / own).toFixed(1)} x`;
}

function growthText(times: readonly (number | undefined)[], links: readonly number[]): string {
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? "not known" : growth(known, links);
}

/** Prints both times, their ratio, and how each grows. Says so where Graphviz is not installed. */
export async function run(): Promise<void> {
  if (spawnSync("sfdp", ["-V"]).error !== undefined || spawnSync("dot", ["-V"]).error !== undefined) {
    process.stdout.write(
      "Not compared with Graphviz: sfdp or dot is not installed here (Debian and Ubuntu: apt-get install graphviz).\n",
    );
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "ibex-peers-"));
  const all: Measured[] = [];
  try {
    for (const { levels, hosts } of sizes) all.push(await measure(levels, hosts, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const links = all.map((one) => one.links);
  const peers = ["sfdp", "dot"] as const;
  printTable(
    `ibnetdiscover text to a laid-out picture, ms (ours best of ${rounds}, Graphviz once, at most ${limitMs / 1000} s; growth: factor in time per factor in links, last two sizes)`,
    ["", ...all.map(({ hosts }) => `${hosts} hosts`), "growth"],
    [
      ["links", ...links.map(String), ""],
      [
        "Ibex: parse, build, analyse, lay out",
        ...all.map((one) => timeText(one.ours)),
        growthText(
          all.map((one) => one.ours),
          links,
        ),
      ],
      [
        "Ibex, first run in a fresh thread",
        ...all.map((one) => timeText(one.first)),
        growthText(
          all.map((one) => one.first),
          links,
        ),
      ],
      ...peers.map((peer) => [
        `Graphviz ${peer}`,
        ...all.map((one) => timeText(one[peer])),
        growthText(
          all.map((one) => one[peer]),
          links,
        ),
      ]),
      ...peers.map((peer) => [`${peer} / Ibex`, ...all.map((one) => ratioText(one[peer], one.ours)), ""]),
    ],
  );
}
