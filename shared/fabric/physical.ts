/** Cables and bit errors as columns of one Fabric, by port index. Survives structured cloning. */

export interface PhysicalColumns {
  /** 1 where somebody told of the port's module or bit errors. */
  readonly told: Uint8Array;
  /** Text table of the columns below; 0 is "not told". */
  readonly texts: readonly string[];
  readonly vendor: Uint32Array;
  readonly part: Uint32Array;
  readonly serial: Uint32Array;
  readonly revision: Uint32Array;
  readonly firmware: Uint32Array;
  readonly technology: Uint32Array;
  readonly fec: Uint32Array;
  /** NaN where not told, in this and all columns below. */
  readonly meters: Float32Array;
  readonly celsius: Float32Array;
  /** Bit error rates; 0 when no error was seen. */
  readonly rawBer: Float64Array;
  readonly effectiveBer: Float64Array;
  readonly symbolBer: Float64Array;
  /** Minutes over which the rates were counted. */
  readonly minutes: Float64Array;
  /** Bits received in that time. */
  readonly bits: Float64Array;
}

type TextColumn = "vendor" | "part" | "serial" | "revision" | "firmware" | "technology" | "fec";
type NumberColumn = "meters" | "celsius" | "rawBer" | "effectiveBer" | "symbolBer" | "minutes" | "bits";

/** Text of a port; empty when not told. */
export function physicalText(physical: PhysicalColumns, column: TextColumn, port: number): string {
  return physical.texts[physical[column][port] ?? 0] ?? "";
}

/** Number of a port; undefined when not told. */
export function physicalNumber(physical: PhysicalColumns, column: NumberColumn, port: number): number | undefined {
  const value = physical[column][port] ?? Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** `1.5e-8`, `2e-13`, `no errors`. */
export function formatBer(rate: number): string {
  if (rate === 0) return "no errors";
  const [mantissa = "1", exponent = "0"] = rate.toExponential(1).split("e");
  return `${mantissa.replace(/\.0$/, "")}e${exponent}`;
}
