import { expect, it } from "vitest";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { useTriangulate } from "../../../renderer/state/triangulate-store.ts";
import { err, ok } from "../../../shared/base/result.ts";
import type { RequestName } from "../../../shared/contract/names.ts";
import { defaultMeasureOptions, type Measurement } from "../../../shared/measure/types.ts";

const end = { host: "n018", nodeGuid: "", node: 0, port: 1, portGuid: "", lid: 1 };
const low: Measurement = {
  ...{ version: 1, id: "low", at: "", source: { kind: "ssh", label: "x", simulated: false } },
  ...{ link: "0x00000000000000a0:1", linkName: "a to b", client: end, server: end, path: [], basis: "host-link" },
  ...{ options: defaultMeasureOptions, runs: [], expectedGbps: 200, versions: {} },
  verdict: { level: "slow", sentence: "", next: [] },
};

it("keeps what is shown of another result when a run ends", async () => {
  const answers = new Map<RequestName, (answer: unknown) => void>();
  const answer = async (name: RequestName, value: unknown): Promise<void> => {
    answers.get(name)?.(value);
    await new Promise((resolve) => setTimeout(resolve));
  };
  provideApi(
    createApi({
      call: (name) => new Promise((done) => answers.set(name, done)),
      cancel: () => undefined,
      subscribe: () => () => undefined,
      pathOf: () => "",
    }),
  );
  const { ask, run } = useTriangulate.getState();
  const view = { id: "plan", tests: [], missing: [], seconds: 1 };
  const asking = ask("f", "low");
  await answer("triangulation.plan", ok(view));
  await asking;
  const running = run(low);
  const other = ask("f", "other");
  await answer("triangulation.plan", ok({ ...view, id: "other plan" }));
  await other;
  await answer("triangulation.run", err({ kind: "unknown-id", what: "plan", id: "plan" }));
  expect(useTriangulate.getState()).toMatchObject({ of: "other", plan: { id: "other plan" }, error: undefined });
  await answer("measure.list", ok({ measurements: [], damaged: 0 }));
  await answer("baseline.list", ok([]));
  await running;
});
