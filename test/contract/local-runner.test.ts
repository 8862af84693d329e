import { createLocalRunner } from "../../electron/run/local.ts";
import { processAlive } from "../support/processes.ts";
import { describeRunner } from "./runner-suite.ts";

describeRunner(
  "this machine",
  () => {
    const runner = createLocalRunner();
    return Promise.resolve({ runner, cleanup: () => runner.close(), pidAlive: processAlive });
  },
  {
    shell: true,
    okCommand: ["echo", "hello world"],
    missingCommand: ["ibex-no-such-program", "-x"],
    slowCommand: ["sleep", "600"],
  },
);
