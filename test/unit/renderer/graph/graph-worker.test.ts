/** The worker behind large pictures: late answers are dropped, a newer wish ends an older layout, nothing is lost without a worker. */
import { beforeEach, describe, expect, it } from "vitest";
import { deriveGraph, layOut, prepare, type Derived, type Laid } from "../../../../renderer/graph/graph-model.ts";
import { GraphWork, type FromGraphWorker, type ToGraphWorker } from "../../../../renderer/graph/graph-work.ts";
import { GraphWorker, type WorkerLike } from "../../../../renderer/graph/layout-client.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { defaultThresholds } from "../../../../shared/analyse/thresholds.ts";
import { fabricOf, threeLevels } from "../../../support/generated-fabric.ts";

/** Answers only when told to. */
class HeldWorker implements WorkerLike {
  readonly requests: ToGraphWorker[] = [];
  ended = false;
  /** Bytes. */
  handedOver = 0;
  private done = 0;
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
  /** Does what was asked since the last time and hands over the answers, even after its end: such a message may be on its way. */
  answerAll(): void {
    for (; this.done < this.requests.length; this.done++) {
      const request = this.requests[this.done];
      const answer = request === undefined ? undefined : this.work.answer(structuredClone(request));
      if (answer === undefined) continue;
      const transfer = this.work.handedOver(answer);
      this.handedOver += transfer.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const data = structuredClone(answer, { transfer });
      for (const listener of this.onMessage) listener({ data });
    }
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

  const kinds = (worker: number): readonly string[] | undefined =>
    workers[worker]?.requests.map((request) => request.kind);

  it("drops the late layout of an older fabric and ends its work", () => {
    const [older, newer] = [fabric(3), fabric(4)];
    lay(older);
    lay(newer);
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    workers[0]?.answerAll();
    expect(laid).toEqual([]);
    workers[1]?.answerAll();
    expect(laid).toEqual([layOut(newer.fabric, prepare(newer.fabric, newer.analysis), room, undefined)]);
  });

  it("hands view graphs over, and still has all that the next one needs", () => {
    const only = fabric(3);
    lay(only);
    workers[0]?.answerAll();
    expect(workers[0]?.handedOver).toBe(0);
    for (const detail of [folded, open, folded]) {
      client.derive(only.fabric, only.analysis, detail, (answer) => derived.push(answer));
      workers[0]?.answerAll();
    }
    const [answer] = laid;
    if (answer === undefined) throw new Error("nothing was laid out");
    const whole = [folded, open, folded].map((detail) => deriveGraph(only.fabric, only.analysis, answer, detail));
    expect(derived).toEqual(whole);
    expect(workers[0]?.handedOver).toBeGreaterThan(3 * only.fabric.links.count * Uint32Array.BYTES_PER_ELEMENT);
  });

  it("drops a view graph that was derived for an older layout", () => {
    const older = fabric(3);
    lay(older);
    workers[0]?.answerAll();
    client.derive(older.fabric, older.analysis, folded, (answer) => derived.push(answer));
    lay(fabric(4));
    workers[0]?.answerAll();
    expect(derived).toEqual([]);
  });

  it("never mixes a fabric with the analysis of another that is still drawn", () => {
    const [older, newer] = [fabric(3), fabric(4)];
    lay(older);
    workers[0]?.answerAll();
    client.hold(newer.fabric, newer.analysis);
    client.derive(older.fabric, older.analysis, folded, (answer) => derived.push(answer));
    workers[0]?.answerAll();
    expect(kinds(0)).toEqual(["hold", "lay", "hold"]);
    expect(derived).toEqual([]);
  });

  it("answers the newest of several levels of detail only", () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answerAll();
    client.derive(made, analysis, folded, (answer) => derived.push(answer));
    client.derive(made, analysis, open, (answer) => derived.push(answer));
    workers[0]?.answerAll();
    const [first] = laid;
    expect(first).toBeDefined();
    expect(derived).toEqual(first === undefined ? [] : [deriveGraph(made, analysis, first, open)]);
  });

  it("sends a fabric once: while the window mounts, not with every size of it", () => {
    const one = fabric(3);
    client.warm();
    client.hold(one.fabric, one.analysis);
    lay(one);
    workers[0]?.answerAll();
    client.layOut(one.fabric, one.analysis, { width: 500, height: 300 }, undefined, (answer) => laid.push(answer));
    workers[0]?.answerAll();
    expect(workers).toHaveLength(1);
    expect(kinds(0)).toEqual(["hold", "lay", "lay"]);
    expect(laid).toHaveLength(2);
  });

  it("sends only the health of a fabric that was judged anew, and lays nothing out", () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answerAll();
    const judged = { ...analysis, linkHealth: analysis.linkHealth.map((_, link) => (link === 0 ? 3 : 0)) };
    client.derive(made, judged, open, (answer) => derived.push(answer));
    client.derive(made, judged, folded, (answer) => derived.push(answer));
    workers[0]?.answerAll();
    expect(kinds(0)).toEqual(["hold", "lay", "judge", "derive", "derive"]);
    const [first] = laid;
    expect(derived).toEqual(first === undefined ? [] : [deriveGraph(made, judged, first, folded)]);
    expect(derived).not.toEqual(first === undefined ? [] : [deriveGraph(made, analysis, first, folded)]);
  });

  it("lays a fabric in another shape out anew", () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answerAll();
    lay({ fabric: made, analysis: analyse(made, defaultThresholds, "irregular") });
    workers[0]?.answerAll();
    expect(kinds(0)).toEqual(["hold", "lay", "hold", "lay"]);
    expect(laid.map(({ structure }) => structure.shape)).toEqual(["tree", "irregular"]);
  });

  it("goes on without its worker when that dies, also in the middle of a wish", async () => {
    const { fabric: made, analysis } = fabric(3);
    lay({ fabric: made, analysis });
    workers[0]?.answerAll();
    const answer = new Promise<Derived>((done) => client.derive(made, analysis, folded, done));
    workers[0]?.die();
    const [first] = laid;
    expect(first).toBeDefined();
    if (first !== undefined) expect(await answer).toEqual(deriveGraph(made, analysis, first, folded));
  });

  it("goes on without a worker that dies before there is a fabric", async () => {
    client.warm();
    workers[0]?.die();
    const { fabric: made, analysis } = fabric(3);
    const answer = new Promise<Laid>((done) => client.layOut(made, analysis, room, undefined, done));
    expect(await answer).toEqual(layOut(made, prepare(made, analysis), room, undefined));
    expect(workers).toHaveLength(1);
  });

  it("answers nobody after it was closed or cancelled", () => {
    lay(fabric(3));
    client.cancel();
    workers[0]?.answerAll();
    lay(fabric(3));
    client.close();
    workers[1]?.answerAll();
    expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
    expect(laid).toEqual([]);
  });
});
