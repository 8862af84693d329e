/** Forwarding tables of all switches. Only reads. */
import { count, groupDigits } from "../../shared/base/text.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseLfts } from "../../shared/parse/lft-reader.ts";
import { deviceOptions, type Ran, runTool, type ToolPlace } from "./step.ts";

/** dump_fts asks switch by switch and block by block; above this it runs for minutes and prints hundreds of megabytes. */
const switchesMax = 200;
const timeoutMs = 600_000;

/** Asks with dump_fts. `switches`: how many the discovery has found; too many are not asked, and that is said. */
export async function readForwardingTables(place: ToolPlace, switches: number): Promise<Ran> {
  if (switches > switchesMax) {
    const detail = `The fabric has ${groupDigits(switches)} switches; Ibex asks up to ${switchesMax} for their forwarding tables. Add the file opensm-lfts.dump or opensm.fdbs of the subnet manager to the capture instead.`;
    return { stdout: "", stderr: "", error: { kind: "unsupported", what: "Collecting forwarding tables", detail } };
  }
  const ran = await runTool(place, ["dump_fts", ...deviceOptions(place.source)], timeoutMs);
  if (ran.error !== undefined || ran.output === undefined || tablesOf(ran.stdout).length > 0) return ran;
  const error: AppError = { kind: "empty-output", what: `dump_fts on ${place.runner.host}` };
  return { ...ran, error };
}

function tablesOf(stdout: string): readonly { readonly complete: boolean }[] {
  return parseLfts(stdout, { file: "" }).records.tables;
}

/** `24 tables`, `24 tables, 1 of them cut`. */
export function tablesNote(stdout: string): string {
  const tables = tablesOf(stdout);
  const cut = tables.filter(({ complete }) => !complete).length;
  return `${count(tables.length, "table")}${cut === 0 ? "" : `, ${cut} of them cut`}`;
}
