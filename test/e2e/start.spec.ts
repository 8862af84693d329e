/** `npm start` on a machine without a display: the picture that it leaves shows the fabric, not only a window. */
import { expect, test } from "@playwright/test";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPng } from "../support/png.ts";
import { freshHome, type Home } from "./support/window.ts";

const root = join(import.meta.dirname, "..", "..");
const left = join(root, "artefacts", "start.png");

// only there the script brings a display of its own
test.skip(process.platform !== "linux", "a virtual display is X11's");

/** Runs `npm start -- WORDS` as a user without a display would; what it said on stdout. */
function startWithoutDisplay(home: Home, ...words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(root, "scripts", "start.mjs"), ...words],
      {
        cwd: home.folder,
        env: {
          ...{ ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, XAUTHORITY: undefined },
          ...{ IBEX_NO_INSTALL: "1", IBEX_DATA: join(home.folder, "data") },
        },
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`npm start ended with ${String(error.code)}: ${stdout}${stderr}`));
      },
    );
  });
}

/**
 * Share of coloured pixels, in percent, of eight strips side by side in the middle of the upper half of the picture: where
 * the cables between leaves and spines are. Letters, boxes, grounds and the watermark are grey or nearly.
 */
function colouredStrips(path: string): readonly number[] {
  const picture = readPng(readFileSync(path));
  const x = (share: number): number => Math.round(picture.width * share);
  const y = (share: number): number => Math.round(picture.height * share);
  return Array.from({ length: 8 }, (_, strip) => {
    let coloured = 0;
    let all = 0;
    for (let row = y(0.2); row < y(0.5); row += 1) {
      for (let column = x(0.2 + strip * 0.05); column < x(0.25 + strip * 0.05); column += 1) {
        const pixel = picture.at(column, row);
        all += 1;
        if (Math.max(...pixel) - Math.min(...pixel) > 60) coloured += 1;
      }
    }
    return (100 * coloured) / all;
  });
}

test("npm start without a display leaves a picture with the fabric drawn in it", async () => {
  const home = freshHome();
  try {
    const said = await startWithoutDisplay(home);
    expect(said).toContain("(simulated), 24 switches, 130 hosts, 265 links");
    const strips = colouredStrips(left);
    for (const share of strips) expect(share, `coloured, %: ${strips.join(" ")}`).toBeGreaterThan(1);

    const trouble = await startWithoutDisplay(home, "not-there.fabric");
    expect(trouble).toContain("not-there.fabric could not be read: it does not exist.");
    const bare = colouredStrips(left);
    for (const share of bare) expect(share, `nothing is drawn, %: ${bare.join(" ")}`).toBeLessThan(0.1);
  } finally {
    home.remove();
  }
});
