/** What ibdiagnet and mlxlink tell of one port's cable and bit errors, and how they spell the numbers. */

export interface PhysicalRecord {
  readonly vendor?: string;
  readonly part?: string;
  readonly serial?: string;
  readonly revision?: string;
  /** Firmware of the module. */
  readonly firmware?: string;
  /** `Active optical module`, `Passive copper cable`, as printed. */
  readonly technology?: string;
  readonly meters?: number;
  readonly celsius?: number;
  /** Bit error rates; 0 when no error was seen. */
  readonly rawBer?: number;
  readonly effectiveBer?: number;
  readonly symbolBer?: number;
  /** Minutes since the physical counters were cleared, or the link came up. */
  readonly minutes?: number;
  /** Bits received since then. */
  readonly bits?: number;
  /** Forward error correction in use, as printed. */
  readonly fec?: string;
}

/** Magnitudes from here on stand for "no error": the tools print 15E-254 or 15E-255 then. */
const noErrorMagnitude = 40;

/** The text without quotes and spaces; undefined for what means "not known". */
export function knownText(text: string | undefined): string | undefined {
  const known =
    text
      ?.trim()
      .replace(/^"(.*)"$/, "$1")
      .trim() ?? "";
  return known === "" || /^(?:N\/?A|Not Available|Unknown|None|-)$/i.test(known) ? undefined : known.slice(0, 200);
}

/** `2E-13`, `15E-255`, `1.5e-08`, `0`; undefined for what is no rate from 0 to 1. */
export function readBer(text: string | undefined): number | undefined {
  const hit = /^(\d+(?:\.\d+)?)(?:[eE]([+-]?\d{1,4}))?$/.exec(knownText(text) ?? "");
  if (hit === null) return undefined;
  return berOf(Number(hit[1]), -Number(hit[2] ?? 0));
}

/** Mantissa × 10^-magnitude; 0 for "no error". */
export function berOf(mantissa: number, magnitude: number): number | undefined {
  if (mantissa === 0 || magnitude > noErrorMagnitude) return 0;
  const rate = Number(`${mantissa}e${-magnitude}`);
  return rate >= 0 && rate <= 1 ? rate : undefined;
}

/** `42C`, `61 [-5..75]`, `45.3`; undefined for `N/A`, `255C` and a zero without limits, which passive cables give. */
export function readCelsius(text: string | undefined): number | undefined {
  const known = knownText(text);
  if (known === undefined) return undefined;
  const hit = /^(-?\d+(?:\.\d+)?)\s*(?:°?\s*C)?(?:\s*\[(.*)\])?$/i.exec(known);
  const celsius = Number(hit?.[1] ?? "x");
  if (!Number.isFinite(celsius) || celsius <= -60 || celsius >= 200) return undefined;
  return celsius === 0 && (hit?.[2] === undefined || /^0\.\.0$/.test(hit[2])) ? undefined : celsius;
}

/** `3 m`, `10`, `0.5m`, `50 cm`; undefined for 0 and what is no length. */
export function readMeters(text: string | undefined): number | undefined {
  const hit = /^(\d+(?:\.\d+)?)\s*(k?m|cm)?$/i.exec(knownText(text) ?? "");
  if (hit === null) return undefined;
  const unit = hit[2]?.toLowerCase();
  const meters = Number(hit[1]) * (unit === "km" ? 1000 : unit === "cm" ? 0.01 : 1);
  return meters > 0 && meters <= 100_000 ? meters : undefined;
}

/** A whole number in decimal or `0x`; undefined for anything else. */
export function readCount(text: string | undefined): number | undefined {
  const known = knownText(text);
  return known !== undefined && /^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i.test(known) ? Number(known) : undefined;
}
