/** Life and death of simulated subnet managers: who answers, who is master, who takes over and when. */
import type { SimulatedManager } from "./model.ts";

/** A handover that is planted: the master dies after it was asked some times, and comes back as a standby. */
export interface PlantedHandover {
  /** Times that the master answers sminfo before it dies. */
  readonly afterAnswers: number;
  /** Milliseconds from its death to its return with a lower priority than the new master's. */
  readonly returnsAfterMs: number;
}

/** What happens to a manager, as its log tells it. `unanswered`: the master did not answer this standby. */
export interface ManagerEvent {
  readonly manager: SimulatedManager;
  readonly at: number;
  readonly what: "started" | "unanswered" | "discovering" | "standby" | "master";
}

/** opensm's own settings would be 10 s and 4 tries; a simulation need not keep people waiting that long. */
const takeOverMs = 3_000;
/** A standby asks the master this often, and takes over when it has not answered some times. */
const pollMs = 1_000;

export class ManagerLife {
  private readonly managers: readonly SimulatedManager[];
  private readonly plan: PlantedHandover | undefined;
  private readonly events: ManagerEvent[] = [];
  private begun = false;
  private answers = 0;
  private masterDiedAt: number | undefined;
  private returning: { readonly manager: SimulatedManager; readonly at: number } | undefined;

  constructor(managers: readonly SimulatedManager[], plan?: PlantedHandover) {
    this.managers = managers;
    this.plan = plan;
  }

  /** The live ones, after all that is due by `now` has happened. */
  alive(now: number): readonly SimulatedManager[] {
    this.settle(now);
    return this.managers.filter((manager) => manager.state !== "dead");
  }

  master(now: number): SimulatedManager | undefined {
    return this.alive(now).find((manager) => manager.state === 3);
  }

  /** What has happened to a manager by `now`, in order. */
  eventsOf(manager: SimulatedManager, now: number): readonly ManagerEvent[] {
    this.settle(now);
    return this.events.filter((event) => event.manager === manager);
  }

  /** Notes that a manager has answered sminfo. */
  answered(manager: SimulatedManager, now: number): void {
    manager.activity += 1;
    if (this.plan === undefined || manager.state !== 3) return;
    this.answers += 1;
    // Once: the one that came back has been counted.
    if (this.answers !== this.plan.afterAnswers) return;
    this.kill(manager, now);
    this.returning = { manager, at: now + this.plan.returnsAfterMs };
  }

  /** Ends a manager as SIGKILL does: nothing is handed over. */
  kill(manager: SimulatedManager, now: number): void {
    this.begin(now);
    if (manager.state === 3) this.masterDiedAt = now;
    manager.state = "dead";
  }

  /** Starts a manager again. With a higher priority than the master's it takes over at once. */
  start(manager: SimulatedManager, priority: number, now: number): void {
    this.settle(now);
    manager.priority = priority;
    const master = this.managers.find((other) => other.state === 3);
    manager.state = 2;
    this.note(manager, now, "started");
    if (master !== undefined && wins(manager, master)) {
      master.state = 2;
      this.note(master, now, "standby");
      manager.state = 3;
    } else if (master === undefined && this.masterDiedAt === undefined) manager.state = 3;
    this.note(manager, now, manager.state === 3 ? "master" : "standby");
  }

  private note(manager: SimulatedManager, at: number, what: ManagerEvent["what"]): void {
    this.events.push({ manager, at, what });
  }

  /** The managers that run from the beginning have started when somebody first looks. */
  private begin(now: number): void {
    if (this.begun) return;
    this.begun = true;
    for (const manager of this.managers) {
      if (manager.state === "dead") continue;
      this.note(manager, now, "started");
      this.note(manager, now, manager.state === 3 ? "master" : "standby");
    }
  }

  private settle(now: number): void {
    this.begin(now);
    if (this.masterDiedAt !== undefined && now - this.masterDiedAt >= takeOverMs) {
      const heir = this.managers
        .filter((manager) => manager.state === 2)
        .reduce<SimulatedManager | undefined>(
          (best, manager) => (best === undefined || wins(manager, best) ? manager : best),
          undefined,
        );
      if (heir !== undefined) {
        heir.state = 3;
        const takenOver = this.masterDiedAt + takeOverMs;
        for (let at = this.masterDiedAt + pollMs; at < takenOver; at += pollMs) this.note(heir, at, "unanswered");
        this.note(heir, takenOver, "discovering");
        this.note(heir, takenOver, "master");
        this.masterDiedAt = undefined;
      }
    }
    if (this.returning !== undefined && now >= this.returning.at) {
      const { manager, at } = this.returning;
      this.returning = undefined;
      this.start(manager, 1, at);
    }
  }
}

/** Higher priority wins, a tie goes to the lower GUID. */
function wins(a: SimulatedManager, b: SimulatedManager): boolean {
  return a.priority === b.priority ? a.port.guid < b.port.guid : a.priority > b.priority;
}
