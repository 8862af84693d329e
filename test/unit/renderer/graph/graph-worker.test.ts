/** The worker behind large pictures: late answers are dropped, a newer wish ends an older layout, nothing is lost without a worker. */
import { beforeEach, describe, expect, it } from "vitest";
import { deriveGraph, layOut, type Derived, type Laid } from "../../../../renderer/graph/graph-model.ts";
import { GraphWork, type FromGraphWorker, type ToGraphWorker } from "../../../../renderer/graph/graph-work.ts";
import { GraphWorker, type WorkerLike } from "../../../../renderer/graph/layout-client.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { fabricOf, threeLevels } from "../../../support/generated-fabric.ts";

/** Answers only when told to. */
class HeldWorker implements WorkerLike {
  readonly requests: ToGraphWorker[] = [];
  ended = false;
  private readonly work = new GraphWork();
  private readonly onMessage: ((event: { readonly data: FromGraphWorker }) => void)[] = [];
  private readonly onError: (() => void)[] = [];

  postMessage(message: ToGraphWorker): void {
    this.requests.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  addEventListener(type: "message", listener: (event: { readonly data: FromGraphWorker }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  addEventListener(type: "message" | "error", listener: (event: { readonly data: FromGraphWorker }) => void): void {
    if (type === "message") this.onMessage.push(listener);
    else this.onError.push(listener as () => void);
  }
  /** Does the request's work and hands over the answer, even after its end: such a message may be on its way. */
  answer(index: number): void {
    const request = this.requests[index];
    const data = request === undefined ? undefined : this.work.answer(request);
    if (data !== undefined) for (const listener of this.onMessage) listener({ data });
  }
  die(): void {
    for (const listener of this.onError) listener();
  }
}

const room = { width: 1000, height: 700 };
const folded = { view: { unfolded: new Set<number>(), bundles: true }, opened: "all" } as const;
const open = { view: { unfolded: "all", bundles: true }, opened: "all" } as const;

function fabric(pods: number) {
  const made = fabricOf(threeLevels(pods, 4, 4, 2, 4));
  return { fabric: made, analysis: analyse(made) };
}

describe("the worker of a large picture", () => {
  let workers: HeldWorker[];
  let client: GraphWorker;
  let laid: Laid[];
  let derived: Derived[];
  beforeEach(() => {
    workers = [];
    laid = [];
    derived = [];
    client = new GraphWorker(() => {
      const worker = new HeldWorker();
      workers.push(worker);
      return worker;
    });
  });
  const lay = ({ fabric: made, analysis }: ReturnType<typeof fabric>): void =>
    client.layOut(made, analysis, room, undefined, (answer) => laid.push(answer));

  it("drops the late layout of an older fabric and ends its work", () => {
    const [older, newer] = [fabric(3), fabric(4)];
    lay(older);
    lay(newer);
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    workers[0]?.answer(0);
    expect(laid).toEqual([]);
    workers[1]?.answer(0);
    expect(laid).toEqual([layOut(newer.fabric, newer.analysis, room, undefined)]);
  });

  it("drops a view graph that was derived for an older layout", () => {
    lay(fabric(3));
    workers[0]?.answer(0);
    client.derive(folded, (answer) => derived.push(answer));
    lay(fabric(4));
    workers[0]?.answer(1);
    expect(derived).toEqual([]);
  });

  it("answers the newest of several levels of detail only", () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answer(0);
    client.derive(folded, (answer) => derived.push(answer));
    client.derive(open, (answer) => derived.push(answer));
    workers[0]?.answer(1);
    workers[0]?.answer(2);
    const [first] = laid;
    expect(first).toBeDefined();
    expect(derived).toEqual(first === undefined ? [] : [deriveGraph(made, analysis, first, open)]);
  });

  it("sends a fabric once, not with every size of the window", () => {
    const one = fabric(3);
    lay(one);
    workers[0]?.answer(0);
    client.layOut(one.fabric, one.analysis, { width: 500, height: 300 }, undefined, (answer) => laid.push(answer));
    workers[0]?.answer(1);
    expect(workers[0]?.requests.map((request) => request.kind === "lay" && request.source !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(laid).toHaveLength(2);
  });

  it("goes on without its worker when that dies, also in the middle of a wish", async () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answer(0);
    const answer = new Promise<Derived>((done) => client.derive(folded, done));
    workers[0]?.die();
    const [first] = laid;
    expect(first).toBeDefined();
    if (first !== undefined) expect(await answer).toEqual(deriveGraph(made, analysis, first, folded));
  });

  it("answers nobody after it was closed", () => {
    lay(fabric(3));
    client.close();
    workers[0]?.answer(0);
    expect(laid).toEqual([]);
  });
});
