/**
 * Child processes of the scripts. Each gets its own process group, so that Ctrl-C or a time limit ends it together with
 * whatever it has started itself; the exception are interactive ones, which must stay in the terminal's group.
 */

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** Time for a polite end before the group is killed. */
const graceMs = 3_000;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {"capture" | "inherit" | "lines"} [output] keep both outputs, let them through, or hand them on line by line
 * @property {(line: string, stream: "stdout" | "stderr") => void} [onLine] for `output: "lines"`
 * @property {number} [timeLimitMs] ends the child when it runs longer
 * @property {() => boolean} [isStalled] asked each second; true ends the child
 * @property {boolean} [interactive] stdin is ours and the child stays in our process group
 */

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; 128 + signal when a signal ended it, 127 when it could not be started
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut by `timeLimitMs` or `isStalled`
 */

/**
 * Runs a program to its end. Never rejects: a program that cannot be started ends with 127.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  const output = options.output ?? "capture";
  const pipes = output === "inherit" ? "inherit" : "pipe";
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: [options.interactive === true ? "inherit" : "ignore", pipes, pipes],
    detached: options.interactive !== true && process.platform !== "win32",
    // npm is a .cmd file on Windows, which only a shell starts
    shell: process.platform === "win32" && /\.cmd$/i.test(command),
  });
  return finish(child, output, options);
}

/**
 * Starts a long-running child that Ctrl-C ends too. `endAll` or `endChild` ends it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function startTracked(command, args, options) {
  const child = spawn(command, args, { ...options, detached: process.platform !== "win32" });
  running.add(child);
  child.once("close", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {"capture" | "inherit" | "lines"} output
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
function finish(child, output, options) {
  if (options.interactive !== true) running.add(child);
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    let timedOut = false;
    const end = () => {
      timedOut = true;
      void endChild(child);
    };
    const limit = options.timeLimitMs === undefined ? undefined : setTimeout(end, options.timeLimitMs);
    const { isStalled } = options;
    const watch = isStalled === undefined ? undefined : setInterval(() => isStalled() && !timedOut && end(), 1_000);

    if (output === "capture") {
      child.stdout?.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => (stdout += chunk));
      child.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => (stderr += chunk));
    } else if (output === "lines") {
      forEachLine(child.stdout, (line) => options.onLine?.(line, "stdout"));
      forEachLine(child.stderr, (line) => options.onLine?.(line, "stderr"));
    }

    /** @param {number} code @param {NodeJS.Signals | null} signal */
    const done = (code, signal) => {
      clearTimeout(limit);
      clearInterval(watch);
      running.delete(child);
      resolve({ code, signal, stdout, stderr, timedOut });
    };
    child.once("error", (error) => {
      stderr += error.message;
      done(127, null);
    });
    child.once("close", (code, signal) => done(exitCodeOf(code, signal), signal));
  });
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number} as a shell gives it
 */
export function exitCodeOf(code, signal) {
  if (code !== null) return code;
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * @param {import("node:stream").Readable | null} stream
 * @param {(line: string) => void} onLine
 */
function forEachLine(stream, onLine) {
  if (stream === null) return;
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

/**
 * Ends a child and its group: politely, then by force.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<void>}
 */
export function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
    child.once("close", () => {
      clearTimeout(force);
      resolve();
    });
    signalGroup(child, "SIGTERM");
  });
}

/** Ends every child that still runs. */
async function endAll() {
  await Promise.all([...running].map((child) => endChild(child)));
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // already gone, which is what was wanted
  }
}

/** Ctrl-C and SIGTERM end all children before this process ends, with the exit code a shell expects. */
export function endChildrenOnSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => {
      void endAll().then(() => process.exit(128 + constants.signals[signal]));
    });
  }
}

/**
 * How to call npm: the one that called us, if any, so that its version and settings stay the same.
 * @returns {{command: string, args: string[]}}
 */
export function npmCommand() {
  const calledBy = process.env.npm_execpath;
  if (calledBy !== undefined && /npm-cli\.[cm]?js$/.test(calledBy))
    return { command: process.execPath, args: [calledBy] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };
}
