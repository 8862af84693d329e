import { changeWords } from "../../../shared/contract/manager-words.ts";
import type { ManagerLogLine } from "../../../shared/contract/manager-log.ts";
import { Button } from "../../parts/button.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { clockTime, exactTime } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { useWatch } from "../../state/watch-store.ts";
import { managerName } from "./manager-status.ts";
import { useWatchedFabric } from "./use-watched-fabric.ts";
import "./recent-changes.css";

const shown = 5;

/** What happened to the subnet managers since the watch began, newest first; first answers are no change. Pure. */
export function recentChanges(
  changes: readonly ManagerLogLine[],
  begun: string | undefined,
): readonly ManagerLogLine[] {
  const from = Date.parse(begun ?? "");
  if (Number.isNaN(from)) return [];
  return changes
    .filter(({ kind, time }) => kind !== "seen" && Date.parse(time) >= from)
    .slice(-shown)
    .reverse();
}

/** The last changes of subnet managers, for the bell; nothing without any. */
export function RecentChanges() {
  const view = useFabric((state) => state.view);
  const fabric = useWatchedFabric(view);
  const own = useWatch((state) => state.fabricId === view?.fabricId);
  const changes = useWatch((state) => state.changes);
  const begun = useWatch((state) => state.status?.time?.from);
  const show = useUi((state) => state.show);
  const recent = own ? recentChanges(changes, begun) : [];
  if (recent.length === 0 || fabric === undefined) return null;
  const nameOf = (guid: string): string => {
    const manager = fabric.subnetManagers.find((one) => one.guid === guid);
    return manager === undefined ? guid : managerName(fabric, manager);
  };
  return (
    <section className="recent-changes" aria-label="Subnet managers">
      <header>
        <h2>Subnet managers</h2>
        <Button kind="ghost" size="small" onClick={() => show("managers")}>
          Open SMs
        </Button>
      </header>
      <ol>
        {recent.map((change, i) => {
          const { severity, title } = changeWords(change, nameOf);
          return (
            <li key={`${change.time} ${change.guid} ${change.kind} ${recent.length - i}`}>
              <HealthGlyph health={severity} size={13} />
              <time dateTime={change.time} title={exactTime(change.time)}>
                {clockTime(change.time)}
              </time>
              <span>{title}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
