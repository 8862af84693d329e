/** A virtual X display, for machines without one. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endChild, startTracked } from "./child.mjs";
import { Stop } from "./output.mjs";

const screen = "1440x900x24";
const startLimitMs = 30_000;

/** @returns {boolean} whether a window can be shown */
export function hasDisplay() {
  if (process.platform !== "linux") return true;
  return [process.env.DISPLAY, process.env.WAYLAND_DISPLAY].some((value) => value !== undefined && value !== "");
}

/**
 * Starts Xvfb on a display number that it chooses itself; only holders of the cookie may connect.
 * @returns {Promise<{env: NodeJS.ProcessEnv, stop: () => Promise<void>}>} environment for its clients
 */
export async function startVirtualDisplay() {
  const folder = mkdtempSync(join(tmpdir(), "ibex-display-"));
  const cookieFile = join(folder, "Xauthority");
  writeFileSync(cookieFile, cookieEntry(), { mode: 0o600 });
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);

  const server = startTracked(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-auth", cookieFile],
    {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    },
  );
  let words = "";
  server.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => (words += text));
  const number = await new Promise((resolve) => {
    let text = "";
    const limit = setTimeout(() => resolve(undefined), startLimitMs);
    const giveUp = () => {
      clearTimeout(limit);
      resolve(undefined);
    };
    server.once("error", giveUp);
    server.once("close", giveUp);
    server.stdio[3]?.on("data", (/** @type {Buffer} */ chunk) => {
      text += chunk.toString();
      const found = /^(\d+)\n/.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(limit);
      resolve(found);
    });
  });
  if (typeof number !== "string") {
    await endChild(server);
    removeFolder();
    const cause = words.trim() === "" ? "Is the package xvfb installed?" : words.trim().split("\n").at(-1);
    throw new Stop(`The virtual display (Xvfb) did not start. ${String(cause)}`);
  }
  return {
    env: { DISPLAY: `:${number}`, XAUTHORITY: cookieFile, WAYLAND_DISPLAY: undefined },
    stop: async () => {
      await endChild(server);
      removeFolder();
    },
  };
}

/**
 * One entry of an Xauthority file (Xau(3)): family "any", no address, no display number, then name and data, each with a
 * 16-bit big-endian length.
 * @returns {Buffer}
 */
function cookieEntry() {
  const familyWild = Buffer.from([0xff, 0xff]);
  const field = (/** @type {Buffer} */ value) =>
    Buffer.concat([Buffer.from([value.length >> 8, value.length & 0xff]), value]);
  return Buffer.concat([
    familyWild,
    field(Buffer.alloc(0)),
    field(Buffer.alloc(0)),
    field(Buffer.from("MIT-MAGIC-COOKIE-1")),
    field(randomBytes(16)),
  ]);
}
