/** Reads on both hosts what explains low results. Only reads; what cannot be read is left out. */
import { type HostFacts, judgeCauses } from "../../shared/measure/causes.ts";
import type { CauseCheck } from "../../shared/measure/types.ts";
import { type Argv, askAll } from "./batch.ts";
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
  const ofDevice = (file: string): Argv => ["cat", `/sys/class/infiniband/${device}/device/${file}`];
  const questions: readonly (readonly [Exclude<keyof HostFacts, "host" | "device" | "port">, Argv])[] = [
    ["numaNode", ofDevice("numa_node")],
    ["numaOnline", ["cat", "/sys/devices/system/node/online"]],
    ["width", ofDevice("current_link_width")],
    ["maxWidth", ofDevice("max_link_width")],
    ["speed", ofDevice("current_link_speed")],
    ["maxSpeed", ofDevice("max_link_speed")],
    ["governor", ["cat", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"]],
    ["limits", ["cat", "/proc/self/limits"]],
    ["devinfo", ["ibv_devinfo"]],
  ];
  const asked = await askAll(
    runner,
    questions.map(([, argv]) => argv),
    signal,
  );
  const told = asked.ok
    ? questions.flatMap(([fact], index) => {
        const { exitCode, stdout = "" } = asked.value[index] ?? {};
        const text = stdout.trim();
        return exitCode === 0 && text !== "" ? [[fact, text] as const] : [];
      })
    : [];
  return { host: endpoint.host, device, port: ibPort, ...Object.fromEntries(told) };
}
