import { hostGroupings, type HostGrouping } from "../../../shared/analyse/host-names.ts";
import { count, visibleText } from "../../../shared/base/text.ts";
import type { PictureKind } from "../../graph/export-client.ts";
import type { Extent } from "../../graph/export-picture.ts";
import type { FabricFilters } from "../../graph/filter.ts";
import { overlayKeys, overlays, type Overlay, useSelection } from "../../state/selection-store.ts";
import { IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import type { Choices, PartChoice, RowChoice } from "./choices.ts";
import { exportItems } from "./export-items.ts";

const overlayTitles: Readonly<Record<Overlay, string>> = {
  health: "Health",
  rate: "Rate",
  bandwidth: "Bandwidth",
  latency: "Latency",
  errors: "Errors",
  routes: "Routes",
};

/** Overlay, filters, fit, minimap, export. */
export function TopologyToolbar({
  rows,
  choices,
  groups,
  hostsBy,
  onHostsBy,
  openDirectors,
  onDirectors,
  filters,
  onFilters,
  onExport,
  exporting,
  minimap,
  onMinimap,
  onFit,
}: {
  readonly rows: readonly RowChoice[];
  readonly choices: Choices;
  /** Racks or names of the chosen grouping. */
  readonly groups: readonly PartChoice[];
  /** How folded hosts are divided; undefined = by leaf. */
  readonly hostsBy: HostGrouping | undefined;
  readonly onHostsBy: (by: HostGrouping | undefined) => void;
  /** Directors drawn chip by chip. */
  readonly openDirectors: ReadonlySet<number>;
  readonly onDirectors: (open: ReadonlySet<number>) => void;
  readonly filters: FabricFilters;
  readonly onFilters: (filters: FabricFilters) => void;
  readonly onExport: (kind: PictureKind, extent: Extent) => void;
  /** A picture is being drawn for a file. */
  readonly exporting: boolean;
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
    <div
      className="topology-tools"
      role="toolbar"
      aria-label="Topology"
      data-crowded={
        choices.directors.length > 0 ? "much" : choices.clusters.length > 1 || choices.rails.length > 1 ? "some" : "no"
      }
    >
      <div className="topology-overlays" role="radiogroup" aria-label="Colour links by">
        {overlays.map((name, index) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={overlay === name}
            tabIndex={overlay === name ? 0 : -1}
            title={`${overlayTitles[name]}, key ${overlayKeys[name]}`}
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
        word={choices.clusterWord}
        parts={choices.clusters}
        chosen={filters.clusters}
        onChoose={(chosen) => onFilters({ ...filters, clusters: chosen })}
      />
      <PartMenu
        word="Rail"
        parts={choices.rails}
        chosen={filters.rails}
        onChoose={(chosen) => onFilters({ ...filters, rails: chosen })}
      />
      <HostsMenu
        {...{ choices, groups, hostsBy, onHostsBy }}
        chosen={filters.hostGroups}
        onChoose={(chosen) => onFilters({ ...filters, hostGroups: chosen })}
      />
      <DirectorsMenu directors={choices.directors} open={openDirectors} onOpen={onDirectors} />
      <input
        type="search"
        className="topology-text"
        placeholder="Name"
        aria-label="Show only nodes whose name holds"
        value={filters.text}
        onChange={(event) => onFilters({ ...filters, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || filters.text === "") return;
          event.stopPropagation();
          onFilters({ ...filters, text: "" });
        }}
      />
      <span className="topology-space" />
      <div className="topology-end">
        <Menu
          align="end"
          items={exportItems(onExport, exporting)}
          trigger={
            <button type="button" className="topology-chip" title="Save the picture as a file" disabled={exporting}>
              {exporting ? "Drawing" : "Export"}
              <Icon name="chevron-down" size={12} />
            </button>
          }
        />
        <IconButton icon="map" label="Minimap" pressed={minimap} onClick={() => onMinimap(!minimap)} />
        <IconButton icon="fit" label="Show everything, key 0" onClick={onFit} />
      </div>
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

const groupingWords: Readonly<
  Record<HostGrouping, { readonly by: string; readonly many: string; readonly not: string }>
> = {
  rack: { by: "By rack", many: "rack", not: "names tell no rack" },
  name: { by: "By name", many: "name", not: "names do not count through" },
};

/** How hosts fold, and which racks or names are shown. */
function HostsMenu({
  choices,
  groups,
  hostsBy,
  onHostsBy,
  chosen,
  onChoose,
}: {
  readonly choices: Choices;
  readonly groups: readonly PartChoice[];
  readonly hostsBy: HostGrouping | undefined;
  readonly onHostsBy: (by: HostGrouping | undefined) => void;
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
}) {
  const names = groups.filter((group) => chosen.includes(group.index)).map((group) => group.name);
  const many = hostsBy === undefined ? "" : groupingWords[hostsBy].many;
  const items: MenuItem[] = [
    { kind: "heading", id: "fold", label: "Fold hosts" },
    { id: "leaf", label: "By leaf", checked: hostsBy === undefined, onSelect: () => onHostsBy(undefined) },
    ...hostGroupings.map((by): MenuItem => {
      const known = choices.groupings?.[by];
      const { by: label, many: word, not } = groupingWords[by];
      return {
        id: by,
        label,
        note: known === undefined ? not : count(known.names.length, word),
        checked: hostsBy === by,
        disabled: known === undefined,
        onSelect: () => onHostsBy(by),
      };
    }),
    ...(groups.length < 2
      ? []
      : [
          { kind: "heading" as const, id: "show", label: "Show" },
          { id: "all", label: `All ${many}s`, checked: chosen.length === 0, onSelect: () => onChoose([]) },
          ...groups.map((group): MenuItem => ({
            id: String(group.index),
            label: visibleText(group.name),
            note: group.note,
            checked: chosen.includes(group.index),
            onSelect: () => onChoose(toggle(chosen, group.index)),
          })),
        ]),
  ];
  const said =
    names.length > 2 ? count(names.length, many) : names.length > 0 ? names.map(visibleText).join(", ") : undefined;
  return (
    <Menu
      items={items}
      trigger={
        <button
          type="button"
          className="topology-chip"
          aria-pressed={chosen.length > 0}
          title="How hosts fold: by leaf, rack or name"
        >
          {said ?? (hostsBy === undefined ? "Hosts" : groupingWords[hostsBy].by)}
          <Icon name="chevron-down" size={12} />
        </button>
      }
    />
  );
}

/** Opens and closes directors; nothing where there are none. */
function DirectorsMenu({
  directors,
  open,
  onOpen,
}: {
  readonly directors: readonly PartChoice[];
  readonly open: ReadonlySet<number>;
  readonly onOpen: (open: ReadonlySet<number>) => void;
}) {
  if (directors.length === 0) return null;
  const items: MenuItem[] = [
    { id: "close", label: "All closed", checked: open.size === 0, onSelect: () => onOpen(new Set()) },
    {
      id: "open",
      label: "All open, chip by chip",
      checked: open.size === directors.length,
      onSelect: () => onOpen(new Set(directors.map(({ index }) => index))),
    },
    { kind: "separator", id: "line" },
    ...directors.map((director): MenuItem => ({
      id: String(director.index),
      label: visibleText(director.name),
      note: director.note,
      checked: open.has(director.index),
      onSelect: () => onOpen(new Set(toggle([...open], director.index))),
    })),
  ];
  return (
    <Menu
      items={items}
      trigger={
        <button
          type="button"
          className="topology-chip"
          aria-pressed={open.size > 0}
          title="Directors: one box each, or chip by chip"
        >
          {open.size === 0 ? "Directors" : `${count(open.size, "director")} open`}
          <Icon name="chevron-down" size={12} />
        </button>
      }
    />
  );
}

function toggle(list: readonly number[], value: number): readonly number[] {
  return list.includes(value) ? list.filter((entry) => entry !== value) : [...list, value];
}
