import { useState } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { findLink, linkName } from "../../../shared/fabric/access.ts";
import { type MeasureOptions, type MeasurePlan, type Preset, presets } from "../../../shared/measure/types.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Facts } from "../../parts/facts.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu } from "../../parts/menu.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { type HostChoice, type MeasureOptionsPatch, type PlanSheet, useMeasure } from "../../state/measure-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { Hops } from "../inspector/path.tsx";
import { InUse } from "./in-use.tsx";
import { useRecordLiveRate } from "./live-store.ts";
import { MeasureOptionsForm } from "./measure-options.tsx";
import { PathStrip } from "./path-strip.tsx";
import { SheetFrame } from "./sheet-frame.tsx";
import { commandLines, isChanged, loadText, passText, stepText } from "./plan-words.ts";
import { basisText } from "./proof-words.ts";
import { askLabel } from "./start.ts";
import { presetHints, presetTitles, settingsText } from "./words.ts";
import "./measure-sheet.css";
import "./run-records.css";
import "../findings/findings-view.css";

/** The plan of a measurement, from the right, so that the planned path stays visible in the picture. Null when none is open. */
export function MeasureSheet() {
  useRecordLiveRate();
  const view = useFabric((state) => state.view);
  const sheet = useMeasure((state) => state.sheet);
  return view === undefined || sheet === undefined ? null : <Sheet key={sheet.link} view={view} sheet={sheet} />;
}

function Sheet({ view, sheet }: { readonly view: FabricView; readonly sheet: PlanSheet }) {
  const options = useMeasure((state) => state.options);
  const setOptions = useMeasure((state) => state.setOptions);
  const choosePreset = useMeasure((state) => state.choosePreset);
  const openSheet = useMeasure((state) => state.openSheet);
  const close = useMeasure((state) => state.closeSheet);
  const run = useMeasure((state) => state.run);
  const running = useMeasure((state) => state.running);
  const settings = useSettings((state) => state.settings);
  const change = useSettings((state) => state.change);
  const [neverAsk, setNeverAsk] = useState(false);
  const { plan, error, planning } = sheet;
  const label = askLabel(view.capture);
  const ready = plan !== undefined && !planning && running === undefined;
  const index = findLink(view.fabric, sheet.link);
  const name = plan?.linkName ?? (index === undefined ? sheet.link : linkName(view.fabric, index));

  // The picture shows the new path as soon as the answer is there; until then the old plan stays.
  const replan = (choice: HostChoice): void => void openSheet(view.fabricId, sheet.link, choice);
  const changeOptions = (patch: MeasureOptionsPatch): void => {
    const before = useMeasure.getState().options;
    const same = Object.entries(patch).every(
      ([key, value]) => value === Object.entries(before).find(([known]) => known === key)?.[1],
    );
    if (same) return;
    setOptions(patch);
    replan(sheet.choice);
  };
  const changePreset = (preset: Preset): void => {
    if (preset === useMeasure.getState().options.preset) return;
    choosePreset(preset);
    replan(sheet.choice);
  };
  const start = (): void => {
    if (!ready) return;
    // Remembered once it was good enough to be started.
    const remembered = { ...settings.measureOptions, [plan.options.preset]: plan.options };
    if (isChanged(plan.options) || settings.measureOptions[plan.options.preset] !== undefined) {
      void change({ measureOptions: remembered });
    }
    if (neverAsk && !settings.measureWithoutAsking.includes(label)) {
      void change({ measureWithoutAsking: [...settings.measureWithoutAsking, label] });
    }
    void run(plan, sheet.inUse !== undefined);
  };
  return (
    <SheetFrame
      title={`Measure ${name}`}
      simulated={plan?.simulated === true}
      kinds={
        <>
          <div className="segments sheet-presets" role="radiogroup" aria-label="What to measure">
            {presets.map((preset) => (
              <button
                key={preset}
                type="button"
                role="radio"
                className="segment"
                aria-checked={options.preset === preset}
                tabIndex={options.preset === preset ? 0 : -1}
                onClick={() => changePreset(preset)}
                onKeyDown={(event) => {
                  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                  const next = presets[(presets.indexOf(preset) + step + presets.length) % presets.length];
                  if (step === 0 || next === undefined) return;
                  event.preventDefault();
                  changePreset(next);
                  const buttons = event.currentTarget.parentElement?.querySelectorAll("button");
                  buttons?.[presets.indexOf(next)]?.focus();
                }}
              >
                {presetTitles[preset]}
              </button>
            ))}
          </div>
          <p className="sheet-answers">{presetHints[options.preset]}</p>
        </>
      }
      busy={planning}
      foot={
        <>
          {options.preset === "quick" && plan !== undefined ? (
            <label className="sheet-ask">
              <input
                className="tick"
                type="checkbox"
                checked={neverAsk}
                onChange={(event) => setNeverAsk(event.target.checked)}
              />
              <span>
                Do not ask again for quick checks on {label}
                {neverAsk && isChanged(options) ? ", which start with the standard settings" : ""}
              </span>
            </label>
          ) : null}
          <span className="sheet-space">
            {running === undefined ? null : `${running.plan.linkName} is being measured. Wait for its end.`}
          </span>
        </>
      }
      start={{
        label:
          plan === undefined
            ? "Start"
            : sheet.inUse === undefined
              ? `Start, about ${plan.seconds} s`
              : "Measure all the same",
        ready,
        danger: sheet.inUse !== undefined,
        run: start,
      }}
      onClose={close}
    >
      {sheet.inUse === undefined ? null : <InUse uses={sheet.inUse} />}
      {error !== undefined ? (
        <div className="sheet-block">
          <ErrorBox
            error={error}
            actions={
              sheet.choice.client === undefined && sheet.choice.server === undefined ? undefined : (
                <Button kind="plain" size="small" onClick={() => replan({})}>
                  Let Ibex choose the hosts
                </Button>
              )
            }
          />
        </div>
      ) : plan === undefined ? (
        <div className="sheet-block sheet-planning" role="status">
          <HealthGlyph health="running" size={14} />
          Looking for two hosts whose route crosses this link
        </div>
      ) : (
        <Plan
          plan={plan}
          choice={sheet.choice}
          pass={settings.passPercent}
          onChoice={replan}
          onOptions={changeOptions}
          options={options}
        />
      )}
    </SheetFrame>
  );
}

