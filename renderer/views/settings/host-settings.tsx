import { useState } from "react";
import type { Settings } from "../../../shared/contract/settings.ts";
import { HostAccessFields } from "../connect/host-access-fields.tsx";
import { same, Setting } from "./setting.tsx";

/** How compute hosts are found for new connections. */
export function Hosts() {
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
