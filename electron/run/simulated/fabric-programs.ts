/** The InfiniBand tools of a simulated machine (infiniband-diags 44.0). */
import { printIbqueryerrors, printPerfquery } from "./counter-text.ts";
import { printIbnetdiscover, printNodeList } from "./discover-text.ts";
import { printDumpFts, printIbroute } from "./forwarding-text.ts";
import { printIblinkinfo } from "./linkinfo-text.ts";
import { printIbtracert } from "./route-text.ts";
import { printIbstat, printIbvDevinfo } from "./adapter-text.ts";
import { deviceName } from "./machine.ts";
import { printSaqueryManagers, printSmInfoRecords, printSminfo } from "./manager-text.ts";
import type { SimulatedNode, SimulatedPort } from "./model.ts";
import { answering, type Answer, type Program, type ProgramCall } from "./programs.ts";

const toolVersion = "44.0";

interface ToolCall {
  readonly call: ProgramCall;
  /** The adapter port that the tool works through. */
  readonly port: SimulatedPort;
  readonly node: SimulatedNode;
  /** Options with and without values, by their short letter or long name. */
  readonly options: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
}

interface ToolShape {
  /** Accepted options; true: takes a value. */
  readonly options: Readonly<Record<string, boolean>>;
  /** Long spellings, to the name used in `options`. */
  readonly long?: Readonly<Record<string, string>>;
  /** Words for a device that cannot be opened; given `mlx5_9` and its port. */
  readonly cannotOpen: (device: string, port: string, pid: number) => Answer;
  readonly milliseconds: number;
  readonly run: (tool: ToolCall) => Answer;
}

/** Options that every one of the tools takes. */
const commonOptions = {
  C: true,
  P: true,
  t: true,
  V: false,
  v: false,
  e: false,
  d: false,
  L: false,
  G: false,
} as const;
const commonLong = { Ca: "C", Port: "P", timeout: "t", version: "V", verbose: "v", Lid: "L", Guid: "G" } as const;

function openFailure(device: string, port: string, pid: number): string {
  return `ibwarn: [${String(pid)}] mad_rpc_open_port: can't open UMAD port (${device}:${port})\n`;
}

function readOptions(
  call: ProgramCall,
  shape: ToolShape,
): { options: Map<string, string>; rest: string[] } | { problem: string } {
  const accepted: Readonly<Record<string, boolean>> = { ...commonOptions, ...shape.options };
  const long: Readonly<Record<string, string>> = { ...commonLong, ...shape.long };
  const options = new Map<string, string>();
  const rest: string[] = [];
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (!word.startsWith("-") || word === "-") {
      rest.push(word);
      continue;
    }
    const isLong = word.startsWith("--");
    const [spelled = "", attached] = isLong ? word.slice(2).split("=") : [word.slice(1, 2), word.slice(2) || undefined];
    const name = isLong ? (long[spelled] ?? spelled) : spelled;
    const takesValue = accepted[name];
    if (takesValue === undefined) {
      const what = isLong ? `unrecognized option '${word}'` : `invalid option -- '${spelled}'`;
      return { problem: `${call.name}: ${what}\n\nUsage: ${call.name} [options]\n` };
    }
    if (takesValue && attached === undefined) {
      options.set(name, args[index + 1] ?? "");
      index += 1;
    } else options.set(name, attached ?? "");
  }
  return { options, rest };
}

function tool(shape: ToolShape): Program {
  return answering(shape.milliseconds, (call) => {
    const read = readOptions(call, shape);
    if ("problem" in read) return { stderr: read.problem, exitCode: 2 };
    const { options, rest } = read;
    if (options.has("V")) return { stderr: `${call.name} BUILD VERSION: ${toolVersion}\n`, exitCode: 0 };
    const { machine, pid } = call.process;
    const device = options.get("C");
    const wanted = options.get("P") ?? "0";
    const node = device === undefined ? machine.adapters[0] : machine.device(device);
    const port = node?.ports[wanted === "0" ? 1 : Number(wanted)];
    if (node === undefined || port === undefined) return shape.cannotOpen(device ?? "(null)", wanted, pid);
    return shape.run({ call, port, node, options, rest });
  });
}

