import { parseIblinkinfo } from "./iblinkinfo.ts";
import { parseIbnetdiscover } from "./ibnetdiscover.ts";
import { parseIbtracert, type TraceRecords } from "./ibtracert.ts";
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
import { parseSminfo } from "./sminfo.ts";

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
    case "ibnetdiscover-ports":
    case "ibnetdiscover-list":
    case "ibqueryerrors":
    case "perfquery":
    case "smpquery":
    case "saquery":
    case "ibroute":
    case "dump_fts":
    case "opensm-log":
    case "opensm-lfts":
    case "opensm-fdbs":
    case "opensm-subnet":
    case "opensm-lid-matrix":
    case "ibstat":
    case "ibstatus":
    case "ibv_devinfo":
    case "ibportstate":
    case "mlxlink":
    case "ibswinfo":
    case "ibdiagnet-db":
    case "nccl-tests":
      return { kind: "other", ...recognised };
  }
}
