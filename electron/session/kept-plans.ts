import type { OpenFabric, OpenFabrics } from "./open-fabrics.ts";

/** Plans that wait to be run: the newest ones. Each holds its whole fabric, so none waits longer than that is open. */
export class KeptPlans<T extends { readonly open: OpenFabric }> {
  private readonly plans = new Map<string, T>();
  private readonly fabrics: Pick<OpenFabrics, "get">;
  private readonly most: number;

  constructor(fabrics: Pick<OpenFabrics, "get">, most: number) {
    this.fabrics = fabrics;
    this.most = most;
  }

  /** Lets go of those on fabrics that were closed or collected anew, and of the oldest above `most`. */
  add(id: string, plan: T): void {
    this.plans.set(id, plan);
    for (const [other, { open }] of this.plans) if (this.fabrics.get(open.id) !== open) this.plans.delete(other);
    const [oldest] = this.plans.keys();
    if (this.plans.size > this.most && oldest !== undefined) this.plans.delete(oldest);
  }

  get(id: string): T | undefined {
    return this.plans.get(id);
  }

  delete(id: string): void {
    this.plans.delete(id);
  }
}
