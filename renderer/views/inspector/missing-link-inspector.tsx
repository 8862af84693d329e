import type { MissingLink } from "../../../shared/analyse/results.ts";
import { portName } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { Section } from "../../parts/section.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { portStateText } from "../links/link-rows.ts";
import { BothEnds } from "./both-ends.tsx";
import { FindingList } from "./finding-list.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { missingLinkText } from "./inspector-text.ts";
import { walkText } from "./link-facts.ts";
import { WalkTo } from "./walk-to.tsx";

/** A cable that belongs here by the pattern of the others and is not up. */
export function MissingLinkInspector({
  view,
  missing,
  controls,
}: {
  readonly view: FabricView;
  readonly missing: MissingLink;
  readonly controls: HeadControls;
}) {
  const { fabric, analysis } = view;
  const connection = useFabric((state) => state.connection);
  const collectAgain = useFabric((state) => state.collectAgain);
  const position = analysis.missingLinks.indexOf(missing);
  const findings = findingIndex(fabric, analysis).byMissing.get(position) ?? [];
  return (
    <>
      <Head
        health="down"
        title={
          <>
            {portName(fabric, missing.a)} <span className="inspector-to">to</span> {portName(fabric, missing.b)}
          </>
        }
        tags={[
          { text: "Inter-switch", tone: "plain" },
          { text: portStateText(fabric, missing.a, true), tone: "error" },
        ]}
        actions={
          <>
            <Button kind="plain" size="small" icon="measure" disabled title="The link is down, nothing can cross it.">
              Measure
            </Button>
            {connection === "connected" ? (
              <Button kind="plain" size="small" icon="refresh" onClick={() => void collectAgain()}>
                Collect again
              </Button>
            ) : null}
          </>
        }
        copyText={() => missingLinkText(view, missing)}
        controls={controls}
      />
      <div className="inspector-body">
        <Section id="missing-cannot" title="Cannot be measured">
          <Callout tone="error">
            <p>
              <strong className="inline-strong">The link is down, nothing can cross it.</strong> {missing.reason}
            </p>
          </Callout>
          <WalkTo text={walkText(fabric, missing.a, missing.b)} />
        </Section>
        <BothEnds view={view} a={missing.a} b={missing.b} wanted={{ lanes: 0, speed: 0 }} />
        <FindingList id="missing-findings" findings={findings} />
      </div>
    </>
  );
}
