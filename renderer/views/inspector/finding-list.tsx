import type { Finding } from "../../../shared/analyse/results.ts";
import { Callout } from "../../parts/callout.tsx";
import { Section } from "../../parts/section.tsx";

/** Findings in full: what is so, the likely cause, what to do. `named`: tells the subject too. */
export function FindingList({
  id,
  findings,
  named = false,
}: {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly named?: boolean;
}) {
  if (findings.length === 0) return null;
  return (
    <Section id={id} title="Findings" aside={String(findings.length)}>
      <div className="inspector-stack">
        {findings.map((finding) => (
          <Callout key={finding.id} tone={finding.severity}>
            <p>
              <strong className="inline-strong">{finding.title}.</strong>{" "}
              {named && !finding.message.includes(finding.subject.name) ? `${finding.subject.name}: ` : null}
              {finding.message}
            </p>
            {finding.cause === "" ? null : <p>Likely: {finding.cause}</p>}
            {finding.remedy === "" ? null : <p>Next: {finding.remedy}</p>}
          </Callout>
        ))}
      </div>
    </Section>
  );
}
