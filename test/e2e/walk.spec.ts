/** The whole way of a newcomer: welcome, simulated fabric, a degraded link, measure it, and still there after a restart. */
import { expect, test } from "@playwright/test";
import { freshHome, openWindow, picture } from "./support/window.ts";

test("from the welcome page to a measured link that survives a restart", async () => {
  const home = freshHome();
  try {
    const first = await openWindow(home);
    const { page } = first;
    await expect(page.getByText("The InfiniBand fabric explorer")).toBeVisible();
    await picture(page, "01-welcome-dark");

    await page.getByRole("button", { name: /Fat tree, 128 hosts/ }).click();
    await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible();
    await expect(page.getByText("Simulated, not a real fabric")).toBeVisible();
    await picture(page, "02-topology-dark");

    await page.getByText("Width below capability").first().click();
    const inspector = page.getByLabel("Inspector", { exact: true });
    await expect(inspector.getByText("leaf-05:10").first()).toBeVisible();
    await expect(inspector.getByText("spine-2:5").first()).toBeVisible();
    await picture(page, "03-link-dark");

    await inspector.getByRole("button", { name: "Measure", exact: true }).click();
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByText(/This fills/)).toBeVisible();
    await expect(sheet.getByText(/not proven/).first()).toBeVisible();
    await picture(page, "04-plan-dark");
    await sheet.getByRole("button", { name: /^Start/ }).click();
    await expect(inspector.getByText(/Server on|Client on|Find devices/).first()).toBeVisible();
    await picture(page, "05-running-dark");
    await expect(inspector.getByText(/98\.\d/).first()).toBeVisible({ timeout: 60_000 });
    await expect(inspector.getByText(/as expected/).first()).toBeVisible();
    await picture(page, "06-measured-dark");

    // What the inspector can do is under the right button too, and under the menu key for what is selected.
    const canvas = page.getByRole("application");
    await canvas.focus();
    await page.keyboard.press("Shift+F10");
    const menu = page.getByRole("menu", { name: "leaf-05:10 to spine-2:5" });
    await expect(menu.getByRole("menuitem", { name: /^Measure/ })).toBeEnabled();
    await expect(menu.getByRole("menuitem", { name: /^Show paths/ })).toBeDisabled();
    await menu.getByRole("menuitemcheckbox", { name: "Handed over" }).click();
    await expect(menu).toHaveCount(0);
    await expect(canvas).toBeFocused();
    const box = await canvas.boundingBox();
    if (box === null) throw new Error("the picture is drawn");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: "right" });
    const under = page.getByRole("menu", { name: / to / });
    await expect(under.getByRole("menuitem", { name: /^Measure/ })).toBeVisible();
    const place = await under.boundingBox();
    expect(Math.abs((place?.x ?? 0) - (box.x + box.width / 2))).toBeLessThan(20);
    await picture(page, "06b-menu-dark");
    await page.mouse.click(box.x + 6, box.y + 6, { button: "right" });
    const ground = page.getByRole("menu", { name: "The picture" });
    await expect(ground.getByRole("menuitem", { name: "SVG drawing" })).toBeVisible();
    await ground.getByRole("menuitem", { name: /^Select nothing/ }).click();
    await expect(inspector.getByRole("heading", { name: / to / })).toHaveCount(0);

    await page.getByRole("radio", { name: /Bandwidth/ }).click();
    await picture(page, "07-bandwidth-dark");
    expect(first.complaints).toEqual([]);
    await first.close();

    const second = await openWindow(home, { theme: "light", words: ["--simulated", "fat-tree"] });
    await second.page.getByText("Width below capability").first().click();
    await expect(
      second.page
        .getByLabel("Inspector", { exact: true })
        .getByText(/98\.\d/)
        .first(),
    ).toBeVisible();
    await picture(second.page, "08-after-restart-light");
    await second.page.getByRole("navigation", { name: "Views" }).getByText("Measure").click();
    await expect(second.page.getByRole("grid").getByText("leaf-05:10 to spine-2:5").first()).toBeVisible();
    await expect(second.page.getByText(/simulated/i).first()).toBeVisible();
    await picture(second.page, "09-history-light");
    expect(second.complaints).toEqual([]);
    await second.close();
  } finally {
    home.remove();
  }
});
