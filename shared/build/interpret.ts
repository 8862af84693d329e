/**
 * The raw outputs of one capture, or the files somebody mailed → one Fabric. Each text is recognised by what stands
 * in it; what no parser reads is kept and named. Outputs of different fabrics are refused, not mixed.
 */
import type { Guid } from "../base/guid.ts";
import { err, ok, type Result } from "../base/result.ts";
import { limits } from "../base/limits.ts";
import type { AppError } from "../errors/kinds.ts";
import type { Fabric } from "../fabric/model.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { QueryErrorsRecords } from "../parse/ibqueryerrors.ts";
import type { MlxlinkRecords } from "../parse/mlxlink.ts";
import type { OpensmSettings } from "../parse/opensm-conf.ts";
import { parseAny, type ParsedText } from "../parse/parse-any.ts";
import type { PerfqueryRecords } from "../parse/perfquery.ts";
import { looksBinary } from "../parse/recognise.ts";
import {
  type DiscoverRecords,
  type LinkinfoRecords,
  recordKinds,
  type SminfoRecords,
  type ToolName,
} from "../parse/records.ts";
import type { SaqueryRecords } from "../parse/saquery.ts";
import type { SmpqueryRecords } from "../parse/smpquery.ts";
import { parseToolErrors } from "../parse/tool-errors.ts";
import { buildFabric } from "./build-fabric.ts";
import { asErrorCounts, asManagerPorts, chooseDbCsv } from "./db-csv-views.ts";
import type { Named, Timed } from "./named.ts";
import { type Names, namesOfDiscovery, sameFabric } from "./same-fabric.ts";

/** One raw output as text. */
export interface InputText {
  /** Name for diagnostics, as the user knows it. */
  readonly file: string;
  readonly text: string;
  /** Size of the original, in bytes. */
  readonly bytes: number;
  /** True for the error output of a collected command: it is only read for what it says is missing. */
  readonly isStderr?: boolean;
  /** When its command started, in milliseconds since 1970; absent when nobody knows. */
  readonly takenAt?: number;
  /** Why the file could not be read, a sentence; `text` is then empty. */
  readonly unread?: string;
}

export interface InterpretedFile {
  readonly file: string;
  readonly tool: ToolName | undefined;
}

export interface Interpreted {
  readonly fabric: Fabric;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly InterpretedFile[];
  /** True when a text is cut, failed or says that nodes did not answer. */
  readonly partial: boolean;
  /** `Topology file: generated on …` of the text that was used, as printed. */
  readonly generatedOn?: string;
}

interface Texts {
  readonly discover: Named<DiscoverRecords>[];
  readonly linkinfo: Named<LinkinfoRecords>[];
  readonly sminfo: Timed<SminfoRecords>[];
  readonly saquery: Named<SaqueryRecords>[];
  readonly errorCounts: Timed<QueryErrorsRecords>[];
  readonly perfquery: Timed<PerfqueryRecords>[];
  readonly dbCsv: Timed<DbCsvRecords>[];
  readonly mlxlink: Named<MlxlinkRecords>[];
  readonly opensm: OpensmSettings[];
  readonly portInfos: SmpqueryRecords["portInfos"][number][];
  readonly nets: Named<DiscoverRecords>[];
  readonly files: InterpretedFile[];
  readonly diagnostics: Diagnostic[];
  /** Error outputs that say that something did not answer. */
  readonly holes: Set<string>;
}

/** Of the remark on a file that was not read at all. */
const unreadCode = "not-read";