function settled(call: ProgramCall): void {
  call.fabric.settleCounters(call.process.now());
}

function seconds(call: ProgramCall): number {
  return call.fabric.uptimeSeconds(call.process.now());
}

function unanswered(call: ProgramCall, target: string): string {
  return `ibwarn: [${String(call.process.pid)}] mad_rpc: _do_madrpc failed; dport (${target})\n`;
}

function sminfo({ call, port, options, rest }: ToolCall): Answer {
  const now = call.process.now();
  const managers = call.fabric.managers.alive(now);
  const address = rest[0];
  const fail = (target: string): Answer => ({
    stdout: "sminfo: iberror: failed: query\n",
    stderr: unanswered(call, target),
    exitCode: 255,
  });
  let manager = managers.find((candidate) => candidate.state === 3);
  let target = manager === undefined ? "DR path slid 0; dlid 0; 0" : `Lid ${String(manager.port.lid)}`;
  if (address !== undefined && options.has("G")) {
    const guid = address.replace(/^0x/i, "").toLowerCase().padStart(16, "0");
    manager = managers.find((candidate) => candidate.port.guid === guid);
    target = `GUID 0x${guid}`;
  } else if (address !== undefined && options.has("D")) {
    manager = managers.find((candidate) => candidate.port === port && address === "0");
    target = `DR path slid 0; dlid 0; ${address}`;
  } else if (address !== undefined) {
    const lid = Number(address);
    manager = managers.find((candidate) => candidate.port.lid === lid);
    target = `Lid ${String(lid)}`;
  }
  if (manager === undefined || call.fabric.routes.path(port, manager.port) === undefined) return fail(target);
  const stdout = printSminfo(manager, seconds(call));
  call.fabric.managers.answered(manager, now);
  return { stdout, exitCode: 0 };
}

function saquery({ call, port, options, rest }: ToolCall): Answer {
  const managers = call.fabric.managers.alive(call.process.now());
  const master = managers.find((candidate) => candidate.state === 3);
  if (master === undefined || call.fabric.routes.path(port, master.port) === undefined) {
    const pid = String(call.process.pid);
    return {
      stderr: `ibwarn: [${pid}] sa_get_handle: No SM/SA found on port ${deviceName(port.node)}:${String(port.number)}\nibpanic: [${pid}] main: Failed to bind to the SA: No such file or directory\n`,
      exitCode: 255,
    };
  }
  if (options.has("s")) return { stdout: printSaqueryManagers(managers), exitCode: 0 };
  const record = rest[0]?.toUpperCase();
  if (record === "SMINFORECORD" || record === "SMIR") {
    return { stdout: printSmInfoRecords(managers, seconds(call)), exitCode: 0 };
  }
  return { stderr: "saquery: this record is not part of the simulation\n", exitCode: 1 };
}

function perfquery({ call, port, options, rest }: ToolCall): Answer {
  settled(call);
  const lid = rest[0] === undefined ? port.lid : Number(rest[0]);
  const found = call.fabric.atLid(lid);
  const { routes } = call.fabric;
  const reachable = (at: { node: SimulatedNode; port?: SimulatedPort }): boolean =>
    at.port === undefined ? routes.reachesSwitch(port, at.node) : routes.path(port, at.port) !== undefined;
  if (found === undefined || !reachable(found)) {
    return {
      stdout: "perfquery: iberror: failed: classportinfo query\n",
      stderr: unanswered(call, `Lid ${String(lid)}`),
      exitCode: 255,
    };
  }
  const all = options.has("a");
  const wanted = all ? 255 : rest[1] === undefined ? (found.port?.number ?? port.number) : Number(rest[1]);
  if (!(wanted === 255 || (wanted >= 0 && wanted <= found.node.portCount))) {
    return { stdout: "perfquery: iberror: failed: perfquery\n", exitCode: 255 };
  }
  return { stdout: printPerfquery(found.node, lid, wanted, options.has("x")), exitCode: 0 };
}

