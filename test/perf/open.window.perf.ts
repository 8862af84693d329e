/**
 * The real window on saved outputs of three shapes at three sizes: opening, zooming through all levels of detail, unfolding,
 * selecting, another overlay, filters, opening again. Longest task of the window's main thread in CPU time (what else runs on
 * the machine does not count), frames, memory of every process.
 */
import { _electron, type ElectronApplication, type Page } from "@playwright/test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { hostCounts, shapeNames, shapeText, withoutOneCable, type ShapeName } from "./shapes.ts";
import { growth, milliseconds, printTable } from "./support.ts";

const steps = [
  "open",
  "zoom",
  "pan",
  "unfold",
  "select",
  "overlay",
  "filter",
  "fly to a host",
  "links table",
  "sort links",
  "filter links",
  "nodes table",
  "sort nodes",
  "filter nodes",
  "back to topology",
  "open again",
  "collect",
  "collect again",
] as const;
type Step = (typeof steps)[number];

interface Memory {
  readonly window: number;
  /** Workers are threads of these two. */
  readonly main: number;
  /** What JavaScript holds in the window, without its workers. */
  readonly heap: number;
}

interface Opened {
  readonly links: number;
  /** From the wish to open until the picture stands. */
  readonly openMs: number;
  /** From the wish to collect again until the picture of the fabric without one cable stands; the tool prints a file. */
  readonly againMs: number;
  readonly longest: Readonly<Record<Step, number>>;
  readonly frames: { readonly p50: number; readonly p95: number };
  readonly empty: Memory;
  readonly full: Memory;
}

async function frames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** After a collection of the window's garbage: until then it is chance how much of it stands. */
async function memory(app: ElectronApplication, page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  // Pages that became free go back a little later.
  await page.waitForTimeout(1_000);
  const metrics = await app.evaluate(({ app: program }) =>
    program.getAppMetrics().map((m) => ({ type: m.type, kb: m.memory.workingSetSize })),
  );
  const of = (type: string): number => metrics.filter((m) => m.type === type).reduce((sum, m) => sum + m.kb, 0) / 1024;
  return { window: of("Tab"), main: of("Browser"), heap: usedSize / 2 ** 20 };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, µs. */
  readonly tdur?: number;
}

/** Longest task of the thread that made the marks, by step, ms of CPU time. */
function longestTasks(file: string): Record<Step, number> {
  const { traceEvents } = JSON.parse(readFileSync(file, "utf8")) as { traceEvents: readonly TraceEvent[] };
  const marks = traceEvents.filter(({ name }) => name.startsWith("step:")).sort((a, b) => a.ts - b.ts);
  const [first] = marks;
  const longest = Object.fromEntries(steps.map((step) => [step, 0])) as Record<Step, number>;
  if (first === undefined) throw new Error("the window left no marks in the trace");
  for (const event of traceEvents) {
    if (event.ph !== "X" || !event.name.endsWith("RunTask") || event.pid !== first.pid || event.tid !== first.tid)
      continue;
    const mark = marks.filter(({ ts }) => ts <= event.ts).at(-1);
    const step = steps.find((name) => `step:${name}` === mark?.name);
    if (step !== undefined) longest[step] = Math.max(longest[step], (event.tdur ?? event.dur ?? 0) / 1000);
  }
  return longest;
}

