/**
 * A low result of two hosts: is it one of them, the cable, or the route? Other pairs tell that share exactly one of these
 * with the low one: its client, its server, the measured cable. The low pair once more tells whether it is still low.
 */
import { err, ok, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import { explain } from "../errors/explain.ts";
import { findLink } from "../fabric/access.ts";
import type { Fabric, LinkId } from "../fabric/model.ts";
import type { PlanGuide } from "./guide.ts";
import type { PlanInput } from "./plan.ts";
import type { Measurement, MeasurePlan, TriangleRole } from "./types.ts";

/** The low result. */
export type Suspect = Pick<
  Measurement,
  "id" | "link" | "linkName" | "client" | "server" | "path" | "options" | "basis" | "checks"
>;

export interface TriangulationTest {
  /** What the pair shares with the low one. */
  readonly role: TriangleRole;
  readonly plan: MeasurePlan;
  /** What it was planned with. */
  readonly input: PlanInput;
}

export interface TriangulationPlan {
  readonly suspect: Suspect;
  /** In the order in which they run; the low pair itself is last. */
  readonly tests: readonly TriangulationTest[];
  /** What cannot be tested, and why. */
  readonly missing: readonly { readonly role: TriangleRole; readonly reason: string }[];
  readonly seconds: number;
}

/** Plans one measurement; may work elsewhere. */
export type Planner = (input: PlanInput) => Promise<Result<MeasurePlan, AppError>> | Result<MeasurePlan, AppError>;

/** Other pairs that are planned before the best of them is taken. */
const pairsTried = 16;

/** Cables that a plan has in common with the low path. */
function shared(plan: MeasurePlan, links: ReadonlySet<LinkId>): number {
  return plan.path.filter(({ link }) => links.has(link)).length;
}

class Search {
  private readonly base: Omit<PlanInput, "link" | "client" | "server">;
  private readonly planner: Planner;
  private readonly links: ReadonlySet<LinkId>;
  private readonly hosts: ReadonlySet<string>;

  constructor(suspect: Suspect, base: Omit<PlanInput, "link" | "client" | "server">, planner: Planner) {
    this.base = base;
    this.planner = planner;
    this.links = new Set(suspect.path.map(({ link }) => link));
    this.hosts = new Set([suspect.client.host, suspect.server.host]);
  }

  /**
   * The pair with the fewest cables in common with the low path: its own one only where that can be. `first` plans with
   * the planner's choice, `others` with each of the hosts that could stand in.
   */
  private async best(
    link: number,
    fixed: Pick<PlanInput, "client" | "server">,
    vary: "client" | "server",
    fits: (plan: MeasurePlan) => boolean,
  ): Promise<TriangulationFound | string> {
    const ask = async (input: PlanInput): Promise<TriangulationFound | AppError> => {
      const plan = await this.planner(input);
      return plan.ok ? { plan: plan.value, input } : plan.error;
    };
    const start = { ...this.base, ...fixed, link };
    const first = await ask(start);
    if (!("plan" in first)) return explain(first).sentence;
    const names = vary === "client" ? first.plan.otherClients : first.plan.otherServers;
    let best: TriangulationFound | undefined;
    const consider = (found: TriangulationFound): boolean => {
      if (!fits(found.plan)) return false;
      if (best === undefined || shared(found.plan, this.links) < shared(best.plan, this.links)) best = found;
      return shared(best.plan, this.links) === 1;
    };
    if (consider(first)) return first;
    for (const name of names.filter((other) => !this.hosts.has(other)).slice(0, pairsTried)) {
      const next = await ask({ ...start, [vary]: name });
      if ("plan" in next && consider(next)) break;
    }
    return best ?? "no other pair of hosts that Ibex can log in to crosses it";
  }

  private isOther(host: string): boolean {
    return !this.hosts.has(host);
  }

  /** One host of the low pair in its role, with a third one. */
  async ofHost(
    role: "client" | "server",
    host: string,
    link: number,
    suspect: LinkId,
  ): Promise<TriangulationFound | string> {
    const partner = role === "client" ? "server" : "client";
    const crosses = ({ path }: MeasurePlan): boolean => path.slice(1, -1).some((hop) => hop.link === suspect);
    const found = await this.best(
      link,
      { [role]: host },
      partner,
      (plan) => plan[role].host === host && this.isOther(plan[partner].host) && !crosses(plan),
    );
    return typeof found === "string" ? `there is no third host beside ${host}: ${found}` : found;
  }

  /** The cable with two other hosts. They are nobody's choice: where the trace shows another way, others are tried. */
  async ofLink(link: number): Promise<TriangulationFound | string> {
    const found = await this.otherPair(link);
    return typeof found === "string" ? found : { plan: found.plan, input: { ...this.base, link } };
  }

  private async otherPair(link: number): Promise<TriangulationFound | string> {
    const fits = ({ client, server }: MeasurePlan): boolean => this.isOther(client.host) && this.isOther(server.host);
    const byClient = await this.best(link, {}, "client", fits);
    if (typeof byClient !== "string") return byClient;
    const byServer = await this.best(link, {}, "server", fits);
    if (typeof byServer !== "string") return byServer;
    // The planner's own choice has one of the two on each side: both are replaced.
    const first = await this.planner({ ...this.base, link });
    if (!first.ok) return explain(first.error).sentence;
    const clients = first.value.otherClients.filter((name) => this.isOther(name)).slice(0, 4);
    for (const client of clients) {
      const found = await this.best(link, { client }, "server", fits);
      if (typeof found !== "string") return found;
    }
    return byClient;
  }

  async again({ client, server }: Suspect, link: number): Promise<TriangulationFound | string> {
    const input: PlanInput = { ...this.base, link, client: client.host, server: server.host };
    const plan = await this.planner(input);
    return plan.ok ? { plan: plan.value, input } : explain(plan.error).sentence;
  }
}

interface TriangulationFound {
  readonly plan: MeasurePlan;
  readonly input: PlanInput;
}

/**
 * Chooses the pairs for a low result. The cable of a host cannot be taken apart from its host: everything that the host
 * sends crosses it.
 *
 * @param base what all plans share; the preset becomes `bandwidth`
 * @returns `unknown-id` when the fabric has the cable no more, `unsupported` when no other pair can be found at all
 */
export async function planTriangulation(
  fabric: Fabric,
  suspect: Suspect,
  base: Omit<PlanInput, "link" | "client" | "server" | "options">,
  planner: Planner,
): Promise<Result<TriangulationPlan, AppError>> {
  const link = findLink(fabric, suspect.link);
  if (link === undefined) return err({ kind: "unknown-id", what: "link", id: suspect.link });
  const search = new Search(suspect, { ...base, options: { ...suspect.options, preset: "bandwidth" } }, planner);
  const first = suspect.path[0]?.link;
  const last = suspect.path.at(-1)?.link;
  const isHostLink = suspect.link === first || suspect.link === last;
  const found: [TriangleRole, TriangulationFound | string][] = [];
  for (const [role, host, own] of [
    ["client", suspect.client.host, first],
    ["server", suspect.server.host, last],
  ] as const) {
    const ownLink = own === undefined ? undefined : findLink(fabric, own);
    found.push([
      role,
      ownLink === undefined
        ? `the fabric has the cable of ${host} no more`
        : await search.ofHost(role, host, ownLink, suspect.link),
    ]);
  }
  found.push([
    "link",
    isHostLink
      ? "everything that its host sends crosses it: host and cable cannot be taken apart"
      : await search.ofLink(link),
  ]);
  found.push(["again", await search.again(suspect, link)]);
  const tests = found.flatMap(([role, pair]) => (typeof pair === "string" ? [] : [{ role, ...pair }]));
  const missing = found.flatMap(([role, pair]) => (typeof pair === "string" ? [{ role, reason: pair }] : []));
  if (!tests.some(({ role }) => role !== "again")) {
    const detail = missing.map(({ reason }) => reason).join("; ");
    return err({ kind: "unsupported", what: "Telling node, link and route apart", detail });
  }
  return ok({ suspect, tests, missing, seconds: tests.reduce((sum, { plan }) => sum + plan.seconds, 0) });
}

/** The guide of a test: when its way turns out to be another, no pair is taken that has a host of the low one. */
export function guideOf(
  { role }: Pick<TriangulationTest, "role">,
  { client, server }: Suspect,
  guide: PlanGuide,
): PlanGuide {
  if (role !== "link") return guide;
  const low = new Set([client.host, server.host]);
  return {
    along: (plan, trace) => guide.along(plan, trace),
    async *others(plan) {
      for await (const other of guide.others(plan)) {
        if (!low.has(other.client.host) && !low.has(other.server.host)) yield other;
      }
    },
  };
}

/** `n010 with n011, which shares only n010 with the low pair`. */
export function testWords({ role, plan }: Pick<TriangulationTest, "role" | "plan">, linkName: string): string {
  const pair = `${plan.client.host} to ${plan.server.host}`;
  switch (role) {
    case "client":
      return `${pair}: is it ${plan.client.host}?`;
    case "server":
      return `${pair}: is it ${plan.server.host}?`;
    case "link":
      return `${pair}, over ${linkName}: is it the link?`;
    case "again":
      return `${pair}, as before: is it still low?`;
  }
}
