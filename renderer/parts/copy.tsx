import { createContext, useContext, useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** Puts text on the clipboard. The window hands in its own way at the root; resolves to false when it did not work. */
export type CopyText = (text: string) => Promise<boolean>;

export const CopyContext = createContext<CopyText>(async (text) => {
  await navigator.clipboard.writeText(text);
  return true;
});

/** "Copy", which says "Copied" for a moment when it has worked. */
export function CopyButton({
  text,
  label = "Copy",
  kind = "ghost",
}: {
  readonly text: string | (() => string);
  readonly label?: string;
  readonly kind?: "ghost" | "plain";
}) {
  const copy = useContext(CopyContext);
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const run = (): void => {
    void copy(typeof text === "string" ? text : text()).then((worked) => setState(worked ? "copied" : "failed"));
  };
  return (
    <Button kind={kind} size="small" icon={state === "copied" ? "check" : "copy"} onClick={run}>
      <span aria-live="polite">{state === "copied" ? "Copied" : state === "failed" ? "Not copied" : label}</span>
    </Button>
  );
}
