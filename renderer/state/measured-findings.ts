/** Findings that come from results, not from the capture: they stand beside the others wherever findings are shown. */
import { type Finding, healths } from "../../shared/analyse/results.ts";
import { sourceLabel } from "../../shared/contract/source.ts";
import type { FabricView } from "../../shared/contract/views.ts";
import { baselineFindings } from "../../shared/measure/baseline-findings.ts";
import { useFabric } from "./fabric-store.ts";
import { useMeasure } from "./measure-store.ts";

/** What was there before, by what is shown. */
const plain = new WeakMap<FabricView, FabricView>();

/** The view before findings of results were added to it: whoever adds others begins here, or these stay in for ever. */
export function withoutMeasured(view: FabricView): FabricView {
  return plain.get(view) ?? view;
}

function findingsNow(view: FabricView): readonly Finding[] {
  const { history, baselines } = useMeasure.getState();
  const { source, simulated } = view.capture;
  const label = source === null ? undefined : sourceLabel(source);
  const own = baselines.filter(
    (baseline) => baseline.simulated === simulated && (label === undefined || baseline.source === label),
  );
  return baselineFindings(view.fabric, history, own);
}

/** The view with these findings; the health of their links is as bad as the worst of them. */
function withFindings(view: FabricView, findings: readonly Finding[]): FabricView {
  const linkHealth = view.analysis.linkHealth.slice();
  for (const { subject, severity } of findings) {
    if (subject.kind !== "link") continue;
    linkHealth[subject.index] = Math.max(linkHealth[subject.index] ?? 0, healths.indexOf(severity));
  }
  const analysis = { ...view.analysis, findings: [...view.analysis.findings, ...findings], linkHealth };
  return { ...view, analysis };
}

function update(): void {
  const { view } = useFabric.getState();
  if (view === undefined) return;
  const base = withoutMeasured(view);
  const shown = view.analysis.findings.slice(base.analysis.findings.length);
  const now = findingsNow(base);
  if (JSON.stringify(shown) === JSON.stringify(now)) return;
  const next = now.length === 0 ? base : withFindings(base, now);
  if (next !== base) plain.set(next, base);
  // The same fabric: what the eye rests on stays where it is.
  useFabric.setState({ view: next, refreshed: true });
}

/** Keeps the open fabric's findings in step with history and baselines. Returns the function that ends it. */
export function followMeasuredFindings(): () => void {
  const ends = [
    useMeasure.subscribe((now, before) => {
      if (now.history !== before.history || now.baselines !== before.baselines) update();
    }),
    useFabric.subscribe((now, before) => {
      if (now.view !== before.view) update();
    }),
  ];
  return () => ends.forEach((end) => end());
}
