import { expect, test } from "@playwright/test";
import { freshHome, openWindow } from "./support/window.ts";

test("routes: collect them, see them on the picture, follow a pair through a link", async () => {
  const home = freshHome();
  const opened = await openWindow(home, { words: ["--simulated=fat-tree"] });
  const { page, complaints } = opened;
  try {
    await expect(page.getByRole("group", { name: "Legend: Health" })).toBeVisible();
    await page.keyboard.press("6");
    const legend = page.getByRole("group", { name: "Legend: Destinations" });
    await legend.getByRole("button", { name: "Collect with routes" }).click();
    await expect(legend.getByText("to hosts")).toBeVisible();
    await page.keyboard.press("Control+2");
    await expect(page.getByRole("columnheader", { name: "Destinations" })).toBeVisible();
    await page.getByText("leaf-02", { exact: true }).first().click();
    await page.keyboard.press("Control+1");
    await page.keyboard.press("p");
    const pairs = page.getByRole("group", { name: /^Pairs out of leaf-02:/ });
    await pairs.getByRole("button").first().click();
    await expect(page.getByText("this link", { exact: false })).toBeVisible();
    await expect(legend.getByText("on path")).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await opened.close();
    home.remove();
  }
});
