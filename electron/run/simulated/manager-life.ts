/** Life and death of simulated subnet managers: who answers, who is master, who takes over and when. */
import type { SimulatedManager } from "./model.ts";

/** A handover that is planted: the master dies after it was asked some times, and comes back as a standby. */
export interface PlantedHandover {
  /** Times that the master answers sminfo before it dies. */
  readonly afterAnswers: number;
  /** Milliseconds from its death to its return with a lower priority than the new master's. */
  readonly returnsAfterMs: number;
}

/** opensm's own settings would be 10 s and 4 tries; a simulation need not keep people waiting that long. */
const takeOverMs = 3_000;

export class ManagerLife {
  private readonly managers: readonly SimulatedManager[];
  private readonly plan: PlantedHandover | undefined;
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
    if (manager.state === 3) this.masterDiedAt = now;
    manager.state = "dead";
  }

  /** Starts a manager again. With a higher priority than the master's it takes over at once. */
  start(manager: SimulatedManager, priority: number, now: number): void {
    this.settle(now);
    manager.priority = priority;
    const master = this.managers.find((other) => other.state === 3);
    manager.state = 2;
    if (master !== undefined && wins(manager, master)) {
      master.state = 2;
      manager.state = 3;
    } else if (master === undefined && this.masterDiedAt === undefined) manager.state = 3;
  }

  private settle(now: number): void {
    if (this.masterDiedAt !== undefined && now - this.masterDiedAt >= takeOverMs) {
      const heir = this.managers
        .filter((manager) => manager.state === 2)
        .reduce<SimulatedManager | undefined>(
          (best, manager) => (best === undefined || wins(manager, best) ? manager : best),
          undefined,
        );
      if (heir !== undefined) {
        heir.state = 3;
        this.masterDiedAt = undefined;
      }
    }
    if (this.returning !== undefined && now >= this.returning.at) {
      const { manager } = this.returning;
      this.returning = undefined;
      this.start(manager, 1, now);
    }
  }
}

/** Higher priority wins, a tie goes to the lower GUID. */
function wins(a: SimulatedManager, b: SimulatedManager): boolean {
  return a.priority === b.priority ? a.port.guid < b.port.guid : a.priority > b.priority;
}
