import { useMemo } from "react";
import { healths } from "../../../shared/analyse/results.ts";
import { at, nodeDescription, nodeGuid, nodeKind, nodeName } from "../../../shared/fabric/access.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { formatGuid, guidFromBigint } from "../../../shared/base/guid.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/section.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { useObjectActions } from "../shell/object-actions.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { FindingList } from "./finding-list.tsx";
import { FrontPanel } from "./front-panel.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { nodeText } from "./inspector-text.ts";
import { cablingOf, hexId, hostsBelow, nodeAndLinkHealth, nodeWord, portsText, vendorText } from "./node-facts.ts";
import { sweepButtons } from "./object-buttons.tsx";
import { PortList } from "./port-list.tsx";
import { blockName } from "./shape-facts.ts";

/** A switch, a router, a SHARP aggregation node, or an adapter without a host. */
export function NodeInspector({
  view,
  node,
  controls,
}: {
  readonly view: FabricView;
  readonly node: number;
  readonly controls: HeadControls;
}) {
  const { fabric, analysis } = view;
  const kind = nodeKind(fabric, node);
  const findings = findingIndex(fabric, analysis).byNode.get(node) ?? [];
  const lid = at(fabric.nodes.lid, node);
  const word = nodeWord(fabric, analysis, node);
  const cabling = cablingOf(fabric, analysis, node);
  const hosts = hostsBelow(fabric, node).size;
  const system = fabric.nodes.systemGuid[node] ?? 0n;
  const discovered = at(fabric.nodes.discovered, node) === 1;
  const manager = fabric.subnetManagers.find((entry) => entry.node === node);
  const block = blockName(analysis.topology, node);
  const director = analysis.topology.chassis.findIndex(({ switches }) => switches.includes(node));
  const select = useSelection((state) => state.select);
  const target = useMemo(() => ({ kind: "node", node }) as const, [node]);
  return (
    <>
      <Head
        health={healths[nodeAndLinkHealth(fabric, analysis, node)] ?? "unknown"}
        title={nodeName(fabric, node)}
        tags={[
          { text: word, tone: "plain" },
          ...(block === undefined ? [] : [{ text: block, tone: "plain" as const }]),
          ...(lid === 0 ? [] : [{ text: `LID ${lid}`, tone: "plain" as const }]),
          { text: portsText(fabric, node), tone: "plain" },
          ...(manager === undefined
            ? []
            : [{ text: `SM ${manager.state}, priority ${manager.priority}`, tone: "note" as const }]),
          ...(discovered ? [] : [{ text: "Known from its neighbours only", tone: "warning" as const }]),
        ]}
        actions={sweepButtons(useObjectActions(view, target))}
        copyText={() => nodeText(view, node)}
        controls={controls}
      />
      <div className="inspector-body">
        <FindingList id="node-findings" findings={findings} named />
        {kind === "switch" ? (
          <Section id="node-front" title="Front panel" aside={portsText(fabric, node)}>
            <FrontPanel view={view} node={node} />
          </Section>
        ) : null}
        {kind === "aggregation" ? (
          <Section id="node-about" title="What it is">
            <p className="quiet-words">
              A SHARP aggregation node: an adapter inside the switch that sums data on its way. It is no host and cannot
              be measured.
            </p>
          </Section>
        ) : null}
        {cabling.length === 0 ? null : (
          <Section id="node-cabling" title="Cabling" aside={hosts === 0 ? undefined : count(hosts, "host")}>
            <Facts
              rows={cabling.map((group) => ({
                label: group.label,
                value: `${count(group.links, "link")}, ${group.gbps >= 1000 ? groupDigits(group.gbps) : formatGbps(group.gbps)} Gb/s`,
              }))}
            />
          </Section>
        )}
        <Section id="node-identity" title="Identity">
          <Facts
            rows={[
              { label: "Description", value: <span className="mono">{nodeDescription(fabric, node)}</span> },
              { label: "Node GUID", value: <span className="mono">{nodeGuid(fabric, node)}</span> },
              {
                label: "System image",
                value: system === 0n ? "" : <span className="mono">{formatGuid(guidFromBigint(system))}</span>,
              },
              { label: "LID", value: lid === 0 ? "" : <span title={`0x${lid.toString(16)}`}>{lid}</span> },
              { label: "Vendor", value: vendorText(at(fabric.nodes.vendorId, node)) },
              { label: "Device id", value: hexId(at(fabric.nodes.deviceId, node)) },
              ...(block === undefined
                ? []
                : [
                    {
                      label: block.replace(/ \d+$/, ""),
                      value: (
                        <button
                          type="button"
                          className="text-link"
                          onClick={() =>
                            select({ kind: "block", block: at(analysis.topology.blockOfNode, node) }, { fly: true })
                          }
                        >
                          {block}
                        </button>
                      ),
                    },
                  ]),
              ...(director < 0
                ? []
                : [
                    {
                      label: "Director",
                      value: (
                        <button
                          type="button"
                          className="text-link"
                          onClick={() => select({ kind: "director", director }, { fly: true })}
                        >
                          {analysis.topology.chassis[director]?.name}
                        </button>
                      ),
                    },
                  ]),
            ]}
          />
        </Section>
        <Section id="node-ports" title="Ports and cables">
          <PortList view={view} node={node} />
        </Section>
      </div>
    </>
  );
}
