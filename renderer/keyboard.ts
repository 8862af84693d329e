/** Keys of the window: how a combination is written, when it counts, and who gets it. */

const apple = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** What a keyboard event must tell; a part of KeyboardEvent, so that tests need no DOM. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * True when the event is the combination, written as `Ctrl K`, `Ctrl Shift C`, `Shift G`, `G`, `?`, `F6`.
 * Ctrl is Cmd on macOS. For signs that need Shift on some keyboards (`?`, `+`) Shift does not count.
 */
export function matchesKeys(event: KeyPress, keys: string, onApple = apple): boolean {
  const parts = keys.split(" ");
  const key = parts.at(-1) ?? "";
  const control = onApple ? event.metaKey : event.ctrlKey;
  const other = onApple ? event.ctrlKey : event.metaKey;
  if (control !== parts.includes("Ctrl") || other || event.altKey) return false;
  const letterOrNamed = /^[a-z0-9]$/i.test(key) || key.length > 1;
  if (letterOrNamed && event.shiftKey !== parts.includes("Shift")) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}

/** True when the keys have a modifier, so that they also work while a field has the focus; copying there is the field's own. */
export function worksInFields(keys: string): boolean {
  return (keys.startsWith("Ctrl ") && keys !== "Ctrl C") || /^(Shift )?F\d+$/.test(keys);
}

/** True when typing goes into this element, so that single letters belong to it. */
function isField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
    return true;
  }
  return element instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(element.type);
}

/** Something that keys can do. `run` returns false when it did not apply, and the key goes on. */
export interface KeyBinding {
  readonly keys: readonly string[];
  readonly run: () => boolean | undefined;
}

/**
 * Listens on the window until the returned function is called. A dialogue that is open keeps all keys for itself:
 * only combinations with a modifier reach the bindings that `inDialog` lets through.
 */
export function installKeyboard(bindings: () => readonly KeyBinding[]): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("[role='dialog']:not([data-passive])") !== null && event.key !== "Escape") return;
    const field = isField(event.target);
    const menu = event.target instanceof HTMLElement && event.target.closest("[role='menu']") !== null;
    if (menu) return;
    for (const binding of bindings()) {
      for (const keys of binding.keys) {
        if (!matchesKeys(event, keys) || (field && !worksInFields(keys))) continue;
        if (binding.run() === false) continue;
        event.preventDefault();
        return;
      }
    }
  };
  window.addEventListener("keydown", listener);
  return () => window.removeEventListener("keydown", listener);
}

/** Moves the focus to the next landmark of the window (elements with `data-region`), or to the one before. */
export function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
    (region) => region.offsetParent !== null || region.getClientRects().length > 0,
  );
  if (regions.length === 0) return;
  // A region may lie within another: the innermost is where the focus is.
  const around = regions.filter((region) => region.contains(document.activeElement));
  const innermost = around.at(-1);
  const here = innermost === undefined ? -1 : regions.indexOf(innermost);
  const next = regions[(here + step + regions.length) % regions.length];
  const target = next?.querySelector<HTMLElement>(
    "[tabindex='0'], button:not(:disabled), input:not(:disabled), select:not(:disabled), a[href]",
  );
  (target ?? next)?.focus();
}