function HostMenu({
  label,
  host,
  others,
  onHost,
}: {
  readonly label: string;
  readonly host: string;
  readonly others: readonly string[];
  readonly onHost: (host: string) => void;
}) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="field host-field"
          aria-label={`${label}: ${host}`}
          disabled={others.length === 0}
        >
          {host}
          <Icon name="chevron-down" size={12} />
        </button>
      }
      items={[
        { id: host, label: host, checked: true, onSelect: () => undefined },
        ...others
          .filter((other) => other !== host)
          .map((other) => ({ id: other, label: other, checked: false, onSelect: () => onHost(other) })),
      ]}
    />
  );
}

function Plan({
  plan,
  choice,
  pass,
  options,
  onChoice,
  onOptions,
}: {
  readonly plan: MeasurePlan;
  readonly choice: HostChoice;
  readonly pass: number;
  readonly options: MeasureOptions;
  readonly onChoice: (choice: HostChoice) => void;
  readonly onOptions: (options: MeasureOptionsPatch) => void;
}) {
  const [showOptions, setShowOptions] = useState(false);
  const [showCommands, setShowCommands] = useState(false);
  const load = loadText(plan);
  const lines = commandLines(plan);
  const passLine = passText(plan, pass);
  const text = lines.map((entry) => `${entry.host}: ${entry.line}`).join("\n");
  return (
    <>
      <section className="sheet-block">
        <h3>
          Path<span>{basisText(plan)}</span>
        </h3>
        {plan.path.length > 4 ? <Hops path={plan.path} link={plan.link} /> : <PathStrip plan={plan} />}
        <div className="sheet-hosts">
          <span>Client and server</span>
          <HostMenu
            label="Client"
            host={plan.client.host}
            others={plan.otherClients}
            onHost={(client) => onChoice({ ...choice, client })}
          />
          <HostMenu
            label="Server"
            host={plan.server.host}
            others={plan.otherServers}
            onHost={(server) => onChoice({ ...choice, server })}
          />
          {choice.client === undefined && choice.server === undefined ? null : (
            <Button kind="ghost" size="small" onClick={() => onChoice({})}>
              Let Ibex choose
            </Button>
          )}
        </div>
      </section>
      <section className="sheet-block">
        <Callout tone={options.preset === "latency" ? "note" : "warning"}>
          <p className="sheet-load">
            <strong className="sheet-load-strong">{load.fills}</strong> {load.felt}
          </p>
        </Callout>
      </section>
      <section className="sheet-block">
        <h3>
          What runs<span>about {plan.seconds} s in all</span>
        </h3>
        <ol className="sheet-steps">
          {plan.steps.map((step, i) => (
            <li key={step.id}>
              <i>{i + 1}</i>
              <span>{stepText(step)}</span>
              <span>{step.seconds} s</span>
            </li>
          ))}
        </ol>
        <button
          type="button"
          className="sheet-fold"
          aria-expanded={showOptions}
          onClick={() => setShowOptions(!showOptions)}
        >
          <Icon name={showOptions ? "chevron-down" : "chevron-right"} size={13} />
          Options
          <span>{showOptions ? "" : settingsText(options)}</span>
        </button>
        {showOptions ? <MeasureOptionsForm plan={plan} options={options} onOptions={onOptions} /> : null}
      </section>
      <section className="sheet-block">
        <h3>What to expect</h3>
        <Facts
          rows={[
            ...(passLine === undefined ? [] : [{ label: "Pass line", value: passLine }]),
            { label: "Will prove", value: plan.will },
            { label: "Cannot show", value: plan.cannot },
          ]}
        />
      </section>
      <section className="sheet-block">
        <h3>
          <button type="button" aria-expanded={showCommands} onClick={() => setShowCommands(!showCommands)}>
            <Icon name={showCommands ? "chevron-down" : "chevron-right"} size={13} />
            Command lines
          </button>
          <span>
            <CopyButton text={text} />
          </span>
        </h3>
        {showCommands ? (
          <>
            <pre className="code code-wrap" tabIndex={0}>
              {lines.map((entry) => (
                <div key={`${entry.host} ${entry.line}`}>
                  <span className="code-host">{entry.host}</span> {entry.line}
                </div>
              ))}
            </pre>
            <p className="sheet-note">Device and TCP port are filled in when the run starts.</p>
          </>
        ) : null}
      </section>
    </>
  );
}
