/** perftest's command line (internal version 6.06), as far as the simulation runs it. */

export type Verb = "write" | "read" | "send";

export interface PerftestTool {
  readonly name: string;
  readonly verb: Verb;
  readonly latency: boolean;
}

export const perftestTools: readonly PerftestTool[] = (["write", "read", "send"] as const).flatMap((verb) => [
  { name: `ib_${verb}_bw`, verb, latency: false },
  { name: `ib_${verb}_lat`, verb, latency: true },
]);

export interface PerftestOptions {
  readonly tool: PerftestTool;
  readonly device: string | undefined;
  readonly ibPort: number;
  readonly tcpPort: number;
  readonly bytes: number;
  /** Sizes 2 … 2^23. */
  readonly all: boolean;
  readonly iterations: number;
  readonly seconds: number | undefined;
  readonly margin: number | undefined;
  readonly bidirectional: boolean;
  readonly queuePairs: number;
  readonly txDepth: number;
  readonly rxDepth: number;
  readonly cqModeration: number | undefined;
  readonly mtu: number;
  readonly gidIndex: number | undefined;
  readonly gigabits: boolean;
  readonly noPeak: boolean;
  readonly limitBandwidth: number | undefined;
  /** Address of the server; undefined: be the server. */
  readonly server: string | undefined;
  /** Texts for stderr that do not stop the run. */
  readonly warnings: string;
}

/** What a command line leads to: a run, or texts and an exit code. */
export type ParsedPerftest =
  | { readonly kind: "run"; readonly options: PerftestOptions }
  | { readonly kind: "end"; readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const rule = "-".repeat(87);

interface Known {
  readonly short?: string;
  readonly long: string;
  readonly value: boolean;
}

const known: readonly Known[] = [
  { short: "a", long: "all", value: false },
  { short: "b", long: "bidirectional", value: false },
  { short: "c", long: "connection", value: true },
  { short: "C", long: "report-cycles", value: false },
  { short: "d", long: "ib-dev", value: true },
  { short: "D", long: "duration", value: true },
  { short: "e", long: "events", value: false },
  { short: "f", long: "margin", value: true },
  { short: "F", long: "CPU-freq", value: false },
  { short: "h", long: "help", value: false },
  { short: "H", long: "report-histogrm", value: false },
  { short: "i", long: "ib-port", value: true },
  { short: "I", long: "inline_size", value: true },
  { short: "l", long: "post_list", value: true },
  { short: "m", long: "mtu", value: true },
  { short: "n", long: "iters", value: true },
  { short: "N", long: "noPeak", value: false },
  { short: "p", long: "port", value: true },
  { short: "q", long: "qp", value: true },
  { short: "Q", long: "cq-mod", value: true },
  { short: "r", long: "rx-depth", value: true },
  { short: "R", long: "rdma_cm", value: false },
  { short: "s", long: "size", value: true },
  { short: "S", long: "sl", value: true },
  { short: "t", long: "tx-depth", value: true },
  { short: "u", long: "qp-timeout", value: true },
  { short: "U", long: "report-unsorted", value: false },
  { short: "V", long: "version", value: false },
  { short: "w", long: "limit_bw", value: true },
  { short: "x", long: "gid-index", value: true },
  { long: "cpu_util", value: false },
  { long: "disable_pcie_relaxed", value: false },
  { long: "force-link", value: true },
  { long: "out_json", value: false },
  { long: "output", value: true },
  { long: "perform_warm_up", value: false },
  { long: "pkey_index", value: true },
  { long: "report-both", value: false },
  { long: "report_gbits", value: false },
  { long: "reversed", value: false },
  { long: "run_infinitely", value: false },
  { long: "tclass", value: true },
];

/** Options that the real tool has and the simulation does not run; saying so beats a made-up result. */
const notSimulated = new Set([
  "report-cycles",
  "events",
  "report-histogrm",
  "rdma_cm",
  "report-unsorted",
  "cpu_util",
  "out_json",
  "output",
  "report-both",
  "reversed",
  "run_infinitely",
]);

interface Words {
  readonly options: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  readonly problem?: string;
}

function findLong(name: string): Known | undefined {
  const exact = known.find((option) => option.long === name);
  if (exact !== undefined) return exact;
  const prefixed = known.filter((option) => option.long.startsWith(name));
  return prefixed.length === 1 ? prefixed[0] : undefined;
}

/** getopt_long's reading of a command line: bundled short options, unambiguous prefixes of long ones. */
function readWords(tool: string, args: readonly string[]): Words {
  const options = new Map<string, string>();
  const rest: string[] = [];
  const fail = (problem: string): Words => ({ options, rest, problem: `${tool}: ${problem}\n` });
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") {
      rest.push(...args.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [name = "", ...values] = word.slice(2).split("=");
      const option = findLong(name);
      if (option === undefined) return fail(`unrecognized option '--${name}'`);
      let value = values.join("=");
      if (option.value && values.length === 0) {
        const next = args[index + 1];
        if (next === undefined) return fail(`option '--${option.long}' requires an argument`);
        value = next;
        index += 1;
      }
      options.set(option.long, value);
      continue;
    }
    if (!word.startsWith("-") || word === "-") {
      rest.push(word);
      continue;
    }
    for (let letter = 1; letter < word.length; letter += 1) {
      const short = word.charAt(letter);
      const option = known.find((candidate) => candidate.short === short);
      if (option === undefined) return fail(`invalid option -- '${short}'`);
      if (!option.value) {
        options.set(option.long, "");
        continue;
      }
      let value = word.slice(letter + 1);
      if (value === "") {
        const next = args[index + 1];
        if (next === undefined) return fail(`option requires an argument -- '${short}'`);
        value = next;
        index += 1;
      }
      options.set(option.long, value);
      break;
    }
  }
  return { options, rest };
}

