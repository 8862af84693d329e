/** From the results of other pairs to a word: node, link, colliding routes, or nothing any more. Pure. */
import { formatGbps } from "../fabric/rates.ts";
import { causeNames } from "./causes.ts";
import type { Suspect } from "./triangulate.ts";
import type {
  Blame,
  CauseCheck,
  Measurement,
  PathHop,
  TriangleOutcome,
  TriangleResult,
  TriangleRole,
  Triangulation,
} from "./types.ts";

const noBreakSpace = "\u00a0";

/** What a measurement tells of its pair: `none` when it gave no number of its own. */
export function outcomeOf({ verdict, percent }: Measurement): TriangleOutcome {
  if (percent === undefined || verdict.level === "failed" || verdict.level === "cancelled") return "none";
  return verdict.level === "slow" || verdict.level === "bad" ? "low" : "good";
}

/** Others' share of a cable's rate from which it makes a test slow. */
const crowdedShare = 0.05;

/**
 * Cables of the path on which others sent: right before, or beside the test, more than it sent itself. By the counters
 * of the ports that the data leaves by.
 */
export function crowdedCables({ path, runs }: Pick<Measurement, "path" | "runs">): readonly string[] {
  const crowded = new Set<string>();
  for (const { evidence, durationMs } of runs) {
    if (evidence === undefined) continue;
    const seconds = durationMs / 1000;
    const sentBy = (name: string) => evidence.ports.find((port) => port.name === name);
    const own = path[0] === undefined ? undefined : sentBy(`${path[0].fromName}:${path[0].fromPort}`)?.sentBytes;
    for (const { fromName, fromPort, toName, toPort, gbps } of path) {
      const port = sentBy(`${fromName}:${fromPort}`);
      if (port === undefined || gbps === 0) continue;
      const before = (port.ambientSent * 8) / 1e9;
      const beside = own === undefined || seconds === 0 ? 0 : ((port.sentBytes - own) * 8) / 1e9 / seconds;
      if (Math.max(before, beside) > gbps * crowdedShare) crowded.add(`${fromName}:${fromPort} to ${toName}:${toPort}`);
    }
  }
  return [...crowded];
}

export interface TriangulationFacts {
  readonly suspect: Suspect;
  readonly results: readonly TriangleResult[];
  /** Faults that commands have found on the hosts, by any of the runs. */
  readonly faults: readonly CauseCheck[];
  /** Cables of the low path on which others send. */
  readonly crowded: readonly string[];
  /** Cables of the low path that no other pair crossed. */
  readonly untried: readonly PathHop[];
}