/** `smpquery nodedesc LID`. */
function smpquery({ call, rest }: ToolCall): Answer {
  const [operation = "", lid = ""] = rest;
  if (operation.toLowerCase() !== "nodedesc") {
    return { stdout: "smpquery: iberror: failed: this operation is not part of the simulation\n", exitCode: 255 };
  }
  const found = call.fabric.atLid(Number(lid));
  if (found === undefined) {
    return {
      stdout: "smpquery: iberror: failed: operation nodedesc: node desc query failed\n",
      stderr: unanswered(call, `Lid ${lid}`),
      exitCode: 255,
    };
  }
  return { stdout: `${"Node Description:".padEnd(18, ".")}${found.node.description}\n`, exitCode: 0 };
}

/** `ibtracert SOURCE_LID TARGET_LID` between adapter ports. */
function ibtracert({ call, rest }: ToolCall): Answer {
  const [source, target] = [rest[0], rest[1]].map((lid) => call.fabric.atLid(Number(lid))?.port);
  const path = source === undefined || target === undefined ? undefined : call.fabric.routes.path(source, target);
  if (source === undefined || target === undefined || path === undefined) {
    return {
      stdout: "ibtracert: iberror: failed: Failed to get route information\n",
      stderr: `ibwarn: [${String(call.process.pid)}] get_route: can't find a route from src to dest\n`,
      exitCode: 255,
    };
  }
  return { stdout: printIbtracert(source, target, path), exitCode: 0 };
}

/** `ibroute [-n] LID`. */
function ibroute({ call, port, node, options, rest }: ToolCall): Answer {
  const lid = rest[0] ?? "";
  const found = call.fabric.atLid(Number(lid));
  const reached = found?.node.kind === "switch" && call.fabric.routes.reachesSwitch(port, found.node);
  if (found === undefined || !reached) {
    const wrong = found !== undefined && found.node.kind !== "switch";
    return {
      stdout: `ibroute: iberror: failed: dump tables: ${wrong ? "not a switch" : "node info query failed"}\n`,
      stderr: wrong ? "" : unanswered(call, `Lid ${lid}`),
      exitCode: 255,
    };
  }
  return { stdout: printIbroute(node, found.node, call.fabric.routes, !options.has("n")), exitCode: 0 };
}

const discoverShape: ToolShape = {
  options: {},
  cannotOpen: (device, port, pid) => ({
    stdout: "ibnetdiscover: iberror: failed: discover failed\n\n",
    stderr: `${openFailure(device, port, pid)}./libibnetdisc/ibnetdisc.c:802; can't open MAD port (${device}:${port})\n`,
    exitCode: 255,
  }),
  milliseconds: 45,
  run: ({ call, node }) => ({ stdout: printIbnetdiscover(node, call.process.now()), exitCode: 0 }),
};

