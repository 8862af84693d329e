/** ibtracert, as version 44 prints it. */
import { lidOf, type SimulatedPort } from "./model.ts";
import type { Path } from "./routes.ts";

function ends(word: "From" | "To", port: SimulatedPort): string {
  const lid = String(port.lid);
  return `${word} ca {0x${port.node.guid}} portnum ${String(port.number)} lid ${lid}-${lid} "${port.node.description}"\n`;
}

/** The way of a packet from one adapter port to another: every line names the port it left by and the port it came in. */
export function printIbtracert(source: SimulatedPort, target: SimulatedPort, path: Path): string {
  const hops = path.map((port) => {
    const next = port.cable;
    if (next === undefined) return "";
    const lid = String(lidOf(next));
    const kind = next.node.kind === "switch" ? "switch" : "ca";
    return `[${String(port.number)}] -> ${kind} port {0x${next.guid}}[${String(next.number)}] lid ${lid}-${lid} "${next.node.description}"\n`;
  });
  return [ends("From", source), ...hops, ends("To", target)].join("");
}
