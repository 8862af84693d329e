import { useId, useState } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { sweepConcurrency, type SweepPlanView } from "../../../shared/contract/sweeps.ts";
import { presetOptions } from "../../../shared/measure/steps.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { sweepTimeText, timeText } from "../../../shared/measure/sweep-time.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Segmented } from "../../parts/field.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { type SweepSheet as Sheet, useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { commandLines } from "./plan-words.ts";
import { SheetFrame } from "./sheet-frame.tsx";
import { roundsText, sweepLoadText } from "./sweep-words.ts";
import { presetTitles } from "./words.ts";
import "./measure-sheet.css";
import "./run-records.css";
import "./sweep-sheet.css";

const kinds = ["bandwidth", "quick", "latency", "acceptance"] as const;
const refusedShown = 8;
const roundsShown = 3;

/** The dry run of a sweep, from the right. Null when none is open. */
export function SweepSheet() {
  const sheet = useSweeps((state) => state.sheet);
  return sheet === undefined ? null : <Open sheet={sheet} />;
}

/** A whole number in its bounds, taken when the field is left or Enter is pressed. */
function Whole({
  label,
  value,
  least,
  most,
  unit,
  onValue,
}: {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  readonly onValue: (value: number) => void;
}) {
  const id = useId();
  const take = (text: string): void => {
    const number = Math.round(Number(text));
    if (text.trim() === "" || !Number.isFinite(number)) return;
    const bounded = Math.min(most, Math.max(least, number));
    if (bounded !== value) onValue(bounded);
  };
  return (
    <div className="sweep-option">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        key={value}
        className="field sweep-number"
        inputMode="numeric"
        defaultValue={value}
        onBlur={(event) => take(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) take(event.currentTarget.value);
        }}
      />
      <span>{unit}</span>
    </div>
  );
}

function Open({ sheet }: { readonly sheet: Sheet }) {
  const options = useSweeps((state) => state.options);
  const setOptions = useSweeps((state) => state.setOptions);
  const concurrency = useSweeps((state) => state.concurrency);
  const setConcurrency = useSweeps((state) => state.setConcurrency);
  const close = useSweeps((state) => state.closeSheet);
  const startSweep = useSweeps((state) => state.start);
  const { plan, planning, error, starting } = sheet;
  const ready = plan !== undefined && planning === undefined && !starting && plan.items.length > 0;
  const start = (): void => {
    if (!ready) return;
    void startSweep().then((runs) => {
      if (runs) useUi.getState().show("measure");
    });
  };
  return (
    <SheetFrame
      title={`Measure ${titleInside(plan?.title ?? sheet.title)}`}
      simulated={plan?.simulated === true}
      kinds={
        <div className="sweep-kinds">
          <Segmented
            label="What to measure on each link"
            choices={kinds.map((kind) => ({ value: kind, label: presetTitles[kind] }))}
            value={kinds.find((kind) => kind === options.preset) ?? "bandwidth"}
            onChange={(preset) => setOptions(presetOptions(preset))}
          />
        </div>
      }
      busy={planning !== undefined}
      foot={<span className="sheet-space">{starting ? "Connecting" : ""}</span>}
      start={{
        label:
          plan === undefined || plan.items.length === 0
            ? "Start"
            : `Measure ${count(plan.items.length, "link")}, about ${sweepTimeText(plan)}`,
        ready,
        run: start,
      }}
      onClose={close}
    >
      <section className="sheet-block sweep-options">
        {options.preset === "latency" ? null : (
          <Whole
            label="Each test runs"
            value={options.seconds}
            least={2}
            most={300}
            unit="s"
            onValue={(seconds) => setOptions({ ...options, seconds })}
          />
        )}
        <Whole
          label="At a time at most"
          value={concurrency}
          least={sweepConcurrency.least}
          most={sweepConcurrency.most}
          unit="links"
          onValue={setConcurrency}
        />
      </section>
      {error === undefined ? null : (
        <div className="sheet-block">
          <ErrorBox error={error} />
        </div>
      )}
      {planning === undefined ? null : <Planning planning={planning} />}
      {plan === undefined ? null : <Plan plan={plan} />}
    </SheetFrame>
  );
}

function Planning({ planning }: { readonly planning: NonNullable<Sheet["planning"]> }) {
  const { done, total, note } = planning;
  return (
    <div className="sheet-block sheet-planning" role="status">
      <HealthGlyph health="running" size={14} />
      {note === "" ? "Looking for pairs of hosts" : note}
      {total === 0 ? "" : `, ${groupDigits(done)} of ${groupDigits(total)}`}
    </div>
  );
}

/** Without forwarding tables a pair is a guess; with them the sweep needs no second try. */
function ByTables({ unproven }: { readonly unproven: number }) {
  const collectAgain = useFabric((state) => state.collectAgain);
  const loading = useFabric((state) => state.loading !== undefined);
  const collect = (): void => {
    void collectAgain(true).then((worked) => {
      const { sheet, openSheet } = useSweeps.getState();
      if (worked && sheet !== undefined) openSheet(sheet.wish, sheet.title);
    });
  };
  return (
    <div className="sweep-tables">
      <Callout
        tone="note"
        actions={
          <Button kind="plain" size="small" icon="refresh" disabled={loading} onClick={collect}>
            {loading ? "Collecting" : "Collect with forwarding tables"}
          </Button>
        }
      >
        Without forwarding tables the hosts of {count(unproven, "link")} are a guess: a pair that is traced another way
        is exchanged, waits for its turn, or is given up. With them every pair is known to cross its link.
      </Callout>
    </div>
  );
}

