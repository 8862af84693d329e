import { topologyKinds, type Topology } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Section } from "../../parts/section.tsx";
import { overruleShape } from "../shell/actions.ts";
import { Exceptions } from "./exceptions.tsx";
import { kindWords } from "./shape-facts.ts";

/** Why the fabric is taken for what it is, what does not fit, and the way to say that it is something else. */
export function WhyThisShape({ view }: { readonly view: FabricView }) {
  const { topology } = view.analysis;
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
      <Exceptions view={view} exceptions={topology.exceptions} />
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
