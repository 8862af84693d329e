import { type ReactNode, useState } from "react";
import { Modal } from "../../parts/dialog.tsx";
import { Segmented } from "../../parts/field.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { useUi } from "../../state/ui-store.ts";
import { About, Data } from "./data-settings.tsx";
import { Hosts } from "./host-settings.tsx";
import { KnownHosts } from "./known-hosts-settings.tsx";
import { Limits } from "./limit-settings.tsx";
import { Measuring } from "./measuring-settings.tsx";
import { Setting } from "./setting.tsx";
import { Collecting, Notifications } from "./switch-settings.tsx";
import "./settings-dialog.css";

const groups = [
  { id: "appearance", title: "Appearance", icon: "laptop", words: "theme dark light system colour" },
  { id: "collecting", title: "Collecting", icon: "refresh", words: "routes forwarding tables LFT collect" },
  { id: "measuring", title: "Measuring", icon: "measure", words: "pass line per cent bandwidth ask confirm quick" },
  {
    id: "limits",
    title: "Findings and limits",
    icon: "findings",
    words: "threshold limit warn error rule counter symbol BER bit errors temperature oversubscription",
  },
  { id: "hosts", title: "Compute hosts", icon: "nodes", words: "names rule map file user ssh via jump" },
  { id: "known", title: "Known hosts", icon: "key", words: "ssh host key fingerprint trusted remove changed" },
  {
    ...{ id: "notifications", title: "Notifications", icon: "bell" },
    words: "desktop subnet manager handover lost connection",
  },
  { id: "data", title: "Data and logs", icon: "folder", words: "folder history size privacy passwords logs path" },
  { id: "about", title: "About", icon: "info", words: "version licence license electron report" },
] as const satisfies readonly { id: string; title: string; icon: IconName; words: string }[];
type GroupId = (typeof groups)[number]["id"];

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

const pages: Readonly<Record<GroupId, () => ReactNode>> = {
  appearance: Appearance,
  measuring: Measuring,
  limits: Limits,
  hosts: Hosts,
  collecting: Collecting,
  known: KnownHosts,
  notifications: Notifications,
  data: Data,
  about: About,
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
      width={840}
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
