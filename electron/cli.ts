/** The same core without a window. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { collectCommand } from "./cli/collect.ts";
import { cancelRunning } from "./cli/environment.ts";
import { findingsCommand } from "./cli/findings.ts";
import { helpText } from "./cli/help.ts";
import { inspectCommand } from "./cli/inspect.ts";
import { measureCommand } from "./cli/measure.ts";
import { planCommand } from "./cli/plan.ts";
import { pathCommand } from "./cli/path.ts";
import { routesCommand } from "./cli/routes.ts";
import { smCommand } from "./cli/sm.ts";
import { sweepCommand } from "./cli/sweep.ts";
import { print, say } from "./cli/terminal.ts";

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  inspect: inspectCommand,
  collect: collectCommand,
  measure: measureCommand,
  findings: findingsCommand,
  sm: smCommand,
  plan: planCommand,
  sweep: sweepCommand,
  path: pathCommand,
  routes: routesCommand,
};

async function main(words: readonly string[]): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined || name === "help" || words.includes("--help") || words.includes("-h")) {
    print(helpText.trimEnd());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    const text = await readFile(join(__dirname, "..", "..", "package.json"), "utf8");
    print(/"version": "([^"]+)"/.exec(text)?.[1] ?? "");
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    say(`ibex: there is no command ${JSON.stringify(name)}. ibex --help lists them.`);
    return 2;
  }
  return command(args);
}

// A reader that closes early (head, less) is no fault; a full disk is one. What runs on other machines is ended first.
let unwritten: number | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  unwritten ??= error.code === "EPIPE" ? 0 : 1;
  if (unwritten === 1) say(`ibex: the results could not be written (${error.code ?? error.message}).`);
  if (!cancelRunning()) process.exit(unwritten);
});
// Nobody is left to tell.
process.stderr.on("error", () => undefined);
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = unwritten ?? code;
  },
  (error: unknown) => {
    say(
      `ibex: a fault in Ibex: ${error instanceof Error ? error.message : String(error)}. Please report it with the command you ran.`,
    );
    if (process.env.IBEX_DEBUG === "1" && error instanceof Error) say(error.stack ?? "");
    process.exitCode = 1;
  },
);
