import { type ReactNode, useId } from "react";
import type { MeasureOptions } from "../../../shared/measure/types.ts";
import type { MeasureOptionsPatch } from "../../state/measure-store.ts";
import { bytesText } from "./words.ts";

const sizes = [2, 64, 256, 1024, 4096, 8192, 16_384, 65_536, 262_144, 1_048_576, 4_194_304] as const;

function Row({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint: string;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="option">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      <span>{hint}</span>
    </div>
  );
}

/** A whole number in its bounds; the plan is made anew when the field is left or Enter is pressed. */
function NumberField({
  id,
  value,
  min,
  max,
  onValue,
}: {
  readonly id: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onValue: (value: number) => void;
}) {
  const take = (text: string): void => {
    const number = Math.round(Number(text));
    if (Number.isFinite(number) && text.trim() !== "") onValue(Math.min(max, Math.max(min, number)));
  };
  return (
    <input
      key={value}
      id={id}
      className="field"
      type="number"
      min={min}
      max={max}
      defaultValue={value}
      onBlur={(event) => take(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) take(event.currentTarget.value);
      }}
    />
  );
}

/** Settings of a measurement in plain words. Only those that the preset uses are shown. */
export function MeasureOptionsForm({
  options,
  onOptions,
}: {
  readonly options: MeasureOptions;
  readonly onOptions: (options: MeasureOptionsPatch) => void;
}) {
  const bandwidth = options.preset !== "latency";
  const latency = options.preset !== "bandwidth";
  const known = sizes.some((size) => size === options.bytes);
  return (
    <div className="options">
      {bandwidth ? (
        <>
          <Row label="Message size" hint="64 KiB fills a link; small ones test the message rate">
            {(id) => (
              <select
                id={id}
                className="field"
                value={options.bytes}
                onChange={(event) => onOptions({ bytes: Number(event.target.value) })}
              >
                {known ? null : <option value={options.bytes}>{bytesText(options.bytes)}</option>}
                {sizes.map((size) => (
                  <option key={size} value={size}>
                    {bytesText(size)}
                  </option>
                ))}
              </select>
            )}
          </Row>
          <Row label="Queue pairs" hint="one is seldom enough for the full rate">
            {(id) => (
              <NumberField
                id={id}
                value={options.queuePairs}
                min={1}
                max={256}
                onValue={(queuePairs) => onOptions({ queuePairs })}
              />
            )}
          </Row>
          <Row label="Duration" hint="seconds of traffic; the middle half is measured">
            {(id) => (
              <NumberField
                id={id}
                value={options.seconds}
                min={2}
                max={300}
                onValue={(seconds) => onOptions({ seconds })}
              />
            )}
          </Row>
          <Row label="Both directions" hint="at the same time; expected is then twice the rate">
            {(id) => (
              <input
                id={id}
                className="tick"
                type="checkbox"
                checked={options.bidirectional}
                onChange={(event) => onOptions({ bidirectional: event.target.checked })}
              />
            )}
          </Row>
        </>
      ) : null}
      {latency ? (
        <Row label="Latency messages" hint="each is sent and answered once">
          {(id) => (
            <NumberField
              id={id}
              value={options.latencyIterations}
              min={5}
              max={1_000_000}
              onValue={(latencyIterations) => onOptions({ latencyIterations })}
            />
          )}
        </Row>
      ) : null}
      <Row label="GID index" hint="only RoCE needs one; empty on InfiniBand">
        {(id) => (
          <input
            key={options.gidIndex ?? "none"}
            id={id}
            className="field"
            type="number"
            min={0}
            max={64}
            placeholder="none"
            defaultValue={options.gidIndex ?? ""}
            onBlur={(event) => onOptions({ gidIndex: gidIndexOf(event.target.value) })}
          />
        )}
      </Row>
    </div>
  );
}

function gidIndexOf(text: string): number | undefined {
  const number = Math.round(Number(text));
  return text.trim() === "" || !Number.isFinite(number) ? undefined : Math.min(64, Math.max(0, number));
}
