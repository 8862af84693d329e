import { Fragment, useId, useState } from "react";
import {
  formatLimit,
  type LimitChanges,
  limitProblems,
  type LimitRow,
  limitRows,
} from "../../../shared/analyse/limits.ts";
import { Button } from "../../parts/button.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { ChangedDot } from "./setting.tsx";
import "./limit-settings.css";

type Level = "warn" | "error";
const levels = ["warn", "error"] as const;
const levelWords = { warn: "Warning from", error: "Error from" } as const;

/** Changes with a row's values in them; values at their default leave no trace. */
function withRow(
  changes: LimitChanges,
  row: LimitRow,
  values: { readonly [L in Level]: number | undefined },
): LimitChanges {
  const own = Object.fromEntries(
    levels.flatMap((level) => {
      const value = values[level];
      return value === undefined || value === row[level] ? [] : [[level, value]];
    }),
  );
  const others = Object.fromEntries(Object.entries(changes).filter(([id]) => id !== row.id));
  return Object.keys(own).length === 0 ? others : { ...others, [row.id]: own };
}

/** Stores changed limits and judges the open fabric by them at once. */
function useLimits(): readonly [LimitChanges, (changes: LimitChanges) => void] {
  const changes = useSettings((state) => state.settings.limits);
  const change = useSettings((state) => state.change);
  const judgeAgain = useFabric((state) => state.judgeAgain);
  return [changes, (next) => void change({ limits: { ...next } }).then(judgeAgain)];
}

/** The limits of all rules: what is a warning, what an error, and what they were. */
export function Limits() {
  const [changes, set] = useLimits();
  const changed = Object.keys(changes).length;
  const groups = [...new Set(limitRows.map(({ group }) => group))];
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>Limits of the rules</h3>
        {changed > 0 ? (
          <Button kind="ghost" size="small" onClick={() => set({})}>
            Reset all {changed}
          </Button>
        ) : null}
      </div>
      <p>Changes apply at once, to the open fabric and on the command line.</p>
      <table className="limits">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Warning</th>
            <th scope="col">Error</th>
            <th scope="col">Unit</th>
            <th scope="col">Default</th>
            <th scope="col">
              <span className="visually-hidden">Reset</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group}>
              <tr className="limits-group">
                <th scope="colgroup" colSpan={6}>
                  {group}
                </th>
              </tr>
              {limitRows
                .filter((row) => row.group === group)
                .map((row) => (
                  <Row key={row.id} row={row} changes={changes} set={set} />
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({
  row,
  changes,
  set,
}: {
  readonly row: LimitRow;
  readonly changes: LimitChanges;
  readonly set: (changes: LimitChanges) => void;
}) {
  const problemId = useId();
  const [draft, setDraft] = useState<{ readonly [L in Level]?: string }>({});
  const own = changes[row.id];
  const stored = (level: Level): number | undefined => own?.[level] ?? row[level];
  const typed = (level: Level): number | undefined => {
    const text = draft[level];
    if (text === undefined) return stored(level);
    return text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
  };
  const values = { warn: typed("warn"), error: typed("error") };
  const wanted = Object.fromEntries(
    levels.flatMap((level) => (values[level] === undefined ? [] : [[level, values[level]]])),
  );
  const problem = limitProblems({ [row.id]: wanted })[0]?.replace(`${row.id}: `, "");
  const commit = (): void => {
    if (problem !== undefined || Object.keys(draft).length === 0) return;
    if (values.warn !== stored("warn") || values.error !== stored("error")) set(withRow(changes, row, values));
    setDraft({});
  };
  const defaults = levels.flatMap((level) => (row[level] === undefined ? [] : [formatLimit(row[level])]));
  const reset = (): void => {
    setDraft({});
    if (own !== undefined) set(withRow(changes, row, { warn: undefined, error: undefined }));
  };
  return (
    <>
      <tr>
        <th scope="row">
          <span className="limits-rule">
            {row.title}
            {own === undefined ? null : <ChangedDot />}
          </span>
        </th>
        {levels.map((level) => (
          <td key={level}>
            {row[level] === undefined ? (
              <span className="limits-none">–</span>
            ) : (
              <input
                inputMode="decimal"
                aria-label={`${row.title}, ${levelWords[level].toLowerCase()}`}
                aria-invalid={problem !== undefined}
                aria-describedby={problem === undefined ? undefined : problemId}
                value={draft[level] ?? formatLimit(stored(level) ?? 0)}
                onChange={(event) => setDraft({ ...draft, [level]: event.target.value })}
                onBlur={commit}
                onKeyDown={(event) => {
                  if (event.key === "Enter") commit();
                  if (event.key === "Escape" && Object.keys(draft).length > 0) {
                    event.stopPropagation();
                    setDraft({});
                  }
                }}
              />
            )}
          </td>
        ))}
        <td className="limits-unit">{row.unit}</td>
        <td className="limits-default">{defaults.join(", ")}</td>
        <td>
          {own === undefined && problem === undefined ? null : (
            <Button kind="ghost" size="small" aria-label={`Reset ${row.title}`} onClick={reset}>
              Reset
            </Button>
          )}
        </td>
      </tr>
      {problem === undefined ? null : (
        <tr className="limits-problem">
          <td colSpan={6} id={problemId} role="alert">
            {row.title}: {problem}
          </td>
        </tr>
      )}
    </>
  );
}
