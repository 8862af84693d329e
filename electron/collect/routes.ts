/**
 * Forwarding tables of all switches. Only reads. dump_fts asks all switches in one run; where it is not there, or the
 * fabric is large, ibroute asks switch by switch, some at once, and what has come is kept packed.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { count, groupDigits } from "../../shared/base/text.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseLfts } from "../../shared/parse/lft-reader.ts";
import type { CommandOutput } from "../run/runner.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { decodeOutput } from "../threads/decode.ts";
import { type Argv, asOutput, deviceOptions, runTool, type ToolPlace } from "./step.ts";

/** Above this dump_fts runs for minutes and prints hundreds of megabytes, and nothing of it is there before the end. */
const dumpedAtOnce = 200;
const dumpTimeoutMs = 600_000;
const switchTimeoutMs = 60_000;
/** ibroute at a time: below sshd's MaxSessions, with room for what the user does meanwhile. */
const atOnce = 6;
/** Where opensm writes its dumps unless it is told otherwise. */
const opensmDumps = ["opensm-lfts.dump", "opensm.fdbs"] as const;

const pack = promisify(gzip);

export interface TablesRead {
  readonly outputs: readonly CaptureOutput[];
  /** `24 tables`, `24 tables, 1 of them cut`. */
  readonly note: string;
  readonly error?: AppError;
}

/** LIDs of the switches that a discovery has found, in its order. */
export function switchLids(discover: string): readonly number[] {
  const lids = [...discover.matchAll(/^Switch\s*\d+\s*"S-[0-9a-f]{16}".* lid (\d{1,5}) lmc \d/gm)];
  return lids.flatMap(([, lid]) => (Number(lid) > 0 ? [Number(lid)] : []));
}

/** Asks for the tables. `say` hears how far it is; what came before an error or a cancel is handed back with it. */
export async function readForwardingTables(
  place: ToolPlace,
  lids: readonly number[],
  say: (note: string) => void,
): Promise<TablesRead> {
  const dumped = lids.length > dumpedAtOnce ? undefined : await dumpAll(place, lids.length, say);
  if (dumped !== undefined && !helpless(dumped)) return dumped;
  const asked = await askEach(place, lids, say);
  if (!helpless(asked)) return asked;
  // A tool that is there and found nothing says more than one that is not there.
  const error = dumped?.error?.kind === "empty-output" ? dumped.error : asked.error;
  const file = await readDump(place);
  return file ?? { outputs: [], note: "", ...(error === undefined ? {} : { error }) };
}

/** Nothing came, and another tool may do better. */
function helpless({ outputs, error }: TablesRead): boolean {
  return outputs.length === 0 && (error?.kind === "tool-missing" || error?.kind === "empty-output");
}

function tablesIn(output: CommandOutput): { readonly tables: number; readonly cut: number } {
  const { tables } = parseLfts(decodeOutput(output.stdout), { file: "" }).records;
  return { tables: tables.length, cut: tables.filter(({ complete }) => !complete).length };
}

function tablesNote(tables: number, cut: number): string {
  return `${count(tables, "table")}${cut === 0 ? "" : `, ${cut} of them cut`}`;
}

