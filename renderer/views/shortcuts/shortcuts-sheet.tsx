import { Modal } from "../../parts/dialog.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { useUi } from "../../state/ui-store.ts";
import { commands } from "../shell/commands.ts";
import "./shortcuts-sheet.css";

const groups = ["Fabric", "Views", "Selection", "Window"] as const;

/** Keys that belong to the pictures, tables and sheets themselves. */
const inPlace: readonly (readonly [string, string])[] = [
  ["Arrows", "Along links and siblings, through rows"],
  ["Enter", "To the inspector"],
  ["Space", "Fold or unfold"],
  ["+", "Zoom in"],
  ["−", "Zoom out"],
  ["0", "Fit all"],
  ["Shift 0", "Fit the selection"],
  ["Ctrl Enter", "Start the planned measurement"],
];

/** All keys of the window. */
export function ShortcutsSheet() {
  const openDialog = useUi((state) => state.openDialog);
  return (
    <Modal title="Keyboard shortcuts" width={760} reading onClose={() => openDialog({ kind: "none" })}>
      <div className="shortcuts">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands
                .filter((command) => command.group === group && command.keys.length > 0)
                .map((command) => (
                  <div key={command.id}>
                    <dt>{command.title}</dt>
                    <dd>
                      {command.keys.map((keys) => (
                        <Kbd key={keys} keys={keys === "Escape" ? "Esc" : keys} />
                      ))}
                    </dd>
                  </div>
                ))}
              {group === "Selection"
                ? inPlace.map(([keys, title]) => (
                    <div key={keys}>
                      <dt>{title}</dt>
                      <dd>
                        <Kbd keys={keys} />
                      </dd>
                    </div>
                  ))
                : null}
            </dl>
          </section>
        ))}
        <p>Single letters work on the picture and in tables, never while a field has the focus.</p>
      </div>
    </Modal>
  );
}
