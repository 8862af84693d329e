import { at, portName } from "../../fabric/access.ts";
import { none } from "../../fabric/model.ts";
import { physicalNumber, physicalText } from "../../fabric/physical.ts";
import type { Finding } from "../results.ts";
import type { Thresholds } from "../thresholds.ts";
import { finding, linkSubject, portSubject, type RuleInput } from "./rule.ts";

/** Modules of cables that run hot. O(ports). */
export function hotModule({ fabric }: RuleInput, { celsius: limit }: Thresholds): readonly Finding[] {
  const { physical } = fabric;
  if (physical === undefined) return [];
  const found: Finding[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const celsius = physicalNumber(physical, "celsius", port);
    if (celsius === undefined || celsius < limit.warn) continue;
    const link = at(fabric.ports.link, port);
    const name = portName(fabric, port);
    const part = physicalText(physical, "part", port);
    found.push({
      ...finding("hot-module", {
        severity: celsius >= limit.error ? "error" : "warning",
        title: "Module runs hot",
        subject: link === none ? portSubject(fabric, port) : linkSubject(fabric, link),
        message: `The module in ${name} has ${Math.round(celsius)} °C.`,
        evidence: `${Math.round(celsius)} °C, warning from ${limit.warn} °C, error from ${limit.error} °C${part === "" ? "" : `; ${part}`}`,
        cause:
          "Air does not reach it: a fan that failed, a blocked or wrong air direction, a hot row; or the module fails.",
        remedy:
          "Compare with its neighbours in the switch: if all are hot, look at fans and air; if only this one, reseat, then swap it.",
      }),
      id: `hot-module ${name}`,
    });
  }
  return found;
}
