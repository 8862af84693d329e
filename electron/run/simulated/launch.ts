/** Finds the program that a command line means, through the wrappers that Ibex puts before it. */
import { fabricPrograms } from "./fabric-programs.ts";
import { hostPrograms } from "./host-programs.ts";
import { type Signal, SimulatedProcess } from "./machine.ts";
import { runPerftest } from "./perftest.ts";
import { perftestTools } from "./perftest-options.ts";
import { answering, type Answer, type Program, type ProgramCall } from "./programs.ts";
import { simpleCommands, type SimpleCommand } from "./shell-script.ts";

const perftestPrograms: Readonly<Record<string, Program>> = Object.fromEntries(
  perftestTools.map((tool) => [tool.name, (call: ProgramCall) => runPerftest(tool, call)]),
);

/** Where a program would lie, for `which` and `command -v`. */
function pathOf(name: string): string | undefined {
  if (Object.hasOwn(fabricPrograms, name) && name !== "ibv_devinfo") return `/usr/sbin/${name}`;
  const known = [hostPrograms, perftestPrograms, fabricPrograms, shells].some((programs) =>
    Object.hasOwn(programs, name),
  );
  return known || wrappers.has(name) ? `/usr/bin/${name}` : undefined;
}

function which(names: readonly string[]): Answer {
  const paths = names.map(pathOf);
  return {
    stdout: paths.map((path) => (path === undefined ? "" : `${path}\n`)).join(""),
    exitCode: paths.includes(undefined) ? 1 : 0,
  };
}

/** A shell that can look programs up, `command -v A B; command -v C`, and run simple commands one after the other. */
const sh: Program = (call) => {
  const script = call.args[0] === "-c" ? (call.args[1] ?? "") : "";
  const commands = script
    .split(/[;\n]/)
    .map((part) => part.trim().split(/\s+/))
    .filter((words) => words[0] !== "");
  if (commands.length > 0 && commands.every((words) => words[0] === "command" && words[1] === "-v")) {
    answering(4, () => {
      const answers = commands.map((words) => which(words.slice(2)));
      return {
        stdout: answers.map((answer) => answer.stdout ?? "").join(""),
        exitCode: answers[answers.length - 1]?.exitCode ?? 0,
      };
    })(call);
    return;
  }
  const simple = simpleCommands(script, call.args.slice(2));
  const [single] = simple ?? [];
  if (simple?.length === 1 && single?.toStderr === false) {
    launch(single.words, call);
    return;
  }
  if (simple !== undefined && simple.length > 0) {
    runInOrder(simple, call);
    return;
  }
  answering(2, () => ({ stderr: "sh: 1: this script is not part of the simulation\n", exitCode: 2 }))(call);
};

/** Runs commands as children of the shell; it ends with the exit code of the last. */
function runInOrder(commands: readonly SimpleCommand[], shell: ProgramCall): void {
  const { fabric, process } = shell;
  let child: SimulatedProcess | undefined;
  process.whenEnded(() => child?.kill("SIGTERM"));
  const next = (index: number, exitCode: number): void => {
    const command = commands[index];
    if (process.ended) return;
    if (command === undefined) {
      process.exit(exitCode);
      return;
    }
    const words = command.words.map((word) => (word === "$?" ? String(exitCode) : word));
    const started = new SimulatedProcess(process.machine, fabric.takePid(), words, process.clock, (stream, text) => {
      if (stream === "stderr" || command.toStderr) process.err(text);
      else process.out(text);
    });
    child = started;
    process.machine.processes.set(started.pid, started);
    started.whenEnded((end) => next(index + 1, end.exitCode ?? 143));
    launch(words, { ...shell, process: started });
  };
  next(0, 0);
}

const shells: Readonly<Record<string, Program>> = {
  sh,
  which: answering(4, (call) => which(call.args.filter((word) => !word.startsWith("-")))),
};

const wrappers = new Set(["env", "stdbuf", "sudo", "timeout"]);

interface Unwrapped {
  readonly argv: readonly string[];
  readonly lineBuffered: boolean;
  /** Limits that `timeout` sets. */
  readonly limit?: { readonly seconds: number; readonly signal: Signal };
}

/** Takes `timeout`, `stdbuf`, `env` and `sudo` off the front. */
function unwrap(argv: readonly string[]): Unwrapped {
  let words = argv;
  let lineBuffered = false;
  let limit: Unwrapped["limit"];
  for (;;) {
    const name = words[0] ?? "";
    if (!wrappers.has(name) || words.length < 2)
      return { argv: words, lineBuffered, ...(limit === undefined ? {} : { limit }) };
    let index = 1;
    let signal: Signal = "SIGTERM";
    for (; index < words.length; index += 1) {
      const word = words[index] ?? "";
      if (name === "env" ? !word.includes("=") : !word.startsWith("-")) break;
      if (name === "stdbuf" && (word === "-oL" || word === "--output=L")) lineBuffered = true;
      if (name === "timeout" && ["-k", "-s"].includes(word)) {
        if (word === "-s" && /KILL|9/.test(words[index + 1] ?? "")) signal = "SIGKILL";
        index += 1;
      }
      if (word === "--") {
        index += 1;
        break;
      }
    }
    if (name === "timeout") {
      limit = { seconds: Number.parseFloat(words[index] ?? "0"), signal };
      index += 1;
    }
    words = words.slice(index);
  }
}

/** Starts the program of `argv` in the process of `base`; a name that the machine does not have ends with 127. */
export function launch(argv: readonly string[], base: Omit<ProgramCall, "name" | "args">): void {
  const { argv: inner, lineBuffered, limit } = unwrap(argv);
  const [path = "", ...args] = inner;
  const name = path.replace(/^(\/usr)?(\/local)?\/s?bin\//, "");
  const { process } = base;
  if (limit !== undefined && limit.seconds > 0) limitTime(process, limit.seconds * 1000);
  const call = { ...base, name, args, lineBuffered: base.lineBuffered || lineBuffered };
  for (const programs of [fabricPrograms, perftestPrograms, hostPrograms, shells]) {
    const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
    if (program !== undefined) {
      program(call);
      return;
    }
  }
  process.after(base.pace.latency(2), () => {
    process.err(
      limit === undefined
        ? `sh: 1: ${path}: not found\n`
        : `timeout: failed to run command '${path}': No such file or directory\n`,
    );
    process.exit(127);
  });
}

/** `timeout` ends the program and exits 124 itself. */
function limitTime(process: SimulatedProcess, milliseconds: number): void {
  process.after(milliseconds, () => process.exit(124));
}
