import { useState } from "react";
import type { AppInfo } from "../../../shared/contract/requests.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useTasks } from "../../state/task-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { ConnectDialog } from "../connect/connect-dialog.tsx";
import { FailurePage } from "../failure/failure-page.tsx";
import { Palette } from "../palette/palette.tsx";
import { Prompts } from "../prompts/prompts.tsx";
import { SettingsDialog } from "../settings/settings-dialog.tsx";
import { ShortcutsSheet } from "../shortcuts/shortcuts-sheet.tsx";
import { Collecting } from "../tasks/collecting.tsx";
import { PathDialog } from "../topology/path-dialog.tsx";
import { Welcome } from "../welcome/welcome.tsx";
import { DropTarget } from "./drop-target.tsx";
import { MainArea } from "./main-area.tsx";
import { Rail } from "./rail.tsx";
import { useRoom } from "./room.ts";
import { SourceBar } from "./source-bar.tsx";
import { attemptName } from "./source-picker.tsx";
import { StatusBar } from "./status-bar.tsx";
import { Toasts } from "./toasts.tsx";
import { ViewBoundary } from "./view-boundary.tsx";
import "./shell.css";

function Dialogs() {
  const dialog = useUi((state) => state.dialog);
  switch (dialog.kind) {
    case "none":
      return null;
    case "connect":
      return <ConnectDialog source={dialog.source} />;
    case "path":
      return <PathDialog from={dialog.from} />;
    case "settings":
      return <SettingsDialog />;
    case "shortcuts":
      return <ShortcutsSheet />;
  }
}

/** The card of a running collection, unless it refreshes what is open or was sent to the background. */
function CollectingCard() {
  const loading = useFabric((state) => state.loading);
  const taskId = useFabric((state) => state.taskId);
  const view = useFabric((state) => state.view);
  const task = useTasks((state) => state.tasks.find((candidate) => candidate.id === taskId));
  const [inBackground, setInBackground] = useState<number | undefined>(undefined);
  if (loading === undefined || task === undefined || inBackground === task.id) return null;
  const refreshes =
    view !== undefined &&
    loading.kind === "collect" &&
    JSON.stringify(view.capture.source) === JSON.stringify(loading.source);
  if (refreshes) return null;
  return (
    <div className="shell-collecting">
      <Collecting
        attempt={loading}
        name={attemptName(loading)}
        task={task}
        onBackground={view === undefined ? undefined : () => setInBackground(task.id)}
      />
    </div>
  );
}

/** The window: source bar, rail, the open fabric or the start, status bar, and what lies over them. */
export function Shell({ info }: { readonly info: AppInfo | undefined }) {
  const room = useRoom();
  const view = useFabric((state) => state.view);
  const failure = useFabric((state) => state.failure);
  const loading = useFabric((state) => state.loading !== undefined);
  const [shownFailure, setShownFailure] = useState<typeof failure>(undefined);
  const welcome = view === undefined && failure === undefined && !loading;
  const failureHere = failure !== undefined && (view === undefined || shownFailure === failure);
  const classes = [
    "shell",
    welcome ? "shell-welcome" : "",
    room.narrow ? "shell-narrow" : "",
    room.narrower ? "shell-narrower" : "",
    room.tight ? "shell-tight" : "",
    info === undefined ? "" : `shell-${info.platform}`,
  ];
  return (
    <div className={classes.filter(Boolean).join(" ")}>
      <SourceBar room={room} info={info} welcome={welcome} />
      {welcome ? null : <Rail />}
      <div className="shell-main">
        {failureHere ? (
          <FailurePage
            attempt={failure.attempt}
            error={failure.error}
            onBack={view === undefined ? undefined : { name: view.capture.name, go: () => setShownFailure(undefined) }}
          />
        ) : view !== undefined ? (
          <MainArea view={view} room={room} onShowFailure={() => setShownFailure(failure)} />
        ) : welcome ? (
          <ViewBoundary view="welcome" resetKey="welcome">
            <Welcome info={info} />
          </ViewBoundary>
        ) : null}
        <CollectingCard />
      </div>
      <StatusBar info={info} />
      <Toasts />
      <Dialogs />
      <Palette />
      <Prompts />
      <DropTarget />
    </div>
  );
}
