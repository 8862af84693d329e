/** The window collects over real SSH from the real tools: ibsim, opensm and OpenSSH's sshd on this machine. */
import { expect, type Page, test } from "@playwright/test";
import { cableCommand, type IbLab, labSkipped, startIbLab } from "../lab/ib-lab.ts";
import { makeFatTreeNet } from "../lab/net-file.ts";
import { freshHome, openWindow, picture } from "./support/window.ts";

/** What the picture holds of the selection: where it is on the screen, its nodes' places, its links with their colours. */
async function drawnAtRest(page: Page): Promise<{ camera: number[]; nodes: string[]; links: string[] }> {
  const read = (): Promise<{ camera: number[]; nodes: string[]; links: string[] }> =>
    page.evaluate(() => {
      interface Element {
        id(): string;
        position(): { x: number; y: number };
        data(name: string): string;
      }
      interface Core {
        zoom(): number;
        pan(): { x: number; y: number };
        nodes(): { map<T>(of: (node: Element) => T): T[] };
        edges(): { map<T>(of: (edge: Element) => T): T[] };
      }
      const holder = document.querySelector(".graph-cytoscape") as unknown as { _cyreg: { cy: Core } };
      const { cy } = holder._cyreg;
      return {
        camera: [cy.zoom(), cy.pan().x, cy.pan().y],
        nodes: cy
          .nodes()
          .map((node) => `${node.id()} ${node.position().x} ${node.position().y}`)
          .sort(),
        links: cy
          .edges()
          .map((edge) => `${edge.data("source")}-${edge.data("target")} ${edge.data("token")}`)
          .sort(),
      };
    });
  let last = await read();
  // A picture that was the same twice has come to rest.
  await expect
    .poll(
      async () => {
        const now = await read();
        const same = JSON.stringify(now) === JSON.stringify(last);
        last = now;
        return same;
      },
      { intervals: [400] },
    )
    .toBe(true);
  return last;
}

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
    // Where the user looks, and at what, must outlast a collection.
    // Also from within a field of the tool bar.
    await page.getByLabel("Show only nodes whose name holds").focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("leaf-02");
    await page.getByRole("option").first().click();
    const inspector = page.getByLabel("Inspector", { exact: true });
    await expect(inspector.getByText("leaf-02").first()).toBeVisible();
    await page.locator(".graph").hover();
    await page.mouse.wheel(0, -120);
    const before = await drawnAtRest(page);
    expect(before.nodes.length).toBeGreaterThan(2);
    await picture(page, "23-lab-before-again-dark");
    await lab.console(cableCommand("Unlink", leaf, 7));
    await page.getByRole("button", { name: /Collect again/ }).click();
    await expect(page.getByText("Link down").first()).toBeVisible({ timeout: 60_000 });
    const after = await drawnAtRest(page);
    expect(after.camera).toEqual(before.camera);
    expect(after.nodes).toEqual(before.nodes);
    await expect(inspector.getByText("leaf-02").first()).toBeVisible();
    // One link of the leaf has another colour, all others have theirs.
    expect(after.links).toHaveLength(before.links.length);
    const red = after.links.filter((link) => !before.links.includes(link));
    expect(red).toEqual([expect.stringMatching(/ --error-line$/)]);
    const left = [...after.links];
    for (const link of before.links) if (left.includes(link)) left.splice(left.indexOf(link), 1);
    expect(left).toEqual(red);
    await picture(page, "23-lab-cable-pulled-dark");
    expect(complaints).toEqual([]);
    await opened.close();
  } finally {
    home.remove();
  }
});
