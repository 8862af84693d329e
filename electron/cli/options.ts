import { parseArgs } from "node:util";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { defaultHostAccess, type SourceSpec, sshSource } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { simulatedFabrics } from "../run/simulated/catalogue.ts";
import { parseSshAddress } from "../run/ssh/target.ts";
import { decimal } from "./places.ts";

/** All options of all commands; each command says which it takes. */
const known = {
  ssh: { type: "string" },
  identity: { type: "string" },
  jump: { type: "string" },
  "accept-new-host-key": { type: "boolean" },
  sudo: { type: "boolean" },
  local: { type: "boolean" },
  simulated: { type: "string" },
  hca: { type: "string" },
  port: { type: "string" },
  "host-map": { type: "string" },
  "host-rule": { type: "string" },
  "hosts-direct": { type: "boolean" },
  out: { type: "string" },
  json: { type: "boolean" },
  shape: { type: "string" },
  /** Several times for a sweep; elsewhere the last counts. */
  link: { type: "string", multiple: true },
  routes: { type: "boolean" },
  from: { type: "string" },
  to: { type: "string" },
  client: { type: "string" },
  server: { type: "string" },
  preset: { type: "string" },
  seconds: { type: "string" },
  bytes: { type: "string" },
  qps: { type: "string" },
  both: { type: "boolean" },
  "bw-tool": { type: "string" },
  "lat-tool": { type: "string" },
  messages: { type: "string" },
  "all-sizes": { type: "boolean" },
  mtu: { type: "string" },
  "gid-index": { type: "string" },
  sl: { type: "string" },
  gpu: { type: "string" },
  yes: { type: "boolean" },
  "allow-busy": { type: "boolean" },
  triangulate: { type: "boolean" },
  "all-inter-switch": { type: "boolean" },
  "all-host-links": { type: "boolean" },
  "host-links-of": { type: "string" },
  "links-of": { type: "string" },
  degraded: { type: "boolean" },
  "dry-run": { type: "boolean" },
  concurrency: { type: "string" },
  csv: { type: "string" },
  resume: { type: "boolean" },
  watch: { type: "string" },
  log: { type: "boolean" },
  "min-severity": { type: "string" },
  thresholds: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export type OptionName = keyof typeof known;

export interface Options {
  readonly words: readonly string[];
  /** Of an option that is given several times the last. */
  text(name: OptionName): string | undefined;
  texts(name: OptionName): readonly string[];
  flag(name: OptionName): boolean;
}

function usage(detail: string): Result<never, AppError> {
  return err({ kind: "bad-request", detail });
}

/** Reads the words behind a command; options that it does not take are refused. */
export function readOptions(args: readonly string[], allowed: readonly OptionName[]): Result<Options, AppError> {
  try {
    const options = Object.fromEntries([...allowed, "help" as const].map((name) => [name, known[name]]));
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const texts = (name: OptionName): readonly string[] =>
      [values[name]].flat().filter((value) => typeof value === "string");
    return ok({
      words: positionals,
      text: (name) => texts(name).at(-1),
      texts,
      flag: (name) => values[name] === true,
    });
  } catch (cause) {
    return usage(optionProblem(cause, allowed));
  }
}

/** What stands behind an option, where its name does not say it. */
const valueWords: Partial<Readonly<Record<OptionName, string>>> = {
  ...{ ssh: "[user@]host[:port]", jump: "[user@]host[:port]", identity: "FILE", simulated: "NAME", hca: "NAME" },
  ...{ out: "FILE.fabric", csv: "FILE", thresholds: "FILE", "host-map": "FILE", "host-rule": "{name}.cluster.local" },
  ...{
    link: "NODE:PORT",
    from: "NODE|GUID|LID",
    to: "NODE|GUID|LID",
    client: "HOST",
    server: "HOST",
    watch: "SECONDS",
  },
  ...{ "host-links-of": "NODE", "links-of": "NODE", "min-severity": "note|warning|error", preset: "KIND" },
  ...{ shape: "fat-tree|dragonfly+|irregular", "bw-tool": "TOOL", "lat-tool": "TOOL" },
};

/** More than so many options are not listed in a sentence. */
const optionsListed = 8;

/** The words of Node's parseArgs for people; its codes are those of nodejs.org/api/errors.html. */
function optionProblem(cause: unknown, allowed: readonly OptionName[]): string {
  if (!(cause instanceof Error)) return "these options cannot be read";
  const code: unknown = Reflect.get(cause, "code");
  const [, option = "", name = ""] = /'(?:-\w, )?(-{1,2}([^' =]*))/.exec(cause.message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const taken = allowed.map((one) => `--${one}`).join(", ");
    const which = allowed.length > optionsListed ? "ibex --help lists what it takes" : `it takes ${taken}`;
    return `this command has no option ${option}; ${which}`;
  }
  if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return cause.message.replace(/\.?(?:\n.*)?$/s, "");
  const own = allowed.find((one) => one === name);
  if (own === undefined || known[own].type === "boolean") return `${option} takes no value`;
  return `${option} needs a value: ${option} ${valueWords[own] ?? "N"}`;
}

/** A whole number within bounds, in decimal digits. */
export function readNumber(
  text: string | undefined,
  name: string,
  min: number,
  max: number,
): Result<number | undefined, AppError> {
  if (text === undefined) return ok(undefined);
  const value = decimal(text);
  if (value === undefined || value < min || value > max)
    return usage(`--${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
  return ok(value);
}

export const sourceOptions: readonly OptionName[] = [
  "ssh",
  "identity",
  "jump",
  "accept-new-host-key",
  "sudo",
  "local",
  "simulated",
  "hca",
  "port",
  "host-map",
  "host-rule",
  "hosts-direct",
];

/** The source that the options name; undefined when they name none. */
export function readSource(options: Options): Result<SourceSpec | undefined, AppError> {
  const ssh = options.text("ssh");
  const simulated = options.text("simulated");
  const chosen = [ssh !== undefined, options.flag("local"), simulated !== undefined].filter(Boolean).length;
  if (chosen > 1) return usage("give one of --ssh, --local and --simulated");
  if (chosen === 0) return ok(undefined);
  if (simulated !== undefined) {
    const names = simulatedFabrics.map(({ name }) => name);
    return names.includes(simulated)
      ? ok({ kind: "simulated", name: simulated })
      : usage(`--simulated is one of ${names.join(", ")}, not ${JSON.stringify(simulated)}`);
  }
  const port = readNumber(options.text("port"), "port", 1, 254);
  if (!port.ok) return port;
  const tools = { sudo: options.flag("sudo"), hca: options.text("hca") ?? "", hcaPort: port.value ?? 0 };
  const hosts = {
    ...defaultHostAccess,
    via: options.flag("hosts-direct") ? ("direct" as const) : ("source" as const),
    rule: options.text("host-rule") ?? defaultHostAccess.rule,
    mapFile: options.text("host-map") ?? "",
  };
  if (ssh === undefined) return ok({ kind: "local", ...tools, hosts });
  const address = parseSshAddress(ssh);
  if (!address.ok) return address;
  const identity = options.text("identity");
  return ok(
    sshSource(address.value.host, {
      port: address.value.port ?? 0,
      user: address.value.user ?? "",
      identityFile: identity ?? "",
      jump: options.text("jump") ?? "",
      ...tools,
      hosts,
    }),
  );
}
