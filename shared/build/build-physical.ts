/** Cables and bit errors of ibdiagnet and mlxlink → columns of one Fabric. Cost: O(ports + rows). */
import { guidToBigint } from "../base/guid.ts";
import { at, adaptersOfHost, hostName, nodeDescription, nodeKind, portByNumber } from "../fabric/access.ts";
import { lidOwners, type LidOwners } from "../fabric/lid-owners.ts";
import type { Fabric } from "../fabric/model.ts";
import type { PhysicalColumns } from "../fabric/physical.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import { type MlxlinkRecords, type MlxlinkTarget, readMlxlinkTarget } from "../parse/mlxlink.ts";
import type { PhysicalRecord } from "../parse/physical-record.ts";
import { PortPlaces } from "./port-places.ts";
import type { Named } from "./named.ts";

export interface PhysicalTexts {
  readonly dbCsv: readonly Named<DbCsvRecords>[];
  readonly mlxlink: readonly Named<MlxlinkRecords>[];
}

/** Puts every record to its port; what has no port is said. Later texts win, value by value. */
export function buildPhysical(
  fabric: Fabric,
  { dbCsv, mlxlink }: PhysicalTexts,
): { readonly columns?: PhysicalColumns; readonly diagnostics: readonly Diagnostic[] } {
  if (dbCsv.length + mlxlink.length === 0) return { diagnostics: [] };
  const draft = new PhysicalDraft(fabric.ports.count);
  const diagnostics: Diagnostic[] = [];
  const places = new PortPlaces(fabric);
  for (const { file, records } of dbCsv) {
    const remarks = new DiagnosticList(file);
    for (const port of records.ports) {
      const place = port.fec === undefined ? undefined : places.of({ guid: port.node, port: port.number });
      if (place !== undefined && port.fec !== undefined) draft.put(place, { fec: port.fec });
    }
    for (const record of records.physical) {
      const place = places.of(record);
      if (place !== undefined) draft.put(place, record);
      else if (record.port !== 0) {
        remarks.add({
          severity: "note",
          code: "cable-of-unknown-port",
          line: record.line,
          message:
            "Cable or bit errors of a port that is not in the topology were left out: the fabric changed between the two outputs.",
        });
      }
    }
    diagnostics.push(...remarks.finish());
  }
  const owners = mlxlink.length === 0 ? undefined : lidOwners(fabric);
  for (const { file, records } of mlxlink) {
    const remarks = new DiagnosticList(file);
    const port = owners === undefined ? undefined : portOfTarget(fabric, owners, file, records.target);
    if (port !== undefined) draft.put(port, records.physical);
    else {
      remarks.add({
        severity: "warning",
        code: "port-not-told",
        message:
          "mlxlink does not print which port it asked, and neither a command line in front of it nor the file's name tells. Name the file after it: lid-12-port-5.json, 0x<node GUID>-5.json, or <host>-mlx5_0.json.",
      });
    }
    diagnostics.push(...remarks.finish());
  }
  return { ...(draft.isEmpty ? {} : { columns: draft.columns }), diagnostics };
}

/** The port that a target means; the file's name fills in what a command line leaves open. */
function portOfTarget(fabric: Fabric, owners: LidOwners, file: string, asked: MlxlinkTarget): number | undefined {
  const target = { ...readMlxlinkTarget(file), ...asked };
  if (target.guid !== undefined) {
    const guid = guidToBigint(target.guid);
    for (let node = 0; node < fabric.nodes.count; node += 1) {
      if (fabric.nodes.guid[node] === guid) return portOrOnly(fabric, node, target.port);
    }
    const port = fabric.ports.guid.indexOf(guid);
    return port < 0 ? undefined : port;
  }
  if (target.lid !== undefined) {
    const own = owners.portOf(target.lid);
    const node = owners.nodeOf(target.lid);
    return own ?? (node === undefined ? undefined : portOrOnly(fabric, node, target.port));
  }
  return target.device === undefined ? undefined : portOfDevice(fabric, file, target.device, target.port);
}

/** A port by number; without one the only port that an adapter has. */
function portOrOnly(fabric: Fabric, node: number, number: number | undefined): number | undefined {
  if (number !== undefined) return portByNumber(fabric, node, number);
  const start = at(fabric.nodes.portStart, node);
  const only = at(fabric.nodes.portStart, node + 1) - start === 1 && nodeKind(fabric, node) !== "switch";
  return only ? start : undefined;
}

/** `n018-mlx5_2.json`, `n018/mlx5_2.json`: the host's adapter of that name, or its only one. */
function portOfDevice(fabric: Fabric, file: string, device: string, number: number | undefined): number | undefined {
  const words = new Set(file.toLowerCase().split(/[/\\.\s]+|-(?=mlx)|_(?=mlx)|-mlxlink|mlxlink-/));
  const hosts: number[] = [];
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    if (words.has(hostName(fabric, host).toLowerCase())) hosts.push(host);
  }
  const adapters = hosts.length === 1 ? adaptersOfHost(fabric, hosts[0] ?? 0) : [];
  const named = adapters.filter((node) => nodeDescription(fabric, node).toLowerCase().split(/\s+/).includes(device));
  const node = named.length === 1 ? named[0] : adapters.length === 1 ? adapters[0] : undefined;
  return node === undefined ? undefined : portOrOnly(fabric, node, number);
}

const textNames = ["vendor", "part", "serial", "revision", "firmware", "technology", "fec"] as const;
const numberNames = ["meters", "celsius", "rawBer", "effectiveBer", "symbolBer", "minutes", "bits"] as const;

class PhysicalDraft {
  readonly columns: PhysicalColumns;
  isEmpty = true;
  private readonly ids = new Map<string, number>([["", 0]]);
  private readonly texts: string[] = [""];

  constructor(ports: number) {
    const ids = (): Uint32Array => new Uint32Array(ports);
    const rates = (): Float64Array => new Float64Array(ports).fill(Number.NaN);
    const small = (): Float32Array => new Float32Array(ports).fill(Number.NaN);
    this.columns = {
      told: new Uint8Array(ports),
      texts: this.texts,
      ...{ vendor: ids(), part: ids(), serial: ids(), revision: ids(), firmware: ids(), technology: ids(), fec: ids() },
      ...{ meters: small(), celsius: small() },
      ...{ rawBer: rates(), effectiveBer: rates(), symbolBer: rates(), minutes: rates(), bits: rates() },
    };
  }

  put(port: number, record: PhysicalRecord): void {
    for (const name of textNames) {
      const text = record[name];
      if (text !== undefined) this.mark(port, name, this.id(text));
    }
    for (const name of numberNames) {
      const value = record[name];
      if (value !== undefined) this.mark(port, name, value);
    }
  }

  private mark(port: number, name: (typeof textNames)[number] | (typeof numberNames)[number], value: number): void {
    this.columns[name][port] = value;
    this.columns.told[port] = 1;
    this.isEmpty = false;
  }

  private id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.texts.push(text);
    this.ids.set(text, this.texts.length - 1);
    return this.texts.length - 1;
  }
}
