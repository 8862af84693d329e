import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { useFabric } from "../../../renderer/state/fabric-store.ts";
import { followMeasuredFindings } from "../../../renderer/state/measured-findings.ts";
import { useMeasure } from "../../../renderer/state/measure-store.ts";
import { followRoutes, useRoutes } from "../../../renderer/state/routes-store.ts";
import type { Finding } from "../../../shared/analyse/results.ts";
import { ok } from "../../../shared/base/result.ts";
import type { RoutesView } from "../../../shared/contract/routes.ts";
import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import { linkId, linkName } from "../../../shared/fabric/access.ts";
import { linkNamed, simulatedView } from "./tables-fabric.ts";

const plain = simulatedView();
const view: FabricView = {
  ...plain,
  capture: {
    ...plain.capture,
    files: [{ name: "routes.txt", bytes: 1, tool: "dump_fts", commandLine: null, exitCode: 0 }],
  },
};
const index = linkNamed(view.fabric, "leaf-02:3 ");
const link = linkId(view.fabric, index);

const run = (id: string, at: string, bandwidthGbps: number): MeasurementSummary => ({
  ...{ id, at, link, linkName: linkName(view.fabric, index), source: "fat-tree", simulated: true },
  ...{ clientHost: "n003", serverHost: "n004", bandwidthGbps, latencyUs: null, expectedGbps: 200, percent: null },
  ...{ level: "good", sentence: "" },
});

const onRoutes: Finding = {
  ...{
    id: "route-loops 1",
    rule: "route-loops",
    severity: "error",
    title: "Loop",
    subject: { kind: "fabric", name: "fat-tree" },
  },
  ...{ message: "", evidence: "", cause: "", remedy: "" },
};

const none = { destinations: new Uint32Array(), pairs: new Uint32Array() };
const routes: RoutesView = {
  ...{ files: ["routes.txt"], tables: 1, switches: 1, pairs: 0, unreachable: 0, unknown: 0, hops: [] },
  ...{ creditLoops: 0, loops: 1, fromA: none, fromB: none, findings: [onRoutes], diagnostics: [] },
};

let answer: (routes: unknown) => void = () => undefined;

function idsOf(rule: string): readonly string[] {
  const shown = useFabric.getState().view?.analysis.findings ?? [];
  return shown.filter((finding) => finding.rule === rule).map(({ id }) => id);
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

beforeEach(() => {
  provideApi(
    createApi({
      call: () => new Promise((done) => (answer = done)),
      cancel: () => undefined,
      subscribe: () => () => undefined,
      pathOf: () => "",
    }),
  );
  const before = run("a", "2026-03-12T03:00:00Z", 196);
  useMeasure.setState({
    history: [run("b", "2026-03-12T04:00:00Z", 120), before],
    baselines: [{ ...before, measurement: "a", measuredAt: before.at, setAt: before.at }],
  });
  useRoutes.setState({ of: undefined, state: "none", routes: undefined });
  useFabric.setState({ view: undefined });
});

describe("findings of results beside those on routes", () => {
  it("stand there once, whichever comes first, and go when their baseline goes", async () => {
    const ends = [followRoutes(), followMeasuredFindings()];
    useFabric.setState({ view });
    expect(idsOf("below-baseline")).toHaveLength(1);
    answer(ok(routes));
    await settled();
    expect([idsOf("below-baseline").length, idsOf("route-loops").length]).toEqual([1, 1]);
    // Looked at with another shape: main answers with findings of its own only.
    useFabric.setState({ view: { ...view, analysis: { ...view.analysis } } });
    expect([idsOf("below-baseline").length, idsOf("route-loops").length]).toEqual([1, 1]);
    useMeasure.setState({ baselines: [] });
    expect([idsOf("below-baseline").length, idsOf("route-loops").length]).toEqual([0, 1]);
    for (const end of ends) end();
  });
});