/** Reads everything and builds the fabric. `path` names the whole for errors. Never throws on any text. */
export function interpret(inputs: readonly InputText[], path: string): Result<Interpreted, AppError> {
  const texts: Texts = {
    discover: [],
    linkinfo: [],
    sminfo: [],
    saquery: [],
    errorCounts: [],
    perfquery: [],
    dbCsv: [],
    mlxlink: [],
    opensm: [],
    portInfos: [],
    nets: [],
    files: [],
    diagnostics: [],
    holes: new Set(),
  };
  for (const input of inputs) readInput(input, texts);
  const onlyInput = inputs.length === 1 ? inputs[0] : undefined;
  if (onlyInput !== undefined && texts.files[0]?.tool === undefined) return err(whyUnknown(onlyInput));
  const remarks = new DiagnosticList(path);
  // A net file is what a simulator was given: only a topology when nothing measured is there.
  const candidates = texts.discover.length > 0 ? texts.discover : texts.linkinfo.length > 0 ? [] : texts.nets;
  const discover = chooseDiscover(candidates, remarks, path);
  if (!discover.ok) return discover;
  const linkinfo = chooseLinkinfo(texts.linkinfo, discover.value, remarks, path);
  if (!linkinfo.ok) return linkinfo;
  const dbCsv = chooseDbCsv(texts.dbCsv, discover.value, linkinfo.value === undefined, remarks, path);
  if (!dbCsv.ok) return dbCsv;
  const managersOnly = discover.value === undefined && linkinfo.value === undefined && dbCsv.value === undefined;
  const managerTexts = [...texts.sminfo, ...texts.saquery];
  const empty = texts.dbCsv.find(({ records }) => records.nodes.length === 0);
  if (managersOnly && managerTexts.length === 0 && empty !== undefined)
    return err(failedOutput(empty.file, texts.diagnostics, "ibdiagnet"));
  if (managersOnly && managerTexts.every(({ records }) => "failed" in records && records.failed))
    return err(noTopology(inputs, texts, path));
  if (!managersOnly && isEmpty(discover.value) && linkinfo.value === undefined && dbCsv.value === undefined) {
    return err(failedOutput(discover.value?.file ?? path, texts.diagnostics));
  }
  const built = buildFabric({
    sminfo: texts.sminfo,
    saquery: [...texts.saquery, ...asManagerPorts(texts.dbCsv)],
    counters: { errors: [...asErrorCounts(texts.dbCsv), ...texts.errorCounts], perfquery: texts.perfquery },
    portInfos: texts.portInfos,
    physical: { dbCsv: texts.dbCsv, mlxlink: texts.mlxlink },
    files: inputs.map(({ file }) => file),
    ...(texts.opensm[0] === undefined ? {} : { opensm: texts.opensm[0] }),
    ...(discover.value === undefined ? {} : { discover: discover.value }),
    ...(linkinfo.value === undefined ? {} : { linkinfo: linkinfo.value }),
    ...(dbCsv.value === undefined ? {} : { dbCsv: dbCsv.value }),
  });
  const used = [discover.value, linkinfo.value, ...texts.dbCsv];
  const shown = new Set(
    [...used, ...managerTexts, ...texts.errorCounts, ...texts.perfquery, ...texts.mlxlink].flatMap((text) =>
      text === undefined ? [] : [text.file, stderrOf(text.file)],
    ),
  );
  const generatedOn = discover.value?.records.generatedOn;
  return ok({
    fabric: built.fabric,
    // What is wrong with a text that is not shown is of no use to anyone.
    diagnostics: [
      ...texts.diagnostics.filter(({ file, code }) => shown.has(file) || code === unreadCode),
      ...remarks.finish(),
      ...built.diagnostics,
    ],
    files: texts.files,
    partial: used.some(
      (text) => text !== undefined && (!text.records.complete || texts.holes.has(stderrOf(text.file))),
    ),
    ...(generatedOn === undefined ? {} : { generatedOn }),
  });
}

function readInput(input: InputText, texts: Texts): void {
  const unread =
    input.bytes > limits.fileBytes
      ? `The file is larger than ${limits.fileBytes / (1024 * 1024)} MiB and was not read.`
      : input.unread;
  if (unread !== undefined) {
    const remarks = new DiagnosticList(input.file);
    remarks.add({ severity: "error", code: unreadCode, message: unread });
    texts.diagnostics.push(...remarks.finish());
    texts.files.push({ file: input.file, tool: undefined });
    return;
  }
  if (input.isStderr === true) {
    readStderr(input, texts);
    texts.files.push({ file: input.file, tool: undefined });
    return;
  }
  if (looksBinary(input.text)) {
    texts.files.push({ file: input.file, tool: undefined });
    return;
  }
  const parsed = parseAny(input.text, { file: input.file });
  texts.files.push({ file: input.file, tool: parsed.kind === "unknown" ? undefined : parsed.tool });
  keep(parsed, input, texts);
}

