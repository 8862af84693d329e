import { topologyKinds, type Topology } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Section } from "../../parts/section.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { selectionOf } from "../findings/finding-index.ts";
import { overruleShape } from "../shell/actions.ts";
import { kindWords } from "./shape-facts.ts";

/** Exceptions shown at once; a fabric that was called what it is not has thousands. */
const mostExceptions = 50;

/** Why the fabric is taken for what it is, what does not fit, and the way to say that it is something else. */
export function WhyThisShape({ view }: { readonly view: FabricView }) {
  const { fabric, analysis } = view;
  const { topology } = analysis;
  const select = useSelection((state) => state.select);
  const hidden = topology.exceptions.length - mostExceptions;
  return (
    <Section id="fabric-why" title="Why, in numbers" aside={<ChooseShape topology={topology} />}>
      {topology.overruled ? (
        <div className="evidence">
          <HealthGlyph health="note" size={12} />
          <span>{kindWords[topology.kind]} because you chose it, for this fabric until it is closed.</span>
        </div>
      ) : null}
      {topology.evidence.map((sentence) => (
        <div className="evidence" key={sentence}>
          <HealthGlyph health={topology.kind === "irregular" || topology.overruled ? "note" : "ok"} size={12} />
          <span>{sentence}</span>
        </div>
      ))}
      {topology.exceptions.slice(0, mostExceptions).map((exception) => (
        <div className="evidence" key={`${exception.subject.name} ${exception.message}`}>
          <HealthGlyph health="warning" size={12} />
          <span>
            {exception.subject.kind === "fabric" ? (
              exception.message
            ) : (
              <>
                <button
                  type="button"
                  className="text-link"
                  onClick={() => select(selectionOf(exception.subject, fabric, analysis), { fly: true })}
                >
                  {exception.subject.name}
                </button>
                {exception.message.startsWith(exception.subject.name)
                  ? exception.message.slice(exception.subject.name.length)
                  : `: ${exception.message}`}
              </>
            )}
          </span>
        </div>
      ))}
      {hidden > 0 ? <p className="quiet-words">and {hidden} more exceptions.</p> : null}
    </Section>
  );
}

function ChooseShape({ topology }: { readonly topology: Topology }) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="text-link">
          Not right? Choose
        </button>
      }
      items={[
        { kind: "heading", id: "heading", label: "This fabric is" },
        {
          id: "automatic",
          label: "Found automatically",
          checked: !topology.overruled,
          onSelect: () => void overruleShape("automatic"),
        },
        ...topologyKinds.map((kind) => ({
          id: kind,
          label: kindWords[kind],
          checked: topology.overruled && topology.kind === kind,
          onSelect: () => void overruleShape(kind),
        })),
      ]}
    />
  );
}
