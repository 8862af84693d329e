/** One simulated fabric with everything that lives in it: topology, routes, traffic, machines. */
import { assert } from "../../../shared/base/assert.ts";
import { SimulatedMachine, hostName } from "./machine.ts";
import { ManagerLife, type PlantedHandover } from "./manager-life.ts";
import { countersOf } from "./model.ts";
import type { SimulatedNode, SimulatedPort, SimulatedTopology } from "./model.ts";
import { type Path, SimulatedRoutes } from "./routes.ts";
import { Flow, Traffic } from "./traffic.ts";

/** A fault that the generator planted, for tests and for the curious. */
export interface PlantedFault {
  readonly kind:
    "narrow" | "slow" | "down" | "weak" | "not-active" | "errors" | "no-manager" | "handover" | "slow-node" | "job";
  /** One end of the link in question. */
  readonly port?: SimulatedPort;
  readonly text: string;
}

/** What sends without an end, while Ibex looks. */
interface Job {
  readonly path: Path;
  readonly gbps: number;
}

/** A year: longer than anybody looks. */
const jobSeconds = 365 * 24 * 3600;

/** Seconds that the hosts had been up when somebody first asked. */
const upBefore = 86_400;

/** A planted bad cable takes one symbol error in this many seconds. */
const secondsPerError = 5;

export class SimulatedFabric {
  readonly name: string;
  readonly title: string;
  readonly topology: SimulatedTopology;
  /** The machine on which the InfiniBand tools run. */
  readonly origin: SimulatedMachine;
  readonly machines: ReadonlyMap<string, SimulatedMachine>;
  readonly faults: readonly PlantedFault[];
  readonly routes = new SimulatedRoutes();
  readonly traffic = new Traffic();
  readonly managers: ManagerLife;
  private nextPid = 21_000;
  private runs = 0;
  private countedFrom: number | undefined;
  private counted = 0;
  private readonly startedAt = Date.now();
  private readonly jobs: Job[] = [];
  private firstLook: number | undefined;
  private readonly portsByLid = new Map<number, SimulatedPort | SimulatedNode>();

  constructor(parts: {
    name: string;
    title: string;
    topology: SimulatedTopology;
    origin: SimulatedNode;
    faults: readonly PlantedFault[];
    handover?: PlantedHandover;
  }) {
    this.name = parts.name;
    this.title = parts.title;
    this.topology = parts.topology;
    this.faults = parts.faults;
    this.managers = new ManagerLife(parts.topology.managers, parts.handover);
    const adapters = new Map<string, SimulatedNode[]>();
    for (const node of parts.topology.nodes) {
      if (node.kind === "hca") {
        const name = hostName(node);
        adapters.set(name, [...(adapters.get(name) ?? []), node]);
      }
      if (node.kind === "switch") {
        if (node.lid !== 0) this.portsByLid.set(node.lid, node);
        continue;
      }
      for (const port of node.ports) if (port !== undefined && port.lid !== 0) this.portsByLid.set(port.lid, port);
    }
    this.machines = new Map([...adapters].map(([name, nodes]) => [name, new SimulatedMachine(name, nodes)]));
    const origin = this.machines.get(hostName(parts.origin));
    assert(origin !== undefined, "the tools run on a host of the fabric");
    this.origin = origin;
  }

  /** A pid that no other process of the fabric has or had. */
  takePid(): number {
    this.nextPid += 7;
    return this.nextPid;
  }

  /** A number for the next measurement, so that repeated ones differ a little and the same series is the same again. */
  takeRun(): number {
    this.runs += 1;
    return this.runs;
  }

  /** Whole seconds that the fabric has been up at `now`: subnet managers count their activity with it. */
  uptimeSeconds(now: number): number {
    return Math.max(0, Math.floor((now - this.startedAt) / 1000));
  }

  /**
   * Seconds that the hosts have been up at `now`, in their own time: a second of it takes `secondMs` real milliseconds,
   * as a test's second does.
   */
  hostUptimeSeconds(now: number, secondMs: number): number {
    this.firstLook ??= now;
    return upBefore + Math.max(0, now - this.firstLook) / Math.max(secondMs, Number.EPSILON);
  }

  /** A job that runs from the first runner on. */
  addJob(job: Job): void {
    this.jobs.push(job);
  }

  /** Starts the jobs, once. Their rate is by the hosts' clocks, as that of a test is: a second takes `secondMs` real milliseconds. */
  startJobs(now: number, secondMs: number): void {
    for (const { path, gbps } of this.jobs.splice(0)) {
      const bytes = (gbps / 8) * 1e9 * jobSeconds;
      this.traffic.start(new Flow(path, { bytes, packets: bytes / 4096 }, now, jobSeconds * secondMs));
    }
  }

  /** Brings all counters up to `now`: traffic, and the errors that planted cables take. */
  settleCounters(now: number): void {
    this.traffic.settle(now);
    this.countedFrom ??= now;
    for (const { kind, port } of this.faults) {
      if (kind !== "errors" || port === undefined) continue;
      const due = Math.floor((now - this.countedFrom) / 1000 / secondsPerError);
      const { errors } = countersOf(port);
      errors.set("SymbolErrorCounter", (errors.get("SymbolErrorCounter") ?? 0) + due - this.counted);
      this.counted = due;
    }
  }

  /** What answers at a LID: an adapter port, or a switch. */
  atLid(lid: number): { readonly node: SimulatedNode; readonly port?: SimulatedPort } | undefined {
    const found = this.portsByLid.get(lid);
    if (found === undefined) return undefined;
    return "node" in found ? { node: found.node, port: found } : { node: found };
  }
}
