/** States that a demo never shows: bad input, no subnet manager, partial captures, narrow and wide windows, both themes. */
import { expect, type Page, test } from "@playwright/test";
import { readFileSync, writeFileSync, mkdirSync, copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { directorLooks, directorPlan } from "../support/directors.ts";
import { planText } from "../support/discover-text.ts";
import { fixtures } from "../support/understand.ts";
import { freshHome, type Home, type OpenWindow, openWindow, picture } from "./support/window.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asks the window to open paths, as a second start of the program does. */
async function openInWindow({ app }: OpenWindow, paths: readonly string[]): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, list) => {
      BrowserWindow.getAllWindows()[0]?.webContents.send("fabric:event", "open", { paths: list });
    },
    [...paths],
  );
}

/** Accessibility violations of what is shown, as `rule: where`. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
    };
    const result = await axe.run({ resultTypes: ["violations"] });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
}

/** What can be pressed in the bar, and every dialogue, that reaches beyond the window. */
async function beyondTheWindow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll("[data-region='source'] button, [role='dialog'], [role='dialog'] footer button"),
    ].flatMap((part) => {
      const { width, right, bottom } = part.getBoundingClientRect();
      const out = width > 0 && (right > window.innerWidth + 1 || bottom > window.innerHeight + 1);
      return out ? [part.getAttribute("aria-label") ?? part.textContent] : [];
    }),
  );
}

const dialogues = [
  ["Control+n", "Connect over SSH"],
  ["?", "Keyboard shortcuts"],
  ["Control+,", "Settings"],
] as const;

test.describe("bad input ends in its own sentence", () => {
  let home: Home;
  let opened: OpenWindow;
  test.beforeAll(async () => {
    home = freshHome();
    opened = await openWindow(home);
    await expect(opened.page.getByText("The InfiniBand fabric explorer")).toBeVisible();
    // The window listens once its first effects have run.
    await opened.page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );
  });
  test.afterAll(async () => {
    await opened.close();
    home.remove();
  });

  const cases: readonly [string, () => readonly string[], RegExp][] = [
    [
      "a picture",
      () => [write("picture.txt", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]))],
      /picture|binary/,
    ],
    ["an empty file", () => [write("empty.txt", "")], /is empty/],
    ["text of no tool", () => [write("notes.txt", "dear diary\n")], /not the output of a tool/],
    ["a run that failed", () => [join(fixtures, "ib/edge/ibnetdiscover-failed.txt")], /discover failed/],
    ["a damaged capture", () => [write("broken.fabric", "PK\u0003\u0004 and no more")], /is not whole/],
    ["two fabrics", () => [twoFabrics()], /more than one fabric/],
    ["a path that is gone", () => ["/no/such/place"], /does not exist/],
  ];

  function write(name: string, content: string | Uint8Array): string {
    const path = join(home.folder, name);
    writeFileSync(path, content);
    return path;
  }

  function twoFabrics(): string {
    const folder = join(home.folder, "two");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), join(folder, "a.txt"));
    copyFileSync(join(fixtures, "ib/sim/odd/ibnetdiscover.txt"), join(folder, "b.txt"));
    return folder;
  }

  for (const [what, paths, sentence] of cases) {
    test(what, async () => {
      await openInWindow(opened, paths());
      await expect(opened.page.getByText(sentence).first()).toBeVisible();
      if (what === "two fabrics") await picture(opened.page, "30-error-dark");
    });
  }

  test("and a good file is still opened after all of them", async () => {
    await openInWindow(opened, [join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt")]);
    await expect(opened.page.getByRole("toolbar", { name: "Topology" })).toBeVisible();
    await expect(opened.page.getByText("12 switches").first()).toBeVisible();
    expect(opened.complaints).toEqual([]);
  });
});

test("a cut output shows what is whole in it and says what is missing", async () => {
  const home = freshHome();
  try {
    const opened = await openWindow(home, { words: [join(fixtures, "ib/edge/ibnetdiscover-cut-between.txt")] });
    await expect(opened.page.getByText("12 switches").first()).toBeVisible();
    await expect(opened.page.getByText(/cut off|incomplete|partial/i).first()).toBeVisible();
    await picture(opened.page, "31-partial-dark");
    await opened.close();
  } finally {
    home.remove();
  }
});

