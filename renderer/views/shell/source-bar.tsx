import { tablesCost } from "../../../shared/analyse/routes/cost.ts";
import type { AppInfo } from "../../../shared/contract/requests.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { Popover } from "../../parts/popover.tsx";
import { ago, exactTime, useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useTasks } from "../../state/task-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { RecentChanges } from "../managers/recent-changes.tsx";
import { TaskList } from "../tasks/task-list.tsx";
import { FindingsChip, ManagerChip } from "./chips.tsx";
import { captureTime } from "./fabric-words.ts";
import { Logo } from "./logo.tsx";
import type { Room } from "./room.ts";
import { SourcePicker } from "./source-picker.tsx";
import "./source-bar.css";

function CaptureAge({ short }: { readonly short: boolean }) {
  const capture = useFabric((state) => state.view?.capture);
  const now = useNow();
  if (capture === undefined) {
    return (
      <span className="source-bar-age">
        <Icon name="clock" size={14} />
        <span>no fabric collected yet</span>
      </span>
    );
  }
  const at = capture.collectedAt;
  const passed = at === null ? "" : ago(at, now);
  // Older than two weeks: the date stands there already.
  const relative = / ago$|^just now$/.test(passed);
  return (
    <span className="source-bar-age" title={at === null ? undefined : exactTime(at)}>
      <Icon name="clock" size={14} />
      <span>
        {short && relative ? passed : captureTime(capture, now)}
        {!short && relative ? ` · ${passed}` : ""}
      </span>
    </span>
  );
}

function CollectAgain({ short }: { readonly short: boolean }) {
  const hasSource = useFabric((state) => state.view?.capture.source != null);
  const loading = useFabric((state) => state.loading !== undefined);
  const collectAgain = useFabric((state) => state.collectAgain);
  if (!hasSource) return null;
  return (
    <span className="source-bar-collect">
      {short ? (
        <IconButton icon="refresh" label="Collect again" disabled={loading} onClick={() => void collectAgain()} />
      ) : (
        <Button kind="ghost" size="small" icon="refresh" disabled={loading} onClick={() => void collectAgain()}>
          Collect again
        </Button>
      )}
      <CollectMenu disabled={loading} />
    </span>
  );
}

/** What a collection can be told: with the forwarding tables or without. */
function CollectMenu({ disabled }: { readonly disabled: boolean }) {
  const fabric = useFabric((state) => state.view?.fabric);
  const collectAgain = useFabric((state) => state.collectAgain);
  if (fabric === undefined) return null;
  return (
    <Menu
      items={() => [
        {
          id: "routes",
          label: "Collect again with routes",
          note: tablesCost(fabric).words,
          disabled,
          onSelect: () => void collectAgain(true),
        },
        { id: "plain", label: "Collect again without routes", disabled, onSelect: () => void collectAgain(false) },
      ]}
      trigger={<IconButton icon="chevron-down" label="With or without routes" />}
    />
  );
}

function TasksBell() {
  const running = useTasks((state) => state.tasks.filter((task) => task.state === "running").length);
  return (
    <Popover
      label="Tasks"
      align="end"
      trigger={
        <button
          type="button"
          className="button-icon source-bar-bell"
          aria-label={running === 0 ? "Tasks" : `Tasks, ${running} running`}
          title="Tasks"
        >
          <Icon name="bell" size={16} />
          {running === 0 ? null : <span className="source-bar-running">{running}</span>}
        </button>
      }
    >
      <div className="source-bar-tasks">
        <RecentChanges />
        <TaskList />
      </div>
    </Popover>
  );
}

/** The bar at the top: what is open, from when, whether it is real, who is master, what is wrong. */
export function SourceBar({
  room,
  info,
  welcome,
}: {
  readonly room: Room;
  readonly info: AppInfo | undefined;
  readonly welcome: boolean;
}) {
  const view = useFabric((state) => state.view);
  const setPaletteOpen = useUi((state) => state.setPaletteOpen);
  return (
    <header className="source-bar" data-region="source">
      <span className="source-bar-logo">
        <Logo size={22} />
      </span>
      {welcome ? (
        <span className="source-bar-title">Ibex</span>
      ) : (
        <>
          <SourcePicker simulatedFabrics={info?.simulatedFabrics ?? []} />
          <CaptureAge short={room.narrower} />
          <CollectAgain short={room.narrower} />
        </>
      )}
      <button
        type="button"
        className="source-bar-search"
        title="Search nodes, GUIDs, LIDs, commands"
        onClick={() => setPaletteOpen(true)}
      >
        <Icon name="search" size={14} />
        <span>Search nodes, GUIDs, LIDs, commands</span>
        <Kbd keys="Ctrl K" />
      </button>
      {welcome ? null : (
        <>
          <ManagerChip view={view} short={room.narrower} />
          <FindingsChip view={view} />
        </>
      )}
      <TasksBell />
      {view?.capture.simulated === true ? <span className="source-bar-simulated" aria-hidden="true" /> : null}
    </header>
  );
}
