/** A real opensm dies while the window watches: the timeline, the banner and opensm's own log tell the same. */
import { expect, test } from "@playwright/test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type IbLab, labSkipped, startIbLab } from "../lab/ib-lab.ts";
import { makeFatTreeNet } from "../lab/net-file.ts";
import { freshHome, openWindow, picture } from "./support/window.ts";

const skipped = labSkipped();
test.skip(skipped !== undefined, skipped ?? "");

let lab: IbLab;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  lab = await startIbLab({ net: makeFatTreeNet({ management: true, sharp: true }) });
});
test.afterAll(async () => {
  await lab.stop();
});

/** The folder of the second manager's last start: its log is as long as what the lab has of it. */
function homeOfStandby(): string {
  const length = lab.managerLog(2).length;
  const homes = readdirSync(lab.directory)
    .filter((name) => name.startsWith("opensm-"))
    .map((name) => join(lab.directory, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const home = homes.find(
    (folder) =>
      readFileSync(join(folder, "opensm.log"), "utf8").slice(0, length) === lab.managerLog(2).slice(0, length),
  );
  if (home === undefined) throw new Error("the second manager has a log");
  return home;
}

test("a master that is killed is seen in every view, and its heir's log is shown beside the timeline", async () => {
  const home = freshHome();
  try {
    const standby = homeOfStandby();
    await lab.replaceTool(
      "tail",
      `case $3 in /var/log/opensm.log) exec /usr/bin/tail -c "$2" '${standby}/opensm.log' ;; *) echo "tail: no such file" >&2; exit 1 ;; esac`,
    );
    await lab.replaceTool(
      "cat",
      `case $1 in /etc/opensm/opensm.conf) exec /usr/bin/cat '${standby}/opensm.conf' ;; *) exec /usr/bin/cat "$@" ;; esac`,
    );
    const opened = await openWindow(home, { width: 1440, height: 900 });
    const { page } = opened;
    await page.getByText("Connect over SSH").first().click();
    const dialog = page.getByRole("dialog", { name: "Connect over SSH" });
    await dialog.getByLabel(/^Host, or a name/).fill(lab.host);
    await dialog.getByLabel("User", { exact: true }).fill(lab.user);
    await dialog.getByLabel("Port", { exact: true }).fill(String(lab.port));
    await dialog.getByRole("radio", { name: "Key file" }).click();
    await dialog.getByLabel("Private key").fill(lab.keyFile);
    await dialog.getByRole("region", { name: "Connection test" }).getByRole("button", { name: /^Test/ }).click();
    const question = page.getByRole("dialog").filter({ hasText: lab.hostKeyFingerprint });
    await question.getByRole("button", { name: /remember/i }).click();
    await expect(dialog.getByText(/SMINFO_MASTER/)).toBeVisible({ timeout: 30_000 });
    await dialog.getByRole("contentinfo").getByRole("button", { name: "Connect and collect" }).click();
    await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible({ timeout: 60_000 });

    await page.getByRole("navigation", { name: "Views" }).getByText("SMs").click();
    await page.getByLabel("every").selectOption("1");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await expect(page.getByText(/ is MASTER$/)).toBeVisible({ timeout: 60_000 });
    await page.getByRole("navigation", { name: "Views" }).getByText("Topology").click();
    await lab.killManager(1);
    await expect(page.getByRole("alert").filter({ hasText: "No master answers." })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("alert").filter({ hasText: "No master answers." })).toHaveCount(0, { timeout: 60_000 });
    await page.getByRole("navigation", { name: "Views" }).getByText("SMs").click();
    // opensm discovers, and may not answer, before it is master: a round may fall into that.
    await expect(page.getByText(/ took over, [A-Z-]+ to MASTER/)).toBeVisible({ timeout: 60_000 });
    await page.getByRole("button", { name: "Read", exact: true }).click();
    const log = page.getByRole("complementary", { name: "opensm.log" });
    await expect(log.getByText(/Entering MASTER state/).first()).toBeVisible({ timeout: 30_000 });
    await expect(log.getByText(/opensm\.conf on .*asks the master every 1 s/).first()).toBeVisible();
    // The line that belongs to the handover is marked.
    await expect(log.locator("[data-near='true'][data-state='true']").first()).toBeVisible();
    await picture(page, "lab-managers-log-dark");
    expect(opened.complaints).toEqual([]);
    await opened.close();
  } finally {
    await lab.restoreTools();
    home.remove();
  }
});
