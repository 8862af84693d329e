/** An open fabric as a thread holds it: with its forwarding tables, which are read when a question first needs them. */
import type { LimitChanges } from "../../shared/analyse/limits.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { interpretRoutes, type InterpretedRoutes } from "../../shared/build/interpret-routes.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import type { RawText } from "./interpret-job.ts";
import { tableTexts } from "./table-texts.ts";

/** What a thread is given. Plain data that survives structured cloning. */
export interface HeldContent {
  /** Name of the capture, for diagnostics. */
  readonly name: string;
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  /** The outputs that hold forwarding tables. */
  readonly tables: readonly RawText[];
  /** Limits that the user set, for findings on routes. */
  readonly limits: LimitChanges;
}

/** Forwarding tables that are read, and ready to be followed. */
export interface HeldRoutes {
  readonly network: RouteNetwork;
  readonly routes: InterpretedRoutes;
}

/** How far a question is; `total` 0 = not known. */
export type HeldProgress = (done: number, total: number, note: string) => void;

export class HeldFabric {
  readonly name: string;
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly limits: LimitChanges;
  /** Raw texts until they are read: afterwards only the tables are held, one byte for a switch and a LID. */
  private unread: readonly RawText[];
  private read: HeldRoutes | undefined;
  private readonly derived = new Map<string, unknown>();

  constructor({ name, fabric, analysis, tables, limits }: HeldContent) {
    this.name = name;
    this.fabric = fabric;
    this.analysis = analysis;
    this.unread = tables;
    this.limits = limits;
  }

  /** The tables; undefined when there are none. The first call reads them: O(bytes of the texts). */
  routes(progress: HeldProgress): HeldRoutes | undefined {
    if (this.unread.length === 0) return this.read;
    const texts = this.unread;
    this.unread = [];
    const routes = interpretRoutes(
      tableTexts(texts, (done, total, file) => progress(done, total, `Reading ${file}`)),
      this.fabric,
      this.name,
    );
    progress(0, 0, "Following the routes");
    this.read = routes === undefined ? undefined : { network: routeNetwork(this.fabric, routes.lfts), routes };
    return this.read;
  }

  /** What is made of the tables, kept under its name for the next question; undefined when there are none. */
  derive<T>(name: string, make: (routes: HeldRoutes) => T, progress: HeldProgress): T | undefined {
    const routes = this.routes(progress);
    if (routes === undefined) return undefined;
    // Each name has one maker.
    if (this.derived.has(name)) return this.derived.get(name) as T;
    const made = make(routes);
    this.derived.set(name, made);
    return made;
  }
}
