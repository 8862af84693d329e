/** Subnet managers and the hunt for cables in the real window: a simulated master dies, the standby takes over, and it is known after a restart. */
import { expect, test } from "@playwright/test";
import { freshHome, openWindow, picture } from "./support/window.ts";

test("a watched handover is drawn, listed and still known after a restart", async () => {
  const home = freshHome();
  try {
    const first = await openWindow(home, { words: ["--simulated", "failover"], width: 1280, height: 800 });
    const { page } = first;
    await page.getByRole("navigation", { name: "Views" }).getByText("SMs").click();
    await expect(page.getByText("If mgmt-01 dies now")).toBeVisible();
    await expect(page.getByText("mgmt-02 takes over within 40 s")).toBeVisible();
    await expect(page.getByText("SIMULATED", { exact: true }).first()).toBeVisible();
    await picture(page, "managers-01-before-dark");

    await page.getByLabel("every").selectOption("1");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await expect(page.getByText("mgmt-01 is MASTER")).toBeVisible();
    await expect(page.getByText("mgmt-01 stopped answering")).toBeVisible({ timeout: 60_000 });
    await picture(page, "managers-02-lost-dark");
    await expect(page.getByText("mgmt-02 took over, STANDBY to MASTER")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("If mgmt-02 dies now")).toBeVisible();
    await expect(page.getByText("mgmt-01 answers again, STANDBY")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("img", { name: /1 handovers, 1 times without a master/ })).toBeVisible();
    await expect(page.getByTitle(/^Subnet manager mgmt-02/)).toBeVisible();
    await picture(page, "managers-03-timeline-dark");

    // The strip below has all of the watch; its brush says what the timeline shows, by mouse and by keyboard.
    const shown = async (): Promise<readonly number[]> =>
      Promise.all(
        ["Begin of the time shown", "End of the time shown"].map(async (name) =>
          Number(await page.getByRole("slider", { name }).getAttribute("aria-valuenow")),
        ),
      );
    const strip = await page.getByRole("group", { name: /^All that was watched/ }).boundingBox();
    const handle = await page.getByRole("slider", { name: "End of the time shown" }).boundingBox();
    if (strip === null || handle === null) throw new Error("the strip and its brush are drawn");
    const middle = strip.y + strip.height / 2;
    await page.mouse.move(handle.x + handle.width / 2, middle);
    await page.mouse.down();
    await page.mouse.move(strip.x + strip.width * 0.6, middle, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByRole("radio", { name: "Brush" })).toBeChecked();
    const [begin = 0, end = 0] = await shown();
    await page.getByRole("slider", { name: "Time shown", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    const [movedBegin = 0, movedEnd = 0] = await shown();
    expect(movedBegin).toBeGreaterThan(begin);
    expect(Math.abs(movedEnd - movedBegin - (end - begin))).toBeLessThanOrEqual(1);
    await page.getByRole("slider", { name: "Begin of the time shown" }).focus();
    await page.keyboard.press("Home");
    expect((await shown())[0]).toBeLessThan(movedBegin);
    await picture(page, "managers-05-brush-dark");
    await page.getByRole("radio", { name: "Fit event" }).click();
    await expect(page.getByRole("radio", { name: "Brush" })).toHaveCount(0);

    // The picture has moved the badges with it, and the bell tells of it in every view.
    await page.getByRole("navigation", { name: "Views" }).getByText("Topology").click();
    const drawn = page.getByRole("list", { name: "Nodes of the picture" });
    await expect(drawn.getByRole("button", { name: /^mgmt-02.*SM MASTER/ })).toBeAttached();
    await expect(drawn.getByRole("button", { name: /^mgmt-01.*SM STANDBY/ })).toBeAttached();
    await page.getByRole("button", { name: /^Tasks/ }).click();
    await expect(
      page.getByRole("region", { name: "Subnet managers" }).getByText("mgmt-02 took over, STANDBY to MASTER"),
    ).toBeVisible();
    await picture(page, "managers-07-bell-dark");
    await page.getByRole("button", { name: "Open SMs" }).click();

    await page.getByRole("tab", { name: /States as a table/ }).click();
    await expect(page.getByRole("table", { name: "States over time" }).getByText("no master")).toBeVisible();
    await page.getByRole("button", { name: "Stop watching" }).click();
    await expect(page.getByRole("button", { name: "Watch", exact: true })).toBeVisible();
    expect(first.complaints).toEqual([]);
    await first.close();

    const second = await openWindow(home, {
      words: ["--simulated", "failover"],
      theme: "light",
      width: 1280,
      height: 800,
    });
    await second.page.getByRole("navigation", { name: "Views" }).getByText("SMs").click();
    await expect(second.page.getByText("mgmt-02 took over, STANDBY to MASTER")).toBeVisible();
    await expect(second.page.getByRole("button", { name: "Watch", exact: true })).toBeVisible();
    await picture(second.page, "managers-04-after-restart-light");
    expect(second.complaints).toEqual([]);
    await second.close();
  } finally {
    home.remove();
  }
});

test("suspect cables are ranked, marked and remembered", async () => {
  const home = freshHome();
  try {
    const first = await openWindow(home, { words: ["--simulated", "fat-tree"], width: 1280, height: 800 });
    const { page } = first;
    await page.getByRole("navigation", { name: "Views" }).getByText("Findings").click();
    const rows = page.getByRole("table", { name: "Suspect links" }).getByRole("row");
    await expect(rows.nth(1)).toBeVisible();
    const narrow = rows.filter({ hasText: "leaf-05:10 to spine-2:5" });
    await narrow.click();
    const walk = page.getByRole("region", { name: "Walk to leaf-05:10 to spine-2:5" });
    await expect(walk.getByText("leaf-05 port 10 to spine-2 port 5")).toBeVisible();
    await picture(page, "hunt-01-chosen-dark");
    await narrow.getByRole("combobox").selectOption("handed-over");
    await expect(page.getByRole("button", { name: "Handed over 1" })).toBeVisible();
    await walk.getByLabel("Note for the next shift").fill("spare cable ordered");
    await walk.getByRole("button", { name: "Keep note" }).click();
    await page.getByRole("button", { name: /Not the cable/ }).click();
    await picture(page, "hunt-02-marked-dark");
    expect(first.complaints).toEqual([]);
    await first.close();

    const second = await openWindow(home, {
      words: ["--simulated", "fat-tree"],
      theme: "light",
      width: 1280,
      height: 800,
    });
    await second.page.getByRole("navigation", { name: "Views" }).getByText("Findings").click();
    await second.page.getByRole("button", { name: "Handed over 1" }).click();
    await second.page.getByRole("row").filter({ hasText: "leaf-05:10" }).click();
    await expect(second.page.getByLabel("Note for the next shift")).toHaveValue("spare cable ordered");
    await second.page.getByRole("button", { name: /^All \d/ }).click();
    await picture(second.page, "hunt-03-after-restart-light");
    expect(second.complaints).toEqual([]);
    await second.close();
  } finally {
    home.remove();
  }
});