test("a director is selected, opened chip by chip and closed again by Space and by a double click", async () => {
  const home = freshHome();
  try {
    const plan = directorPlan({ directors: 2, lines: 4, spines: 3, edges: 12, hosts: 2 });
    const looks = directorLooks(plan, true);
    const file = join(home.folder, "ibnetdiscover.txt");
    writeFileSync(
      file,
      planText(plan, (device) => looks(device).description),
    );
    const opened = await openWindow(home, { words: [file] });
    const { page } = opened;
    const canvas = page.getByRole("application");
    const nodes = page.getByRole("list", { name: "Nodes of the picture" });
    await expect(nodes).toBeAttached();
    await canvas.focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("combobox", { name: /^Search nodes/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(canvas).toBeFocused();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("core-2");
    await expect(page.getByRole("option", { name: /^core-2, director/, selected: true })).toBeVisible();
    await page.keyboard.press("Enter");
    const inspector = page.getByLabel("Inspector", { exact: true });
    await expect(inspector.getByRole("heading", { name: "core-2" })).toBeVisible();
    await expect(inspector.getByText("Director", { exact: true })).toBeVisible();
    const chips = nodes.getByRole("button", { name: /^core-2\/[LS]0\d\/U1(?!:)/ });
    await expect(chips).toHaveCount(0);
    await canvas.focus();
    await page.keyboard.press("Space");
    await expect(chips).toHaveCount(7);
    await expect(inspector.getByRole("heading", { name: "core-2" })).toBeVisible();
    await page.keyboard.press("Space");
    await expect(chips).toHaveCount(0);
    // The flight has ended: the box stands in the middle.
    await canvas.dblclick();
    await expect(chips).toHaveCount(7);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});

test("without a subnet manager the window says so everywhere, and nothing looks healthy", async () => {
  const home = freshHome();
  try {
    const opened = await openWindow(home, { words: ["--simulated", "no-sm"] });
    await expect(opened.page.getByText(/no master answers/i).first()).toBeVisible();
    await expect(opened.page.getByRole("alert").first()).toBeVisible();
    await picture(opened.page, "32-no-master-dark");
    await opened.close();
  } finally {
    home.remove();
  }
});

for (const theme of ["dark", "light"] as const) {
  test(`every view and dialogue, ${theme}: accessible, nothing complains, at 1280×800, 2560×1440 and 200 % text`, async () => {
    const home = freshHome();
    try {
      const opened = await openWindow(home, { theme, words: ["--simulated", "fat-tree"], width: 1280, height: 800 });
      const { page, app } = opened;
      await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible();
      await page.getByRole("tab", { name: /^Findings/ }).click();
      await page.getByRole("grid").getByText("Speed below capability").click();
      await picture(page, `40-topology-1280-${theme}`);
      expect(await violations(page)).toEqual([]);
      for (const view of ["Links", "Nodes", "Findings", "SMs", "Measure"]) {
        await page.getByRole("navigation", { name: "Views" }).getByText(view, { exact: true }).click();
        await page.waitForTimeout(200);
        await picture(page, `41-${view.toLowerCase()}-1280-${theme}`);
        expect(await violations(page), view).toEqual([]);
      }
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(2560, 1440));
      await page.getByRole("navigation", { name: "Views" }).getByText("Topology", { exact: true }).click();
      await page.waitForTimeout(500);
      await picture(page, `42-topology-2560-${theme}`);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("leaf-05");
      await expect(page.getByRole("option").first()).toBeVisible();
      await picture(page, `43-palette-${theme}`);
      await page.keyboard.press("Enter");
      await expect(page.getByLabel("Inspector", { exact: true }).getByText("leaf-05").first()).toBeVisible();
      await picture(page, `44-node-${theme}`);
      await app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.setContentSize(1280, 800);
        window?.webContents.setZoomFactor(2);
      });
      await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(640);
      expect(await beyondTheWindow(page)).toEqual([]);
      await page.getByLabel("Inspector", { exact: true }).getByRole("button", { name: "Close" }).click();
      for (const name of ["Export", "Show everything, key 0"]) {
        const place = await page.getByRole("toolbar", { name: "Topology" }).getByRole("button", { name }).boundingBox();
        expect((place?.x ?? 999) + (place?.width ?? 0), name).toBeLessThanOrEqual(640);
      }
      for (const [keys, name] of dialogues) {
        await page.keyboard.press(keys);
        await expect(page.getByRole("dialog", { name })).toBeVisible();
        if (name === "Settings") {
          await page.getByRole("dialog").getByRole("button", { name: "Findings and limits" }).click();
          const rule = await page.getByRole("rowheader", { name: "ExcessiveBufferOverrunErrors" }).boundingBox();
          expect(rule?.width ?? 0).toBeGreaterThan(90);
        }
        expect(await beyondTheWindow(page), name).toEqual([]);
        expect(await violations(page), name).toEqual([]);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog", { name })).toHaveCount(0);
      }
      expect(opened.complaints).toEqual([]);
      await opened.close();
    } finally {
      home.remove();
    }
  });
}
