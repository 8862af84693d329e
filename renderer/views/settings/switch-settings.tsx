import { CheckField } from "../../parts/field.tsx";
import { Setting } from "./setting.tsx";

/** What the desktop is told while the window is not looked at. */
export function Notifications() {
  return (
    <>
      <Setting
        name="notifyManagers"
        title="Subnet managers"
        note="While they are watched: a handover, a manager that is lost, one that comes back."
      >
        {(value, set) => <CheckField label="Tell it on the desktop" checked={value} onChange={set} />}
      </Setting>
      <Setting
        name="notifyConnections"
        title="Lost connections"
        note="The SSH connection of an open fabric broke while another window had the focus."
      >
        {(value, set) => <CheckField label="Tell it on the desktop" checked={value} onChange={set} />}
      </Setting>
    </>
  );
}

/** What is read from a fabric. */
export function Collecting() {
  return (
    <Setting
      name="collectRoutes"
      title="Forwarding tables"
      note="Routes, paths and the balance of links need the tables of all switches. Reading them asks every switch, which takes its time on a large fabric, so without this they come only with “Collect again with routes”."
    >
      {(value, set) => <CheckField label="Read them with every collection" checked={value} onChange={set} />}
    </Setting>
  );
}
