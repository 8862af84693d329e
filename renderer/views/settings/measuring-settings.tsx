import { useId, useState } from "react";
import { IconButton } from "../../parts/button.tsx";
import { useSettings } from "../../state/settings-store.ts";
import { Setting } from "./setting.tsx";

function PassLine({ value, set }: { readonly value: number; readonly set: (value: number) => void }) {
  const id = useId();
  const [text, setText] = useState<string | undefined>(undefined);
  const shown = text ?? String(value);
  const number = Number(shown);
  const valid = shown.trim() !== "" && Number.isFinite(number) && number >= 50 && number <= 100;
  const commit = (): void => {
    if (valid && number !== value) set(number);
    setText(undefined);
  };
  return (
    <div className="setting-pass">
      <input
        type="range"
        min={50}
        max={100}
        step={1}
        value={value}
        aria-label="Pass line"
        onChange={(event) => set(Number(event.target.value))}
      />
      <span className="field-box" data-problem={!valid}>
        <input
          id={id}
          inputMode="decimal"
          aria-label="Pass line in per cent"
          aria-invalid={!valid}
          value={shown}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
          }}
        />
        <label htmlFor={id}>%</label>
      </span>
      {valid ? null : <span className="field-problem">50 to 100</span>}
    </div>
  );
}

function WithoutAsking() {
  const sources = useSettings((state) => state.settings.measureWithoutAsking);
  const change = useSettings((state) => state.change);
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>Quick checks without asking</h3>
      </div>
      <p>
        A quick check of a link starts at once, without the plan, on these sources. Tick the box in a plan to add one.
      </p>
      {sources.length === 0 ? (
        <p className="setting-none">None: every measurement shows its plan first.</p>
      ) : (
        <ul className="setting-list">
          {sources.map((source) => (
            <li key={source}>
              <span>{source}</span>
              <IconButton
                icon="close"
                label={`Ask again on ${source}`}
                size={14}
                onClick={() => void change({ measureWithoutAsking: sources.filter((other) => other !== source) })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** When a bandwidth is good, and what starts without asking. */
export function Measuring() {
  return (
    <>
      <Setting
        name="passPercent"
        title="Pass line"
        note="Bandwidth at or above this share of the slowest cable on the path is good. The colours of the picture move with it."
      >
        {(value, set) => <PassLine value={value} set={set} />}
      </Setting>
      <WithoutAsking />
    </>
  );
}
