import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useUi } from "../../state/ui-store.ts";
import { managerName, managerStatus } from "../managers/manager-status.ts";
import { useWatchedFabric } from "../managers/use-watched-fabric.ts";
import { findingCounts } from "./fabric-words.ts";

/** Who is master, where, with what priority; red when nobody is. Opens the subnet managers. */
export function ManagerChip({ view, short }: { readonly view: FabricView | undefined; readonly short: boolean }) {
  const show = useUi((state) => state.show);
  const fabric = useWatchedFabric(view);
  const status = fabric === undefined ? ({ kind: "not-asked" } as const) : managerStatus(fabric);
  const open = (): void => show("managers");
  if (fabric === undefined || status.kind === "not-asked") {
    return (
      <button
        type="button"
        className="chip-button"
        onClick={open}
        disabled={fabric === undefined}
        title="No sminfo output in this capture"
      >
        <HealthGlyph health="unknown" size={12} />
        <span className="chip-quiet">SM not asked</span>
      </button>
    );
  }
  if (status.kind === "none") {
    return (
      <button type="button" className="chip-button chip-alarm" onClick={open}>
        <HealthGlyph health="error" size={12} />
        <span>{short ? "no master" : "no master answers"}</span>
      </button>
    );
  }
  if (status.kind === "several") {
    return (
      <button type="button" className="chip-button chip-alarm" onClick={open}>
        <HealthGlyph health="error" size={12} />
        <span>{status.masters.length} masters</span>
      </button>
    );
  }
  const name = managerName(fabric, status.master);
  return (
    <button
      type="button"
      className="chip-button"
      onClick={open}
      title={`Subnet manager ${name}, ${status.master.guid}`}
    >
      <HealthGlyph health="ok" size={12} />
      <span className="chip-quiet">SM</span>
      <span className="chip-name">{name}</span>
      <span className="chip-quiet">
        {short || status.master.priority < 0 ? "master" : `master, prio ${status.master.priority}`}
      </span>
    </button>
  );
}

/** Findings by severity; opens them. */
export function FindingsChip({ view }: { readonly view: FabricView | undefined }) {
  const show = useUi((state) => state.show);
  if (view === undefined) {
    return (
      <span className="chip-button chip-static">
        <span className="chip-quiet">No findings yet</span>
      </span>
    );
  }
  const counts = findingCounts(view.analysis);
  const shown = (["error", "warning", "note"] as const).filter((severity) => counts[severity] > 0);
  const words = shown
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? "" : "s"}`)
    .join(", ");
  return (
    <button
      type="button"
      className="chip-button"
      onClick={() => show("findings")}
      title={words === "" ? "No findings" : `Findings: ${words}`}
    >
      {shown.length === 0 ? (
        <>
          <HealthGlyph health="ok" size={12} />
          <span className="chip-quiet">no findings</span>
        </>
      ) : (
        shown.map((severity) => (
          <span className="chip-count" key={severity}>
            <HealthGlyph health={severity} size={12} />
            {counts[severity]}
            <span className="visually-hidden">
              {" "}
              {severity}
              {counts[severity] === 1 ? "" : "s"}
            </span>
          </span>
        ))
      )}
    </button>
  );
}
