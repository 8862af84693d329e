import { at, portByNumber } from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";

const known = new WeakMap<Fabric, (id: string) => number | undefined>();

/** Finds links by identity, many at a time: O(nodes) once a fabric, then O(log ports) each. */
export function linkFinder(fabric: Fabric): (id: string) => number | undefined {
  const before = known.get(fabric);
  if (before !== undefined) return before;
  const find = makeFinder(fabric);
  known.set(fabric, find);
  return find;
}

function makeFinder(fabric: Fabric): (id: string) => number | undefined {
  const nodes = new Map<bigint, number>();
  fabric.nodes.guid.forEach((guid, node) => nodes.set(guid, node));
  return (id) => {
    const hit = /^(0x[0-9a-f]{1,16}):(\d{1,3})$/i.exec(id);
    if (hit?.[1] === undefined) return undefined;
    const node = nodes.get(BigInt(hit[1]));
    const port = node === undefined ? undefined : portByNumber(fabric, node, Number(hit[2]));
    if (port === undefined) return undefined;
    const link = at(fabric.ports.link, port);
    return link === none ? undefined : link;
  };
}