function resultText({ clientHost, serverHost, gbps, percent, outcome, reason }: TriangleResult): string {
  const pair = `${clientHost} to ${serverHost}`;
  if (outcome === "none")
    return `${pair} was not measured${reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`}`;
  const share = percent === undefined ? "" : ` (${Math.round(percent)}${noBreakSpace}%)`;
  return `${pair} reaches ${gbps === undefined ? "" : formatGbps(gbps)} Gb/s${share}, ${outcome === "low" ? "low too" : "as it should"}`;
}

/** What each result says of the thing that it shares with the low pair. */
function conclusion(
  role: TriangleRole,
  outcome: Exclude<TriangleOutcome, "none">,
  { client, server, linkName }: Suspect,
): string {
  const low = outcome === "low";
  switch (role) {
    case "client":
    case "server": {
      const { host } = role === "client" ? client : server;
      return low ? `${host} is slow with another partner as well` : `${host} is not to blame`;
    }
    case "link":
      return low ? `other hosts are slow over ${linkName} as well` : `${linkName} is not to blame`;
    case "again":
      return low ? "the pair is still slow" : "the pair is not slow any more";
  }
}

function blamesOf(results: readonly TriangleResult[], isHostLink: boolean): readonly Blame[] {
  const of = (role: TriangleRole): TriangleOutcome => results.find((result) => result.role === role)?.outcome ?? "none";
  const low = (["client", "server", "link"] as const).filter((role) => of(role) === "low");
  if (low.length > 0) return low;
  const tried: readonly TriangleRole[] = isHostLink ? ["client", "server"] : ["client", "server", "link"];
  // Whoever was not tried may be the one.
  if (tried.some((role) => of(role) === "none")) return of("again") === "good" ? ["passed"] : ["unclear"];
  if (of("again") === "none") return ["unclear"];
  return of("again") === "good" ? ["passed"] : ["routes"];
}

function hostWords(host: string, faults: readonly CauseCheck[]): string {
  const own = faults.filter((fault) => fault.host === host);
  if (own.length === 0) return `${host} or its cable`;
  return `${host} itself (${own.map(({ what, detail }) => `${causeNames[what]}: ${detail}`).join("; ")})`;
}

function hopName({ fromName, fromPort, toName, toPort }: PathHop): string {
  return `${fromName}:${fromPort} to ${toName}:${toPort}`;
}

/** Puts the results together. */
export function judgeTriangulation(facts: TriangulationFacts): Triangulation {
  const { suspect, results, faults, crowded, untried } = facts;
  const { client, server, linkName, path } = suspect;
  const isHostLink = suspect.link === path[0]?.link || suspect.link === path.at(-1)?.link;
  const blames = blamesOf(results, isHostLink);
  const why = results.map((result) =>
    // What was not measured concludes nothing; that it was not is worth its reason only.
    result.outcome === "none"
      ? `${resultText(result)}.`
      : `${resultText(result)}: ${conclusion(result.role, result.outcome, suspect)}.`,
  );
  const hosts = blames.flatMap((blame) =>
    blame === "client" ? [client.host] : blame === "server" ? [server.host] : [],
  );
  const parts: string[] = hosts.map((host) => hostWords(host, faults));
  const next: string[] = [];
  for (const host of hosts) {
    next.push(
      faults.some((fault) => fault.host === host)
        ? `Mend what was found on ${host}, then measure again.`
        : `Look at PCIe, firmware and the error counters of ${host}, reseat its cable, then swap it.`,
    );
  }
  if (blames.includes("link")) {
    parts.push(linkName);
    next.push(`Clean and reseat both ends of ${linkName}, measure again, then swap the cable.`);
  }
  const blamed = parts.length > 0 ? `It is ${parts.join(", and ")}.` : undefined;
  const word = blames[0];
  const sentence = blamed ?? wordsFor(word, facts);
  if (word === "routes") {
    next.push(
      crowded.length > 0
        ? "Look which jobs send over these cables, or balance the routes anew (ibex routes shows pairs by link)."
        : `Measure each of the cables that only this pair crossed: ${untried.map(hopName).join(", ") || "none is left, so its route collides with others"}.`,
    );
  }
  if (word === "passed") next.push("Measure again when jobs run: what slowed it may come back with them.");
  if (word === "unclear") next.push("Give Ibex a way into more hosts (host map or rule), then try again.");
  return { of: suspect.id, blames, sentence, why, next, tests: results };
}

function wordsFor(word: Blame | undefined, { suspect, crowded, untried, results }: TriangulationFacts): string {
  const { client, server, linkName } = suspect;
  if (word === "routes") {
    const where =
      crowded.length > 0
        ? `others send over ${crowded.join(" and ")}`
        : untried.length > 0
          ? `only this pair crosses ${untried.map(hopName).join(" and ")}`
          : "its route meets that of others";
    return `It is the route: ${client.host}, ${server.host} and ${linkName} are fast with others; ${where}.`;
  }
  if (word === "passed") {
    return `It has passed: ${client.host} to ${server.host} is not slow any more. Other traffic on the way is the likely cause.`;
  }
  const cleared = results.filter(({ outcome, role }) => outcome === "good" && role !== "again").map(({ role }) => role);
  const names = { client: client.host, server: server.host, link: linkName } as const;
  const not = cleared.flatMap((role) => (role === "again" ? [] : [names[role]]));
  return `It cannot be told${not.length === 0 ? "" : `; ${not.join(" and ")} ${not.length > 1 ? "are" : "is"} not to blame`}: not all that is needed could be measured.`;
}
