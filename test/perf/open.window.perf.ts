/** From the start of the program on saved outputs to the first readable picture in the real window. */
import { _electron } from "@playwright/test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { growth, milliseconds, printTable } from "./support.ts";

const sizes = [
  { levels: 2, hosts: 100 },
  { levels: 3, hosts: 1000 },
  { levels: 3, hosts: 10_000 },
] as const;

interface Opened {
  readonly links: number;
  /** From the click on "open" until the picture stands. */
  readonly openMs: number;
  readonly rendererMb: number;
  readonly mainMb: number;
  /** Frames of a scripted pan and zoom: median and 95th percentile in ms, and the longest. */
  readonly frames: { readonly p50: number; readonly p95: number; readonly longest: number };
}

async function open(levels: 2 | 3, hosts: number): Promise<Opened> {
  const texts = generateFabricTexts({ levels, hosts });
  const folder = mkdtempSync(join(tmpdir(), "ibex-perf-"));
  const outputs = join(folder, "outputs");
  mkdirSync(outputs);
  writeFileSync(join(outputs, "ibnetdiscover.txt"), texts.ibnetdiscover);
  writeFileSync(join(outputs, "iblinkinfo.txt"), texts.iblinkinfoLine);
  writeFileSync(join(outputs, "sminfo.txt"), texts.sminfo);
  const app = await _electron.launch({
    executablePath: process.env.IBEX_ELECTRON_EXECUTABLE ?? "electron",
    args: [process.cwd(), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    env: { ...(process.env as Record<string, string>), HOME: folder, IBEX_DATA: join(folder, "data") },
  });
  try {
    const page = await app.firstWindow();
    await page.getByText("The InfiniBand fabric explorer").waitFor();
    const begin = performance.now();
    await app.evaluate(({ BrowserWindow }, path) => {
      BrowserWindow.getAllWindows()[0]?.webContents.send("fabric:event", "open", { paths: [path] });
    }, outputs);
    await page.getByRole("toolbar", { name: "Topology" }).waitFor({ timeout: 120_000 });
    await page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );
    const openMs = performance.now() - begin;
    await page.waitForTimeout(1500);
    const box = await page.locator(".topology-view canvas, canvas").first().boundingBox();
    const [x, y] = box === null ? [600, 400] : [box.x + box.width / 2, box.y + box.height / 2];
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
    await page.mouse.move(x, y);
    for (let i = 0; i < 15; i += 1) await page.mouse.wheel(0, i < 8 ? -120 : 120);
    await page.mouse.down();
    for (let i = 0; i < 40; i += 1) await page.mouse.move(x + i * 6, y + i * 2);
    await page.mouse.up();
    const frames = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes.slice(2));
    const sorted = [...frames].sort((a, b) => a - b);
    const metrics = await app.evaluate(({ app: program }) =>
      program.getAppMetrics().map((m) => ({ type: m.type, kb: m.memory.workingSetSize })),
    );
    const memory = (type: string): number =>
      metrics.filter((m) => m.type === type).reduce((sum, m) => sum + m.kb, 0) / 1024;
    return {
      links: texts.links,
      openMs,
      rendererMb: memory("Tab"),
      mainMb: memory("Browser"),
      frames: {
        p50: sorted[sorted.length >> 1] ?? 0,
        p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
        longest: sorted.at(-1) ?? 0,
      },
    };
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run(): Promise<void> {
  const opened: Opened[] = [];
  for (const { levels, hosts } of sizes) opened.push(await open(levels, hosts));
  const links = opened.map((o) => o.links);
  const row = (name: string, value: (o: Opened) => number): readonly string[] => [
    name,
    ...opened.map((o) => milliseconds(value(o))),
    growth(opened.map(value), links),
  ];
  printTable(
    "Raw outputs to the first picture in the real window (growth: factor per factor in links, last two sizes)",
    ["", ...sizes.map(({ hosts }) => `${hosts} hosts`), "growth"],
    [
      row("open to picture, ms", (o) => o.openMs),
      row("frame while panning, p50 ms", (o) => o.frames.p50),
      row("frame while panning, p95 ms", (o) => o.frames.p95),
      row("longest frame, ms", (o) => o.frames.longest),
      row("window process, MB", (o) => o.rendererMb),
      row("main process, MB", (o) => o.mainMb),
      ["links", ...links.map(String), ""],
    ],
  );
}
