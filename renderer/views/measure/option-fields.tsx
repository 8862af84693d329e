import { type ReactNode, useId } from "react";

/** One setting: its name, the field that is given an id for it, and what it means. */
export function Row({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint: ReactNode;
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
export function NumberField({
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

/** A number that need not be given. */
export function OptionalNumber({
  id,
  value,
  max,
  placeholder,
  onValue,
}: {
  readonly id: string;
  readonly value: number | undefined;
  readonly max: number;
  readonly placeholder: string;
  readonly onValue: (value: number | undefined) => void;
}) {
  return (
    <input
      key={value ?? "none"}
      id={id}
      className="field"
      type="number"
      min={0}
      max={max}
      placeholder={placeholder}
      defaultValue={value ?? ""}
      onBlur={(event) => onValue(numberOf(event.target.value, max))}
    />
  );
}

function numberOf(text: string, max: number): number | undefined {
  const number = Math.round(Number(text));
  return text.trim() === "" || !Number.isFinite(number) ? undefined : Math.min(max, Math.max(0, number));
}

/** One of a few values. */
export function Choice<T extends string | number>({
  id,
  value,
  choices,
  onValue,
}: {
  readonly id: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly title: string }[];
  readonly onValue: (value: T) => void;
}) {
  return (
    <select
      id={id}
      className="field"
      value={value}
      onChange={(event) => {
        const chosen = choices.find((choice) => String(choice.value) === event.target.value);
        if (chosen !== undefined) onValue(chosen.value);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}
