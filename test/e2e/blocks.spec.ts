import { expect, test } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { planText } from "../support/discover-text.ts";
import { threeLevels } from "../support/generated-fabric.ts";
import { samplesFolder } from "../support/samples.ts";
import { freshHome, openWindow } from "./support/window.ts";

test("a pod is clicked, read, opened and closed by keyboard, listed in the table, and shown alone", async () => {
  const home = freshHome();
  try {
    const file = join(home.folder, "ibnetdiscover.txt");
    writeFileSync(file, planText(threeLevels(8, 6, 4, 3, 8)));
    const opened = await openWindow(home, { words: [file], width: 1280, height: 800 });
    const { page } = opened;
    const nodes = page.getByRole("list", { name: "Nodes of the picture" });
    const pods = nodes.getByRole("button", { name: /^Pod \d, 6 leaves, 4 spines, 48 hosts/ });
    await expect(pods).toHaveCount(8);
    const canvas = page.getByRole("application");
    const box = await canvas.boundingBox();
    // The upper row of pods, somewhere in the second or third.
    await canvas.click({ position: { x: (box?.width ?? 0) * 0.45, y: (box?.height ?? 0) * 0.45 } });
    const inspector = page.getByLabel("Inspector", { exact: true });
    const heading = inspector.getByRole("heading", { name: /^Pod \d$/ });
    await expect(heading).toBeVisible();
    const name = await heading.innerText();
    await expect(inspector.getByText("6 leaves, 4 spines, 48 hosts")).toBeVisible();
    await expect(inspector.getByText(/^12 links, /)).toBeVisible();
    await expect(inspector.getByText("4:1 oversubscribed")).toBeVisible();
    await expect(page.getByText(`Selected: ${name}, 6 leaves, 4 spines, 48 hosts, closed`)).toBeAttached();
    await page.keyboard.press("Space");
    await expect(pods).toHaveCount(7);
    await expect(heading).toHaveText(name);
    await expect(page.getByText(`Selected: ${name}, 6 leaves, 4 spines, 48 hosts, open`)).toBeAttached();
    await page.keyboard.press("Space");
    await expect(pods).toHaveCount(8);
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Show only this pod" }).click();
    await expect(page.getByRole("status").filter({ hasText: `${name}: 6 leaves, 48 hosts` })).toBeVisible();
    await inspector.getByRole("button", { name: "Show all pods again" }).click();
    await inspector.getByRole("button", { name: "List its switches" }).click();
    await expect(page.getByText(/^10 of [\d,]+ nodes$/)).toBeVisible();
    await page.keyboard.press("Control+1");
    await canvas.focus();
    await page.keyboard.press("Escape");
    await expect(heading).toHaveCount(0);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});

test("a group is found in the palette, and selected by its title in the matrix", async () => {
  const home = freshHome();
  try {
    const words = [join(samplesFolder, "dragonfly-plus.fabric")];
    const opened = await openWindow(home, { words, width: 1280, height: 800 });
    const { page } = opened;
    await expect(page.getByRole("list", { name: "Nodes of the picture" })).toBeAttached();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("group 5");
    await expect(page.getByRole("option", { name: /^Group 5, ?group/, selected: true })).toBeVisible();
    await page.keyboard.press("Enter");
    const inspector = page.getByLabel("Inspector", { exact: true });
    await expect(inspector.getByRole("heading", { name: "Group 5" })).toBeVisible();
    await expect(inspector.getByRole("button", { name: "Group 1", exact: true })).toBeVisible();
    await page.getByRole("application").focus();
    await page.keyboard.press("Escape");
    await inspector.getByRole("button", { name: "Group 2", exact: true }).first().click();
    await expect(inspector.getByRole("heading", { name: "Group 2" })).toBeVisible();
    expect(opened.complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});
