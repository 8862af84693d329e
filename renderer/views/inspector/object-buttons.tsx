import type { ReactNode } from "react";
import { Button } from "../../parts/button.tsx";
import type { ObjectAction } from "../shell/object-actions.ts";

/** Buttons of a list of actions that measure many cables at once; the plan is shown first. Undefined when there are none. */
export function sweepButtons(actions: readonly ObjectAction[]): ReactNode {
  const sweeps = actions.filter(({ id }) => id === "sweep-host-links-of" || id === "sweep-links-of");
  if (sweeps.length === 0) return undefined;
  return sweeps.map(({ id, title, icon, reason, run }) => (
    <Button
      key={id}
      kind="plain"
      size="small"
      icon={icon}
      disabled={reason !== undefined}
      title={reason ?? "Shows the plan first"}
      onClick={run}
    >
      {title}
    </Button>
  ));
}
