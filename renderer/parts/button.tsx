import type { ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icons.tsx";
import "./button.css";

export interface ButtonProps {
  readonly kind: "primary" | "plain" | "ghost" | "danger";
  readonly size?: "normal" | "small";
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly title?: string;
  readonly type?: "button" | "submit";
  readonly autoFocus?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A verb that does something at once. One `primary` in a region at most; `danger` only for what cannot be undone. */
export function Button({ kind, size = "normal", icon, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button type={type} className={`button button-${kind}${size === "small" ? " button-small" : ""}`} {...rest}>
      {icon === undefined ? null : <Icon name={icon} size={size === "small" ? 13 : 14} />}
      {children}
    </button>
  );
}

/** A square button whose name is read aloud and shown as a tooltip. `pressed` makes it a toggle. */
export function IconButton({
  icon,
  label,
  onClick,
  pressed,
  size = 16,
  disabled,
  ref,
  ...rest
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick?: () => void;
  readonly pressed?: boolean;
  /** Of the drawing, px; the target stays 24 px or more. */
  readonly size?: number;
  readonly disabled?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <button
      type="button"
      className="button-icon"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
      disabled={disabled}
      ref={ref}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}
