import { beforeEach, describe, expect, it } from "vitest";
import { ok } from "../../../shared/base/result.ts";
import { linkId, linkKind, nodeGuid } from "../../../shared/fabric/access.ts";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { useFabric } from "../../../renderer/state/fabric-store.ts";
import { type Selection, useSelection } from "../../../renderer/state/selection-store.ts";
import { useUi } from "../../../renderer/state/ui-store.ts";
import { commands } from "../../../renderer/views/shell/commands.ts";
import { type ObjectAction, objectActions, type Present } from "../../../renderer/views/shell/object-actions.ts";
import { objectItems } from "../../../renderer/views/topology/canvas-menu.tsx";
import { linkAt, nodeNamed } from "../measure/fabrics.ts";
import { simulatedView } from "./tables-fabric.ts";

const view = simulatedView();
const { fabric } = view;
const narrow = linkAt(fabric, "leaf-05", 10);
const healthy = linkAt(fabric, "leaf-01", 10);
const leaf = nodeNamed(fabric, "leaf-05");
const idle: Present = { routesReady: false, running: undefined, marks: {}, drawnOpen: undefined, clusters: [] };

function of(target: Selection, present: Partial<Present> = {}, on = view): readonly ObjectAction[] {
  return objectActions(on, target, { ...idle, ...present });
}

function one(actions: readonly ObjectAction[], id: ObjectAction["id"]): ObjectAction | undefined {
  return actions.find((action) => action.id === id);
}

let calls: { readonly name: string; readonly input: unknown }[] = [];
beforeEach(() => {
  calls = [];
  provideApi(
    createApi({
      call: (name, _callId, input) => {
        calls.push({ name, input });
        return Promise.resolve(ok(null));
      },
      cancel: () => undefined,
      subscribe: () => () => undefined,
      pathOf: () => "",
    }),
  );
  useFabric.setState({ view });
  useSelection.getState().reset();
});

describe("what can be done with a thing", () => {
  it("of a cable: measure, routes, marks, copy, raw output", () => {
    expect(of({ kind: "link", link: narrow }).map(({ id }) => id)).toEqual([
      ...["inspect", "measure", "paths", "mark-new", "mark-known", "mark-handed-over", "mark-fixed"],
      ...["copy", "copy-guid", "raw", "fly"],
    ]);
    expect(of({ kind: "nothing" })).toEqual([]);
  });

  it("says why it cannot be done now", () => {
    const link = { kind: "link", link: narrow } as const;
    expect(one(of(link), "paths")?.reason).toContain("forwarding tables");
    expect(one(of(link, { routesReady: true }), "paths")?.reason).toBeUndefined();
    expect(one(of(link, { running: "a to b" }), "measure")?.reason).toBe("a to b is being measured");
    const down = Array.from({ length: fabric.links.count }, (_, other) => other).find(
      (other) => linkKind(fabric, other) === "aggregation",
    );
    expect(one(of({ kind: "link", link: down ?? -1 }), "measure")?.reason).toContain("aggregation node");
    expect(one(of({ kind: "link", link: healthy }), "mark-known")?.reason).toBe("No finding on it");
    const fromFiles = { ...view, capture: { ...view.capture, source: null } };
    expect(one(of({ kind: "node", node: leaf }, {}, fromFiles), "sweep-links-of")?.reason).toContain("no cluster");
  });

  it("offers a switch's host links only where it has hosts", () => {
    const sweeps = (name: string): readonly string[] =>
      of({ kind: "node", node: nodeNamed(fabric, name) }).flatMap(({ id }) => (id.startsWith("sweep") ? [id] : []));
    expect(sweeps("leaf-05")).toEqual(["sweep-host-links-of", "sweep-links-of"]);
    expect(sweeps("spine-2")).toEqual(["sweep-links-of"]);
  });

  it("keeps the note when the mark changes, and takes a mark away with New", async () => {
    const id = linkId(fabric, narrow);
    const marks = { [id]: { mark: "known", at: "", note: "cable ordered" } } as const;
    const actions = of({ kind: "link", link: narrow }, { marks });
    expect(one(actions, "mark-known")?.checked).toBe(true);
    one(actions, "mark-fixed")?.run();
    one(actions, "mark-new")?.run();
    await Promise.resolve();
    expect(calls.map(({ input }) => input)).toEqual([
      { link: id, mark: "fixed", note: "cable ordered" },
      { link: id, mark: null, note: "cable ordered" },
    ]);
  });

  it("copies the GUID, and opens the line of the tool's output that tells of it", () => {
    const actions = of({ kind: "node", node: leaf });
    one(actions, "copy-guid")?.run();
    expect(calls[0]).toMatchObject({ name: "app.copy", input: { text: nodeGuid(fabric, leaf) } });
    one(actions, "raw")?.run();
    expect(useUi.getState().rawOutput?.line).toBeGreaterThan(1);
  });

  it("is what the commands of the palette do with the selection", () => {
    const command = (id: string) => commands.find((candidate) => candidate.id === id);
    expect(command("sweep-links-of")?.applies()).toBe(false);
    useSelection.getState().select({ kind: "node", node: leaf });
    for (const { id } of of({ kind: "node", node: leaf })) {
      // The first is the key Enter of the picture; copying asks the window for text that is marked.
      if (id !== "inspect" && id !== "copy") expect(command(id)?.applies(), id).toBe(true);
    }
    command("copy-guid")?.run();
    expect(calls[0]?.input).toEqual({ text: nodeGuid(fabric, leaf) });
  });

  it("becomes a menu in which what is disabled says why, marks once for all", () => {
    const items = objectItems(of({ kind: "link", link: healthy }), undefined);
    expect(items).toContainEqual({ kind: "heading", id: "marks", label: "Mark as: no finding on it" });
    const known = items.find(({ id }) => id === "mark-known");
    expect(known).toMatchObject({ disabled: true });
    expect(known).not.toHaveProperty("note");
    const paths = items.find(({ id }) => id === "paths");
    expect(paths).toMatchObject({ disabled: true, note: "No forwarding tables: collect again with routes" });
  });
});
