import type { SweepStatus } from "../../../shared/contract/sweeps.ts";
import { Button } from "../../parts/button.tsx";
import { useSweeps } from "../../state/sweep-store.ts";
import { sayIfWrong } from "./say-if-wrong.ts";

/** What can be done with a sweep that has not ended: pause or resume, and cancel. */
export function SweepButtons({ status }: { readonly status: Pick<SweepStatus, "id" | "state"> }) {
  const { pause, resume, cancel } = useSweeps.getState();
  const { id, state } = status;
  if (state !== "running" && state !== "paused") return null;
  return (
    <>
      {state === "running" ? (
        <Button kind="plain" size="small" icon="pause" onClick={() => sayIfWrong(pause(id))}>
          Pause
        </Button>
      ) : (
        <Button kind="primary" size="small" icon="play" onClick={() => sayIfWrong(resume(id))}>
          Resume
        </Button>
      )}
      <Button kind="plain" size="small" onClick={() => sayIfWrong(cancel(id))}>
        Cancel
      </Button>
    </>
  );
}
