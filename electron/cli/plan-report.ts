/** A plan as `ibex plan --json` and `ibex sweep --dry-run --json` print it. A promise to scripts: add, never change. */
import type { Endpoint, MeasurePlan, PathHop } from "../../shared/measure/types.ts";

/** Host, port and LID of one side. */
function endpointReport({ host, nodeGuid, port, portGuid, lid }: Endpoint): Record<string, unknown> {
  return { host, node: nodeGuid, port, portGuid, lid };
}

/** Port by which each node is left, and by which the server is entered at the end. */
function pathReport(path: readonly PathHop[]): readonly Record<string, unknown>[] {
  const last = path.at(-1);
  return [
    ...path.map((hop) => ({
      node: hop.fromGuid ?? "",
      port: hop.fromPort,
      lid: hop.fromLid ?? 0,
      name: hop.fromName,
      link: hop.link,
      gbps: hop.gbps,
    })),
    ...(last === undefined
      ? []
      : [{ node: last.toGuid ?? "", port: last.toPort, lid: last.toLid ?? 0, name: last.toName }]),
  ];
}

/** True when the plan knows that the data crosses the cable: it is the host's own, or the forwarding tables say so. */
function isProvable({ basis }: Pick<MeasurePlan, "basis">): boolean {
  return basis !== "shortest-path";
}

export function planReport(plan: MeasurePlan): Record<string, unknown> {
  return {
    link: plan.link,
    linkName: plan.linkName,
    server: endpointReport(plan.server),
    client: endpointReport(plan.client),
    path: pathReport(plan.path),
    // Cables, as `ibex routes` counts hops; switches are one fewer.
    hops: plan.path.length,
    switches: plan.path.length - 1,
    slowestGbps: plan.slowestGbps,
    provable: isProvable(plan),
    basis: plan.basis,
    reason: `${plan.will} ${plan.cannot}`.trim(),
    commands: plan.steps.flatMap(({ commands }) => commands),
    seconds: plan.seconds,
  };
}