/** The InfiniBand tools by program name. */
export const fabricPrograms: Readonly<Record<string, Program>> = {
  ibnetdiscover: tool(discoverShape),
  ibhosts: tool({
    ...discoverShape,
    run: ({ node }) => ({ stdout: printNodeList(node, "hosts"), exitCode: 0 }),
  }),
  ibswitches: tool({
    ...discoverShape,
    run: ({ node }) => ({ stdout: printNodeList(node, "switches"), exitCode: 0 }),
  }),
  iblinkinfo: tool({
    options: { l: false },
    long: { line: "l" },
    cannotOpen: (device, port, pid) => ({
      stderr: `${openFailure(device, port, pid)}Failed to open ${device} port ${port}\n`,
      exitCode: 1,
    }),
    milliseconds: 60,
    run: ({ node, options }) => ({ stdout: printIblinkinfo(node, options.has("l")), exitCode: 0 }),
  }),
  sminfo: tool({
    options: { D: false },
    cannotOpen: (device, port, pid) => ({
      stdout: `sminfo: iberror: failed: Failed to open '${device}' port '${port}'\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 20,
    run: sminfo,
  }),
  saquery: tool({
    options: { s: false },
    cannotOpen: (device, port, pid) => ({
      stderr: `ibwarn: [${String(pid)}] sa_get_handle: No SM/SA found on port ${device}:${port}\nibpanic: [${String(pid)}] main: Failed to bind to the SA: No such file or directory\n`,
      exitCode: 255,
    }),
    milliseconds: 25,
    run: saquery,
  }),
  ibqueryerrors: tool({
    options: { s: true, r: false, data: false, c: false, "threshold-file": true },
    long: { suppress: "s", "report-port": "r", "suppress-common": "c" },
    cannotOpen: (device, port, pid) => ({
      stdout: `ibqueryerrors: iberror: failed: Failed to open port; ${device}:${port}\n\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 80,
    run: ({ call, node, options }) => {
      settled(call);
      const suppressed = (options.get("s") ?? "").split(",").filter((name) => name !== "");
      if (options.has("c")) suppressed.push("PortRcvSwitchRelayErrors");
      return printIbqueryerrors(node, { suppressed, data: options.has("data"), reportPort: options.has("r") });
    },
  }),
  perfquery: tool({
    options: { x: false, a: false },
    long: { extended: "x", all_ports: "a" },
    cannotOpen: (device, port, pid) => ({
      stdout: `perfquery: iberror: failed: Failed to open '${device}' port '${port}'\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 15,
    run: perfquery,
  }),
  smpquery: tool({
    options: {},
    cannotOpen: (device, port, pid) => ({
      stdout: `smpquery: iberror: failed: Failed to open '${device}' port '${port}'\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 15,
    run: smpquery,
  }),
  ibtracert: tool({
    options: {},
    cannotOpen: (device, port, pid) => ({
      stdout: `ibtracert: iberror: failed: Failed to open '${device}' port '${port}'\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 15,
    run: ibtracert,
  }),
  dump_fts: tool({
    ...discoverShape,
    options: { n: false },
    long: { no_dests: "n" },
    cannotOpen: (device, port, pid) => ({
      stderr: `${openFailure(device, port, pid)}Failed to open '${device}' port '${port}'\n`,
      exitCode: 255,
    }),
    run: ({ call, node, options }) => ({
      stdout: printDumpFts(node, call.fabric.routes, !options.has("n")),
      exitCode: 0,
    }),
  }),
  ibroute: tool({
    options: { n: false },
    long: { no_dests: "n" },
    cannotOpen: (device, port, pid) => ({
      stdout: `ibroute: iberror: failed: Failed to open '${device}' port '${port}'\n`,
      stderr: openFailure(device, port, pid),
      exitCode: 255,
    }),
    milliseconds: 15,
    run: ibroute,
  }),
  ibstat: answering(15, (call) => {
    const names = call.args.filter((word) => !word.startsWith("-"));
    if (call.args.includes("-V")) return { stderr: `ibstat BUILD VERSION: ${toolVersion}\n`, exitCode: 0 };
    const { machine, pid } = call.process;
    if (call.args.includes("-l"))
      return { stdout: machine.adapters.map((node) => `${deviceName(node)}\n`).join(""), exitCode: 0 };
    const wanted = names[0];
    const adapters = wanted === undefined ? machine.adapters : [machine.device(wanted)];
    const texts = adapters.map((node) => (node === undefined ? undefined : printIbstat(node, managerLid(call))));
    if (texts.includes(undefined)) {
      return {
        stderr: `ibpanic: [${String(pid)}] main: '${wanted ?? ""}' IB device can't be found: Success\n`,
        exitCode: 255,
      };
    }
    return { stdout: texts.join(""), exitCode: 0 };
  }),
  ibv_devinfo: answering(15, (call) => {
    const { machine } = call.process;
    const flag = call.args.indexOf("-d");
    const wanted = flag < 0 ? undefined : call.args[flag + 1];
    if (call.args.includes("-l")) {
      const lines = machine.adapters.map((node) => `\t${deviceName(node)}\n`).join("");
      return {
        stdout: `${String(machine.adapters.length)} HCA${machine.adapters.length === 1 ? "" : "s"} found:\n${lines}\n`,
        exitCode: 0,
      };
    }
    const adapters = wanted === undefined ? machine.adapters : [machine.device(wanted)];
    const texts = adapters.map((node) => (node === undefined ? undefined : printIbvDevinfo(node, managerLid(call))));
    if (texts.includes(undefined)) return { stderr: `IB device '${wanted ?? ""}' wasn't found\n`, exitCode: 255 };
    return { stdout: texts.join(""), exitCode: 0 };
  }),
};

function managerLid(call: ProgramCall): number {
  return call.fabric.managers.master(call.process.now())?.port.lid ?? 0;
}
