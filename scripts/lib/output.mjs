/**
 * What the scripts say: one line for one step, with the seconds since the script began.
 *
 * Lines go to stderr, so that `npm run -s ibex -- … > file` keeps a clean stdout; `npm test` sends them to stdout to keep
 * its report in one stream.
 */

const startedAtMs = Date.now();

/** @type {NodeJS.WritableStream} */
let stream = process.stderr;

/**
 * Sends all further lines to `target`.
 * @param {NodeJS.WritableStream} target
 */
export function sendLinesTo(target) {
  stream = target;
}

/** Seconds since the script began, as `12.3 s`. */
function elapsed() {
  return seconds(Date.now() - startedAtMs);
}

/**
 * @param {number} milliseconds
 * @returns {string} `0.4 s`, `75 s`
 */
export function seconds(milliseconds) {
  const value = milliseconds / 1000;
  return `${value < 60 ? value.toFixed(1) : String(Math.round(value))} s`;
}

/**
 * One line of progress: what is being done now.
 * @param {string} text
 */
export function step(text) {
  stream.write(`[${elapsed().padStart(7)}] ${text}\n`);
}

/**
 * A line that is always written: a warning, or a sentence that tells what to do.
 * @param {string} text
 */
export function say(text) {
  stream.write(`${text}\n`);
}

/** An end that was expected: its message is a whole sentence for the reader, no stack is shown. */
export class Stop extends Error {
  /**
   * @param {string} message what happened and what to do
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

/**
 * Runs a script's main function. `Stop` becomes its sentence and exit code; anything else is a bug and keeps its stack.
 * @param {() => Promise<number>} main resolves to the exit code
 * @returns {Promise<void>}
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (error instanceof Stop) {
      say(`Ibex: ${error.message}`);
      process.exitCode = error.exitCode;
      return;
    }
    throw error;
  }
}
