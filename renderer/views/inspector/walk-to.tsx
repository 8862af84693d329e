import { CopyButton } from "../../parts/copy.tsx";

/** Words to send to whoever stands at the rack. */
export function WalkTo({ text }: { readonly text: string }) {
  return (
    <div className="walk-to">
      <span>{text}</span>
      <CopyButton text={text} />
    </div>
  );
}
