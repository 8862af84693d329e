/** Arguments, environment and log noise of an Electron program that is started by a script. */

import { existsSync, statfsSync } from "node:fs";

/** Chromium needs more shared memory than some containers give it. */
const sharedMemoryBytes = 256 * 1024 * 1024;

/** @returns {string[]} flags for Chromium that this machine asks for */
export function chromiumFlags() {
  if (process.platform !== "linux") return [];
  const flags = [];
  if (process.getuid?.() === 0) flags.push("--no-sandbox"); // Chromium's sandbox refuses root
  if (existsSync("/dev/shm")) {
    const { bsize, blocks } = statfsSync("/dev/shm");
    if (bsize * blocks < sharedMemoryBytes) flags.push("--disable-dev-shm-usage");
  }
  return flags;
}

/** @returns {NodeJS.ProcessEnv} ours, without what would make Electron a plain Node.js */
export function electronEnvironment() {
  return { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
}

/**
 * Lines that Chromium writes on a machine without a desktop bus or a graphics card, and that mean nothing.
 * @param {string} line
 */
export function isChromiumNoise(line) {
  return (
    /:(?:ERROR|WARNING):(?:[\w/.]*\/)?(?:bus|object_proxy|gpu_\w+|viz_\w+|gl_\w+|egl_\w+|angle_\w+|vaapi_\w+|command_buffer_\w+|sandbox_linux|atom_cache|browser_main_loop|dbus\w*)\.cc[:(]/.test(
      line,
    ) ||
    /^(?:libva |MESA|dconf|\(.*dconf|libEGL|libGL|ATTENTION: default value of option)/.test(line) ||
    line.trim() === ""
  );
}
