/** The everyday programs of a simulated host, as far as Ibex calls them. */
import { readSimulatedFile } from "./files.ts";
import { deviceName, type Signal } from "./machine.ts";
import { printOpensmLog } from "./opensm-log-text.ts";
import { answering, type Answer, type Program, type ProgramCall } from "./programs.ts";

const signals: Readonly<Record<string, Signal>> = {
  TERM: "SIGTERM",
  "15": "SIGTERM",
  KILL: "SIGKILL",
  "9": "SIGKILL",
  INT: "SIGINT",
  "2": "SIGINT",
  HUP: "SIGHUP",
  "1": "SIGHUP",
};

/** `kill -TERM PID…`, `kill -0 PID…`; a negative pid means the group, which here is the process. */
function kill(call: ProgramCall): Answer {
  let signal: string | undefined;
  const targets: number[] = [];
  for (let index = 0; index < call.args.length; index += 1) {
    const word = call.args[index] ?? "";
    if (word === "--") continue;
    if (word === "-s") {
      index += 1;
      signal = call.args[index];
    } else if (word.startsWith("-") && signal === undefined) signal = word.slice(1);
    else targets.push(Math.abs(Number(word)));
  }
  const name = (signal ?? "TERM").replace(/^SIG/, "");
  const sent = signals[name];
  if (sent === undefined && name !== "0") return { stderr: `kill: unknown signal ${name}\n`, exitCode: 1 };
  let problems = "";
  for (const pid of targets) {
    const process = call.process.machine.processes.get(pid);
    if (process === undefined) problems += `kill: (${String(pid)}) - No such process\n`;
    else if (sent !== undefined) process.kill(sent);
  }
  return { stderr: problems, exitCode: problems === "" ? 0 : 1 };
}

/** Text of a file on the machine of a call. */
function readFile(call: ProgramCall, path: string): string | undefined {
  const { fabric, process, pace } = call;
  if (path === "/var/log/opensm.log") return opensmLog(call);
  return readSimulatedFile(process.machine, path, fabric.hostUptimeSeconds(process.now(), pace.duration(1)));
}

/** Of the manager that runs on this host. */
function opensmLog({ fabric, process }: ProgramCall): string | undefined {
  const { adapters } = process.machine;
  const own = fabric.topology.managers.filter(({ port }) => adapters.includes(port.node));
  const events = own.flatMap((manager) => fabric.managers.eventsOf(manager, process.now()));
  return own.length === 0 ? undefined : printOpensmLog(events);
}

/** `tail -c BYTES FILE`. */
function tail(call: ProgramCall): Answer {
  const [option, bytes = "", path = ""] = call.args;
  if (option !== "-c" || !/^\d+$/.test(bytes)) {
    return { stderr: "tail: this use of it is not part of the simulation\n", exitCode: 1 };
  }
  const text = readFile(call, path);
  if (text === undefined) {
    return { stderr: `tail: cannot open '${path}' for reading: No such file or directory\n`, exitCode: 1 };
  }
  return { stdout: text.slice(Math.max(0, text.length - Number(bytes))), exitCode: 0 };
}

/** `date "+%s %z"`; simulated hosts live in UTC. */
function date(call: ProgramCall): Answer {
  const now = call.process.now();
  const format = call.args[0]?.startsWith("+") === true ? call.args[0].slice(1) : undefined;
  if (format === undefined) return { stdout: `${new Date(now).toUTCString()}\n`, exitCode: 0 };
  const text = format.replaceAll("%s", String(Math.floor(now / 1000))).replaceAll("%z", "+0000");
  return { stdout: `${text}\n`, exitCode: 0 };
}

function cat(call: ProgramCall): Answer {
  call.fabric.traffic.settle(call.process.now());
  let stdout = "";
  let stderr = "";
  for (const path of call.args.filter((word) => !word.startsWith("-"))) {
    const text = readFile(call, path);
    if (text === undefined) stderr += `cat: ${path}: No such file or directory\n`;
    else stdout += text;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
}

/** `ls` of the two folders that tell which devices a host has. */
function ls(call: ProgramCall): Answer {
  const { adapters } = call.process.machine;
  let stdout = "";
  let stderr = "";
  for (const path of call.args.filter((word) => !word.startsWith("-"))) {
    if (path === "/sys/class/infiniband") stdout += adapters.map((node) => `${deviceName(node)}\n`).join("");
    else if (path === "/sys/class/infiniband_mad") {
      stdout += `abi_version\n${adapters.map((_, index) => `issm${String(index)}\n`).join("")}${adapters.map((_, index) => `umad${String(index)}\n`).join("")}`;
    } else if (readFile(call, path) !== undefined) stdout += `${path}\n`;
    else stderr += `ls: cannot access '${path}': No such file or directory\n`;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 2 };
}

function fileTest(call: ProgramCall): Answer {
  const words = call.args.filter((word) => word !== "]");
  const path = words[1] ?? "";
  const readable = ["-e", "-f", "-r", "-s"].includes(words[0] ?? "");
  return { exitCode: readable && readFile(call, path) !== undefined ? 0 : 1 };
}

function uname(call: ProgramCall): Answer {
  const { name } = call.process.machine;
  const release = "5.14.0-503.el9.x86_64";
  const flag = call.args[0] ?? "-s";
  const parts: Readonly<Record<string, string>> = { "-s": "Linux", "-n": name, "-r": release, "-m": "x86_64" };
  return { stdout: `${parts[flag] ?? `Linux ${name} ${release} #1 SMP x86_64 GNU/Linux`}\n`, exitCode: 0 };
}

/** Sleeps in simulated time: `sleep 0.2`, `sleep 10`. */
function sleep(call: ProgramCall): void {
  call.process.after(call.pace.latency(Number.parseFloat(call.args[0] ?? "0") * 1000), () => call.process.exit(0));
}

/** The everyday programs by name. */
export const hostPrograms: Readonly<Record<string, Program>> = {
  "[": answering(2, fileTest),
  cat: answering(4, cat),
  date: answering(2, date),
  echo: answering(1, (call) => ({ stdout: `${call.args.join(" ")}\n`, exitCode: 0 })),
  false: answering(1, () => ({ exitCode: 1 })),
  hostname: answering(2, (call) => ({ stdout: `${call.process.machine.name}\n`, exitCode: 0 })),
  id: answering(2, (call) => ({
    stdout: call.args.includes("-u") ? "0\n" : "uid=0(root) gid=0(root) groups=0(root)\n",
    exitCode: 0,
  })),
  kill: answering(2, kill),
  ls: answering(3, ls),
  sleep,
  tail: answering(4, tail),
  test: answering(2, fileTest),
  true: answering(1, () => ({ exitCode: 0 })),
  uname: answering(2, uname),
};
