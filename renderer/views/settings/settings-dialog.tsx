import { type ReactNode, useId, useState } from "react";
import { defaultSettings, type Settings } from "../../../shared/contract/settings.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { Segmented } from "../../parts/field.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { HostAccessFields } from "../connect/host-access-fields.tsx";
import "./settings-dialog.css";

const groups = [
  { id: "appearance", title: "Appearance", icon: "laptop", words: "theme dark light system colour" },
  { id: "measuring", title: "Measuring", icon: "measure", words: "pass line per cent bandwidth ask confirm quick" },
  { id: "hosts", title: "Compute hosts", icon: "nodes", words: "names rule map file user ssh via jump" },
] as const satisfies readonly { id: string; title: string; icon: IconName; words: string }[];
type GroupId = (typeof groups)[number]["id"];

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** One setting: name, what it does, its control; a dot and "Reset" when it is not as it came. */
function Setting<K extends "theme" | "passPercent" | "hosts">({
  name,
  title,
  note,
  children,
}: {
  readonly name: K;
  readonly title: string;
  readonly note: ReactNode;
  readonly children: (value: Settings[K], set: (value: Settings[K]) => void) => ReactNode;
}) {
  const value = useSettings((state) => state.settings[name]);
  const change = useSettings((state) => state.change);
  const set = (next: Settings[K]): void => void change({ [name]: next });
  const changed = !same(value, defaultSettings[name]);
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>
          {title}
          {changed ? <span className="setting-dot" title="Changed" role="img" aria-label="changed" /> : null}
        </h3>
        {changed ? (
          <Button kind="ghost" size="small" onClick={() => set(defaultSettings[name])}>
            Reset
          </Button>
        ) : null}
      </div>
      <p>{note}</p>
      {children(value, set)}
    </section>
  );
}

function Appearance() {
  return (
    <Setting name="theme" title="Theme" note="System follows the setting of your desktop, also while Ibex runs.">
      {(value, set) => (
        <Segmented
          label="Theme"
          value={value}
          onChange={set}
          choices={[
            { value: "system", label: "System" },
            { value: "dark", label: "Dark" },
            { value: "light", label: "Light" },
          ]}
        />
      )}
    </Setting>
  );
}

function PassLine({ value, set }: { readonly value: number; readonly set: (value: number) => void }) {
  const id = useId();
  const [text, setText] = useState<string | undefined>(undefined);
  const shown = text ?? String(value);
  const number = Number(shown);
  const valid = shown.trim() !== "" && Number.isFinite(number) && number >= 50 && number <= 100;
  const commit = (): void => {
    if (valid && number !== value) set(number);
    setText(undefined);
  };
  return (
    <div className="setting-pass">
      <input
        type="range"
        min={50}
        max={100}
        step={1}
        value={value}
        aria-label="Pass line"
        onChange={(event) => set(Number(event.target.value))}
      />
      <span className="field-box" data-problem={!valid}>
        <input
          id={id}
          inputMode="decimal"
          aria-label="Pass line in per cent"
          aria-invalid={!valid}
          value={shown}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
          }}
        />
        <label htmlFor={id}>%</label>
      </span>
      {valid ? null : <span className="field-problem">50 to 100</span>}
    </div>
  );
}

function WithoutAsking() {
  const sources = useSettings((state) => state.settings.measureWithoutAsking);
  const change = useSettings((state) => state.change);
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>Quick checks without asking</h3>
      </div>
      <p>
        A quick check of a link starts at once, without the plan, on these sources. Tick the box in a plan to add one.
      </p>
      {sources.length === 0 ? (
        <p className="setting-none">None: every measurement shows its plan first.</p>
      ) : (
        <ul className="setting-list">
          {sources.map((source) => (
            <li key={source}>
              <span>{source}</span>
              <IconButton
                icon="close"
                label={`Ask again on ${source}`}
                size={14}
                onClick={() => void change({ measureWithoutAsking: sources.filter((other) => other !== source) })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Measuring() {
  return (
    <>
      <Setting
        name="passPercent"
        title="Pass line"
        note="Bandwidth at or above this share of the slowest cable on the path is good. The colours of the picture move with it."
      >
        {(value, set) => <PassLine value={value} set={set} />}
      </Setting>
      <WithoutAsking />
    </>
  );
}

function Hosts() {
  return (
    <Setting
      name="hosts"
      title="How compute hosts are found"
      note="For new connections; a connection keeps its own. Measurements log in to the two hosts at the ends of a path."
    >
      {(value, set) => <HostAccessDraft value={value} set={set} />}
    </Setting>
  );
}

/** Keeps what is being typed, and stores it a moment after the last key. */
function HostAccessDraft({
  value,
  set,
}: {
  readonly value: Settings["hosts"];
  readonly set: (value: Settings["hosts"]) => void;
}) {
  const [draft, setDraft] = useState<Settings["hosts"] | undefined>(undefined);
  return (
    <div
      onBlur={() => {
        if (draft !== undefined && !same(draft, value)) set(draft);
        setDraft(undefined);
      }}
    >
      <HostAccessFields
        value={draft ?? value}
        sourceWord="the source"
        onChange={(next) => {
          // Choices apply at once, typed text when the field is left.
          if (next.via !== (draft ?? value).via || next.mapFile !== (draft ?? value).mapFile) {
            set(next);
            setDraft(undefined);
          } else setDraft(next);
        }}
      />
    </div>
  );
}

const pages: Readonly<Record<GroupId, () => ReactNode>> = {
  appearance: Appearance,
  measuring: Measuring,
  hosts: Hosts,
};

/** Settings: groups at the left, search on top; every change applies at once. */
export function SettingsDialog() {
  const openDialog = useUi((state) => state.openDialog);
  const [group, setGroup] = useState<GroupId>("appearance");
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = groups.filter((entry) => `${entry.title} ${entry.words}`.toLowerCase().includes(wanted));
  const current = shown.some((entry) => entry.id === group) ? group : shown[0]?.id;
  const Page = current === undefined ? undefined : pages[current];
  return (
    <Modal
      title="Settings"
      width={720}
      onClose={() => openDialog({ kind: "none" })}
      initialFocus="[aria-current='true']"
    >
      <div className="settings">
        <nav aria-label="Groups of settings">
          <input
            type="search"
            placeholder="Search"
            aria-label="Search the settings"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {shown.map((entry) => (
            <button key={entry.id} type="button" aria-current={entry.id === current} onClick={() => setGroup(entry.id)}>
              <Icon name={entry.icon} size={16} />
              {entry.title}
            </button>
          ))}
        </nav>
        <div className="settings-page">
          {Page === undefined ? <p className="setting-none">No setting matches “{search}”.</p> : <Page />}
        </div>
      </div>
    </Modal>
  );
}
