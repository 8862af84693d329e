import { createSimulatedFabric } from "../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../electron/run/simulated/runner.ts";
import { describeRunner } from "./runner-suite.ts";

for (const host of [undefined, "n003"]) {
  describeRunner(
    `simulated ${host ?? "management host"}`,
    () => {
      const fabric = createSimulatedFabric("fat-tree-small");
      if (fabric === undefined) throw new Error("the catalogue has this fabric");
      const runner = host === undefined ? createSimulatedRunner(fabric) : createSimulatedRunner(fabric, host);
      if (runner === undefined) throw new Error("the fabric has this host");
      const alive = (pid: number): boolean => [...fabric.machines.values()].some(({ processes }) => processes.has(pid));
      return Promise.resolve({
        runner,
        cleanup: () => runner.close(),
        pidAlive: (pid: number) => Promise.resolve(alive(pid)),
      });
    },
    {
      shell: false,
      okCommand: ["iblinkinfo", "--line"],
      missingCommand: ["ibex-no-such-program", "-x"],
      slowCommand: ["sleep", "600"],
    },
  );
}