async function dumpAll(place: ToolPlace, switches: number, say: (note: string) => void): Promise<TablesRead> {
  let ended = 0;
  const counted = new TextDecoder("latin1");
  let rest = "";
  const ran = await runTool(
    place,
    ["dump_fts", ...deviceOptions(place.source)],
    dumpTimeoutMs,
    undefined,
    (stream, piece) => {
      if (stream !== "stdout") return;
      const lines = (rest + counted.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const more = lines.filter((line) => / lids dumped/.test(line)).length;
      ended += more;
      if (more > 0) say(`${ended} of ${count(switches, "switch", "switches")}`);
    },
  );
  if (ran.output === undefined || ran.error?.kind === "tool-missing") {
    return { outputs: [], note: "", ...(ran.error === undefined ? {} : { error: ran.error }) };
  }
  const { tables, cut } = tablesIn(ran.output);
  const nothing: AppError | undefined =
    tables > 0 ? undefined : { kind: "empty-output", what: `dump_fts on ${place.runner.host}` };
  const error = ran.error ?? nothing;
  return {
    outputs: tables > 0 || ran.error !== undefined ? [asOutput("dump_fts.txt", ran.output)] : [],
    note: tablesNote(tables, cut),
    ...(error === undefined ? {} : { error }),
  };
}

/** A failure that meets every switch alike. */
function meetsAll(error: AppError): boolean {
  return ["cancelled", "connection-lost", "sudo-refused", "tool-missing", "no-permission", "no-device"].includes(
    error.kind,
  );
}

/** Runs ibroute for each switch, some at once. Outputs are packed as they come, in the order of the switches. */
async function askEach(place: ToolPlace, lids: readonly number[], say: (note: string) => void): Promise<TablesRead> {
  const pieces: (Uint8Array | undefined)[] = lids.map(() => undefined);
  const errors: string[] = [];
  let [next, tables, cut, bytes, done] = [0, 0, 0, 0, 0];
  let stop: AppError | undefined;
  let lastError: AppError | undefined;
  let first: CommandOutput | undefined;
  const worker = async (): Promise<void> => {
    while (stop === undefined && next < lids.length) {
      const index = next;
      next += 1;
      // The first tells who owns each LID, the others only ports: a fifth of the text.
      const argv: Argv = [
        "ibroute",
        ...deviceOptions(place.source),
        ...(index === 0 ? [] : ["-n"]),
        String(lids[index]),
      ];
      const ran = await runTool(place, argv, switchTimeoutMs);
      if (ran.error !== undefined) {
        lastError = ran.error;
        if (meetsAll(ran.error)) stop ??= ran.error;
        errors.push(`LID ${lids[index]}: ${ran.stderr.trim() === "" ? ran.error.kind : ran.stderr.trim()}`);
      }
      if (ran.output !== undefined) {
        const found = tablesIn(ran.output);
        if (found.tables > 0) {
          first ??= ran.output;
          tables += found.tables;
          cut += found.cut;
          bytes += ran.output.stdout.length;
          pieces[index] = await pack(ran.output.stdout);
        }
      }
      done += 1;
      say(`${groupDigits(done)} of ${count(lids.length, "switch", "switches")}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, lids.length) }, worker));
  const packed = pieces.filter((piece) => piece !== undefined);
  const nothing: AppError = { kind: "empty-output", what: `ibroute on ${place.runner.host}` };
  const error = stop ?? (tables === 0 ? (lastError ?? nothing) : undefined);
  const missing = lids.length - packed.length;
  const command = ["ibroute", ...deviceOptions(place.source), "-n", "LID"].join(" ");
  const outputs: readonly CaptureOutput[] =
    first === undefined
      ? []
      : [
          {
            name: "ibroute.txt",
            stdout: new Uint8Array(0),
            packed: { pieces: packed, bytes },
            ...(errors.length === 0 ? {} : { stderr: new TextEncoder().encode(`${errors.join("\n")}\n`) }),
            commandLine: `${command} (for each of ${count(lids.length, "switch", "switches")})`,
            startedAt: new Date(first.startedAt).toISOString(),
          },
        ];
  return {
    outputs,
    note: `${tablesNote(tables, cut)}${missing > 0 && tables > 0 ? `, ${groupDigits(missing)} switches did not answer` : ""}`,
    ...(error === undefined ? {} : { error }),
  };
}

/** What a subnet manager on this host has written down; undefined when nothing can be read. */
async function readDump(place: ToolPlace): Promise<TablesRead | undefined> {
  for (const name of opensmDumps) {
    const ran = await runTool(place, ["cat", `/var/log/${name}`], switchTimeoutMs);
    if (ran.error !== undefined || ran.output === undefined) continue;
    const { tables, cut } = tablesIn(ran.output);
    if (tables === 0) continue;
    return {
      outputs: [asOutput(name, ran.output)],
      note: `${tablesNote(tables, cut)}, as opensm wrote them to /var/log/${name}`,
    };
  }
  return undefined;
}
