/** Links, nodes and numbers as the options name them. What is none is said with what was expected, never guessed at. */
import { parseGuid, type Guid } from "../../shared/base/guid.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { at, findLink, nodeGuid, nodeName, portByNumber } from "../../shared/fabric/access.ts";
import { none, type Fabric } from "../../shared/fabric/model.ts";
import { findNode } from "../../shared/measure/sweep-select.ts";

function usage(detail: string): Result<never, AppError> {
  return err({ kind: "bad-request", detail });
}

/** A whole number in decimal digits; `1e3`, `0x10`, `+5` and an empty text are none. */
export function decimal(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A GUID as the tools print it: with its `0x`, or all 16 digits. Without either, `1000` and `1e3` would be GUIDs as well. */
export function guidOf(text: string): Guid | undefined {
  return /^(?:0x|[0-9a-f]{16}$)/i.test(text) ? parseGuid(text) : undefined;
}

/**
 * Index of the link that `--link NODE:PORT` names by one of its ends, the node by its name, as every text shows it, or its
 * GUID. `bad-request`, also for a name that several nodes have; `unknown-id`.
 */
export function readLink(fabric: Fabric, text: string): Result<number, AppError> {
  const [, name, number] = /^(.+):(\d{1,3})$/.exec(text) ?? [];
  if (name === undefined || number === undefined) {
    return usage(
      `--link takes NODE:PORT of one end, such as leaf-05:10 or 0x0c42a10300000001:1, not ${JSON.stringify(text)}`,
    );
  }
  const unknown = err({ kind: "unknown-id", what: "link", id: text } as const);
  if (guidOf(name) !== undefined) {
    const link = findLink(fabric, text);
    return link === undefined ? unknown : ok(link);
  }
  const node = readNode(fabric, "link", name);
  if (!node.ok) return node;
  const port = portByNumber(fabric, node.value, Number(number));
  const link = port === undefined ? none : at(fabric.ports.link, port);
  return link === none ? unknown : ok(link);
}

/**
 * Index of the node that an option names, by its name or its GUID. `bad-request` for a name that several have.
 *
 * @param others what else the option takes, for the sentence that refuses: `a LID or `
 */
export function readNode(fabric: Fabric, option: string, text: string, others = ""): Result<number, AppError> {
  const guid = guidOf(text);
  const node = findNode(fabric, guid === undefined ? text : `0x${guid}`) ?? findNode(fabric, text);
  if (node !== undefined) return ok(node);
  const named = Array.from({ length: fabric.nodes.count }, (_, index) => index).filter(
    (index) => nodeName(fabric, index) === text,
  );
  if (named.length > 1) {
    const guids = named.slice(0, 4).map((index) => nodeGuid(fabric, index));
    const more = named.length > guids.length ? ", …" : "";
    return usage(
      `${named.length} nodes are called ${JSON.stringify(text)}; give --${option} a GUID: ${guids.join(", ")}${more}`,
    );
  }
  return usage(
    `--${option} takes ${others}the name of a node, or its GUID such as 0x0c42a10300000001; there is no ${JSON.stringify(text)} here`,
  );
}
