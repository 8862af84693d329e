/** The sections of ibdiagnet's db_csv that Ibex reads, row by row. Columns are found by name: they differ by version. */
import { type Guid, parseGuid } from "../base/guid.ts";
import { limits } from "../base/limits.ts";
import { type CounterName, isCounterName } from "../fabric/counters.ts";
import { speedCode } from "../fabric/rates.ts";
import type { CounterPort } from "./ibqueryerrors.ts";
import {
  berOf,
  knownText,
  type PhysicalRecord,
  readBer,
  readCelsius,
  readCount,
  readMeters,
} from "./physical-record.ts";
import type { RecordKind } from "./records.ts";

export interface DbNode {
  readonly guid: Guid;
  readonly kind: RecordKind;
  readonly description: string;
  readonly declaredPorts: number;
  readonly systemGuid?: Guid;
  readonly portGuid?: Guid;
  readonly vendorId?: number;
  readonly deviceId?: number;
  readonly line: number;
}

export interface DbPort {
  readonly node: Guid;
  readonly number: number;
  readonly guid?: Guid;
  readonly lid: number;
  readonly lmc: number;
  readonly lanes: number;
  readonly speed: number;
  /** Highest width and speed that the port supports; 0 when not told. */
  readonly canLanes: number;
  readonly canSpeed: number;
  /** Codes in fabric/model.ts portStates and physStates; 0 when not told. */
  readonly state: number;
  readonly phys: number;
  /** A subnet manager runs here (bit IsSM of the capability mask). */
  readonly isSm: boolean;
  readonly fec?: string;
  readonly line: number;
}

export interface DbLink {
  readonly a: Guid;
  readonly aPort: number;
  readonly b: Guid;
  readonly bPort: number;
  readonly line: number;
}

export interface DbPhysical extends PhysicalRecord {
  readonly guid: Guid;
  readonly port: number;
  readonly line: number;
}

/** One row under its section's column names. `bad`: fields that hold no value of their kind, by position. */
export class Row {
  readonly bad: number[] = [];
  readonly line: number;
  private readonly columns: ReadonlyMap<string, number>;
  private readonly fields: readonly string[];

  constructor(columns: ReadonlyMap<string, number>, fields: readonly string[], line: number) {
    this.columns = columns;
    this.fields = fields;
    this.line = line;
  }

  /** The first of the named columns that the section has. */
  text(...names: readonly string[]): string | undefined {
    const at = this.place(names);
    return at === undefined ? undefined : this.fields[at];
  }

  private place(names: readonly string[]): number | undefined {
    for (const name of names) {
      const at = this.columns.get(name.toLowerCase());
      if (at !== undefined) return at;
    }
    return undefined;
  }

  private read<T>(names: readonly string[], reader: (text: string) => T | undefined): T | undefined {
    const at = this.place(names);
    const text = at === undefined ? undefined : this.fields[at];
    if (at === undefined || text === undefined || knownText(text) === undefined) return undefined;
    const value = reader(text);
    if (value === undefined) this.bad.push(at);
    return value;
  }

  guid(...names: readonly string[]): Guid | undefined {
    return this.read(names, (text) => parseGuid(text.trim()));
  }

  count(...names: readonly string[]): number | undefined {
    return this.read(names, readCount);
  }

  port(...names: readonly string[]): number | undefined {
    return this.read(names, (text) => {
      const port = readCount(text);
      return port === undefined || port > limits.portNumber ? undefined : port;
    });
  }

  number<T>(reader: (text: string) => T | undefined, ...names: readonly string[]): T | undefined {
    return this.read(names, reader);
  }
}

const nodeKinds: readonly (RecordKind | undefined)[] = [undefined, "ca", "switch", "router"];

const nodeGuidNames = ["NodeGUID", "NodeGuid"] as const;
const portNumberNames = ["PortNum", "PortNumber"] as const;