function Plan({ plan }: { readonly plan: SweepPlanView }) {
  const [rounds, setRounds] = useState(false);
  const [commands, setCommands] = useState(false);
  const [refused, setRefused] = useState(false);
  const load = sweepLoadText(plan);
  const asked = plan.items.length + plan.refused.length;
  const unproven = plan.items.filter(({ basis }) => basis === "shortest-path").length;
  const lines = plan.example === null ? [] : commandLines(plan.example);
  const byRound = Array.from({ length: rounds ? plan.rounds : Math.min(plan.rounds, roundsShown) }, (_, index) =>
    plan.items.filter(({ round }) => round === index + 1),
  );
  return (
    <>
      {plan.items.length === 0 ? (
        <section className="sheet-block">
          <Callout
            tone="error"
            title={asked === 0 ? "No link fits this selection." : "None of these links can be measured."}
          >
            {asked === 0
              ? "There is no active link of that kind that two hosts could measure."
              : "The reasons are below."}
          </Callout>
        </section>
      ) : (
        <>
          <section className="sheet-block">
            <Callout tone={plan.example?.options.preset === "latency" ? "note" : "warning"}>
              <p className="sheet-load">
                <strong className="sheet-load-strong">{load.fills}</strong> {load.felt}
              </p>
            </Callout>
          </section>
          <section className="sheet-block">
            <h3>What runs</h3>
            <Facts
              rows={[
                {
                  label: "Links",
                  value: `${groupDigits(plan.items.length)}${plan.refused.length === 0 ? ", all of them" : ` of ${groupDigits(asked)}`}`,
                },
                { label: "Rounds", value: roundsText(plan) },
                {
                  label: "At once",
                  value: `up to ${count(plan.atOnce, "link")}${plan.atOnce === plan.concurrency ? ", the limit above" : ""}`,
                },
                {
                  label: "Time",
                  value: `${timeText(plan.secondsPerRound)} a round${plan.secondsMost > plan.seconds ? " without exchanged pairs" : ""}, ${sweepTimeText(plan)} in all`,
                },
                { label: "Hosts", value: groupDigits(plan.hosts.length) },
                {
                  label: "Proof",
                  value:
                    unproven === 0
                      ? "every pair is known to cross its link"
                      : `${count(unproven, "link")} by shortest path: the way is traced before each run`,
                },
              ]}
            />
            {unproven === 0 ? null : <ByTables unproven={unproven} />}
            <p className="sheet-note">No host, HCA or link is used twice in a round. Each result is kept at once.</p>
          </section>
        </>
      )}
      {plan.refused.length === 0 ? null : (
        <section className="sheet-block">
          <h3>
            Cannot be measured<span>{count(plan.refused.length, "link")}</span>
          </h3>
          <ul className="sweep-refused">
            {(refused ? plan.refused : plan.refused.slice(0, refusedShown)).map((one) => (
              <li key={one.link}>
                <strong>{one.linkName}</strong> {one.reason}
              </li>
            ))}
          </ul>
          {plan.refused.length > refusedShown && !refused ? (
            <button type="button" className="sheet-fold" onClick={() => setRefused(true)}>
              Show all {groupDigits(plan.refused.length)}
            </button>
          ) : null}
        </section>
      )}
      {plan.items.length === 0 ? null : (
        <section className="sheet-block">
          <h3>Rounds</h3>
          {byRound.map((items, index) => (
            <div key={index} className="sweep-round">
              <b>{index + 1}</b>
              <ul>
                {items.map((item) => (
                  <li key={item.link}>
                    <span>{item.linkName}</span>
                    <span>{`${item.clientHost} to ${item.serverHost}`}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {plan.rounds > roundsShown && !rounds && plan.items.length <= 2000 ? (
            <button type="button" className="sheet-fold" onClick={() => setRounds(true)}>
              Show all {groupDigits(plan.rounds)} rounds
            </button>
          ) : null}
        </section>
      )}
      {lines.length === 0 ? null : (
        <section className="sheet-block">
          <h3>
            <button type="button" aria-expanded={commands} onClick={() => setCommands(!commands)}>
              <Icon name={commands ? "chevron-down" : "chevron-right"} size={13} />
              Command lines of the first link
            </button>
            <span>
              <CopyButton text={lines.map((entry) => `${entry.host}: ${entry.line}`).join("\n")} />
            </span>
          </h3>
          {commands ? (
            <pre className="code code-wrap" tabIndex={0}>
              {lines.map((entry) => (
                <div key={`${entry.host} ${entry.line}`}>
                  <span className="code-host">{entry.host}</span> {entry.line}
                </div>
              ))}
            </pre>
          ) : null}
        </section>
      )}
    </>
  );
}