function keep(parsed: ParsedText, { file, takenAt }: InputText, texts: Texts): void {
  const time = takenAt === undefined ? {} : { takenAt };
  switch (parsed.kind) {
    case "ibnetdiscover":
      if (parsed.tool === "net-file") {
        texts.nets.push({ file, records: parsed.parsed.records });
      } else {
        texts.discover.push({ file, records: parsed.parsed.records });
        texts.diagnostics.push(...parsed.parsed.diagnostics);
      }
      return;
    case "iblinkinfo":
      texts.linkinfo.push({ file, records: parsed.parsed.records });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "sminfo":
      texts.sminfo.push({ file, records: parsed.parsed.records, ...time });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "saquery": {
      const { records, diagnostics } = parsed.parsed;
      if (!records.listsSmPorts && records.smPorts.length + records.smInfos.length === 0 && !records.failed) return;
      texts.saquery.push({ file, records });
      texts.diagnostics.push(...diagnostics);
      return;
    }
    case "ibqueryerrors":
      texts.errorCounts.push({ file, records: parsed.parsed.records, ...time });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "perfquery":
      texts.perfquery.push({ file, records: parsed.parsed.records, ...time });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "ibdiagnet-db":
      texts.dbCsv.push({ file, records: parsed.parsed.records, ...time });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "mlxlink":
      texts.mlxlink.push({ file, records: parsed.parsed.records });
      texts.diagnostics.push(...parsed.parsed.diagnostics);
      return;
    case "opensm-conf":
      texts.opensm.push(parsed.parsed.records);
      return;
    case "smpquery":
      texts.portInfos.push(...parsed.parsed.records.portInfos);
      return;
    case "perftest":
    case "ibtracert":
    case "opensm-log":
    case "other":
    case "unknown":
      return;
  }
}

/** Name of the error output that belongs to an output: `ibnetdiscover.txt` → `ibnetdiscover.stderr.txt`. */
export function stderrOf(file: string): string {
  return file.replace(/(?:\.txt)?$/, ".stderr.txt");
}

/** What a tool's error output says of missing nodes. */
function readStderr(input: InputText, texts: Texts): void {
  const { records, diagnostics } = parseToolErrors(input.text, { file: input.file });
  if (records.missing) texts.holes.add(input.file);
  if (/No SM\/SA found|Query SA failed|Failed to bind to the SA/.test(input.text)) {
    texts.saquery.push({
      file: input.file,
      records: { smPorts: [], smInfos: [], listsSmPorts: false, failed: true },
    });
  }
  texts.diagnostics.push(...diagnostics);
}

/** Of several dumps of one fabric the whole ones come first, then the larger, then the later file name. */
function chooseDiscover(
  candidates: readonly Named<DiscoverRecords>[],
  remarks: DiagnosticList,
  path: string,
): Result<Named<DiscoverRecords> | undefined, AppError> {
  const filled = candidates.filter((candidate) => candidate.records.nodes.length > 0);
  const best = [...filled].sort(
    (a, b) =>
      Number(b.records.complete) - Number(a.records.complete) ||
      b.records.nodes.length - a.records.nodes.length ||
      (a.file < b.file ? 1 : -1),
  )[0];
  if (best === undefined) return ok(candidates[0]);
  const names = filled.length > 1 ? namesOfDiscovery(best.records) : undefined;
  const foreign =
    names === undefined ? [] : filled.filter((candidate) => !sameFabric(names, namesOfDiscovery(candidate.records)));
  if (foreign.length > 0)
    return err({ kind: "several-fabrics", path, files: [best.file, ...foreign.map((text) => text.file)] });
  for (const other of filled) {
    if (other === best) continue;
    remarks.add({
      severity: "note",
      code: "superseded",
      message: `${other.file} is another ibnetdiscover output of the same fabric; ${best.file} is shown.`,
    });
  }
  return ok(best);
}

