import { count } from "../../../shared/base/text.ts";
import type { AppInfo } from "../../../shared/contract/requests.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useTasks } from "../../state/task-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { linksText, shapeText } from "./fabric-words.ts";
import "./status-bar.css";

function Connection({ view }: { readonly view: FabricView }) {
  const connection = useFabric((state) => state.connection);
  const { capture } = view;
  if (capture.simulated) return <span className="status-simulated">Simulated, not a real fabric</span>;
  if (capture.how === "file") return <span>opened from a file</span>;
  if (connection === "lost") {
    return (
      <span className="status-alarm" role="alert">
        <HealthGlyph health="error" size={11} />
        connection to {capture.name} lost
      </span>
    );
  }
  return (
    <span>
      <HealthGlyph health={connection === "connected" ? "ok" : "not-run"} size={11} />
      {capture.how === "ssh" ? `ssh ${capture.name}` : capture.name}
      {connection === "connected" ? "" : ", not connected"}
    </span>
  );
}

function RunningTask() {
  const running = useTasks((state) => state.tasks.find((task) => task.state === "running"));
  const more = useTasks((state) => state.tasks.filter((task) => task.state === "running").length - 1);
  const showPanel = useUi((state) => state.showPanel);
  const inPicture = useUi((state) => state.view === "topology");
  if (running === undefined) return null;
  const note = running.progress?.note ?? "";
  return (
    <button
      type="button"
      className="status-task"
      onClick={() => {
        if (inPicture) showPanel("tasks");
      }}
      title={running.title}
    >
      <HealthGlyph health="running" size={11} />
      <span>
        {running.title}
        {note === "" ? "" : `, ${note}`}
        {more > 0 ? `, ${more} more` : ""}
      </span>
    </button>
  );
}

function Facts({ view }: { readonly view: FabricView }) {
  const { analysis, capture } = view;
  const { source } = capture;
  return (
    <>
      <Connection view={view} />
      {source !== null && source.kind !== "simulated" ? (
        <span>{source.sudo ? "root: sudo" : "root: as logged in"}</span>
      ) : null}
      <span>{count(analysis.counts.switches, "switch", "switches")}</span>
      <span>{count(analysis.counts.hosts, "host")}</span>
      <span className="status-fits">{linksText(analysis)}</span>
      <span className="status-fits">{shapeText(analysis)}</span>
    </>
  );
}

/** The bar at the bottom: connection, rights, counts, shape; at the right what runs and how the picture is seen. */
export function StatusBar({ info }: { readonly info: AppInfo | undefined }) {
  const view = useFabric((state) => state.view);
  const canvas = useUi((state) => (state.view === "topology" ? state.canvas : undefined));
  return (
    <footer className="status-bar" aria-label="Status" data-region="status" tabIndex={-1}>
      {view === undefined ? <span>No fabric open</span> : <Facts view={view} />}
      <span className="status-space" />
      <span className="visually-hidden" role="status">
        <RunningTitle />
      </span>
      <RunningTask />
      {view !== undefined && canvas !== undefined ? (
        <>
          <span className="status-end">Details: {canvas.details}</span>
          <span>
            Zoom {Math.round(canvas.zoom)}
            {"\u00a0"}%
          </span>
        </>
      ) : null}
      {view === undefined ? (
        <>
          {info === undefined ? null : <span className="status-end">Ibex {info.version}</span>}
          <span className={info === undefined ? "status-end" : undefined}>Keyboard: ?</span>
        </>
      ) : null}
    </footer>
  );
}

/** What is read aloud when a task begins or ends; its progress is not. */
function RunningTitle() {
  const last = useTasks((state) => state.tasks[0]);
  if (last === undefined) return null;
  return last.state === "running" ? `${last.title} started` : `${last.title} ${last.state}`;
}
