import type { KeyboardEvent } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { SmState, SubnetManager } from "../../../shared/fabric/model.ts";
import { Empty } from "../../parts/empty.tsx";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { Button } from "../../parts/button.tsx";
import { Tag } from "../../parts/tag.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { flyTo } from "../shell/go-to.ts";
import {
  knowsStandbys,
  managerName,
  managerPlace,
  managersInOrder,
  managerSelection,
  managerStatus,
  priorityText,
  takeOver,
} from "./manager-status.ts";
import "./managers-view.css";

const glyphs: Readonly<Record<SmState, GlyphKind>> = {
  MASTER: "ok",
  STANDBY: "ok",
  DISCOVERING: "note",
  NOTACTIVE: "note",
  unknown: "unknown",
};

/** `one master, one standby`, and in words what is missing. */
function Summary({ view }: { readonly view: FabricView }) {
  const status = managerStatus(view.fabric);
  const standbys = view.fabric.subnetManagers.filter((manager) => manager.state === "STANDBY").length;
  const standby = !knowsStandbys(view.fabric)
    ? "standbys not asked"
    : standbys === 0
      ? "no standby"
      : standbys === 1
        ? "one standby"
        : `${standbys} standbys`;
  switch (status.kind) {
    case "not-asked":
      return <Tag tone="plain">not asked</Tag>;
    case "none":
      return <Tag tone="error">no master answers{standbys === 0 ? "" : `, ${standby}`}</Tag>;
    case "several":
      return (
        <Tag tone="error">
          {status.masters.length} masters, {standby}
        </Tag>
      );
    case "one":
      return <Tag tone={standbys === 0 && knowsStandbys(view.fabric) ? "warning" : "ok"}>one master, {standby}</Tag>;
  }
}

function ManagerRow({ view, manager }: { readonly view: FabricView; readonly manager: SubnetManager }) {
  const select = useSelection((state) => state.select);
  const target = managerSelection(view.fabric, manager);
  const selected = useSelection(
    (state) => target.kind !== "nothing" && JSON.stringify(state.selection) === JSON.stringify(target),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.key !== "Enter") return;
    event.preventDefault();
    select(target);
  };
  return (
    <tr tabIndex={0} aria-selected={selected} onClick={() => select(target)} onKeyDown={onKeyDown}>
      <td>
        <HealthGlyph health={glyphs[manager.state]} size={14} />
      </td>
      <td>
        <span className={`managers-state managers-state-${manager.state}`}>{manager.state}</span>
      </td>
      <td>
        <span className="managers-name">{managerName(view.fabric, manager)}</span>
        <span className="managers-quiet">{managerPlace(view.fabric, manager)}</span>
      </td>
      <td className="mono managers-guid">{manager.guid === "" ? "–" : manager.guid}</td>
      <td className="managers-number" title={`0x${manager.lid.toString(16)}`}>
        {manager.lid}
      </td>
      <td className="managers-number managers-priority">{priorityText(manager)}</td>
      <td className="managers-number">{groupDigits(manager.activity)}</td>
      <td>
        {target.kind === "nothing" ? null : (
          <button
            type="button"
            className="managers-show"
            onClick={(event) => {
              event.stopPropagation();
              flyTo(target);
            }}
          >
            Show in topology
          </button>
        )}
      </td>
    </tr>
  );
}

function TakeOver({ view }: { readonly view: FabricView }) {
  const status = managerStatus(view.fabric);
  const { title, sentence, worry } = takeOver(view.fabric);
  const heading =
    status.kind === "one"
      ? `If ${managerName(view.fabric, status.master)} dies now`
      : status.kind === "several"
        ? "If a master dies now"
        : "Now";
  return (
    <aside className="managers-if" aria-label="What happens when the master dies">
      <p className="managers-quiet">{heading}</p>
      <p className="managers-if-title">
        {worry ? <HealthGlyph health={status.kind === "one" ? "warning" : "error"} size={14} /> : null}
        {title}
      </p>
      <p>{sentence}</p>
      {status.kind === "several" ? (
        <p>
          Two masters give the same LIDs to different ports. Find out whether two fabrics have been joined, or whether
          one of them did not see the other.
        </p>
      ) : null}
    </aside>
  );
}

/** All subnet managers that the capture knows, who is master, and who would take over. */
export function ManagersView() {
  const view = useFabric((state) => state.view);
  const collectAgain = useFabric((state) => state.collectAgain);
  const loading = useFabric((state) => state.loading !== undefined);
  if (view === undefined) return null;
  const managers = managersInOrder(view.fabric);
  const { source } = view.capture;
  return (
    <div className="managers">
      <header className="managers-head">
        <h1>Subnet managers</h1>
        <Summary view={view} />
      </header>
      {managers.length === 0 ? (
        <div className="managers-empty">
          <Empty
            glyph={view.fabric.smAsked ? "error" : "unknown"}
            title={view.fabric.smAsked ? "No subnet manager answers" : "Nobody asked for subnet managers"}
            sentence={
              view.fabric.smAsked
                ? "sminfo got no answer. Links that are up keep running, but nothing new comes up until a subnet manager runs."
                : "This capture holds no sminfo output, so it does not tell who is master."
            }
            action={
              source === null ? undefined : (
                <Button kind="plain" size="small" icon="refresh" disabled={loading} onClick={() => void collectAgain()}>
                  Collect again
                </Button>
              )
            }
          />
        </div>
      ) : (
        <div className="managers-body">
          <div className="managers-table">
            <table>
              <thead>
                <tr>
                  <th>
                    <span className="visually-hidden">Health</span>
                  </th>
                  <th>State</th>
                  <th>Where</th>
                  <th>GUID</th>
                  <th className="managers-number">LID</th>
                  <th className="managers-number">Priority</th>
                  <th className="managers-number">Activity count</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {managers.map((manager) => (
                  <ManagerRow key={`${manager.guid} ${manager.lid}`} view={view} manager={manager} />
                ))}
              </tbody>
            </table>
          </div>
          <TakeOver view={view} />
        </div>
      )}
    </div>
  );
}