function chooseLinkinfo(
  candidates: readonly Named<LinkinfoRecords>[],
  discover: Named<DiscoverRecords> | undefined,
  remarks: DiagnosticList,
  path: string,
): Result<Named<LinkinfoRecords> | undefined, AppError> {
  const filled = candidates.filter((candidate) => candidate.records.ports.length > 0);
  if (filled.length === 0) return ok(undefined);
  const known = discover === undefined ? undefined : portsKnown(discover.records);
  const foreign: string[] = [];
  const same: Named<LinkinfoRecords>[] = [];
  for (const candidate of filled) {
    const own = new Map<Guid, string>(
      candidate.records.ports.flatMap((port): [Guid, string][] =>
        port.guid === undefined ? [] : [[port.guid, port.description ?? ""]],
      ),
    );
    if (known !== undefined && known.size > 0 && !sameFabric(known, own)) foreign.push(candidate.file);
    else same.push(candidate);
  }
  if (foreign.length > 0 && discover !== undefined) {
    return err({ kind: "several-fabrics", path, files: [discover.file, ...foreign] });
  }
  // Line mode names both ends of every cable; with as many ports it is the better text.
  const lines = (text: Named<LinkinfoRecords>): number =>
    text.records.ports.filter((port) => port.peer?.guid !== undefined).length;
  const best = [...same].sort(
    (a, b) =>
      Number(b.records.complete) - Number(a.records.complete) ||
      lines(b) - lines(a) ||
      b.records.ports.length - a.records.ports.length,
  )[0];
  for (const other of same) {
    if (other === best || best === undefined) continue;
    remarks.add({
      severity: "note",
      code: "superseded",
      message: `${other.file} is another iblinkinfo output of the same fabric; ${best.file} is shown.`,
    });
  }
  return ok(best);
}

/** Names by node and port GUID, as iblinkinfo uses them. */
function portsKnown({ guids, nodes, ports }: DiscoverRecords): Names {
  // By number first: every port names its peer again, and a map of texts would be asked for each.
  const names: string[] = new Array<string>(guids.count);
  const add = (guid: number, name: string): void => {
    if (guid >= 0) names[guid] = name;
  };
  for (const node of nodes) {
    if (node.kind === "switch") add(node.guid, node.description);
    for (let row = node.firstPort; row < node.endPort; row += 1) {
      const peer = ports.peerDescription[row] ?? "";
      add(ports.guid[row] ?? -1, node.description);
      add(ports.peerPortGuid[row] ?? -1, peer);
      if (recordKinds[ports.peerKind[row] ?? 0] === "switch") add(ports.peerGuid[row] ?? -1, peer);
    }
  }
  const known = new Map<Guid, string>();
  names.forEach((name, guid) => known.set(guids.guidOf(guid), name));
  return known;
}

function isEmpty(discover: Named<DiscoverRecords> | undefined): boolean {
  return discover === undefined || discover.records.nodes.length === 0;
}

/** A discovery without a node: what the tool said of it. */
function failedOutput(file: string, diagnostics: readonly Diagnostic[], tool = "ibnetdiscover"): AppError {
  const said = diagnostics.find((diagnostic) => diagnostic.file === file && diagnostic.code === "tool-failed");
  return { kind: "failed-output", path: file, tool, line: said?.line ?? 0, said: said?.excerpt ?? "" };
}

function whyUnknown(input: InputText): AppError {
  if (input.bytes > limits.fileBytes)
    return { kind: "too-large", path: input.file, bytes: input.bytes, limitBytes: limits.fileBytes };
  if (input.text.trim() === "") return { kind: "empty-output", what: input.file };
  const image = /^(?:.PNG|GIF8|\u00ff\u00d8\u00ff|BM|<svg)/.test(input.text.slice(0, 10));
  if (image) return { kind: "not-recognised", path: input.file, hint: "image" };
  return { kind: "not-recognised", path: input.file, hint: looksBinary(input.text) ? "binary" : "text" };
}

function noTopology(inputs: readonly InputText[], texts: Texts, path: string): AppError {
  const found = [...new Set(texts.files.flatMap(({ tool }) => (tool === undefined ? [] : [tool])))];
  if (found.length > 0) return { kind: "no-topology", path, found };
  if (inputs.length > 0 && inputs.every((input) => input.text.trim() === "" && input.bytes === 0))
    return { kind: "empty-output", what: path };
  return { kind: "not-recognised", path, hint: "directory" };
}
