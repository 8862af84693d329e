/** The stages of `npm test`: each runs one tool and reads its counts from that tool's own machine output. */

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { npmCommand, run } from "./child.mjs";
import { say } from "./output.mjs";
import { checkoutCache, nodeModules, readJson, root } from "./places.mjs";

const resultFolder = join(checkoutCache, "results");
/** Whatever hangs is ended, so that the report is still written. */
const stageLimitMs = 12 * 60_000;

/**
 * @typedef {object} StageResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{file: string, milliseconds: number}[]} files how long each test file took
 * @property {string} [note] one line for the table
 */

/**
 * @param {Partial<StageResult>} values
 * @returns {StageResult}
 */
export function stageResult(values) {
  return { passed: 0, failed: 0, skipped: 0, files: [], ...values };
}

/**
 * The steps of `npm run check`, one count each.
 * @returns {Promise<StageResult>}
 */
export async function runChecks() {
  const manifest = /** @type {{scripts: Record<string, string>}} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
  const names = Object.keys(manifest.scripts).filter((name) => name.startsWith("check:"));
  const npm = npmCommand();
  const failed = [];
  for (const name of names) {
    const result = await run(npm.command, [...npm.args, "run", "-s", name], { cwd: root, timeLimitMs: stageLimitMs });
    if (result.code === 0) continue;
    failed.push(name);
    say(`\n${name} failed:\n${(result.stdout + result.stderr).trim()}\n`);
  }
  return stageResult({
    passed: names.length - failed.length,
    failed: failed.length,
    ...(failed.length > 0 ? { note: failed.join(", ") } : {}),
  });
}

/**
 * @param {string} project a project of vitest.config.ts
 * @returns {Promise<StageResult>}
 */
export async function runVitest(project) {
  const file = freshResultFile(`vitest-${project}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const result = await run(process.execPath, [join(nodeModules, "vitest", "vitest.mjs"), ...args], {
    cwd: root,
    output: "inherit",
    timeLimitMs: stageLimitMs,
  });
  const report = /** @type {VitestReport | undefined} */ (readJson(file));
  return report === undefined ? crashed(result) : orCrashed(readVitest(report), result);
}

/**
 * What we read of vitest's JSON report (the shape is Jest's).
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{name: string, status: string, startTime: number, endTime: number, assertionResults: {status: string, ancestorTitles: string[]}[]}[]} testResults
 */

/**
 * @param {VitestReport} report
 * @returns {StageResult}
 */
function readVitest(report) {
  // a file that does not even load has no tests to count
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  // what is skipped as a whole says why in brackets at the end of its title
  const reasons = report.testResults.flatMap(({ assertionResults: tests }) => {
    const skipped = tests.length > 0 && tests.every(({ status }) => status === "skipped" || status === "pending");
    const reason = skipped ? /\((.+)\)$/.exec(tests[0]?.ancestorTitles[0] ?? "")?.[1] : undefined;
    return reason === undefined ? [] : [reason];
  });
  return stageResult({
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    files: report.testResults.map((file) => ({
      file: relative(root, file.name),
      milliseconds: file.endTime - file.startTime,
    })),
    ...(reasons.length > 0 ? { note: [...new Set(reasons)].join("; ") } : {}),
  });
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<StageResult>}
 */
export async function runPlaywright(env) {
  const file = freshResultFile("playwright.json");
  const result = await run(
    process.execPath,
    [join(nodeModules, "@playwright", "test", "cli.js"), "test", "--reporter=list,json"],
    {
      cwd: root,
      env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      output: "inherit",
      timeLimitMs: stageLimitMs,
    },
  );
  const report = /** @type {PlaywrightReport | undefined} */ (readJson(file));
  return report === undefined ? crashed(result) : orCrashed(readPlaywright(report), result);
}

/**
 * What we read of Playwright's JSON report.
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{file: string, tests: {results: {duration: number}[]}[]}[]} [specs]
 * @typedef {object} PlaywrightReport
 * @property {{rootDir: string}} config
 * @property {{expected: number, unexpected: number, flaky: number, skipped: number}} stats
 * @property {PlaywrightSuite[]} suites
 */

/**
 * @param {PlaywrightReport} report
 * @returns {StageResult}
 */
function readPlaywright(report) {
  /** @type {Map<string, number>} */
  const times = new Map();
  const visit = (/** @type {PlaywrightSuite} */ suite) => {
    for (const spec of suite.specs ?? []) {
      const spent = spec.tests.flatMap((test) => test.results).reduce((sum, result) => sum + result.duration, 0);
      times.set(spec.file, (times.get(spec.file) ?? 0) + spent);
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites) visit(suite);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return stageResult({
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    files: [...times].map(([file, milliseconds]) => ({
      file: relative(root, join(report.config.rootDir, file)),
      milliseconds,
    })),
    ...(flaky > 0 ? { note: `${String(flaky)} passed only when tried again` } : {}),
  });
}

/** @param {string} name */
function freshResultFile(name) {
  mkdirSync(resultFolder, { recursive: true });
  const file = join(resultFolder, name);
  rmSync(file, { force: true });
  return file;
}

/**
 * A tool may end badly although no test of its own failed: an error outside of tests, no test found, ended by a limit.
 * @param {StageResult} counts
 * @param {import("./child.mjs").RunResult} result
 * @returns {StageResult}
 */
function orCrashed(counts, result) {
  if (counts.passed + counts.failed + counts.skipped === 0)
    return stageResult({ failed: 1, note: "no tests were found" });
  if (result.code === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1, note: crashNote(result) };
}

/** @param {import("./child.mjs").RunResult} result */
function crashed(result) {
  return stageResult({ failed: 1, note: crashNote(result) });
}

/** @param {import("./child.mjs").RunResult} result */
function crashNote(result) {
  if (result.timedOut) return `ended after ${String(stageLimitMs / 60_000)} minutes`;
  return `ended with ${result.signal ?? String(result.code)}`;
}
