/** What the inspector says of a cable and of bit errors at its ends. Pure; no React. */
import type { Finding } from "../../../shared/analyse/results.ts";
import { portName } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { formatBer, type PhysicalColumns, physicalNumber, physicalText } from "../../../shared/fabric/physical.ts";
import type { EndCell, EndsRow } from "./link-facts.ts";

const unknown = "–";

/** `3 m`, `0.5 m`. */
function metersText(meters: number): string {
  return `${Number(meters.toFixed(1))} m`;
}

function toneOf(findings: readonly Finding[], fabric: Fabric, port: number, rule: string, word = ""): EndCell["tone"] {
  const found = findings.find(
    ({ id, evidence }) => id === `${rule} ${portName(fabric, port)}` && evidence.includes(word),
  );
  return found?.severity === "error" ? "error" : found?.severity === "warning" ? "warning" : undefined;
}

/** `31 d`, `5 h`, `41 min`. */
function minutesText(minutes: number): string {
  if (minutes < 180) return `${Math.floor(minutes)} min`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** Both ends' modules and bit errors, rows of which neither end tells left out; empty when nobody told of either. */
export function cableRows(fabric: Fabric, a: number, b: number, findings: readonly Finding[]): readonly EndsRow[] {
  const { physical } = fabric;
  if (physical === undefined || (physical.told[a] !== 1 && physical.told[b] !== 1)) return [];
  const row = (label: string, cell: (port: number) => EndCell): EndsRow => ({ label, a: cell(a), b: cell(b) });
  const text = (label: string, column: Parameters<typeof physicalText>[1]): EndsRow =>
    row(label, (port) => ({ text: physicalText(physical, column, port) || unknown }));
  const number = (
    label: string,
    column: Parameters<typeof physicalNumber>[1],
    words: (value: number) => string,
    rule = "",
    word = "",
  ): EndsRow =>
    row(label, (port) => {
      const value = physicalNumber(physical, column, port);
      if (value === undefined) return { text: unknown };
      const tone = rule === "" ? undefined : toneOf(findings, fabric, port, rule, word);
      return { text: words(value), ...(tone === undefined ? {} : { tone }) };
    });
  const rows = [
    text("Type", "technology"),
    number("Length", "meters", metersText),
    text("Vendor", "vendor"),
    text("Part", "part"),
    text("Serial", "serial"),
    text("Revision", "revision"),
    text("Firmware", "firmware"),
    number("Module", "celsius", (celsius) => `${Math.round(celsius)} °C`, "hot-module"),
    text("FEC", "fec"),
    number("Symbol BER", "symbolBer", formatBer, "bit-errors", "symbol BER"),
    number("Effective BER", "effectiveBer", formatBer, "bit-errors", "effective BER"),
    number("Raw BER", "rawBer", formatBer, "bit-errors", "raw BER"),
    number("Counted for", "minutes", minutesText),
  ];
  return rows.filter((one) => one.a.text !== unknown || one.b.text !== unknown);
}

/** `MFS1S00-H015E, 15 m, serial MT2301A00001`: the cable in a few words; empty when nobody told. */
export function cableText(physical: PhysicalColumns | undefined, ports: readonly number[]): string {
  if (physical === undefined) return "";
  const told = ports.find((port) => physicalText(physical, "part", port) !== "") ?? ports[0] ?? 0;
  const meters = physicalNumber(physical, "meters", told);
  const serial = physicalText(physical, "serial", told);
  return [
    physicalText(physical, "part", told),
    meters === undefined ? "" : metersText(meters),
    serial === "" ? "" : `serial ${serial}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
