import { type ReactNode, type Ref, useId } from "react";
import { Icon } from "./icons.tsx";
import "./field.css";

/** A label above its control; `hint` below in quiet words, `problem` instead of it in words and colour. */
function Field({
  label,
  hint,
  problem,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  /** Gets the ids that tie label and hint to the control. */
  readonly children: (ids: { readonly id: string; readonly "aria-describedby": string }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="form-field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-hint` })}
      <div className={problem === undefined ? "field-hint" : "field-problem"} id={`${id}-hint`}>
        {problem ?? hint}
      </div>
    </div>
  );
}

/** One line of text under its label. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  problem,
  after,
  ref,
  ...rest
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  /** A button inside the field, at its right. */
  readonly after?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
  readonly placeholder?: string;
  readonly type?: "text" | "password";
  readonly inputMode?: "numeric";
  readonly list?: string;
  readonly maxLength?: number;
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
}) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <span className="field-box" data-problem={problem !== undefined}>
          <input
            ref={ref}
            spellCheck={false}
            value={value}
            aria-invalid={problem !== undefined}
            onChange={(event) => onChange(event.target.value)}
            {...ids}
            {...rest}
          />
          {after}
        </span>
      )}
    </Field>
  );
}

/** A tick with its words beside it. */
export function CheckField({
  label,
  note,
  checked,
  onChange,
}: {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label className="field-check">
      <span className="field-check-box">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        {checked ? <Icon name="check" size={13} /> : null}
      </span>
      <span>
        {label}
        {note === undefined ? null : <span className="field-check-note">{note}</span>}
      </span>
    </label>
  );
}

/** A few exclusive choices in a row. */
export function Segmented<T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  /** Read aloud. */
  readonly label: string;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly title?: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <div className="field-segments" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="field-segment" title={choice.title}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
