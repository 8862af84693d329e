/** Two scripted hosts that behave as real ones with perftest do, unless a test says otherwise, and a plan for them. */
import { readFileSync } from "node:fs";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import type { RunProgress } from "../../../electron/measure/progress.ts";
import { type MeasureDeps, runMeasurement } from "../../../electron/measure/run-measurement.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { expectedSeconds, sideArgv } from "../../../shared/measure/argv.ts";
import { stepsOf } from "../../../shared/measure/steps.ts";
import {
  defaultMeasureOptions,
  type Endpoint,
  type Measurement,
  type MeasureOptions,
  type MeasurePlan,
} from "../../../shared/measure/types.ts";
import type { Result } from "../../../shared/base/result.ts";
import { type Reply, ScriptedHost, scriptedAccess } from "../../support/scripted-runner.ts";

function recorded(name: string): string {
  return readFileSync(new URL(`../../fixtures/perftest/rxe/${name}.stdout.txt`, import.meta.url), "utf8");
}

const recordings: Readonly<Record<string, { readonly client: string; readonly server: string }>> = {
  ib_write_bw: { client: recorded("write_bw_default_gbits.client"), server: recorded("write_bw_default_gbits.server") },
  ib_send_lat: { client: recorded("send_lat_n100.client"), server: recorded("send_lat_n100.server") },
};

const guids = { n018: "0c42:a103:0000:0018", n065: "0c42:a103:0000:0065" } as const;

export function devinfo(name: keyof typeof guids, state = "PORT_ACTIVE (4)", linkLayer = "InfiniBand"): string {
  return [
    "hca_id:\tmlx5_0",
    "\ttransport:\t\t\tInfiniBand (0)",
    "\tnode_guid:\t\t\t0c42:a103:0000:9999",
    "\tphys_port_cnt:\t\t\t1",
    "\t\tport:\t1",
    "\t\t\tstate:\t\t\tPORT_DOWN (1)",
    "\t\t\tport_lid:\t\t0",
    "\t\t\tlink_layer:\t\tEthernet",
    "",
    "hca_id:\tmlx5_3",
    `\tnode_guid:\t\t\t${guids[name]}`,
    "\tphys_port_cnt:\t\t\t1",
    "\t\tport:\t1",
    `\t\t\tstate:\t\t\t${state}`,
    "\t\t\tport_lid:\t\t18",
    `\t\t\tlink_layer:\t\t${linkLayer}`,
    "",
  ].join("\n");
}

/** The tables of a host on which somebody listens on the given ports. */
export function procNetTcp(ports: readonly number[]): string {
  const rows = ports.map((port, index) => {
    const local = port.toString(16).toUpperCase().padStart(4, "0");
    return `   ${String(index)}: 00000000:${local} 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 23 1 0 100 0 0 10 0`;
  });
  return [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    ...rows,
    "",
  ].join("\n");
}

/** A reply that the test gives later. */
export function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

const named = (argv: readonly string[], option: string): string => argv[argv.indexOf(option) + 1] ?? "";

export function toolOf(argv: readonly string[]): string {
  return argv[0] === "timeout" ? (argv[4] ?? "") : (argv[0] ?? "");
}

/** Changes to how a pair of hosts behaves; each is asked first and may leave a command to the usual behaviour. */
export interface Behaviour {
  readonly client?: (argv: readonly string[], pair: PairOfHosts) => Reply | Promise<Reply> | undefined;
  readonly server?: (argv: readonly string[], pair: PairOfHosts) => Reply | Promise<Reply> | undefined;
  /** Called for each command that starts, with its number from 1 over both hosts. */
  readonly onStart?: (count: number, pair: PairOfHosts) => void;
}

/** n018 as client and n065 as server, with a network between them: a listening server meets the client that comes. */
export class PairOfHosts {
  readonly client: ScriptedHost;
  readonly server: ScriptedHost;
  readonly locks = new MeasureLocks();
  readonly progress: RunProgress[] = [];
  readonly controller = new AbortController();
  private readonly listening = new Map<number, (reply: Reply) => void>();
  private nextPort = 18_700;
  private clock = 1_700_000_000_000;
  private commands = 0;

  constructor(behaviour: Behaviour = {}) {
    const counted = (): void => {
      this.commands += 1;
      behaviour.onStart?.(this.commands, this);
    };
    this.client = new ScriptedHost("n018", (argv) => {
      counted();
      return behaviour.client?.(argv, this) ?? this.usual("n018", argv);
    });
    this.server = new ScriptedHost("n065", (argv) => {
      counted();
      return behaviour.server?.(argv, this) ?? this.usual("n065", argv);
    });
  }

