/** The picture as a file, saved through the real window and the program's own dialogue, which the test answers. */
import { expect, test } from "@playwright/test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { allOf, groupOf, parseSvg } from "../support/svg-text.ts";
import { freshHome, openWindow, type OpenWindow } from "./support/window.ts";

const kept = join(import.meta.dirname, "..", "..", "artefacts", "e2e");

/** Answers the dialogue with `folder` and the proposed name; the names that were proposed. */
async function answerDialogue({ app }: OpenWindow, folder: string): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ dialog }, into) => {
    const proposed: string[] = [];
    Object.assign(globalThis, { proposed });
    dialog.showSaveDialog = (...words: unknown[]) => {
      const path = words
        .flatMap((word) =>
          typeof word === "object" && word !== null && "defaultPath" in word ? [word.defaultPath] : [],
        )
        .map(String)
        .join("");
      proposed.push(path);
      return Promise.resolve({ canceled: false, filePath: `${into}/${path.split(/[\\/]/).at(-1) ?? ""}` });
    };
  }, folder);
  return () =>
    app.evaluate(() => {
      const found: unknown = Reflect.get(globalThis, "proposed");
      return Array.isArray(found) ? found.map(String) : [];
    });
}

async function save({ page }: OpenWindow, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Width and height in a PNG's first chunk. */
function pngSize(file: Buffer): readonly [number, number] {
  expect(file.subarray(1, 4).toString("latin1")).toBe("PNG");
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

test("the picture is saved as SVG and PNG, named and marked as simulated", async () => {
  const home = freshHome();
  try {
    const opened = await openWindow(home, { words: ["--simulated", "fat-tree"], width: 1280, height: 800 });
    const { page } = opened;
    await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Export", exact: true })).toBeEnabled();
    await page.locator("[data-placing]").waitFor({ state: "detached" });
    const proposed = await answerDialogue(opened, home.folder);

    await save(opened, "SVG drawing");
    await expect(page.getByText(/^Saved as .*\.svg/)).toBeVisible();
    const [name = ""] = (await proposed()).map((path) => basename(path));
    expect(name).toMatch(/^[\w.-]+-health-\d{4}-\d\d-\d\d-simulated\.svg$/);
    const text = readFileSync(join(home.folder, name), "utf8");
    const svg = parseSvg(text);
    expect(groupOf(svg, "heading").some(({ text: words }) => words === "SIMULATED, not a real fabric")).toBe(true);
    expect(groupOf(svg, "simulated").length).toBeGreaterThan(5);
    // A browser reads it as well as the strict reader does.
    const elements = await page.evaluate((xml) => {
      const read = new DOMParser().parseFromString(xml, "image/svg+xml");
      return read.querySelector("parsererror") === null ? read.querySelectorAll("*").length : -1;
    }, text);
    expect(elements).toBe(allOf(svg).length);
    // The legend of the file has the numbers of the legend of the window.
    const legend = groupOf(svg, "legend").flatMap(({ text: words }) => (words === "" ? [] : [words]));
    for (const count of await page.locator(".topology-legend-count").allTextContents()) expect(legend).toContain(count);

    await page
      .getByText(/^Saved as/)
      .first()
      .waitFor({ state: "hidden" });
    await save(opened, "PNG picture");
    await expect(page.getByText(/^Saved as .*\.png/)).toBeVisible();
    const png = readFileSync(join(home.folder, name.replace(/svg$/, "png")));
    const canvas = await page.locator(".graph").boundingBox();
    const [width, height] = pngSize(png);
    expect(width).toBe(Math.round(canvas?.width ?? 0) * 2);
    expect(height).toBe(Number(svg.attributes["height"]) * 2);
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, "export-fat-tree-dark.png"), png);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});

test("a place that cannot be written is told, and a closed dialogue says nothing", async () => {
  const home = freshHome();
  try {
    const opened = await openWindow(home, { words: ["--simulated", "fat-tree"], width: 1280, height: 800 });
    const { page } = opened;
    await page.locator("[data-placing]").waitFor({ state: "detached" });
    await answerDialogue(opened, join(home.folder, "not-there"));
    await save(opened, "SVG of all");
    await expect(page.getByText(/could not be written: its folder is missing/)).toBeVisible();
    expect(existsSync(join(home.folder, "not-there"))).toBe(false);
    await opened.app.evaluate(({ dialog }) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: "" });
    });
    await save(opened, "PNG of all");
    await expect(page.getByRole("button", { name: "Export", exact: true })).toBeEnabled();
    await expect(page.getByText(/^Saved as/)).toHaveCount(0);
    await opened.close();
  } finally {
    home.remove();
  }
});
