import type { FabricFilters } from "../../graph/filter.ts";
import { overlays, type Overlay, useSelection } from "../../state/selection-store.ts";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";

const overlayTitles: Readonly<Record<Overlay, string>> = {
  health: "Health",
  rate: "Rate",
  bandwidth: "Bandwidth",
  latency: "Latency",
};

/** A row of the picture that can be shown alone. */
export interface RowChoice {
  readonly level: number;
  readonly name: string;
  readonly count: number;
}

/** A pod, a group or a rail that can be shown alone. */
export interface PartChoice {
  readonly index: number;
  readonly name: string;
  readonly note: string;
}

/** Overlay, filters, fit, minimap, export. */
export function TopologyToolbar({
  rows,
  clusters,
  clusterWord,
  rails,
  filters,
  onFilters,
  onExport,
  minimap,
  onMinimap,
  onFit,
}: {
  readonly rows: readonly RowChoice[];
  readonly clusters: readonly PartChoice[];
  /** `Pod` or `Group`. */
  readonly clusterWord: string;
  readonly rails: readonly PartChoice[];
  readonly filters: FabricFilters;
  readonly onFilters: (filters: FabricFilters) => void;
  readonly onExport: (kind: "png" | "svg") => void;
  readonly minimap: boolean;
  readonly onMinimap: (wanted: boolean) => void;
  readonly onFit: () => void;
}) {
  const overlay = useSelection((state) => state.overlay);
  const onlyDegraded = useSelection((state) => state.onlyDegraded);
  const tiers = useSelection((state) => state.tiers);
  const { setOverlay, setOnlyDegraded, setTiers } = useSelection.getState();
  const chosen = rows.filter((row) => tiers.includes(row.level));
  const items: MenuItem[] = [
    { id: "all", label: "All tiers", checked: tiers.length === 0, onSelect: () => setTiers([]) },
    { kind: "separator", id: "line" },
    ...rows.map((row): MenuItem => ({
      id: String(row.level),
      label: row.name,
      note: String(row.count),
      checked: tiers.includes(row.level),
      onSelect: () => setTiers(toggle(tiers, row.level)),
    })),
  ];
  return (
    <div className="topology-tools" role="toolbar" aria-label="Topology">
      <div className="topology-overlays" role="radiogroup" aria-label="Colour links by">
        {overlays.map((name, index) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={overlay === name}
            tabIndex={overlay === name ? 0 : -1}
            title={`${overlayTitles[name]}, key ${index + 1}`}
            onClick={() => setOverlay(name)}
            onKeyDown={(event) => {
              const move = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              const next = overlays[index + move];
              if (move === 0 || next === undefined) return;
              event.preventDefault();
              setOverlay(next);
              const group = event.currentTarget.parentElement?.children[index + move];
              if (group instanceof HTMLElement) group.focus();
            }}
          >
            {overlayTitles[name]}
          </button>
        ))}
      </div>
      <span className="topology-line" />
      <button
        type="button"
        className="topology-chip"
        aria-pressed={onlyDegraded}
        title="Show only links with a finding"
        onClick={() => setOnlyDegraded(!onlyDegraded)}
      >
        <Icon name="filter" size={13} />
        <span className="topology-chip-text">Only degraded</span>
      </button>
      <Menu
        items={items}
        trigger={
          <button type="button" className="topology-chip" aria-pressed={tiers.length > 0} title="Show only some tiers">
            {chosen.length === 0 ? "Tier" : chosen.map((row) => row.name).join(", ")}
            <Icon name="chevron-down" size={12} />
          </button>
        }
      />
      <PartMenu
        word={clusterWord}
        parts={clusters}
        chosen={filters.clusters}
        onChoose={(chosen) => onFilters({ ...filters, clusters: chosen })}
      />
      <PartMenu
        word="Rail"
        parts={rails}
        chosen={filters.rails}
        onChoose={(chosen) => onFilters({ ...filters, rails: chosen })}
      />
      <input
        type="search"
        className="topology-text"
        placeholder="Name"
        aria-label="Show only nodes whose name holds"
        value={filters.text}
        onChange={(event) => onFilters({ ...filters, text: event.target.value })}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") onFilters({ ...filters, text: "" });
        }}
      />
      <span className="topology-space" />
      <Menu
        align="end"
        items={[
          { id: "png", label: "PNG picture", onSelect: () => onExport("png") },
          { id: "svg", label: "SVG drawing", onSelect: () => onExport("svg") },
        ]}
        trigger={
          <button type="button" className="topology-chip" title="Export what is seen">
            Export
            <Icon name="chevron-down" size={12} />
          </button>
        }
      />
      <IconButton icon="map" label="Minimap" pressed={minimap} onClick={() => onMinimap(!minimap)} />
      <IconButton icon="fit" label="Show everything, key 0" onClick={onFit} />
    </div>
  );
}

/** Pods, groups or rails to show alone; nothing where there are none to choose from. */
function PartMenu({
  word,
  parts,
  chosen,
  onChoose,
}: {
  readonly word: string;
  readonly parts: readonly PartChoice[];
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
}) {
  if (parts.length < 2) return null;
  const names = parts.filter((part) => chosen.includes(part.index)).map((part) => part.name);
  const items: MenuItem[] = [
    { id: "all", label: `All ${word.toLowerCase()}s`, checked: chosen.length === 0, onSelect: () => onChoose([]) },
    { kind: "separator", id: "line" },
    ...parts.map((part): MenuItem => ({
      id: String(part.index),
      label: part.name,
      note: part.note,
      checked: chosen.includes(part.index),
      onSelect: () => onChoose(toggle(chosen, part.index)),
    })),
  ];
  return (
    <Menu
      items={items}
      trigger={
        <button
          type="button"
          className="topology-chip"
          aria-pressed={chosen.length > 0}
          title={`Show only some ${word.toLowerCase()}s`}
        >
          {names.length === 0 ? word : names.length > 2 ? `${names.length} ${word.toLowerCase()}s` : names.join(", ")}
          <Icon name="chevron-down" size={12} />
        </button>
      }
    />
  );
}

function toggle(list: readonly number[], value: number): readonly number[] {
  return list.includes(value) ? list.filter((entry) => entry !== value) : [...list, value];
}
