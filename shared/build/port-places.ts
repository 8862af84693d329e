import { type Guid, guidToBigint } from "../base/guid.ts";
import { at, nodeKind, portByNumber } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";

/** Ports by what ibqueryerrors and ibdiagnet call them: node GUID and number, or the GUID of an adapter's port. */
export class PortPlaces {
  private readonly fabric: Fabric;
  private readonly nodes = new Map<bigint, number>();
  private readonly ports = new Map<bigint, number>();

  constructor(fabric: Fabric) {
    this.fabric = fabric;
    for (let node = 0; node < fabric.nodes.count; node += 1) this.nodes.set(fabric.nodes.guid[node] ?? 0n, node);
    for (let port = 0; port < fabric.ports.count; port += 1) {
      const guid = fabric.ports.guid[port] ?? 0n;
      if (guid !== 0n && nodeKind(fabric, at(fabric.ports.node, port)) !== "switch") this.ports.set(guid, port);
    }
  }

  /** Index of the port; undefined when the fabric has none such. */
  of({ guid, port }: { readonly guid: Guid; readonly port: number }): number | undefined {
    const value = guidToBigint(guid);
    const node = this.nodes.get(value);
    const byNode = node === undefined ? undefined : portByNumber(this.fabric, node, port);
    if (byNode !== undefined) return byNode;
    const byPort = this.ports.get(value);
    return byPort !== undefined && at(this.fabric.ports.number, byPort) === port ? byPort : undefined;
  }
}
