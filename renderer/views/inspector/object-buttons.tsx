import type { ReactNode } from "react";
import { Button } from "../../parts/button.tsx";
import type { ObjectAction } from "../shell/object-actions.ts";

const sweeps: readonly ObjectAction["id"][] = ["sweep-host-links-of", "sweep-links-of", "sweep-uplinks-of"];

/** Buttons of a list of actions that measure many cables at once; the plan is shown first. Undefined when there are none. */
export function sweepButtons(actions: readonly ObjectAction[]): ReactNode {
  return actionButtons(actions, sweeps);
}

/** Buttons of some of a list of actions, in its order. Undefined when there are none. */
export function actionButtons(actions: readonly ObjectAction[], ids: readonly ObjectAction["id"][]): ReactNode {
  const chosen = actions.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) return undefined;
  return chosen.map(({ id, title, icon, reason, run }) => (
    <Button
      key={id}
      kind="plain"
      size="small"
      icon={icon}
      disabled={reason !== undefined}
      title={reason ?? (sweeps.includes(id) ? "Shows the plan first" : title)}
      onClick={run}
    >
      {title}
    </Button>
  ));
}
