/**
 * Parser of saquery, as far as it tells of subnet managers:
 *
 *   IsSM ports                                    saquery -s
 *   PortInfoRecord dump:
 *           EndPortLid..............1
 *           PortNum.................1
 *
 *   IsSMdisabled ports
 *
 *   SMInfoRecord dump:                            saquery SMInfoRecord
 *           RID
 *           LID...................12
 *           SMInfo dump:
 *           GUID..................0x0c42a10300000211
 *           ActCount..............1050
 *
 * Some kinds of records end in an empty line and some do not: a record goes until the next `dump:`. Records of other
 * kinds are passed over.
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

/** A port on which a subnet manager has set the IsSM bit. */
export interface SmPortRecord {
  readonly lid: number;
  readonly port: number;
  /** LID of the master, as this port was told by it; 0 when not printed. */
  readonly masterLid: number;
  /** From the list `IsSMdisabled ports`. */
  readonly disabled: boolean;
  readonly line: number;
}

/** What the master's SA keeps of a subnet manager, as of its last sweep. */
export interface SmInfoRecord {
  readonly lid: number;
  readonly guid: Guid;
  readonly activity: number;
  readonly priority: number;
  /** 0 to 3 as sminfo's, -1 for anything else. */
  readonly state: number;
  readonly line: number;
}

export interface SaqueryRecords {
  readonly smPorts: readonly SmPortRecord[];
  readonly smInfos: readonly SmInfoRecord[];
  /** True when the text is the whole list of `saquery -s`, which may be empty. */
  readonly listsSmPorts: boolean;
  /** True when a line says that the query failed. */
  readonly failed: boolean;
}

const heading = /^IsSM(disabled)? ports\s*$/;
const dump = /^\s*(\w[\w ]*?) dump:\s*$/;
const field = /^\s+([A-Za-z][\w /]*?):?\.{2,}(.*)$/;
/** Lines of records that carry nothing here: `RID`, `LFT:`, `SA ClassPortInfo:`, table rows. */
const filler = /^(?:\s+\S.*|SA ClassPortInfo:\s*)$/;

interface Draft {
  readonly kind: "port" | "manager" | "other";
  readonly disabled: boolean;
  readonly line: number;
  readonly fields: Map<string, string>;
}

/** Reads what saquery printed. Never throws for any text. */
export function parseSaquery(text: string, context: ParseContext): Parsed<SaqueryRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const smPorts: SmPortRecord[] = [];
  const smInfos: SmInfoRecord[] = [];
  const seen = { enabled: false, disabled: false };
  let failed = false;
  let draft: Draft | undefined;
  const finish = (cut: boolean): void => {
    if (draft === undefined) return;
    const done = draft;
    draft = undefined;
    if (done.kind === "other") return;
    const port = done.kind === "port" ? smPort(done) : undefined;
    const manager = done.kind === "manager" ? smInfo(done) : undefined;
    // A number whose line has no end may have lost digits.
    if (port !== undefined && !cut) smPorts.push(port);
    else if (manager !== undefined && !cut) smInfos.push(manager);
    else {
      diagnostics.add({
        severity: "error",
        code: cut ? "cut" : "malformed-record",
        line: done.line,
        message: cut
          ? "The text ends inside a record of saquery: it was cut off."
          : "A record of saquery lacks a field that it should have and was left out.",
      });
    }
  };
  let whole = true;
  const stats = readLines(text, diagnostics, (raw, number, terminated) => {
    whole = terminated;
    if (isBlank(raw)) return "ignored";
    const line = raw.length > 4096 ? raw.slice(0, 4096) : raw;
    const titled = heading.exec(line.trim());
    if (titled !== null) {
      finish(false);
      seen[titled[1] === undefined ? "enabled" : "disabled"] = true;
      return "understood";
    }
    const started = dump.exec(line)?.[1];
    if (started !== undefined) {
      // `SMInfo dump:` and `PortInfo dump:` stand inside the records of the same name.
      if (draft !== undefined && /^\s/.test(line)) return draft.kind === "other" ? "ignored" : "understood";
      finish(false);
      const kind =
        started === "SMInfoRecord"
          ? "manager"
          : started === "PortInfoRecord" && (seen.enabled || seen.disabled)
            ? "port"
            : ("other" as const);
      draft = { kind, disabled: seen.disabled, line: number, fields: new Map() };
      return kind === "other" ? "ignored" : "understood";
    }
    const pair = field.exec(line);
    if (pair !== null && draft !== undefined) {
      if (draft.kind === "other") return "ignored";
      draft.fields.set((pair[1] ?? "").toLowerCase(), (pair[2] ?? "").trim());
      return "understood";
    }
    if (isPrompt(raw) || filler.test(line)) return "ignored";
    return handleStrayLine(line.trim(), number, diagnostics, () => {
      failed = true;
    });
  });
  finish(!whole);
  return {
    records: { smPorts, smInfos, listsSmPorts: seen.enabled && seen.disabled, failed },
    diagnostics: diagnostics.finish(),
    stats,
  };
}

function whole(text: string | undefined, most: number): number | undefined {
  if (text === undefined || !/^(?:0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}

function smPort({ fields, disabled, line }: Draft): SmPortRecord | undefined {
  const lid = whole(fields.get("base_lid") ?? fields.get("endportlid") ?? fields.get("lid"), 0xffff);
  const port = whole(fields.get("portnum"), 255);
  if (lid === undefined || port === undefined) return undefined;
  return { lid, port, masterLid: whole(fields.get("master_sm_base_lid"), 0xffff) ?? 0, disabled, line };
}

function smInfo({ fields, line }: Draft): SmInfoRecord | undefined {
  const lid = whole(fields.get("lid"), 0xffff);
  const guid = parseGuid(fields.get("guid") ?? "");
  const activity = whole(fields.get("actcount"), 0xffff_ffff);
  const priority = whole(fields.get("priority"), 15);
  const state = whole(fields.get("smstate"), 255);
  if (lid === undefined || guid === undefined || activity === undefined) return undefined;
  if (priority === undefined || state === undefined) return undefined;
  return { lid, guid, activity, priority, state: state > 3 ? -1 : state, line };
}
