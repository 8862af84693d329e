/** A sweep in the real window on a simulated fabric: dry run, live card, pause, the program killed, resumed, exported. */
import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freshHome, type OpenWindow, openWindow, picture } from "./support/window.ts";

test("a sweep shows its plan, fills its card, survives a kill and measures nothing twice", async () => {
  test.setTimeout(240_000);
  const home = freshHome();
  const words = ["--simulated", "fat-tree-small"];
  let window: OpenWindow | undefined;
  const records = (): readonly { link: string; sweep?: string }[] =>
    readFileSync(join(home.folder, "data", "measurements.jsonl"), "utf8")
      .split("\n")
      .flatMap((line) => {
        try {
          return line === "" ? [] : [JSON.parse(line) as { link: string; sweep?: string }];
        } catch {
          return [];
        }
      });
  try {
    window = await openWindow(home, { words });
    const { page } = window;
    await expect(page.getByText("Simulated, not a real fabric").first()).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Measure all host links");
    await page.keyboard.press("Enter");
    const start = page.getByRole("button", { name: /^Measure \d+ links, about/ });
    await expect(start).toBeEnabled({ timeout: 30_000 });
    const total = Number(/Measure (\d+) links/.exec((await start.textContent()) ?? "")?.[1] ?? 0);
    expect(total).toBeGreaterThan(3);
    await expect(page.getByText(/at line rate for about/)).toBeVisible();
    await picture(page, "sweep-plan");
    // Few at a time, so that there is a middle to kill it in.
    await page.getByLabel("At a time at most").fill("1");
    await page.getByLabel("At a time at most").press("Enter");
    await expect(page.getByText("up to 1 link, the limit above")).toBeVisible({ timeout: 30_000 });
    await start.click();
    const card = page.getByRole("complementary", { name: /^Sweep/ });
    await expect(card).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => page.getByRole("row").count(), { timeout: 60_000 }).toBeGreaterThan(2);
    await card.getByRole("button", { name: "Pause" }).click();
    await expect(card.getByRole("button", { name: "Resume" })).toBeVisible();
    const cells = card.getByRole("group", { name: /^Links by/ });
    await cells.focus();
    const first = await cells.getAttribute("aria-activedescendant");
    await page.keyboard.press("ArrowRight");
    await expect(cells).not.toHaveAttribute("aria-activedescendant", first ?? "");
    const walked = await cells.getAttribute("aria-activedescendant");
    await expect(page.locator(`[id="${walked ?? ""}"]`)).toBeInViewport();
    await picture(page, "sweep-paused");
    await card.getByRole("button", { name: "Resume" }).click();
    await expect(card.getByRole("button", { name: "Pause" })).toBeVisible();
    // The whole program, at once, in the middle of a run.
    const gone = new Promise<void>((resolve) => window?.app.once("close", () => resolve()));
    window.app.process().kill("SIGKILL");
    await gone;

    window = await openWindow(home, { words });
    const again = window.page;
    await expect(again.getByText(/The sweep of host links is not finished/)).toBeVisible({ timeout: 60_000 });
    await again.getByRole("button", { name: "Show", exact: true }).first().click();
    await picture(again, "sweep-interrupted");
    await again
      .getByRole("complementary", { name: /^Sweep/ })
      .getByRole("button", { name: "Resume" })
      .click();
    await expect(again.getByRole("complementary", { name: /^Sweep/ }).getByText("finished")).toBeVisible({
      timeout: 150_000,
    });
    await picture(again, "sweep-finished");
    const links = records().flatMap(({ link, sweep }) => (sweep === undefined ? [] : [link]));
    expect(links).toHaveLength(total);
    expect(new Set(links).size).toBe(total);

    // The save dialogue of the system is answered by the test.
    const target = join(home.folder, "export.csv");
    await window.app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
    }, target);
    await again.getByRole("button", { name: "Export the results" }).click();
    await again.getByRole("menuitem", { name: "Table (CSV)" }).click();
    await expect(again.getByText(/^Saved as/)).toBeVisible();
    const lines = readFileSync(target, "utf8").split("\r\n");
    expect(lines[0]).toMatch(/^# SIMULATED/);
    expect(lines.filter((line) => line.startsWith("0x"))).toHaveLength(total);
    expect(window.complaints).toEqual([]);
  } finally {
    await window?.close();
    home.remove();
  }
});
