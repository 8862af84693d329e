/** What counters and traces add to a verdict: a sentence on the way, new errors, and what they mean for the result. */
import { groupDigits } from "../base/text.ts";
import type { NewErrors, RouteProof, RunEvidence, VerdictLevel } from "./types.ts";

/** Counters of errors that the cable at this very port makes. */
const cableErrors: ReadonlySet<string> = new Set([
  "SymbolErrorCounter",
  "LinkErrorRecoveryCounter",
  "LinkDownedCounter",
  "PortRcvErrors",
  "LocalLinkIntegrityErrors",
  "ExcessiveBufferOverrunErrors",
]);

export interface EvidenceWords {
  readonly sentences: readonly string[];
  readonly next: readonly string[];
  /** The verdict is not better than this. */
  readonly atBest?: VerdictLevel;
  /** The numbers are those of another link. */
  readonly otherLink: boolean;
}

/** The proof that tells most: of the bandwidth test where there is one. */
export function routeProofOf(evidence: readonly RunEvidence[]): RouteProof | undefined {
  return (evidence.find(({ route }) => route.kind !== "unknown") ?? evidence[0])?.route;
}

/** Growth of the same counter over all runs. */
function allErrors(evidence: readonly RunEvidence[]): readonly NewErrors[] {
  const sums = new Map<string, NewErrors>();
  for (const { newErrors } of evidence) {
    for (const error of newErrors) {
      const key = `${error.port} ${error.counter}`;
      const known = sums.get(key);
      sums.set(
        key,
        known === undefined
          ? error
          : { ...known, growth: known.growth + error.growth, atLeast: known.atLeast || error.atLeast },
      );
    }
  }
  return [...sums.values()].sort((a, b) => Number(b.measured) - Number(a.measured) || b.growth - a.growth);
}

const errorsNamed = 4;

function errorSentence(error: NewErrors): string {
  const grown = `+${groupDigits(error.growth)}${error.atLeast ? " or more" : ""} ${error.counter} at ${error.port}`;
  if (!cableErrors.has(error.counter)) return `${grown} during the run.`;
  return `${grown}: ${error.measured ? "this cable" : "another cable of the path"}.`;
}

/** Puts the evidence of all runs into words; `hasBandwidth`: a bandwidth was measured, so that the way matters. */
export function evidenceWords(
  evidence: readonly RunEvidence[],
  linkName: string,
  hasBandwidth: boolean,
): EvidenceWords {
  const proof = routeProofOf(evidence);
  const sentences: string[] = [];
  const next: string[] = [];
  if (proof !== undefined && (hasBandwidth || proof.kind !== "unknown")) sentences.push(proof.sentence);
  if (proof?.kind === "elsewhere") {
    next.push(
      `Collect again with routes and measure ${linkName} anew: the forwarding tables tell a pair whose data crosses it.`,
    );
  }
  if (proof?.kind === "spread") {
    next.push(
      "With adaptive routing no pair crosses one link alone: compare the counters of the parallel links, or measure with a service level that has no adaptive routing.",
    );
  }
  const errors = allErrors(evidence);
  sentences.push(...errors.slice(0, errorsNamed).map(errorSentence));
  if (errors.length > errorsNamed) sentences.push(`${errors.length - errorsNamed} more counters grew.`);
  const ofCables = errors.filter(({ counter }) => cableErrors.has(counter));
  const [worst] = ofCables;
  if (worst !== undefined) {
    next.push(`Clean and reseat both ends of the cable at ${worst.port}, measure again, then swap it.`);
  }
  return {
    sentences,
    next,
    ...(proof?.kind === "elsewhere" && hasBandwidth
      ? { atBest: "failed" as const }
      : ofCables.some(({ measured }) => measured)
        ? { atBest: "fair" as const }
        : {}),
    otherLink: proof?.kind === "elsewhere",
  };
}
