import { ArrowUpDown, ExternalLink, EyeOff, Info, type LucideIcon, Trash2 } from "lucide-react";
import { filledIcons, iconPaths, type OwnIconName } from "./icon-paths.ts";

const borrowed = {
  sort: ArrowUpDown,
  external: ExternalLink,
  hidden: EyeOff,
  info: Info,
  trash: Trash2,
} as const satisfies Record<string, LucideIcon>;

export type IconName = OwnIconName | keyof typeof borrowed;

function isOwn(name: IconName): name is OwnIconName {
  return name in iconPaths;
}

/** An icon in the text's colour. Decoration only: the control around it carries the name. `size` in px. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  // The stroke keeps its optical weight: 1.5 units at 16 px, thinner in units the larger the drawing.
  const stroke = (1.5 * 16) / Math.max(size, 16);
  if (!isOwn(name)) {
    const Drawing = borrowed[name];
    return <Drawing size={size} strokeWidth={stroke * 1.2} aria-hidden="true" />;
  }
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? stroke * 1.5 : stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} fill={filledIcons.has(name) ? "currentColor" : "none"} />
    </svg>
  );
}
