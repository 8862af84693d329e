import { groupDigits } from "../../base/text.ts";
import { mode } from "../../base/statistics.ts";
import { adaptersOfHost, hostName } from "../../fabric/access.ts";
import type { Fabric } from "../../fabric/model.ts";
import { hostOfManager } from "../managers.ts";
import type { Finding } from "../results.ts";
import { finding, nodeSubject, type RuleInput } from "./rule.ts";

/** Fewer hosts show no usual name. */
const enoughHosts = 8;

/**
 * A subnet manager on what looks like a compute host: named like more than half of the hosts, or with several adapters
 * as more than half of them have. A guess, and said as one.
 */
export function managerOnComputeHost({ fabric }: RuleInput): readonly Finding[] {
  const found: Finding[] = [];
  if (fabric.hosts.count < enoughHosts) return found;
  let usual: Usual | undefined;
  for (const manager of fabric.subnetManagers) {
    const host = hostOfManager(fabric, manager);
    if (host === undefined || manager.node === undefined) continue;
    const name = hostName(fabric, host);
    const adapters = adaptersOfHost(fabric, host).length;
    usual ??= usualOf(fabric);
    const named = usual.stem !== undefined && stemOf(name) === usual.stem;
    const equipped = usual.adapters > 1 && adapters === usual.adapters;
    if (!named && !equipped) continue;
    const signs = [
      ...(named ? [`${groupDigits(usual.named)} of ${groupDigits(fabric.hosts.count)} hosts are named like it`] : []),
      ...(equipped
        ? [
            `it has ${adapters} adapters like ${groupDigits(usual.equipped)} of ${groupDigits(fabric.hosts.count)} hosts`,
          ]
        : []),
    ].join(", and ");
    found.push(
      finding("manager-on-compute-host", {
        severity: "note",
        title: "Subnet manager on a compute host",
        subject: nodeSubject(fabric, manager.node),
        message: `A subnet manager (${manager.state}, priority ${manager.priority}) runs on ${name}, which looks like a compute host: ${signs}.`,
        evidence: signs,
        cause: "opensm is started on every host by default in some distributions.",
        remedy:
          "Jobs and reboots disturb it there: run subnet managers on management hosts or in switches, and stop the service here.",
      }),
    );
  }
  return found;
}

/** Letters before the first digit or separator: `gpu` of `gpu-a04`, `n` of `n001`. */
function stemOf(name: string): string {
  return /^[A-Za-z]*/.exec(name)?.[0].toLowerCase() ?? "";
}

interface Usual {
  readonly stem: string | undefined;
  readonly named: number;
  readonly adapters: number;
  readonly equipped: number;
}

function usualOf(fabric: Fabric): Usual {
  const stems = new Map<string, number>();
  const adapters: number[] = [];
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    const stem = stemOf(hostName(fabric, host));
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
    adapters.push(adaptersOfHost(fabric, host).length);
  }
  const [stem, named] = [...stems].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  const most = mode(adapters);
  const majority = (times: number): boolean => times * 2 > fabric.hosts.count;
  return {
    stem: majority(named) && stem !== "" ? stem : undefined,
    named,
    adapters: majority(most.times) ? most.value : 0,
    equipped: most.times,
  };
}
