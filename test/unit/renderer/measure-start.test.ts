import { beforeEach, describe, expect, it } from "vitest";
import { err, ok, type Result } from "../../../shared/base/result.ts";
import type { RequestName } from "../../../shared/contract/names.ts";
import { defaultSettings } from "../../../shared/contract/settings.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import { defaultMeasureOptions, type MeasurePlan } from "../../../shared/measure/types.ts";
import { planMeasurement } from "../../../shared/measure/plan.ts";
import { assert } from "../../../shared/base/assert.ts";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { useFabric } from "../../../renderer/state/fabric-store.ts";
import { useMeasure } from "../../../renderer/state/measure-store.ts";
import { useSettings } from "../../../renderer/state/settings-store.ts";
import { useUi } from "../../../renderer/state/ui-store.ts";
import { startMeasuring } from "../../../renderer/views/measure/start.ts";
import { linkNamed, simulatedView } from "./tables-fabric.ts";

const view = simulatedView();
const link = linkNamed(view.fabric, "leaf-02:3 ");
const id = linkId(view.fabric, link);

interface Call {
  readonly name: RequestName;
  readonly input: unknown;
  readonly answer: (reply: Result<unknown, AppError>) => void;
}
let calls: Call[] = [];

function plan(planId: string): MeasurePlan {
  const planned = planMeasurement(view.fabric, view.analysis, {
    link,
    fabricId: view.fabricId,
    planId,
    options: defaultMeasureOptions,
    simulated: true,
  });
  assert(planned.ok, "a plan");
  return planned.value;
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

beforeEach(() => {
  calls = [];
  provideApi(
    createApi({
      call: (name, _callId, input) => new Promise((answer) => calls.push({ name, input, answer })),
      cancel: () => undefined,
      subscribe: () => () => undefined,
      pathOf: () => "",
    }),
  );
  useFabric.setState({ view });
  useSettings.setState({ settings: defaultSettings });
  useMeasure.setState({ sheet: undefined, running: undefined, last: undefined, options: defaultMeasureOptions });
  useUi.setState({ toasts: [] });
});

describe("startMeasuring", () => {
  it("opens the plan, and starts nothing by itself", async () => {
    void startMeasuring(view.fabricId, id);
    expect(calls.map((call) => call.name)).toEqual(["measure.plan"]);
    calls[0]?.answer(ok(plan("p1")));
    await settled();
    expect(useMeasure.getState().sheet?.plan?.id).toBe("p1");
    expect(calls).toHaveLength(1);
  });

  it("starts a standard quick check at once where the user said so", async () => {
    useSettings.setState({ settings: { ...defaultSettings, measureWithoutAsking: ["fat-tree"] } });
    useMeasure.getState().setOptions({ preset: "bandwidth", seconds: 300 });
    void startMeasuring(view.fabricId, id);
    expect(calls[0]?.input).toMatchObject({ options: defaultMeasureOptions });
    calls[0]?.answer(ok(plan("p1")));
    await settled();
    expect(calls[1]).toMatchObject({ name: "measure.run", input: { planId: "p1" } });
    expect(useMeasure.getState().sheet).toBeUndefined();
  });

  it("shows the sheet when there is no plan, even where it may start at once", async () => {
    useSettings.setState({ settings: { ...defaultSettings, measureWithoutAsking: ["fat-tree"] } });
    const error: AppError = { kind: "no-path", link: "x", reason: "no host", help: "cable one" };
    void startMeasuring(view.fabricId, id);
    calls[0]?.answer(err(error));
    await settled();
    calls[1]?.answer(err(error));
    await settled();
    expect(useMeasure.getState().sheet?.error).toEqual(error);
  });

  it("does not start a second measurement beside a running one", async () => {
    useMeasure.setState({ running: { plan: plan("p0"), taskId: 1 } });
    await startMeasuring(view.fabricId, id);
    expect(calls).toEqual([]);
    expect(useUi.getState().toasts[0]?.text).toContain("is being measured");
  });
});

describe("planning anew", () => {
  it("keeps the plan before in sight and shows only the newest answer", async () => {
    const { openSheet } = useMeasure.getState();
    void openSheet(view.fabricId, id);
    calls[0]?.answer(ok(plan("p1")));
    await settled();
    void openSheet(view.fabricId, id, { server: "n012" });
    void openSheet(view.fabricId, id, { server: "n013" });
    expect(useMeasure.getState().sheet).toMatchObject({ planning: true, plan: { id: "p1" } });
    calls[2]?.answer(ok(plan("p3")));
    await settled();
    calls[1]?.answer(ok(plan("p2")));
    await settled();
    expect(useMeasure.getState().sheet).toMatchObject({
      planning: false,
      plan: { id: "p3" },
      choice: { server: "n013" },
    });
  });

  it("leaves a closed sheet closed when its plan comes late", async () => {
    const { openSheet, closeSheet } = useMeasure.getState();
    void openSheet(view.fabricId, id);
    closeSheet();
    calls[0]?.answer(ok(plan("p1")));
    await settled();
    expect(useMeasure.getState().sheet).toBeUndefined();
  });
});

describe("options", () => {
  it("lose the GID index when it is taken away", () => {
    const { setOptions } = useMeasure.getState();
    setOptions({ gidIndex: 3 });
    expect(useMeasure.getState().options.gidIndex).toBe(3);
    setOptions({ gidIndex: undefined, seconds: 5 });
    expect(useMeasure.getState().options).toEqual({ ...defaultMeasureOptions, seconds: 5 });
  });
});
