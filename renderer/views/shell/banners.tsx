import { type ReactNode, useState } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { duration, useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { isOf } from "../measure/sweep-card.tsx";
import { managerStatus } from "../managers/manager-status.ts";
import { useWatchedFabric } from "../managers/use-watched-fabric.ts";
import { stepGlyph } from "../tasks/task-words.ts";
import { captureTime } from "./fabric-words.ts";
import "./banners.css";

function Banner({
  tone,
  title,
  children,
  actions,
  onDismiss,
}: {
  readonly tone: "error" | "warning" | "note";
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly onDismiss?: () => void;
}) {
  return (
    <div className={`banner banner-${tone}`}>
      <HealthGlyph health={tone} size={15} />
      <p>
        <strong>{title}</strong> {children}
      </p>
      {actions}
      {onDismiss === undefined ? null : <IconButton icon="close" label="Dismiss" size={14} onClick={onDismiss} />}
    </div>
  );
}

function CollectedSteps({ view, onClose }: { readonly view: FabricView; readonly onClose: () => void }) {
  return (
    <Modal
      title="What was collected"
      width={560}
      reading
      onClose={onClose}
      footer={
        <Button kind="plain" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className="banner-steps">
        {view.capture.steps.map((step) => (
          <li key={step.id}>
            <HealthGlyph health={stepGlyph(step.state)} size={14} />
            <span>{step.title}</span>
            <span className="banner-steps-time">{step.ms > 0 ? duration(step.ms) : ""}</span>
            {step.note === "" ? null : (
              <span className={step.state === "failed" ? "banner-steps-failed" : "banner-steps-note"}>{step.note}</span>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function partialTitle(view: FabricView): string {
  const { steps } = view.capture;
  const failed = steps.filter((step) => step.state === "failed");
  if (failed.length === 0) return "Something may be missing.";
  return `${failed.length} of ${steps.length} steps failed: ${failed.map((step) => step.title).join(", ")}.`;
}

/** Nobody answered sminfo, and that is all that failed: the banner about the master says it already. */
function onlyManagersFailed(view: FabricView): boolean {
  const failed = view.capture.steps.filter((step) => step.state === "failed");
  return failed.length > 0 && failed.every((step) => step.id === "sminfo");
}

/** States that concern the whole window, above the view, only while they last. */
export function Banners({ view, onShowFailure }: { readonly view: FabricView; readonly onShowFailure: () => void }) {
  const show = useUi((state) => state.show);
  const here = useUi((state) => state.view);
  const connection = useFabric((state) => state.connection);
  const failure = useFabric((state) => state.failure);
  const loading = useFabric((state) => state.loading !== undefined);
  const attempt = useFabric((state) => state.attempt);
  const collectAgain = useFabric((state) => state.collectAgain);
  const dismissFailure = useFabric((state) => state.dismissFailure);
  const [dismissed, setDismissed] = useState<string | undefined>(undefined);
  const [passed, setPassed] = useState<string | undefined>(undefined);
  const interrupted = useSweeps((state) =>
    state.sweeps.find((one) => one.state === "interrupted" && one.id !== passed && isOf(one, view)),
  );
  const [steps, setSteps] = useState(false);
  const now = useNow();
  const { capture } = view;
  const noMaster = managerStatus(useWatchedFabric(view) ?? view.fabric).kind === "none";
  return (
    <section className="banners" aria-label="Notices">
      {noMaster ? (
        <div role="alert">
          <Banner
            tone="error"
            title="No master answers."
            actions={
              here === "managers" ? undefined : (
                <Button kind="plain" size="small" onClick={() => show("managers")}>
                  Open SMs
                </Button>
              )
            }
          >
            Known routes keep working, nothing new comes up.
          </Banner>
        </div>
      ) : null}
      {connection === "lost" && !capture.simulated ? (
        <div role="alert">
          <Banner
            tone="warning"
            title={`Connection to ${capture.name} lost.`}
            actions={
              <Button kind="plain" size="small" disabled={loading} onClick={() => void collectAgain()}>
                Connect and collect again
              </Button>
            }
          >
            What you see was {captureTime(capture, now)}.
          </Banner>
        </div>
      ) : null}
      {failure === undefined ? null : (
        <Banner
          tone="error"
          title={`${explain(failure.error).title}.`}
          onDismiss={dismissFailure}
          actions={
            <>
              <Button kind="plain" size="small" onClick={onShowFailure}>
                Show
              </Button>
              <Button kind="plain" size="small" disabled={loading} onClick={() => void attempt(failure.attempt)}>
                Try again
              </Button>
            </>
          }
        >
          {explain(failure.error).sentence} {capture.name} stays open as it was.
        </Banner>
      )}
      {interrupted === undefined || here === "measure" ? null : (
        <Banner
          tone="note"
          title={`The sweep of ${titleInside(interrupted.title)} is not finished.`}
          onDismiss={() => setPassed(interrupted.id)}
          actions={
            <Button
              kind="plain"
              size="small"
              onClick={() => {
                useSweeps.getState().show(interrupted.id);
                show("measure");
              }}
            >
              Show
            </Button>
          }
        >
          The program ended after {interrupted.done} of {interrupted.total} links. It can go on from there.
        </Banner>
      )}
      {capture.partial && dismissed !== view.fabricId && !(noMaster && onlyManagersFailed(view)) ? (
        <Banner
          tone="warning"
          title={partialTitle(view)}
          onDismiss={() => setDismissed(view.fabricId)}
          actions={
            capture.steps.length > 0 ? (
              <Button kind="plain" size="small" onClick={() => setSteps(true)}>
                Show
              </Button>
            ) : view.diagnostics.length === 0 ? undefined : (
              <Button
                kind="plain"
                size="small"
                onClick={() => {
                  useUi.getState().setFindingsTab("remarks");
                  show("findings");
                }}
              >
                Show the remarks
              </Button>
            )
          }
        >
          The picture holds what was collected.
        </Banner>
      ) : null}
      {steps ? <CollectedSteps view={view} onClose={() => setSteps(false)} /> : null}
    </section>
  );
}