async function open(shape: ShapeName, hosts: (typeof hostCounts)[number]): Promise<Opened> {
  const { ibnetdiscover, links } = shapeText(shape, hosts);
  const folder = mkdtempSync(join(tmpdir(), "ibex-perf-"));
  const outputs = join(folder, "outputs");
  mkdirSync(outputs);
  writeFileSync(join(outputs, "ibnetdiscover.txt"), ibnetdiscover);
  // Collecting runs a program of this name on this machine.
  const tools = join(folder, "tools");
  mkdirSync(tools);
  const printed = join(folder, "printed.txt");
  writeFileSync(printed, ibnetdiscover);
  writeFileSync(join(folder, "later.txt"), withoutOneCable(ibnetdiscover));
  writeFileSync(join(tools, "ibnetdiscover"), `#!/bin/sh\nexec cat ${printed}\n`, { mode: 0o755 });
  const app = await _electron.launch({
    executablePath: process.env.IBEX_ELECTRON_EXECUTABLE ?? "electron",
    args: [process.cwd(), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    env: {
      ...(process.env as Record<string, string>),
      HOME: folder,
      IBEX_DATA: join(folder, "data"),
      PATH: `${tools}:${process.env.PATH ?? ""}`,
    },
  });
  try {
    const page = await app.firstWindow();
    await page.getByText("The InfiniBand fabric explorer").waitFor();
    // The window listens once its first effects have run.
    await frames(page);
    // Nobody opens a file in the first moment; by then a thread waits for it.
    await page.waitForTimeout(2_000);
    const empty = await memory(app, page);
    await app.evaluate(({ contentTracing }) =>
      contentTracing.startRecording({
        recording_mode: "record-as-much-as-possible",
        included_categories: ["toplevel", "blink.user_timing"],
        excluded_categories: ["*"],
      }),
    );
    const begin = async (step: Step): Promise<void> => {
      await page.evaluate((name) => void performance.mark(`step:${name}`), step);
    };
    const openInWindow = (): Promise<void> =>
      app.evaluate(({ BrowserWindow }, path) => {
        BrowserWindow.getAllWindows()[0]?.webContents.send("fabric:event", "open", { paths: [path] });
      }, outputs);
    // What a step sets off in workers comes back within this time also on a loaded machine.
    const settle = (): Promise<void> => page.waitForTimeout(900);
    await begin("open");
    const from = performance.now();
    await openInWindow();
    await page.getByRole("toolbar", { name: "Topology" }).waitFor({ timeout: 120_000 });
    await page.waitForFunction(
      () => document.querySelector(".graph") !== null && document.querySelector("[data-placing]") === null,
      undefined,
      { timeout: 120_000 },
    );
    await frames(page);
    const openMs = performance.now() - from;
    await settle();
    const box = await page.locator(".graph").boundingBox();
    if (box === null) throw new Error("there is no picture");
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.62];
    await page.evaluate(() => {
      const times: number[] = [];
      Object.assign(window, { frameTimes: times });
      let last = performance.now();
      const tick = (now: number): void => {
        times.push(now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const wheel = async (times: number, delta: number, everyMs: number): Promise<void> => {
      await page.mouse.move(x, y);
      for (let i = 0; i < times; i += 1) {
        await page.mouse.wheel(0, delta);
        await page.waitForTimeout(everyMs);
      }
    };
    await begin("zoom");
    // At once, and with rests on the way in which levels of detail change.
    await wheel(30, -120, 16);
    await wheel(32, 120, 16);
    await wheel(12, -300, 250);
    await wheel(13, 300, 250);
    await settle();
    await begin("pan");
    await page.mouse.down();
    for (let i = 0; i < 40; i += 1) await page.mouse.move(x - i * 6, y - i * 2);
    await page.mouse.up();
    await settle();
    const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes.slice(2));
    await begin("unfold");
    await page.keyboard.press("0");
    await settle();
    for (let i = 0; i < 2; i += 1) {
      await page.mouse.dblclick(x, y);
      await settle();
    }
    await begin("select");
    for (const up of [0, 0.08, 0.16, 0.24]) {
      await page.mouse.click(x, y - box.height * up);
      await page.waitForTimeout(500);
    }
    await settle();
    await page.keyboard.press("0");
    await settle();
    await begin("overlay");
    for (const name of ["Rate", "Bandwidth", "Latency", "Health"]) {
      await page.getByRole("radio", { name }).first().click();
      await page.waitForTimeout(500);
    }
    await begin("filter");
    await page.locator(".topology-text").pressSequentially("n00", { delay: 60 });
    await settle();
    await page.locator(".topology-text").fill("");
    await settle();
    await begin("fly to a host");
    const hostNames = Array.from(ibnetdiscover.matchAll(/^Ca\t.*# "(\S+)/gm), ([, name = ""]) => name);
    for (const share of [0.3, 0.6]) {
      const host = hostNames[Math.floor(hostNames.length * share)] ?? "";
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Search nodes/ }).pressSequentially(host, { delay: 60 });
      await settle();
      await page.keyboard.press("Enter");
      await settle();
    }
    await page.keyboard.press("0");
    await settle();
    for (const table of ["links", "nodes"] as const) {
      const name = table === "links" ? "Links" : "Nodes";
      await begin(`${table} table`);
      await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
      await page.getByRole("grid", { name }).locator("[data-row]").first().waitFor();
      await settle();
      await begin(`sort ${table}`);
      const heads = await page
        .getByRole("columnheader")
        .getByRole("button", { name: /, sort$/ })
        .all();
      for (const head of heads) {
        await head.click();
        await page.waitForTimeout(300);
      }
      await begin(`filter ${table}`);
      const bar = page.getByRole("combobox", { name: `Filter the ${table}` });
      for (const word of ["n00", "0x001000", "switch-0001:12", "health:ok"]) {
        await bar.pressSequentially(word, { delay: 60 });
        await settle();
        await bar.fill("");
        await settle();
      }
      await page.keyboard.press("Escape");
    }
    await begin("back to topology");
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Topology" }).click();
    await settle();
    await begin("open again");
    await openInWindow();
    await settle();
    await page.waitForFunction(() => document.querySelector("[data-placing]") === null);
    await settle();
    await begin("collect");
    const linksInStatus = (many: number) =>
      page
        .getByRole("contentinfo")
        .getByText(`${many.toLocaleString("en")} links`)
        .waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: /^Source/ }).click();
    await page.getByRole("menuitem", { name: "Collect on this machine" }).click();
    const again = page.getByRole("button", { name: /Collect again/ });
    await again.waitFor({ timeout: 120_000 });
    await settle();
    await begin("collect again");
    copyFileSync(join(folder, "later.txt"), printed);
    const fromAgain = performance.now();
    await again.click();
    await linksInStatus(links - 1);
    await page.waitForFunction(() => document.querySelector("[data-placing]") === null);
    await frames(page);
    const againMs = performance.now() - fromAgain;
    await settle();
    // Collecting the garbage for the next figure is the benchmark's own task, of no step.
    await page.evaluate(() => void performance.mark("step:none"));
    const full = await memory(app, page);
    const file = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording());
    const longest = longestTasks(file);
    rmSync(file, { force: true });
    const sorted = [...times].sort((a, b) => a - b);
    return {
      links,
      openMs,
      againMs,
      longest,
      frames: { p50: sorted[sorted.length >> 1] ?? 0, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 },
      empty,
      full,
    };
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run(): Promise<void> {
  for (const shape of shapeNames) {
    const opened: Opened[] = [];
    for (const hosts of hostCounts) opened.push(await open(shape, hosts));
    const links = opened.map((o) => o.links);
    const row = (name: string, value: (o: Opened) => number): readonly string[] => [
      name,
      ...opened.map((o) => milliseconds(value(o))),
      growth(opened.map(value), links),
    ];
    printTable(
      `${shape} in the real window (growth: factor per factor in links, last two sizes; budget of a task: 50 ms)`,
      ["", ...hostCounts.map((hosts) => `${hosts} hosts`), "growth"],
      [
        ["links", ...links.map(String), ""],
        row("open to picture, ms", (o) => o.openMs),
        row("collect again to picture, ms", (o) => o.againMs),
        ...steps.map((step) => row(`longest task, ${step}, CPU ms`, (o) => o.longest[step])),
        row("frame of zoom and pan, p50 ms", (o) => o.frames.p50),
        row("frame of zoom and pan, p95 ms", (o) => o.frames.p95),
        row("window's heap above empty, MB", (o) => o.full.heap - o.empty.heap),
        row("window above empty with workers, MB", (o) => o.full.window - o.empty.window),
        row("main above empty with workers, MB", (o) => o.full.main - o.empty.main),
      ],
    );
  }
}