export function readNode(row: Row): DbNode | undefined {
  const guid = row.guid(...nodeGuidNames);
  const kind = nodeKinds[row.count("NodeType") ?? 0];
  if (guid === undefined || kind === undefined) return undefined;
  const systemGuid = row.guid("SystemImageGUID");
  const portGuid = row.guid("PortGUID");
  const vendorId = row.count("VendorID");
  const deviceId = row.count("DeviceID");
  return {
    guid,
    kind,
    description: (row.text("NodeDesc") ?? "").slice(0, 256),
    declaredPorts: Math.min(row.count("NumPorts") ?? 0, limits.portNumber),
    ...(systemGuid === undefined ? {} : { systemGuid }),
    ...(portGuid === undefined ? {} : { portGuid }),
    ...(vendorId === undefined ? {} : { vendorId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    line: row.line,
  };
}

/** Width bits of PortInfo, widest first. */
const widths: readonly (readonly [bit: number, lanes: number])[] = [
  [8, 12],
  [4, 8],
  [2, 4],
  [16, 2],
  [1, 1],
];
/** ibutils2 joins the speed fields: legacy | extended << 8, FDR10 1 << 16, XDR 1 << 24. Fastest first. */
const speedBits: readonly (readonly [bit: number, speed: number])[] = [
  [1 << 24, speedCode("XDR")],
  [2048, speedCode("NDR")],
  [1024, speedCode("HDR")],
  [512, speedCode("EDR")],
  [256, speedCode("FDR")],
  [1 << 16, speedCode("FDR10")],
  [4, speedCode("QDR")],
  [2, speedCode("DDR")],
  [1, speedCode("SDR")],
];

function highest(bits: readonly (readonly [number, number])[], value: number | undefined): number {
  return bits.find(([bit]) => ((value ?? 0) & bit) !== 0)?.[1] ?? 0;
}

/** PortInfo's FECActv as mlxlink names it; others keep their number. */
const fecNames: Readonly<Record<number, string>> = {
  0: "No FEC",
  1: "Firecode FEC",
  2: "Standard RS-FEC (528,514)",
  3: "Standard LL RS-FEC (271,257)",
  14: "Ethernet_Consortium_LL_50G_RS_FEC_PLR (272,257+1)",
};

/** Bit IsSM of PortInfo's capability mask. */
const isSmBit = 2;

export function readPort(row: Row): DbPort | undefined {
  const node = row.guid(...nodeGuidNames);
  const number = row.port(...portNumberNames);
  if (node === undefined || number === undefined) return undefined;
  const guid = row.guid("PortGuid", "PortGUID");
  const state = row.count("PortState") ?? 0;
  const phys = row.count("PortPhyState") ?? 0;
  const fec = row.count("FECActv");
  return {
    node,
    number,
    ...(guid === undefined ? {} : { guid }),
    lid: row.count("LID") ?? 0,
    lmc: Math.min(row.count("LMC") ?? 0, 7),
    lanes: highest(widths, row.count("LinkWidthActv")),
    speed: highest(speedBits, row.count("LinkSpeedActv")),
    canLanes: highest(widths, row.count("LinkWidthSup")),
    canSpeed: highest(speedBits, row.count("LinkSpeedSup")),
    state: state <= 4 ? state : 0,
    phys: phys <= 7 ? phys : 0,
    isSm: ((row.count("CapMsk") ?? 0) & isSmBit) !== 0,
    ...(fec === undefined ? {} : { fec: fecNames[fec] ?? `FEC mode ${fec}` }),
    line: row.line,
  };
}

export function readLink(row: Row): DbLink | undefined {
  const [a, b] = [row.guid("NodeGuid1"), row.guid("NodeGuid2")];
  const [aPort, bPort] = [row.port("PortNum1"), row.port("PortNum2")];
  if (a === undefined || b === undefined || aPort === undefined || bPort === undefined) return undefined;
  return { a, aPort, b, bPort, line: row.line };
}

/** Columns of PM_INFO that hold a counter, the 64-bit ones last, so that they win. */
export function counterColumns(header: readonly string[]): readonly (readonly [column: string, name: CounterName])[] {
  const found: [string, CounterName, boolean][] = [];
  for (const column of header) {
    const plain = column.replace(/Ext(?:ended)?$/, "");
    if (isCounterName(plain)) found.push([column, plain, plain !== column]);
  }
  return found.sort((a, b) => Number(a[2]) - Number(b[2])).map(([column, name]) => [column, name]);
}

export function readCounters(
  row: Row,
  columns: readonly (readonly [column: string, name: CounterName])[],
): CounterPort | undefined {
  const guid = row.guid(...nodeGuidNames);
  const port = row.port(...portNumberNames);
  if (guid === undefined || port === undefined) return undefined;
  const counters: { [Name in CounterName]?: number } = {};
  for (const [column, name] of columns) {
    const value = row.count(column);
    // An extended counter that the node does not have is printed as 0 beside a narrow one that counted.
    if (value !== undefined) counters[name] = Math.max(value, counters[name] ?? 0);
  }
  return { guid, port, counters, line: row.line };
}

function placeOf(row: Row): { readonly guid: Guid; readonly port: number; readonly line: number } | undefined {
  const guid = row.guid(...nodeGuidNames);
  const port = row.port(...portNumberNames);
  return guid === undefined || port === undefined ? undefined : { guid, port, line: row.line };
}

/** Only what is told. */
function defined(record: { readonly [K in keyof PhysicalRecord]: PhysicalRecord[K] | undefined }): PhysicalRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

export function readCable(row: Row): DbPhysical | undefined {
  const place = placeOf(row);
  if (place === undefined) return undefined;
  const lengths = ["LengthDesc", "LengthCopperOrActive", "LengthSMFiber", "LengthOM5", "LengthOM4", "LengthOM3"];
  return {
    ...place,
    ...defined({
      vendor: knownText(row.text("Vendor")),
      part: knownText(row.text("PN")),
      serial: knownText(row.text("SN")),
      revision: knownText(row.text("Rev")),
      firmware: knownText(row.text("FWVersion")),
      technology: knownText(row.text("TypeDesc")),
      meters: lengths.map((name) => readMeters(row.text(name))).find((meters) => meters !== undefined),
      celsius: readCelsius(row.text("Temperature")),
    }),
  };
}

const berColumns = {
  rawBer: ["RawBER", "Raw_BER", "PreFecBER", "RawPhysicalBER"],
  effectiveBer: ["EffectiveBER", "EffBER", "Effective_BER", "PostFecBER"],
  symbolBer: ["SymbolBER", "SymBER", "Symbol_BER"],
} as const;
const bitColumns = ["ReceivedBits", "phy_received_bits", "PhyReceivedBits"];
const minuteColumns = ["TimeSinceLastClear", "time_since_last_clear_min"];

/** True for a section with bit error rates under their own names. */
export function hasBerColumns(columns: ReadonlyMap<string, number>): boolean {
  return Object.values(berColumns)
    .flat()
    .some((name) => columns.has(name.toLowerCase()));
}

export function readBerRow(row: Row): DbPhysical | undefined {
  const place = placeOf(row);
  if (place === undefined) return undefined;
  return {
    ...place,
    ...defined({
      rawBer: row.number(readBer, ...berColumns.rawBer),
      effectiveBer: row.number(readBer, ...berColumns.effectiveBer),
      symbolBer: row.number(readBer, ...berColumns.symbolBer),
      bits: row.count(...bitColumns),
      minutes: row.count(...minuteColumns),
    }),
  };
}

/**
 * PHY_DB16 numbers its columns: field12 to field17 are mantissa and magnitude of the raw, the effective and the symbol
 * BER, as public readers of these files take them (`15, 254` is no error at all).
 */
export function readPhyRow(row: Row): DbPhysical | undefined {
  const place = placeOf(row);
  if (place === undefined) return undefined;
  const pair = (field: number): number | undefined => {
    const mantissa = row.count(`field${field}`);
    const magnitude = row.count(`field${field + 1}`);
    return mantissa === undefined || magnitude === undefined ? undefined : berOf(mantissa, magnitude);
  };
  return { ...place, ...defined({ rawBer: pair(12), effectiveBer: pair(14), symbolBer: pair(16) }) };
}
