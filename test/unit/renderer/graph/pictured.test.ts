import { describe, expect, it } from "vitest";
import { picturedOf } from "../../../../renderer/graph/graph-model.ts";
import { withFindings } from "../../../../shared/analyse/analyse.ts";
import { simulatedView } from "../tables-fabric.ts";

describe("an analysis as pictures look at it", () => {
  const { analysis } = simulatedView();

  it("is the same when findings come later, so that nothing is laid out anew", () => {
    const later = withFindings(analysis, analysis.findings.slice(0, 1));
    expect(picturedOf(later)).toBe(picturedOf(analysis));
  });

  it("is another one with the health of a link, or another shape", () => {
    const before = picturedOf(analysis);
    expect(picturedOf({ ...analysis, linkHealth: analysis.linkHealth.slice() })).not.toBe(before);
    const topology = { ...analysis.topology };
    expect(picturedOf({ ...analysis, topology }).topology).toBe(topology);
  });
});
