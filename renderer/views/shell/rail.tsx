import { Icon } from "../../parts/icons.tsx";
import { Tooltip } from "../../parts/tooltip.tsx";
import { keysHere } from "../../parts/kbd.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useUi, type ViewName, viewNames } from "../../state/ui-store.ts";
import { viewTitles } from "./commands.ts";
import "./rail.css";

function RailButton({ view, keys }: { readonly view: ViewName; readonly keys: string }) {
  const here = useUi((state) => state.view === view);
  const show = useUi((state) => state.show);
  const dismissFailure = useFabric((state) => state.dismissFailure);
  const hasFabric = useFabric((state) => state.view !== undefined);
  const findings = useFabric((state) => (view === "findings" ? (state.view?.analysis.findings.length ?? 0) : 0));
  const alarming = useFabric(
    (state) => state.view?.analysis.findings.some((finding) => finding.severity === "error") === true,
  );
  const title = viewTitles[view];
  const open = (): void => {
    show(view);
    dismissFailure();
  };
  return (
    <Tooltip text={`${title}, ${keysHere(keys)}`} side="right">
      <button
        type="button"
        className="rail-button"
        aria-current={here ? "page" : undefined}
        disabled={!hasFabric}
        onClick={open}
      >
        <Icon name={view} size={20} />
        <span className="rail-label">{title}</span>
        {findings === 0 ? null : (
          <span className={`rail-badge${alarming ? "" : " rail-badge-quiet"}`}>{findings > 99 ? "99+" : findings}</span>
        )}
      </button>
    </Tooltip>
  );
}

/** The views, at the left edge. */
export function Rail() {
  const openDialog = useUi((state) => state.openDialog);
  return (
    <nav className="rail" aria-label="Views" data-region="rail">
      {viewNames.map((view, index) => (
        <RailButton key={view} view={view} keys={`Ctrl ${index + 1}`} />
      ))}
      <span className="rail-space" />
      <Tooltip text={`Settings, ${keysHere("Ctrl ,")}`} side="right">
        <button type="button" className="rail-button" onClick={() => openDialog({ kind: "settings" })}>
          <Icon name="settings" size={20} />
          <span className="rail-label">Settings</span>
        </button>
      </Tooltip>
    </nav>
  );
}
