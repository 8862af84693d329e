/**
 * The forwarding tables among the outputs of a capture, read when somebody asks for routes. Give the texts one by one:
 * only the tables are held, one byte for a switch and a LID.
 */
import { limits } from "../base/limits.ts";
import type { Fabric } from "../fabric/model.ts";
import type { Diagnostic } from "../parse/diagnostic.ts";
import { parseLfts } from "../parse/lft-reader.ts";
import type { ToolName } from "../parse/records.ts";
import { buildLfts, type BuiltLfts, type NamedLfts } from "./build-lfts.ts";
import type { InputText, InterpretedFile } from "./interpret.ts";

export interface InterpretedRoutes extends BuiltLfts {
  /** Files that hold tables, as they are used. */
  readonly files: readonly string[];
}

const tableTools: readonly ToolName[] = ["dump_fts", "ibroute", "opensm-lfts", "opensm-fdbs"];

/** True for the tools whose output is forwarding tables. */
export function isTableTool(tool: string | null | undefined): boolean {
  return tableTools.some((known) => known === tool);
}

/** Names of the outputs of an interpreted capture that hold forwarding tables. */
export function routeFiles(files: readonly InterpretedFile[]): readonly string[] {
  return files.filter(({ tool }) => isTableTool(tool)).map(({ file }) => file);
}

/**
 * Reads tables and puts them together for a fabric. `path` names the whole for diagnostics. Undefined when no input has
 * a table. Never throws on any text.
 */
export function interpretRoutes(
  inputs: Iterable<InputText>,
  fabric: Fabric,
  path: string,
): InterpretedRoutes | undefined {
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  function* read(): Generator<NamedLfts> {
    for (const { file, text, bytes } of inputs) {
      if (bytes > limits.fileBytes) continue;
      const { records, diagnostics: remarks } = parseLfts(text, { file });
      diagnostics.push(...remarks);
      if (records.tables.length === 0) continue;
      if (!files.includes(file)) files.push(file);
      yield { file, records };
    }
  }
  const built = buildLfts(fabric, read(), path);
  if (files.length === 0) return undefined;
  return { lfts: built.lfts, diagnostics: [...diagnostics, ...built.diagnostics], files };
}
