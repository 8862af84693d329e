import { useMemo } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import type { Finding } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { nodeName } from "../../../shared/fabric/access.ts";
import { Facts } from "../../parts/facts.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import { type BlockSelection, useSelection } from "../../state/selection-store.ts";
import { selectionOf } from "../findings/finding-index.ts";
import { useObjectActions } from "../shell/object-actions.ts";
import { blockFacts, type Neighbour } from "./block-facts.ts";
import { Exceptions } from "./exceptions.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { blockText } from "./inspector-text.ts";
import { actionButtons } from "./object-buttons.tsx";

/** Lines of a list at most; the tables have all. */
const mostListed = 40;

/** A pod, a group or a plane of the core. */
export function BlockInspector({
  view,
  target,
  controls,
}: {
  readonly view: FabricView;
  readonly target: BlockSelection;
  readonly controls: HeadControls;
}) {
  const facts = useMemo(() => blockFacts(view, target), [view, target]);
  const actions = useObjectActions(view, target);
  const outwards =
    target.kind === "plane" ? "Links to pods" : facts.word === "Group" ? "Links to other groups" : "Links out of it";
  return (
    <>
      <Head
        health={facts.health}
        title={facts.name}
        tags={[
          { text: facts.word, tone: "plain" },
          { text: facts.size, tone: "plain" },
        ]}
        actions={actionButtons(actions, ["fold", "alone", "list", "sweep-uplinks-of", "fly"])}
        copyText={() => blockText(view, target)}
        controls={controls}
      />
      <div className="inspector-body">
        <FindingLines view={view} id="block-findings" title="Findings in it" findings={facts.findings} />
        <FindingLines view={view} id="block-findings-out" title="Findings on links out" findings={facts.findingsOut} />
        {facts.exceptions.length === 0 ? null : (
          <Section id="block-exceptions" title="Exceptions of the shape" aside={groupDigits(facts.exceptions.length)}>
            <Exceptions view={view} exceptions={facts.exceptions} />
          </Section>
        )}
        <Section id="block-cabling" title="Cabling">
          <Facts
            rows={[
              ...facts.rows,
              ...(facts.rates.length === 0
                ? []
                : [
                    {
                      label: "Rates inside",
                      value: facts.rates.map(({ label, links }) => `${groupDigits(links)} × ${label}`).join(", "),
                    },
                  ]),
            ]}
          />
        </Section>
        <Neighbours title={outwards} neighbours={facts.neighbours} />
        {target.kind === "plane" ? <Switches view={view} switches={facts.switches} /> : null}
      </div>
    </>
  );
}

/** Findings in one line each; a click goes to what it is about, which tells the rest. */
function FindingLines({
  view,
  id,
  title,
  findings,
}: {
  readonly view: FabricView;
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}) {
  const select = useSelection((state) => state.select);
  if (findings.length === 0) return null;
  return (
    <Section id={id} title={title} aside={groupDigits(findings.length)}>
      {findings.slice(0, mostListed).map((finding) => (
        <div className="evidence" key={finding.id}>
          <HealthGlyph health={finding.severity} size={12} />
          <span>
            <button
              type="button"
              className="text-link text-link-plain"
              onClick={() => select(selectionOf(finding.subject, view.fabric, view.analysis), { fly: true })}
            >
              {finding.subject.name}
            </button>
            <span className="evidence-why">{finding.title}</span>
          </span>
        </div>
      ))}
      <More number={findings.length} where="the Findings view" />
    </Section>
  );
}

function Neighbours({ title, neighbours }: { readonly title: string; readonly neighbours: readonly Neighbour[] }) {
  const select = useSelection((state) => state.select);
  const links = neighbours.reduce((sum, neighbour) => sum + neighbour.links, 0);
  if (neighbours.length === 0) return null;
  return (
    <Section id="block-neighbours" title={title} aside={groupDigits(links)}>
      {neighbours.slice(0, mostListed).map(({ selection, name, health, remark, links: number }) => (
        <div className="evidence" key={JSON.stringify(selection)}>
          <HealthGlyph health={health} size={12} />
          <span>
            <button
              type="button"
              className="text-link text-link-plain"
              onClick={() => select(selection, { fly: true })}
            >
              {name}
            </button>
            {remark === "" ? null : <span className="evidence-why">{remark}</span>}
          </span>
          <span className="evidence-end">{groupDigits(number)}</span>
        </div>
      ))}
      <More number={neighbours.length} where="the Links table" />
    </Section>
  );
}

function Switches({ view, switches }: { readonly view: FabricView; readonly switches: readonly number[] }) {
  const select = useSelection((state) => state.select);
  return (
    <Section id="block-switches" title="Core switches" aside={groupDigits(switches.length)}>
      {switches.slice(0, mostListed).map((node) => (
        <div className="evidence" key={node}>
          <button
            type="button"
            className="text-link text-link-plain"
            onClick={() => select({ kind: "node", node }, { fly: true })}
          >
            {nodeName(view.fabric, node)}
          </button>
        </div>
      ))}
      <More number={switches.length} where="the Nodes table" />
    </Section>
  );
}

function More({ number, where }: { readonly number: number; readonly where: string }) {
  return number <= mostListed ? null : (
    <p className="quiet-words">
      and {groupDigits(number - mostListed)} more, all in {where}.
    </p>
  );
}
