/** Reads on both hosts what explains low results. Only reads; what cannot be read is left out. */
import { type HostFacts, judgeCauses } from "../../shared/measure/causes.ts";
import type { CauseCheck } from "../../shared/measure/types.ts";
import { ask } from "./commands.ts";
import type { PreparedSide } from "./prepare.ts";

/** Checks the causes that commands can check. */
export async function checkCauses(
  client: PreparedSide,
  server: PreparedSide,
  signal: AbortSignal,
): Promise<readonly CauseCheck[]> {
  const [own, other] = await Promise.all([client, server].map((side) => readFacts(side, signal)));
  return own === undefined || other === undefined ? [] : judgeCauses(own, other);
}

async function readFacts({ runner, endpoint, device, ibPort }: PreparedSide, signal: AbortSignal): Promise<HostFacts> {
  const read = async (argv: readonly [string, ...string[]]): Promise<string | undefined> => {
    const asked = await ask(runner, argv, signal);
    if (!asked.ok || asked.value.exitCode !== 0) return undefined;
    const text = asked.value.stdout.trim();
    return text === "" ? undefined : text;
  };
  const ofDevice = (file: string) => read(["cat", `/sys/class/infiniband/${device}/device/${file}`]);
  // One after the other: a few files, and sessions on a host are few.
  const facts = {
    numaNode: await ofDevice("numa_node"),
    numaOnline: await read(["cat", "/sys/devices/system/node/online"]),
    width: await ofDevice("current_link_width"),
    maxWidth: await ofDevice("max_link_width"),
    speed: await ofDevice("current_link_speed"),
    maxSpeed: await ofDevice("max_link_speed"),
    governor: await read(["cat", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"]),
    limits: await read(["cat", "/proc/self/limits"]),
    devinfo: await read(["ibv_devinfo"]),
  };
  const told = Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
  return { host: endpoint.host, device, port: ibPort, ...told };
}
