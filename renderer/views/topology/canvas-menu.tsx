/** The menu of what lies under the pointer, or of what is selected. */
import type { FabricView } from "../../../shared/contract/views.ts";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { visibleText } from "../../../shared/base/text.ts";
import type { GraphHandle } from "../../graph/fabric-graph.tsx";
import type { GraphModel } from "../../graph/graph-model.ts";
import { drawnOf, type Target } from "../../graph/target.ts";
import { type MenuItem, type MenuPoint, PointMenu } from "../../parts/menu.tsx";
import { useMarks } from "../../state/marks-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { selectionName } from "../shell/go-to.ts";
import { type ObjectAction, useObjectActions } from "../shell/object-actions.ts";
import { directorOfSelection } from "./unfold.ts";
import type { Detail } from "./use-detail.ts";

/** What folds and unfolds in the picture. */
export type Folds = Pick<Detail, "unfold" | "unfolded" | "openDirectors" | "toggleDirector">;

interface Opened {
  readonly at: MenuPoint;
  readonly target: Target;
  /** Drawn node under the pointer, -1 for none. */
  readonly node: number;
}

/** True for the keys that open the menu of what has the focus. */
function isMenuKey(event: React.KeyboardEvent): boolean {
  return event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
}

/** A right click and the menu keys of the picture. @param items of the ground: what the whole picture can do */
export function useCanvasMenu(
  view: FabricView,
  model: GraphModel | undefined,
  graph: React.RefObject<GraphHandle | null>,
  folds: Folds,
  ground: readonly MenuItem[],
): {
  readonly menu: ReactNode;
  readonly onContextMenu: (event: React.MouseEvent) => void;
  /** True when the key opened the menu. */
  readonly onMenuKey: (event: React.KeyboardEvent) => boolean;
} {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  // A later right click overtakes one that is still being looked up.
  const asked = useRef(0);
  const close = useCallback(() => {
    setOpened(undefined);
    asked.current += 1;
    // The menu goes first, then what was chosen may take the focus: only when nobody has, the picture gets it back.
    requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) graph.current?.focus();
    });
  }, [graph]);
  const open = async (find: () => Promise<Opened | undefined>): Promise<void> => {
    const own = (asked.current += 1);
    const [found] = await Promise.all([find(), useMarks.getState().load()]);
    if (found === undefined || asked.current !== own) return;
    if (found.target.kind !== "nothing") useSelection.getState().select(found.target);
    setOpened(found);
  };
  const menu =
    opened === undefined || model === undefined ? null : (
      <CanvasMenu {...{ view, model, opened, folds, ground }} onClose={close} />
    );
  return {
    menu,
    onContextMenu: (event) => {
      event.preventDefault();
      // The menu keys come as key presses too.
      if (event.button !== 2) return;
      const at = { x: event.clientX, y: event.clientY };
      void open(async () => {
        const found = await graph.current?.at(at.x, at.y);
        return found === undefined ? undefined : { at, target: found.target, node: found.hit.node };
      });
    },
    onMenuKey: (event) => {
      if (!isMenuKey(event) || model === undefined) return false;
      const target = useSelection.getState().selection;
      const box = event.currentTarget.getBoundingClientRect();
      const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      const at = graph.current?.placeOf(target) ?? middle;
      void open(() => Promise.resolve({ at, target, node: drawnOf(model.fabric, model.graph, target).node }));
      return true;
    },
  };
}

function CanvasMenu({
  view,
  model,
  opened,
  folds,
  ground,
  onClose,
}: {
  readonly view: FabricView;
  readonly model: GraphModel;
  readonly opened: Opened;
  readonly folds: Folds;
  readonly ground: readonly MenuItem[];
  readonly onClose: () => void;
}) {
  const actions = useObjectActions(view, opened.target);
  const node = model.graph.nodes[opened.node];
  const name = selectionName(view, opened.target) ?? node?.label;
  const folding = foldItem(model, opened.target, folds);
  const own = objectItems(actions, folding);
  const items: readonly MenuItem[] =
    own.length === 0 ? ground : [{ kind: "heading", id: "name", label: visibleText(name ?? "") }, ...own];
  return (
    <PointMenu
      at={opened.at}
      label={name === undefined ? "The picture" : visibleText(name)}
      items={items}
      onClose={onClose}
    />
  );
}

/** Actions as entries: marks on their own, then what is copied and looked up. A reason stands where keys would. */
export function objectItems(actions: readonly ObjectAction[], folding: MenuItem | undefined): readonly MenuItem[] {
  const entry = ({ id, title, icon, keys, reason, checked, run }: ObjectAction, saysWhy: boolean): MenuItem => ({
    ...{ id, label: title, disabled: reason !== undefined, onSelect: run },
    ...(checked === undefined ? { icon } : { checked }),
    ...(reason === undefined ? (keys === undefined ? {} : { keys }) : saysWhy ? { note: reason } : {}),
  });
  const isMark = ({ id }: ObjectAction): boolean => id.startsWith("mark-");
  const isLater = ({ id }: ObjectAction): boolean => ["copy", "copy-guid", "raw"].includes(id);
  const [marks, later] = [actions.filter(isMark), actions.filter(isLater)];
  const first = actions.filter((one) => !isMark(one) && !isLater(one));
  // Why nothing can be marked is said once.
  const reason = marks[0]?.reason;
  return [
    ...first.map((one) => entry(one, true)),
    ...(folding === undefined ? [] : [folding]),
    ...(marks.length === 0
      ? []
      : [
          {
            kind: "heading" as const,
            id: "marks",
            label: reason === undefined ? "Mark as" : `Mark as: ${reason.toLowerCase()}`,
          },
          ...marks.map((mark) => entry(mark, false)),
        ]),
    ...(later.length === 0
      ? []
      : [{ kind: "separator" as const, id: "later" }, ...later.map((one) => entry(one, true))]),
  ];
}

/** Opens or closes a fold or a director; undefined where there is nothing to open. */
function foldItem(model: GraphModel, target: Target, folds: Folds): MenuItem | undefined {
  const item = (label: string, onSelect: () => void): MenuItem => ({
    ...{ id: "fold", label, icon: "sort", keys: "Space", onSelect },
  });
  const director = directorOfSelection(model.structure, target, folds.openDirectors);
  if (director !== undefined) {
    return item(folds.openDirectors.has(director) ? "Close the box" : "Open chip by chip", () => {
      // What is selected inside would keep it open.
      useSelection.getState().select({ kind: "director", director });
      folds.toggleDirector(director);
    });
  }
  if (target.kind !== "node") return undefined;
  const folded = model.graph.nodes.some((one) => one.kind === "fold" && one.node === target.node);
  if (folded) return item("Unfold its hosts", () => folds.unfold(target.node, true));
  // Those that are near unfold by themselves, and would again.
  return folds.unfolded.has(target.node) ? item("Fold its hosts", () => folds.unfold(target.node, false)) : undefined;
}
