/** The picture's worker holds the open large fabric, and nothing for longer than that. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ToGraphWorker } from "../../../../renderer/graph/graph-work.ts";
import { isSmall } from "../../../../renderer/graph/layout-client.ts";
import { useFabric } from "../../../../renderer/state/fabric-store.ts";
import { pictureWorker, preparePictures } from "../../../../renderer/views/topology/prepare-picture.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import type { FabricView } from "../../../../shared/contract/views.ts";
import { fabricOf, type Plan, twoLevels } from "../../../support/generated-fabric.ts";
import { simulatedView } from "../tables-fabric.ts";

class FakeWorker {
  readonly kinds: string[] = [];
  ended = false;
  constructor() {
    workers.push(this);
  }
  postMessage({ kind }: ToGraphWorker): void {
    this.kinds.push(kind);
  }
  terminate(): void {
    this.ended = true;
  }
  addEventListener(): void {
    // Never answers.
  }
}
let workers: FakeWorker[] = [];
let end: () => void = () => undefined;

const some = simulatedView();
function viewOf(plan: Plan): FabricView {
  const fabric = fabricOf(plan);
  return { ...some, fabric, analysis: analyse(fabric) };
}
const large = viewOf(twoLevels(20, 10, 40, 1));
const small = viewOf(twoLevels(4, 2, 4, 1));

beforeEach(() => {
  workers = [];
  vi.stubGlobal("Worker", FakeWorker);
  useFabric.setState({ view: undefined });
  end = preparePictures();
});
afterEach(() => {
  end();
  pictureWorker.close();
  vi.unstubAllGlobals();
});

it("is given a large fabric once, and ended when it is closed", () => {
  expect([isSmall(large.fabric), isSmall(small.fabric)]).toEqual([false, true]);
  useFabric.setState({ view: large });
  expect(workers.map(({ kinds }) => kinds)).toEqual([["hold"]]);
  useFabric.setState({ view: undefined });
  expect(workers.map(({ ended }) => ended)).toEqual([true]);
});

it("lets go of a large fabric in whose place a small one stands", () => {
  useFabric.setState({ view: large });
  useFabric.setState({ view: small });
  expect(workers.map(({ ended }) => ended)).toEqual([true]);
});

it("goes on with a small fabric's layout when only its findings change", () => {
  useFabric.setState({ view: small });
  pictureWorker.layOut(small.fabric, small.analysis, { width: 800, height: 600 }, undefined, () => undefined);
  useFabric.setState({ view: { ...small } });
  expect(workers.map(({ ended }) => ended)).toEqual([false]);
});