function usage(tool: string): string {
  return `Usage:\n  ${tool}            start a server and wait for connection\n  ${tool} <host>     connect to server at <host>\n`;
}

function end(stderr: string, stdout = ""): ParsedPerftest {
  return { kind: "end", stdout, stderr, exitCode: 1 };
}

/** The messages of the real parser end so; the exit code is always 1. */
function refused(text: string): ParsedPerftest {
  return end(` ${text}\n Parser function exited with Error\n`);
}

/** `65536`, `64K`, `1M`. */
function readSize(text: string): number {
  const hit = /^(\d+)([KkMm]?)$/.exec(text);
  if (hit === null) return Number.NaN;
  const unit = (hit[2] ?? "").toLowerCase();
  return Number(hit[1]) * (unit === "k" ? 1024 : unit === "m" ? 1024 * 1024 : 1);
}

const mtus = [256, 512, 1024, 2048, 4096];
/** Largest number of iterations for which the peak is measured. */
export const peakIterations = 20_000;

/** Reads the arguments of `tool`; every refusal has perftest's own words. */
export function parsePerftestArguments(tool: PerftestTool, args: readonly string[]): ParsedPerftest {
  const { options, rest, problem } = readWords(tool.name, args);
  if (problem !== undefined) {
    return end(
      `${problem} Invalid Command or flag.\n Please check command line and run again.\n\n Parser function exited with Error\n`,
      usage(tool.name),
    );
  }
  if (options.has("version")) return { kind: "end", stdout: "Version: 6.06\n", stderr: "", exitCode: 1 };
  if (options.has("help")) return end("", `Version: 6.06\n${usage(tool.name)}`);
  for (const name of options.keys()) {
    if (notSimulated.has(name)) return end(`${tool.name}: option '--${name}' is not part of the simulation\n`);
  }
  const connection = options.get("connection") ?? "RC";
  if (connection !== "RC") return end(`${tool.name}: connection type ${connection} is not part of the simulation\n`);

  const number = (name: string, fallback: number): number => {
    const text = options.get(name);
    return text === undefined ? fallback : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  const optional = (name: string): number | undefined => (options.has(name) ? number(name, 0) : undefined);
  const all = options.has("all");
  const seconds = optional("duration");
  const margin = optional("margin");
  const iterations = number("iters", tool.name === "ib_write_bw" ? 5000 : 1000);
  const queuePairs = number("qp", 1);
  const bidirectional = options.has("bidirectional");
  const bytes = readSize(options.get("size") ?? (tool.latency ? "2" : "65536"));
  const gidIndex = optional("gid-index");

  if (!(iterations >= 5 && iterations <= 100_000_000))
    return refused("Iteration num should be between 5 and 100000000");
  if (!(queuePairs >= 1 && queuePairs <= 16_384)) return refused("Num of Qps should be between 1 and 16384");
  if (!(bytes >= 1 && bytes <= 0x7fffffff)) return refused("Message Size should be between 1 and 2147483647");
  const txDepth = number("tx-depth", 128);
  if (!(txDepth >= 1 && txDepth <= 15_000)) return refused("Tx depth should be between 1 and 15000");
  if (gidIndex !== undefined && !(gidIndex <= 64)) return refused("Gid index should be between 0 and 64");
  const tcpPort = number("port", 18_515);
  if (!(tcpPort >= 1024 && tcpPort <= 65_535)) return refused("Port should be between 1024 and 65535");
  const ibPort = number("ib-port", 1);
  if (!(ibPort >= 1 && ibPort <= 255)) return refused("IB Port should be between 1 and 255");
  if (seconds !== undefined && !(seconds >= 1)) return refused("Duration period must be greater than 0");
  if (tool.latency && queuePairs > 1) return refused("Multiple QPs only available on bw tests");
  if (tool.latency && bidirectional) return refused("Bidirectional is only available in BW test");
  if (seconds !== undefined && all)
    return end("Duration mode currently doesn't support running on all sizes.\n", `${rule}\n`);
  if (seconds !== undefined && margin !== undefined && seconds <= 2 * margin) {
    return end("please check that DURATION > 2*MARGIN\n", `${rule}\n`);
  }

  const wantedMtu = number("mtu", 4096);
  const mtuKnown = mtus.includes(wantedMtu);
  const limit = options.get("limit_bw");
  return {
    kind: "run",
    options: {
      tool,
      device: options.get("ib-dev"),
      ibPort,
      tcpPort,
      bytes,
      all,
      iterations,
      seconds,
      margin,
      bidirectional,
      queuePairs,
      txDepth: tool.latency ? 1 : seconds === undefined ? Math.min(txDepth, iterations) : txDepth,
      rxDepth: seconds === undefined ? Math.min(number("rx-depth", 512), iterations) : number("rx-depth", 512),
      cqModeration: optional("cq-mod"),
      mtu: mtuKnown ? wantedMtu : 4096,
      gidIndex,
      gigabits: options.has("report_gbits"),
      noPeak: options.has("noPeak"),
      limitBandwidth: limit === undefined ? undefined : Number(limit),
      server: rest[0],
      warnings: mtuKnown
        ? ""
        : ` Invalid MTU - ${String(options.get("mtu"))} \n Please choose mtu from {256,512,1024,2048,4096}\n Will run with the port active mtu - 5\n`,
    },
  };
}
