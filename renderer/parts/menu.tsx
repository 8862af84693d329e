import type { ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { createPortal } from "react-dom";
import { HealthGlyph, type GlyphKind } from "./glyph.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Kbd } from "./kbd.tsx";
import "./menu.css";

export type MenuItem =
  | {
      readonly kind?: "item";
      readonly id: string;
      readonly label: ReactNode;
      /** Quiet words at the right. */
      readonly note?: ReactNode;
      readonly icon?: IconName;
      readonly glyph?: GlyphKind;
      readonly keys?: string;
      readonly disabled?: boolean;
      readonly checked?: boolean;
      readonly onSelect: () => void;
    }
  | { readonly kind: "heading"; readonly id: string; readonly label: string }
  | { readonly kind: "separator"; readonly id: string };

function Row({ item }: { readonly item: MenuItem }) {
  if (item.kind === "separator") return <DropdownMenu.Separator className="menu-separator" />;
  if (item.kind === "heading") return <DropdownMenu.Label className="menu-heading">{item.label}</DropdownMenu.Label>;
  const content = (
    <>
      <span className="menu-icon">
        {item.glyph !== undefined ? (
          <HealthGlyph health={item.glyph} size={13} />
        ) : item.icon !== undefined ? (
          <Icon name={item.icon} size={16} />
        ) : item.checked === true ? (
          <Icon name="check" size={14} />
        ) : null}
      </span>
      <span className="menu-label">{item.label}</span>
      {item.note === undefined ? null : <span className="menu-note">{item.note}</span>}
      {item.keys === undefined ? null : <Kbd keys={item.keys} />}
    </>
  );
  const common = { className: "menu-item", onSelect: item.onSelect, disabled: item.disabled === true };
  return item.checked === undefined ? (
    <DropdownMenu.Item {...common}>{content}</DropdownMenu.Item>
  ) : (
    <DropdownMenu.CheckboxItem {...common} checked={item.checked}>
      {content}
    </DropdownMenu.CheckboxItem>
  );
}

/** A point of the page, px. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * The menu of a thing that is no element: at a point of the page, open as long as it is shown. The library's own context
 * menu opens only by a right click on an element, and before anybody can have said what lies under the pointer.
 * @param onClose it was left or something was chosen; the focus is then where the caller puts it
 */
export function PointMenu({
  at,
  label,
  items,
  onClose,
}: {
  readonly at: MenuPoint;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}) {
  return (
    <DropdownMenu.Root modal={false} open onOpenChange={(open) => (open ? undefined : onClose())}>
      {/* On the page itself: within a contained part of the window a fixed place counts from that part. */}
      {createPortal(
        <DropdownMenu.Trigger asChild>
          <span className="menu-point" aria-hidden="true" style={{ left: at.x, top: at.y }} />
        </DropdownMenu.Trigger>,
        document.body,
      )}
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          aria-labelledby={undefined}
          aria-label={label}
          align="start"
          sideOffset={2}
          collisionPadding={8}
          loop
          onContextMenu={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Rows items={items} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Rows({ items }: { readonly items: readonly MenuItem[] | (() => readonly MenuItem[]) }) {
  return (typeof items === "function" ? items() : items).map((item) => <Row key={item.id} item={item} />);
}

/**
 * A menu that opens under its trigger (one focusable element); arrows, type-ahead and Esc as everywhere.
 * @param items a function when they cost something: asked only when the menu opens
 */
export function Menu({
  trigger,
  items,
  align = "start",
}: {
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[] | (() => readonly MenuItem[]);
  readonly align?: "start" | "center" | "end";
}) {
  // Not modal: the modal kind locks scrolling through an injected <style>, which the window's CSP refuses.
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8} loop>
          <Rows items={items} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
