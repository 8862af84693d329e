import { useMemo } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Facts } from "../../parts/facts.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { useObjectActions } from "../shell/object-actions.ts";
import { directorFacts, type Chip } from "./director-facts.ts";
import { FindingList } from "./finding-list.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { directorText } from "./inspector-text.ts";
import type { TagText } from "./link-facts.ts";
import { sweepButtons } from "./object-buttons.tsx";

/** Findings in full at most; a box of hundreds of chips can have thousands. */
const mostFindings = 25;

/** A director: one box of several switch chips that are cabled inside. */
export function DirectorInspector({
  view,
  director,
  controls,
}: {
  readonly view: FabricView;
  readonly director: number;
  readonly controls: HeadControls;
}) {
  const facts = useMemo(() => directorFacts(view, director), [view, director]);
  const target = useMemo(() => ({ kind: "director", director }) as const, [director]);
  const own = new Set(facts.chips.map(({ node }) => node));
  const managers = view.fabric.subnetManagers.filter(({ node }) => node !== undefined && own.has(node));
  const tags: TagText[] = [
    { text: "Director", tone: "plain" },
    { text: facts.boards, tone: "plain" },
    ...managers.map((entry): TagText => ({ text: `SM ${entry.state}, priority ${entry.priority}`, tone: "note" })),
  ];
  return (
    <>
      <Head
        health={facts.health}
        title={facts.name}
        tags={tags}
        actions={sweepButtons(useObjectActions(view, target))}
        copyText={() => directorText(view, director)}
        controls={controls}
      />
      <div className="inspector-body">
        <FindingList id="director-findings" findings={facts.findings.slice(0, mostFindings)} named />
        {facts.findings.length > mostFindings ? (
          <p className="inspector-more quiet-words">
            and {groupDigits(facts.findings.length - mostFindings)} more, all in the Findings view.
          </p>
        ) : null}
        <Section
          id="director-cabling"
          title="Cabling"
          aside={facts.hosts === 0 ? undefined : count(facts.hosts, "host")}
        >
          <Facts rows={facts.rows} />
        </Section>
        <Section id="director-chips" title="Chips" aside={facts.boards}>
          <Chips chips={facts.chips} />
          <p className="quiet-small director-hint">
            Space or a double-click on the box opens it chip by chip, and closes it again.
          </p>
        </Section>
        <Section id="director-identity" title="Identity">
          <Facts
            rows={[
              { label: "Name", value: facts.name },
              {
                label: "System image",
                value:
                  facts.systemGuid === "" ? "each chip has its own" : <span className="mono">{facts.systemGuid}</span>,
              },
            ]}
          />
        </Section>
      </div>
    </>
  );
}

/** The switches in the box; a click opens it and selects that one. */
function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  const select = useSelection((state) => state.select);
  return (
    <div className="port-list">
      {chips.map((chip) => (
        <button
          type="button"
          className="port-row chip-row"
          key={chip.node}
          title={chip.guid}
          onClick={() => select({ kind: "node", node: chip.node }, { fly: true })}
        >
          <HealthGlyph health={chip.health} size={12} />
          <span className="port-far">{chip.name}</span>
          <span className="port-words">{chip.word}</span>
          <span className="port-words">{chip.ports}</span>
        </button>
      ))}
    </div>
  );
}
