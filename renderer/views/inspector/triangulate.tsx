import type { TriangulationView } from "../../../shared/contract/requests.ts";
import type { Measurement, Triangulation } from "../../../shared/measure/types.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import { duration } from "../../parts/time.ts";
import { useTasks } from "../../state/task-store.ts";
import { useTriangulate } from "../../state/triangulate-store.ts";
import { stepGlyph } from "./running.tsx";
import "./triangulate.css";

const sectionId = "link-triangulate";
const title = "Node, link or route?";

/** For a low result: who is to blame, found with third and fourth hosts. Null where nothing is low. */
export function Triangulate({ fabricId, record }: { readonly fabricId: string; readonly record: Measurement }) {
  const { of, plan, planning, error, taskId, results } = useTriangulate();
  const ask = useTriangulate((state) => state.ask);
  const close = useTriangulate((state) => state.close);
  const run = useTriangulate((state) => state.run);
  const task = useTasks((state) => state.tasks.find(({ id }) => id === taskId));
  const known = record.triangulation ?? results[record.id];
  const isLow = record.verdict.level === "slow" || record.verdict.level === "bad";
  const mine = of === record.id;
  if (known !== undefined) {
    return (
      <Section id={sectionId} title={title} aside={`${known.tests.length} pairs`}>
        <Answer answer={known} />
      </Section>
    );
  }
  if (!isLow) return null;
  if (mine && task?.state === "running") {
    return (
      <Section id={sectionId} title={title} aside="measuring">
        <div className="steps" role="status">
          {(task.progress?.steps ?? []).map((step) => (
            <div className="step" key={step.id}>
              <HealthGlyph health={stepGlyph[step.state]} size={13} />
              <span className={`step-${step.state}`} title={step.note}>
                {step.title}
                {step.state === "running" && step.note !== "" ? <em>{step.note}</em> : null}
              </span>
              <span className="step-time">{step.state === "waiting" || step.ms === 0 ? "" : duration(step.ms)}</span>
            </div>
          ))}
        </div>
        <Button kind="plain" size="small" icon="stop" onClick={task.cancel}>
          Cancel
        </Button>
      </Section>
    );
  }
  return (
    <Section id={sectionId} title={title}>
      {mine && error !== undefined ? <ErrorBox error={error} /> : null}
      {mine && plan !== undefined ? (
        <Plan plan={plan} onStart={() => void run(record)} onCancel={close} />
      ) : (
        <>
          <p className="quiet-words">
            Other pairs that share only the client, only the server or only the link with this one tell which of them is
            slow.
          </p>
          <Button
            kind="plain"
            size="small"
            icon="measure"
            disabled={planning && mine}
            onClick={() => void ask(fabricId, record.id)}
          >
            {planning && mine ? "Looking for pairs" : "Find out with other hosts"}
          </Button>
        </>
      )}
    </Section>
  );
}

/** What is going to be loaded, and for how long; nothing runs before it is started here. */
function Plan({
  plan,
  onStart,
  onCancel,
}: {
  readonly plan: TriangulationView;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}) {
  const hosts = [...new Set(plan.tests.flatMap(({ clientHost, serverHost }) => [clientHost, serverHost]))];
  return (
    <>
      <Callout tone="warning">
        <strong className="inline-strong">
          This fills the links of {hosts.slice(0, -1).join(", ")} and {hosts.at(-1)}, pair by pair, for about{" "}
          {plan.seconds} s in all.
        </strong>{" "}
        Jobs that use them will feel it.
      </Callout>
      <ol className="triangle-tests">
        {plan.tests.map(({ role, text, seconds }) => (
          <li key={role}>
            <span>{text}</span>
            <span className="step-time">{seconds} s</span>
          </li>
        ))}
      </ol>
      {plan.missing.map((reason) => (
        <p className="quiet-words" key={reason}>
          Not tried: {reason}
        </p>
      ))}
      <div className="triangle-actions">
        <Button kind="primary" size="small" icon="play" onClick={onStart}>
          Start, about {plan.seconds} s
        </Button>
        <Button kind="plain" size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}

function Answer({ answer }: { readonly answer: Triangulation }) {
  const told = !answer.blames.includes("unclear");
  return (
    <Callout tone={told ? (answer.blames.includes("passed") ? "ok" : "error") : "note"}>
      <p>
        <strong className="inline-strong">{answer.sentence}</strong>
      </p>
      <ul className="triangle-why">
        {answer.why.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {answer.next.length === 0 ? null : (
        <ol className="next-steps">
          {answer.next.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </Callout>
  );
}
