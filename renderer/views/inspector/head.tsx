import { type ReactNode, useContext } from "react";
import { IconButton } from "../../parts/button.tsx";
import { CopyContext } from "../../parts/copy.tsx";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { Tag } from "../../parts/tag.tsx";
import { useUi } from "../../state/ui-store.ts";
import type { TagText } from "./link-facts.ts";

/** What every inspector gives its head: pin and close are the same everywhere. */
export interface HeadControls {
  readonly pinned: boolean;
  /** Undefined: nothing is selected, so there is nothing to pin or to close. */
  readonly onPin: (() => void) | undefined;
  readonly onClose: (() => void) | undefined;
}

/** Head of the inspector: glyph, title, tags, actions. `copyText` is what Copy puts on the clipboard. */
export function Head({
  health,
  title,
  tags,
  actions,
  copyText,
  controls,
}: {
  readonly health: GlyphKind;
  readonly title: ReactNode;
  readonly tags: readonly TagText[];
  readonly actions?: ReactNode;
  readonly copyText: () => string;
  readonly controls: HeadControls;
}) {
  const copy = useContext(CopyContext);
  const toast = useUi((state) => state.toast);
  const onCopy = (): void => {
    void copy(copyText()).then((worked) =>
      toast(worked ? { kind: "done", text: "Copied as text." } : { kind: "error", text: "Not copied." }),
    );
  };
  const copyButton = <IconButton icon="copy" label="Copy as text" onClick={onCopy} />;
  return (
    <div className="inspector-head">
      <div className="inspector-title">
        <HealthGlyph health={health} size={15} />
        <h2>{title}</h2>
        {actions === undefined ? copyButton : null}
        {controls.onPin === undefined ? null : (
          <IconButton
            icon="pin"
            label="Keep this while clicking on"
            pressed={controls.pinned}
            onClick={controls.onPin}
          />
        )}
        {controls.onClose === undefined ? null : <IconButton icon="close" label="Close" onClick={controls.onClose} />}
      </div>
      <div className="inspector-tags">
        {tags.map((tag) => (
          <Tag key={tag.text} tone={tag.tone}>
            {tag.text}
          </Tag>
        ))}
      </div>
      {actions === undefined ? null : (
        <div className="inspector-actions">
          {actions}
          <span className="inspector-actions-end">{copyButton}</span>
        </div>
      )}
    </div>
  );
}
