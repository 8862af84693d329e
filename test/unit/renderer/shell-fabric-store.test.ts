import { beforeEach, describe, expect, it } from "vitest";
import { ok, type Result } from "../../../shared/base/result.ts";
import type { RequestName } from "../../../shared/contract/names.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { type Attempt, useFabric } from "../../../renderer/state/fabric-store.ts";
import { useSelection } from "../../../renderer/state/selection-store.ts";
import { useTasks } from "../../../renderer/state/task-store.ts";
import { understandFolder } from "../../support/understand.ts";

const source = sshSource("mgmt-01");
const collect: Attempt = { kind: "collect", source };
const understood = understandFolder("ib/sim/ft2-32");

function viewOf(fabricId: string): FabricView {
  return {
    fabricId,
    fabric: understood.fabric,
    analysis: understood.analysis,
    diagnostics: [],
    capture: {
      name: "mgmt-01",
      how: "ssh",
      simulated: false,
      collectedAt: null,
      path: null,
      source,
      steps: [],
      files: [],
      partial: false,
    },
  };
}

interface Call {
  readonly name: RequestName;
  readonly input: unknown;
  readonly answer: (reply: Result<unknown, AppError>) => void;
}

/** A main process that answers what the test says, when it says so; everything but collecting at once. */
class FakeMain {
  readonly calls: Call[] = [];
  readonly cancelled: string[] = [];

  readonly bridge = {
    call: (name: RequestName, _callId: string, input: unknown): Promise<unknown> =>
      new Promise((resolve) => {
        this.calls.push({ name, input, answer: resolve });
        if (name === "fabric.get") resolve(ok(viewOf((input as { fabricId: string }).fabricId)));
        else if (name === "recent.list") resolve(ok([]));
        else if (name === "fabric.close") resolve(ok(null));
      }),
    cancel: (callId: string): void => void this.cancelled.push(callId),
    subscribe: () => () => undefined,
    pathOf: () => "",
  };

  /** The nth collection or opening, from 0. */
  opening(n: number): Call {
    const call = this.calls.filter(({ name }) => name === "capture.collect" || name === "capture.open")[n];
    if (call === undefined) throw new Error(`no ${n}th collection was asked for`);
    return call;
  }

  closed(): readonly unknown[] {
    return this.calls.filter(({ name }) => name === "fabric.close").map(({ input }) => input);
  }
}

let main = new FakeMain();

beforeEach(() => {
  main = new FakeMain();
  provideApi(createApi(main.bridge));
  useFabric.setState(useFabric.getInitialState());
  useSelection.setState(useSelection.getInitialState());
  useTasks.setState({ tasks: [] });
});

describe("an attempt to open a fabric", () => {
  it("opens it and closes the one before", async () => {
    useFabric.setState({ view: { ...viewOf("old"), capture: { ...viewOf("old").capture, source: null } } });
    const done = useFabric.getState().attempt(collect);
    main.opening(0).answer(ok({ fabricId: "new" }));
    expect(await done).toBe(true);
    expect(useFabric.getState()).toMatchObject({ loading: undefined, failure: undefined, refreshed: false });
    expect(useFabric.getState().view?.fabricId).toBe("new");
    expect(main.closed()).toEqual([{ fabricId: "old" }]);
  });

  it("keeps the open fabric and says why when it fails", async () => {
    useFabric.setState({ view: viewOf("old") });
    const error: AppError = { kind: "unreachable", host: "mgmt-01", port: 22, code: "ETIMEDOUT" };
    const done = useFabric.getState().attempt({ kind: "open", paths: ["/tmp/x"] });
    main.opening(0).answer({ ok: false, error });
    expect(await done).toBe(false);
    expect(useFabric.getState().view?.fabricId).toBe("old");
    expect(useFabric.getState().failure?.error).toEqual(error);
    expect(useTasks.getState().tasks[0]?.state).toBe("failed");
  });

  it("leaves no failure when the user has cancelled it", async () => {
    const done = useFabric.getState().attempt(collect);
    useTasks.getState().tasks[0]?.cancel();
    expect(main.cancelled).toHaveLength(1);
    main.opening(0).answer({ ok: false, error: { kind: "cancelled", what: "collecting" } });
    expect(await done).toBe(false);
    expect(useFabric.getState()).toMatchObject({ loading: undefined, failure: undefined });
    expect(useTasks.getState().tasks[0]?.state).toBe("cancelled");
  });

  it("gives way to a later one, and what it still opened is closed", async () => {
    const first = useFabric.getState().attempt(collect);
    const second = useFabric.getState().attempt({ kind: "open", paths: ["/tmp/x"] });
    expect(main.cancelled).toHaveLength(1);
    main.opening(1).answer(ok({ fabricId: "second" }));
    expect(await second).toBe(true);
    main.opening(0).answer(ok({ fabricId: "first" }));
    expect(await first).toBe(false);
    expect(useFabric.getState().view?.fabricId).toBe("second");
    expect(useFabric.getState().loading).toBeUndefined();
    expect(main.closed()).toEqual([{ fabricId: "first" }]);
  });

  it("refreshes the same source in place: the selection stays, nothing is closed", async () => {
    useFabric.setState({ view: viewOf("old") });
    useSelection.getState().select({ kind: "link", link: 5 });
    const done = useFabric.getState().collectAgain();
    expect(main.opening(0).input).toEqual({ source, replaces: "old" });
    main.opening(0).answer(ok({ fabricId: "new" }));
    expect(await done).toBe(true);
    expect(useFabric.getState().refreshed).toBe(true);
    expect(useSelection.getState().selection).toEqual({ kind: "link", link: 5 });
    expect(main.closed()).toEqual([]);
  });
});

describe("the user's word on the shape", () => {
  it("brings the fabric as it is understood then; the selection stays, the picture is fitted anew", async () => {
    useFabric.setState({ view: viewOf("f"), refreshed: true });
    useSelection.getState().select({ kind: "node", node: 3 });
    const done = useFabric.getState().overrule("irregular");
    const call = main.calls.at(-1);
    expect(call).toMatchObject({ name: "fabric.overrule", input: { fabricId: "f", kind: "irregular" } });
    const answer = viewOf("f");
    call?.answer(ok(answer));
    expect(await done).toBeUndefined();
    expect(useFabric.getState().view).toBe(answer);
    expect(useFabric.getState().refreshed).toBe(false);
    expect(useSelection.getState().selection).toEqual({ kind: "node", node: 3 });
  });

  it("ends an earlier word that is still being worked on", async () => {
    useFabric.setState({ view: viewOf("f") });
    const first = useFabric.getState().overrule("irregular");
    const earlier = main.calls.at(-1);
    const second = useFabric.getState().overrule("fat-tree");
    expect(main.cancelled).toHaveLength(1);
    const answer = viewOf("f");
    main.calls.at(-1)?.answer(ok(answer));
    earlier?.answer({ ok: false, error: { kind: "cancelled", what: "f" } });
    expect(await second).toBeUndefined();
    expect(await first).toEqual({ kind: "cancelled", what: "f" });
    expect(useFabric.getState().view).toBe(answer);
  });

  it("does not bring back a fabric that was closed meanwhile", async () => {
    useFabric.setState({ view: viewOf("f") });
    const done = useFabric.getState().overrule("irregular");
    const call = main.calls.at(-1);
    useFabric.getState().close();
    call?.answer(ok(viewOf("f")));
    await done;
    expect(useFabric.getState().view).toBeUndefined();
  });
});
