/** Measuring in the RoCE lab the way the product does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { randomRendezvousPort } from "../../../electron/measure/random-port.ts";
import { runMeasurement } from "../../../electron/measure/run-measurement.ts";
import type { HostAccess } from "../../../electron/run/access.ts";
import { createSshAccess } from "../../../electron/run/ssh/access.ts";
import type { SshConnection } from "../../../electron/run/ssh/connection.ts";
import type { Understood } from "../../../electron/threads/interpret-job.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { at, nodeGuid } from "../../../shared/fabric/access.ts";
import { planMeasurement } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import type { MeasureOptions, Measurement, MeasurePlan } from "../../../shared/measure/types.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";
import type { IbLab } from "../ib-lab.ts";
import type { RoceHost, RoceLab } from "./roce-lab.ts";

/**
 * Short enough for a test, and little at once: the guests are emulated, two runs share one processor, and perftest
 * counts only what is complete within the middle half of the time.
 */
export const shortOptions: MeasureOptions = {
  ...defaultMeasureOptions,
  seconds: 2,
  bytes: 4096,
  queuePairs: 1,
  latencyIterations: 50,
};

/** The guests as hosts of the lab's fabric: through its login host, or directly; `ports` instead of the guests' own. */
export function guestAccess(
  ib: IbLab,
  roce: RoceLab,
  connection: SshConnection,
  more: { readonly via?: "source" | "direct"; readonly ports?: Readonly<Record<string, number>> } = {},
): HostAccess {
  const address = ({ name, user, port }: RoceHost): string => `${user}@127.0.0.1:${more.ports?.[name] ?? port}`;
  const lines = roce.hosts.flatMap(({ name, hostKey }) => {
    const port = more.ports?.[name];
    return port === undefined ? [] : [`[127.0.0.1]:${port} ${hostKey}\n`];
  });
  const knownHosts = join(roce.directory, "more_known_hosts");
  writeFileSync(knownHosts, lines.join(""));
  return createSshAccess(connection, {
    via: more.via ?? "source",
    nameRule: (name) => name,
    map: new Map(roce.hosts.map((host) => [host.name, address(host)])),
    identityFile: roce.hosts[0].keyFile,
    deps: dependencies(ib.directory, {
      knownHostsFiles: { user: [roce.knownHostsFile, knownHosts], own: join(ib.directory, "own_known_hosts") },
    }),
  });
}

/** A plan for the cable of a node's port, as a click on it makes. */
export function planFor(
  understood: Understood,
  end: { readonly guid: string; readonly port: number },
  hosts: { readonly client: string; readonly server: string },
  options: MeasureOptions = shortOptions,
): MeasurePlan {
  const { fabric, analysis } = understood;
  for (let link = 0; link < fabric.links.count; link += 1) {
    for (const port of [at(fabric.links.a, link), at(fabric.links.b, link)]) {
      const node = at(fabric.ports.node, port);
      if (nodeGuid(fabric, node) !== end.guid || at(fabric.ports.number, port) !== end.port) continue;
      const input = { link, fabricId: "lab", planId: "lab", options, simulated: false, ...hosts };
      return must(planMeasurement(fabric, analysis, input));
    }
  }
  throw new Error(`no cable at ${end.guid}:${end.port}`);
}

export interface MeasureHooks {
  readonly signal?: AbortSignal;
  /** What the person sees meanwhile. */
  readonly onNote?: (note: string) => void;
}

export function measure(
  plan: MeasurePlan,
  access: HostAccess,
  hooks: MeasureHooks = {},
): Promise<Result<Measurement, AppError>> {
  return runMeasurement(
    plan,
    {
      access,
      now: Date.now,
      passPercent: 95,
      locks: new MeasureLocks(),
      randomPort: randomRendezvousPort,
      sourceInfo: { kind: "ssh", label: "lab", simulated: false },
    },
    {
      signal: hooks.signal ?? new AbortController().signal,
      onProgress: ({ note }) => hooks.onNote?.(note),
    },
  );
}

/**
 * Measures by a plan of these options. On a machine that has much else to do nothing may get through in so short a
 * time: then once more with three times the duration, so that what is looked at is the product and not the load.
 */
export async function measureWell(
  planOf: (options: MeasureOptions) => MeasurePlan,
  options: MeasureOptions,
  access: HostAccess,
): Promise<Measurement> {
  const first = must(await measure(planOf(options), access));
  const late = first.runs.find(({ error }) => error?.kind === "no-result");
  if (late === undefined) return first;
  console.info(`${late.tool}: ${late.error?.kind === "no-result" ? late.error.problem : ""}; once more, longer`);
  return must(await measure(planOf({ ...options, seconds: options.seconds * 3 }), access));
}
