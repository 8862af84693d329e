/** The way to the machines of a simulated fabric. */
import { err, ok } from "../../../shared/base/result.ts";
import type { HostAccess } from "../access.ts";
import type { CommandRunner } from "../runner.ts";
import type { SimulatedFabric } from "./fabric.ts";
import { createSimulatedRunner, type SimulatedRunnerOptions } from "./runner.ts";

export interface SimulatedAccessOptions extends Omit<SimulatedRunnerOptions, "unreachable"> {
  /** Names of hosts that refuse the connection, to try failures. */
  readonly unreachable?: readonly string[];
}

const sshPort = 22;

/** Opens a simulated fabric as a source: the machine with the tools, and every host by its name. */
export function createSimulatedAccess(fabric: SimulatedFabric, options: SimulatedAccessOptions = {}): HostAccess {
  const unreachable = new Set(options.unreachable ?? []);
  const runnerOptions: SimulatedRunnerOptions = { ...options, unreachable };
  const source = createSimulatedRunner(fabric, undefined, runnerOptions);
  const runners = new Map<string, CommandRunner>([[fabric.origin.name, source]]);
  return {
    source,
    simulated: true,
    host(name, signal) {
      if (signal.aborted) return Promise.resolve(err({ kind: "cancelled", what: `connecting to ${name}` }));
      if (unreachable.has(name)) {
        return Promise.resolve(err({ kind: "unreachable", host: name, port: sshPort, code: "ECONNREFUSED" }));
      }
      const runner = runners.get(name) ?? createSimulatedRunner(fabric, name, runnerOptions);
      if (runner === undefined) {
        return Promise.resolve(err({ kind: "unreachable", host: name, port: sshPort, code: "ENOTFOUND" }));
      }
      runners.set(name, runner);
      return Promise.resolve(ok({ runner, address: name }));
    },
    async close() {
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}
