import { type DbCsvRecords, parseDbCsv } from "./db-csv.ts";
import { parseIblinkinfo } from "./iblinkinfo.ts";
import { parseIbnetdiscover } from "./ibnetdiscover.ts";
import { parseIbqueryerrors, type QueryErrorsRecords } from "./ibqueryerrors.ts";
import { parseIbtracert, type TraceRecords } from "./ibtracert.ts";
import { type MlxlinkRecords, parseMlxlink } from "./mlxlink.ts";
import { type OpensmSettings, parseOpensmConf } from "./opensm-conf.ts";
import { type OpensmLogRecords, parseOpensmLog } from "./opensm-log.ts";
import { parsePerfquery, type PerfqueryRecords } from "./perfquery.ts";
import { parsePerftest } from "./perftest.ts";
import { recognise, type Recognised } from "./recognise.ts";
import type {
  DiscoverRecords,
  LinkinfoRecords,
  ParseContext,
  Parsed,
  PerftestRecords,
  SminfoRecords,
  ToolName,
} from "./records.ts";
import { parseSaquery, type SaqueryRecords } from "./saquery.ts";
import { parseSminfo } from "./sminfo.ts";
import { parseSmpquery, type SmpqueryRecords } from "./smpquery.ts";

type Confidence = Recognised["confidence"];

/** A text with what it is, and its records when there is a parser for it. */
export type ParsedText =
  | {
      readonly kind: "ibnetdiscover";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<DiscoverRecords>;
    }
  | {
      readonly kind: "iblinkinfo";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<LinkinfoRecords>;
    }
  | {
      readonly kind: "sminfo";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<SminfoRecords>;
    }
  | {
      readonly kind: "perftest";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<PerftestRecords>;
    }
  | {
      readonly kind: "ibtracert";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<TraceRecords>;
    }
  | {
      readonly kind: "saquery";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<SaqueryRecords>;
    }
  | {
      readonly kind: "ibqueryerrors";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<QueryErrorsRecords>;
    }
  | {
      readonly kind: "perfquery";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<PerfqueryRecords>;
    }
  | {
      readonly kind: "smpquery";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<SmpqueryRecords>;
    }
  | {
      readonly kind: "opensm-log";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<OpensmLogRecords>;
    }
  | {
      readonly kind: "opensm-conf";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<OpensmSettings>;
    }
  | {
      readonly kind: "ibdiagnet-db";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<DbCsvRecords>;
    }
  | {
      readonly kind: "mlxlink";
      readonly tool: ToolName;
      readonly confidence: Confidence;
      readonly parsed: Parsed<MlxlinkRecords>;
    }
  /** Recognised, but not read here. Forwarding tables are large: lft-reader.ts reads them when somebody asks for routes. */
  | { readonly kind: "other"; readonly tool: ToolName; readonly confidence: Confidence }
  | { readonly kind: "unknown" };

/** Recognises a text and parses it. Never throws for any text. A net file is read as the ibnetdiscover dump that it resembles. */
export function parseAny(text: string, context: ParseContext): ParsedText {
  const recognised = recognise(text);
  if (recognised === undefined) return { kind: "unknown" };
  switch (recognised.tool) {
    case "ibnetdiscover":
    case "net-file":
      return { kind: "ibnetdiscover", ...recognised, parsed: parseIbnetdiscover(text, context) };
    case "iblinkinfo":
    case "iblinkinfo-line":
      return { kind: "iblinkinfo", ...recognised, parsed: parseIblinkinfo(text, context) };
    case "sminfo":
      return { kind: "sminfo", ...recognised, parsed: parseSminfo(text, context) };
    case "perftest-bandwidth":
    case "perftest-latency":
    case "perftest-failure":
      return { kind: "perftest", ...recognised, parsed: parsePerftest(text, context) };
    case "ibtracert":
      return { kind: "ibtracert", ...recognised, parsed: parseIbtracert(text, context) };
    case "saquery":
      return { kind: "saquery", ...recognised, parsed: parseSaquery(text, context) };
    case "ibqueryerrors":
      return { kind: "ibqueryerrors", ...recognised, parsed: parseIbqueryerrors(text, context) };
    case "perfquery":
      return { kind: "perfquery", ...recognised, parsed: parsePerfquery(text, context) };
    case "smpquery":
      return { kind: "smpquery", ...recognised, parsed: parseSmpquery(text, context) };
    case "opensm-log":
      return { kind: "opensm-log", ...recognised, parsed: parseOpensmLog(text, context) };
    case "opensm-conf":
      return { kind: "opensm-conf", ...recognised, parsed: parseOpensmConf(text, context) };
    case "ibdiagnet-db":
      return { kind: "ibdiagnet-db", ...recognised, parsed: parseDbCsv(text, context) };
    case "mlxlink":
      return { kind: "mlxlink", ...recognised, parsed: parseMlxlink(text, context) };
    case "ibnetdiscover-ports":
    case "ibnetdiscover-list":
    case "ibroute":
    case "dump_fts":
    case "opensm-lfts":
    case "opensm-fdbs":
    case "opensm-subnet":
    case "opensm-lid-matrix":
    case "ibstat":
    case "ibstatus":
    case "ibv_devinfo":
    case "ibportstate":
    case "ibswinfo":
    case "nccl-tests":
      return { kind: "other", ...recognised };
  }
}
