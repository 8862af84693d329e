/** The window collects over real SSH from the real tools: ibsim, opensm and OpenSSH's sshd on this machine. */
import { expect, test } from "@playwright/test";
import { cableCommand, type IbLab, labSkipped, startIbLab } from "../lab/ib-lab.ts";
import { makeFatTreeNet } from "../lab/net-file.ts";
import { freshHome, openWindow, picture } from "./support/window.ts";

const skipped = labSkipped();
test.skip(skipped !== undefined, skipped ?? "");

let lab: IbLab;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  lab = await startIbLab({ net: makeFatTreeNet({ management: true, sharp: true, faults: ["narrow"] }) });
});
test.afterAll(async () => {
  await lab.stop();
});

test("connects with a key, asks about the unknown host key, draws what the real tools say, and sees a pulled cable", async () => {
  const home = freshHome();
  try {
    const opened = await openWindow(home);
    const { page, complaints } = opened;
    await page.getByText("Connect over SSH").first().click();
    const dialog = page.getByRole("dialog", { name: "Connect over SSH" });
    await dialog.getByLabel(/^Host, or a name/).fill(lab.host);
    await dialog.getByLabel("User", { exact: true }).fill(lab.user);
    await dialog.getByLabel("Port", { exact: true }).fill(String(lab.port));
    await dialog.getByRole("radio", { name: "Key file" }).click();
    await dialog.getByLabel("Private key").fill(lab.keyFile);
    await expect(dialog.getByText(/not known yet/)).toBeVisible();
    await dialog.getByRole("region", { name: "Connection test" }).getByRole("button", { name: /^Test/ }).click();

    const question = page.getByRole("dialog").filter({ hasText: lab.hostKeyFingerprint });
    await expect(question).toBeVisible();
    await expect(question.getByRole("button", { name: /Do not connect/ })).toBeFocused();
    await picture(page, "20-host-key-dark");
    await question.getByRole("button", { name: /remember/i }).click();
    await expect(dialog.getByText(/SMINFO_MASTER/)).toBeVisible({ timeout: 30_000 });
    await picture(page, "21-connection-test-dark");

    await dialog.getByRole("contentinfo").getByRole("button", { name: "Connect and collect" }).click();
    await expect(page.getByRole("toolbar", { name: "Topology" })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("12 switches").first()).toBeVisible();
    await expect(page.getByText("Width below capability").first()).toBeVisible();
    await expect(page.getByText("SIMULATED")).toHaveCount(0);
    await picture(page, "22-lab-topology-dark");

    const leaf = lab.net.nodes.find((node) => node.description.includes("leaf-02"));
    if (leaf === undefined) throw new Error("the lab has a leaf-02");
    await lab.console(cableCommand("Unlink", leaf, 7));
    await page.getByRole("button", { name: /Collect again/ }).click();
    await expect(page.getByText("Link down").first()).toBeVisible({ timeout: 60_000 });
    await picture(page, "23-lab-cable-pulled-dark");
    expect(complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});