  /** How a healthy host answers. */
  usual(name: keyof typeof guids, argv: readonly string[]): Reply | Promise<Reply> {
    const tool = toolOf(argv);
    if (argv.includes("--version")) return { stdout: "Version: 6.06\n", exitCode: 1 };
    if (argv[0] === "ibv_devinfo") return { stdout: devinfo(name) };
    // Its adapter is idle.
    if (argv[0] === "cat" && argv.includes("/proc/uptime")) {
      const uptime = ((this.clock - 1_600_000_000_000) / 1000).toFixed(2);
      return { stdout: [`${uptime} 1.00`, ...argv.slice(2).map(() => "1000"), ""].join("\n") };
    }
    if (argv[0] === "cat") return { stdout: procNetTcp(this.listeningPorts()) };
    const recording = recordings[tool];
    if (argv[0] !== "timeout" || recording === undefined) return { stderr: `${tool}: not found\n`, exitCode: 127 };
    const port = Number(named(argv, "-p"));
    if (name === "n065") {
      const { promise, resolve } = later<Reply>();
      this.listening.set(port, resolve);
      return promise;
    }
    const meet = this.listening.get(port);
    this.listening.delete(port);
    if (meet === undefined) return { stderr: `Couldn't connect to 10.0.0.2:${String(port)}\n`, exitCode: 1 };
    meet({ stdout: recording.server });
    return { stdout: recording.client };
  }

  listeningPorts(): readonly number[] {
    return [22, ...this.listening.keys()];
  }

  /** The server on `port` ends as told. */
  endServer(port: number, reply: Reply): void {
    this.listening.get(port)?.(reply);
    this.listening.delete(port);
  }

  deps(): MeasureDeps {
    return {
      access: scriptedAccess([this.client, this.server]),
      locks: this.locks,
      // A clock that only waiting moves: no test takes real time.
      now: () => this.clock,
      randomPort: () => {
        this.nextPort += 1;
        return this.nextPort;
      },
      passPercent: 95,
      sourceInfo: { kind: "ssh", label: "root@mgmt-01", simulated: false },
      newId: () => "measurement-1",
      sleep: (milliseconds, signal) => {
        this.clock += milliseconds;
        return signal.aborted ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  run(options: Partial<MeasureOptions> = {}): Promise<Result<Measurement, AppError>> {
    return runMeasurement(planFor(options), this.deps(), {
      signal: this.controller.signal,
      onProgress: (progress) => void this.progress.push(progress),
    });
  }

  /** Command lines of everything that still runs on either host. */
  get leftovers(): readonly string[] {
    return [...this.client.processes, ...this.server.processes];
  }
}

const clientEnd: Endpoint = {
  host: "n018",
  nodeGuid: "0x0c42a10300000018",
  node: 1,
  port: 1,
  portGuid: "0x0c42a10300000019",
  lid: 180,
  deviceHint: "mlx5_0",
};
const serverEnd: Endpoint = { ...clientEnd, host: "n065", nodeGuid: "0x0c42a10300000065", node: 2, lid: 650 };

/** A plan between the two hosts over one switch. */
export function planFor(options: Partial<MeasureOptions> = {}): MeasurePlan {
  const all = { ...defaultMeasureOptions, ...options };
  const steps = stepsOf(all).map(({ id, tool, options: own }) => ({
    id,
    title: `${tool} n018 to n065`,
    tool,
    options: own,
    seconds: expectedSeconds(tool, own),
    commands: [
      {
        role: "server" as const,
        host: "n065",
        argv: sideArgv(tool, own, { device: "mlx5_0", ibPort: 1, tcpPort: "TCP_PORT" }),
      },
    ],
  }));
  const hop = (index: number, from: string, to: string) => ({
    link: `0x00000000000000a${String(index)}:1` as const,
    linkIndex: index,
    fromNode: index,
    fromName: from,
    fromPort: 1,
    toNode: index + 1,
    toName: to,
    toPort: 1,
    gbps: 0.14,
  });
  return {
    id: "plan-1",
    fabricId: "fabric-1",
    link: "0x00000000000000a0:1",
    linkName: "leaf-03:1 to n018:1",
    linkIndex: 0,
    options: all,
    client: clientEnd,
    server: serverEnd,
    path: [hop(0, "n018", "leaf-03"), hop(1, "leaf-03", "n065")],
    hops: 1,
    slowestGbps: 0.14,
    slowestHop: 0,
    basis: "host-link",
    will: "",
    cannot: "",
    steps,
    seconds: 3 + steps.reduce((sum, step) => sum + step.seconds, 0),
    otherClients: [],
    otherServers: [],
    simulated: false,
  };
}
