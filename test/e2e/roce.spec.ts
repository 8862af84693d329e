/** The window measures a cable of the lab's fabric with the real perftest: a click, a confirmation, real data between two guests. */
import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measurementFileSchema } from "../../shared/contract/measurement-file.ts";
import { type GuestFabric, startGuestFabric } from "../lab/roce/guest-fabric.ts";
import { roceLabSkipped } from "../lab/roce/roce-lab.ts";
import { freshHome, openWindow, picture } from "./support/window.ts";

const skipped = roceLabSkipped();
test.skip(skipped !== undefined, skipped ?? "");

let lab: GuestFabric;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  lab = await startGuestFabric((text) => console.info(text));
});
test.afterAll(async () => {
  await lab.stop();
});

test("a click on a host's cable runs ib_write_bw and ib_send_lat between two real hosts, and the number stays", async () => {
  test.setTimeout(300_000);
  const home = freshHome();
  try {
    const opened = await openWindow(home);
    const { page, complaints } = opened;
    const { ib } = lab;
    await page.getByText("Connect over SSH").first().click();
    const dialog = page.getByRole("dialog", { name: "Connect over SSH" });
    await dialog.getByLabel(/^Host, or a name/).fill(ib.host);
    await dialog.getByLabel("User", { exact: true }).fill(ib.user);
    await dialog.getByLabel("Port", { exact: true }).fill(String(ib.port));
    await dialog.getByRole("radio", { name: "Key file" }).click();
    await dialog.getByLabel("Private key").fill(ib.keyFile);
    const mapFile = dialog.getByLabel("Map file");
    if (!(await mapFile.isVisible())) await dialog.locator(".connect-fold").click();
    await mapFile.fill(lab.hostMapFile);
    await dialog.getByRole("region", { name: "Connection test" }).getByRole("button", { name: /^Test/ }).click();
    const known = page.getByRole("button", { name: /remember/i });
    await known.click();
    await expect(dialog.getByText(/SMINFO_MASTER/)).toBeVisible({ timeout: 30_000 });
    await dialog.getByRole("contentinfo").getByRole("button", { name: "Connect and collect" }).click();
    await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible({ timeout: 60_000 });

    await page.getByRole("navigation", { name: "Views" }).getByText("Links").click();
    await page.getByRole("grid").getByText("hosta").first().click();
    const inspector = page.getByLabel("Inspector", { exact: true });
    await inspector.getByRole("button", { name: "Measure", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: /^Measure / });
    // Of the simulated hosts only these two are there.
    for (const [label, host] of [
      ["Client", "hosta"],
      ["Server", "hostb"],
    ] as const) {
      const field = sheet.getByRole("button", { name: new RegExp(`^${label}: `) });
      if ((await field.textContent())?.includes(host) === true) continue;
      await field.click();
      await page.getByRole("menuitemcheckbox", { name: host, exact: true }).click();
      await expect(sheet.getByRole("button", { name: `${label}: ${host}` })).toBeVisible();
    }
    // Little at once: the two hosts are emulated and share one processor.
    await sheet.getByRole("button", { name: "Options" }).click();
    for (const [label, value] of [
      ["Queue pairs", "1"],
      ["Duration", "8"],
      ["Messages", "100"],
    ] as const) {
      await sheet.getByLabel(label, { exact: true }).fill(value);
      await sheet.getByLabel(label, { exact: true }).press("Enter");
    }
    const start = sheet.getByRole("button", { name: /^Start, about \d+ s/ });
    await expect(start).toBeEnabled();
    await expect(sheet.getByText(/hosta/).first()).toBeVisible();
    await picture(page, "roce-01-plan-dark");
    await start.click();

    // Each host is new to this home: its key is asked about once.
    await known.click({ timeout: 60_000 });
    await known.click({ timeout: 60_000 });
    await expect(inspector.getByText(/Server on|Client on/).first()).toBeVisible({ timeout: 60_000 });
    await picture(page, "roce-02-running-dark");
    await expect(inspector.getByRole("button", { name: "Measure again" })).toBeVisible({ timeout: 180_000 });
    await picture(page, "roce-03-measured-dark");
    await expect(inspector.getByText("of 200 Gb/s", { exact: true })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "hosta" }).first()).not.toContainText("not measured");

    await page.getByRole("navigation", { name: "Views" }).getByText("Topology").click();
    await page.getByRole("radio", { name: /Bandwidth/ }).click();
    await picture(page, "roce-04-bandwidth-dark");
    await page.getByRole("navigation", { name: "Views" }).getByText("Measure").click();
    const row = page.getByRole("row").filter({ hasText: "hosta to hostb" });
    await expect(row).toHaveCount(1);
    await picture(page, "roce-05-history-dark");
    const kept = readFileSync(join(home.folder, "data", "measurements.jsonl"), "utf8")
      .trim()
      .split("\n");
    const [record] = kept.map((line) => measurementFileSchema.parse(JSON.parse(line)));
    expect(record?.source.simulated).toBe(false);
    expect(record?.runs.map(({ tool, error }) => [tool, error])).toEqual([
      ["ib_write_bw", undefined],
      ["ib_send_lat", undefined],
    ]);
    expect(record?.runs[0]?.client.stdout).toMatch(/RDMA_Write BW Test[^]*Device +: rxe0/);
    expect(record?.bandwidthGbps).toBeGreaterThan(0);
    expect(record?.percent).toBeLessThan(5);
    expect(complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});
