import { useMemo } from "react";
import type { Finding } from "../../../shared/analyse/results.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  linkId,
  nodeDescription,
  nodeGuid,
  peerPort,
  portName,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import { count } from "../../../shared/base/text.ts";
import { formatGuid, guidFromBigint } from "../../../shared/base/guid.ts";
import { none } from "../../../shared/fabric/model.ts";
import { formatRate } from "../../../shared/fabric/rates.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/section.tsx";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useObjectActions } from "../shell/object-actions.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { portStateText } from "../links/link-rows.ts";
import { percentText, rateNumber } from "../measure/words.ts";
import { BothEnds } from "./both-ends.tsx";
import { FindingList } from "./finding-list.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { hostText } from "./inspector-text.ts";
import { linkRate, type TagText } from "./link-facts.ts";
import { hexId, hostHealth, vendorText } from "./node-facts.ts";
import { sweepButtons } from "./object-buttons.tsx";

/** A machine with all its adapters, their ports and cables. */
export function HostInspector({
  view,
  host,
  controls,
}: {
  readonly view: FabricView;
  readonly host: number;
  readonly controls: HeadControls;
}) {
  const { fabric, analysis } = view;
  const adapters = adaptersOfHost(fabric, host);
  const ports = adapters.flatMap((node) => portsOfNode(fabric, node));
  const links = ports.map((port) => at(fabric.ports.link, port)).filter((link) => link !== none);
  const { capability } = analysis;
  const index = findingIndex(fabric, analysis);
  const findings = [...new Set(adapters.flatMap((node): readonly Finding[] => index.byNode.get(node) ?? []))];
  const firstPeer = ports.map((port) => peerPort(fabric, port)).find((peer) => peer !== undefined);
  const managers = fabric.subnetManagers.filter((entry) => entry.node !== undefined && adapters.includes(entry.node));
  const slow = links.find((link) => {
    const { lanes, speed } = linkRate(fabric, link);
    return at(capability.lanes, link) > lanes || at(capability.speed, link) > speed;
  });
  const tags: TagText[] = [
    { text: "Host", tone: "plain" },
    { text: `${count(adapters.length, "HCA")}, ${count(ports.length, "port")}`, tone: "plain" },
    ...managers.map((entry): TagText => ({ text: `SM ${entry.state}, priority ${entry.priority}`, tone: "note" })),
    ...(slow === undefined ? [] : [{ text: "Below capability", tone: "warning" } as const]),
  ];
  const target = useMemo(() => ({ kind: "host", host }) as const, [host]);
  const actions = useObjectActions(view, target);
  const measure = actions.find(({ id }) => id === "measure");
  return (
    <>
      <Head
        health={hostHealth(fabric, analysis, host)}
        title={
          <>
            {hostName(fabric, host)}
            {firstPeer === undefined ? null : (
              <span className="inspector-to"> host on {portName(fabric, firstPeer)}</span>
            )}
          </>
        }
        tags={tags}
        actions={
          measure === undefined ? (
            sweepButtons(actions)
          ) : (
            <Button
              kind={measure.reason === undefined ? "primary" : "plain"}
              size="small"
              icon={measure.icon}
              disabled={measure.reason !== undefined}
              {...(measure.reason === undefined ? {} : { title: measure.reason })}
              onClick={measure.run}
            >
              {measure.title}
            </Button>
          )
        }
        copyText={() => hostText(view, host)}
        controls={controls}
      />
      <div className="inspector-body">
        <FindingList id="host-findings" findings={findings} named={links.length > 1} />
        {adapters.map((node, position) => (
          <Adapter key={node} view={view} node={node} position={position} />
        ))}
      </div>
    </>
  );
}

function Adapter({
  view,
  node,
  position,
}: {
  readonly view: FabricView;
  readonly node: number;
  readonly position: number;
}) {
  const { fabric } = view;
  const system = fabric.nodes.systemGuid[node] ?? 0n;
  const ports = portsOfNode(fabric, node);
  const device = nodeDescription(fabric, node)
    .split(/\s+/)
    .slice(1)
    .find((word) => /_\d+$/.test(word));
  return (
    <>
      <Section
        id={`host-hca-${position}`}
        title={`HCA ${device ?? String(position + 1)}`}
        aside={vendorText(at(fabric.nodes.vendorId, node))}
      >
        <Facts
          rows={[
            { label: "Node GUID", value: <span className="mono">{nodeGuid(fabric, node)}</span> },
            {
              label: "System image",
              value: system === 0n ? "" : <span className="mono">{formatGuid(guidFromBigint(system))}</span>,
            },
            { label: "Description", value: <span className="mono">{nodeDescription(fabric, node)}</span> },
            { label: "Device id", value: hexId(at(fabric.nodes.deviceId, node)) },
          ]}
        />
      </Section>
      {ports.map((port) => (
        <AdapterPort key={port} view={view} port={port} position={position} />
      ))}
    </>
  );
}

function AdapterPort({
  view,
  port,
  position,
}: {
  readonly view: FabricView;
  readonly port: number;
  readonly position: number;
}) {
  const { fabric, analysis } = view;
  const select = useSelection((state) => state.select);
  const latest = useMeasure((state) => state.latest);
  const link = at(fabric.ports.link, port);
  const peer = peerPort(fabric, port);
  const number = at(fabric.ports.number, port);
  const { capability } = analysis;
  if (link === none || peer === undefined) {
    return (
      <Section id={`host-port-${position}-${number}`} title={`Port ${number}`}>
        <Facts
          rows={[
            { label: "State", value: portStateText(fabric, port) },
            { label: "Cable", value: "none seen" },
          ]}
        />
      </Section>
    );
  }
  const { lanes, speed } = linkRate(fabric, link);
  const summary = latest.get(linkId(fabric, link));
  return (
    <>
      <Section
        id={`host-link-${position}-${number}`}
        title={`Port ${number}`}
        aside={
          <button type="button" className="text-link" onClick={() => select({ kind: "link", link }, { fly: true })}>
            Show the link
          </button>
        }
      >
        <Facts
          rows={[
            { label: "Cable to", value: portName(fabric, peer) },
            { label: "Rate", value: lanes === 0 && speed === 0 ? "" : formatRate(lanes, speed) },
            {
              label: "Measured",
              value:
                summary === undefined || summary.bandwidthGbps === null
                  ? "not measured"
                  : `${rateNumber(summary.bandwidthGbps)} Gb/s${summary.percent === null ? "" : `, ${percentText(summary.percent)}`}`,
            },
          ]}
        />
      </Section>
      <BothEnds
        view={view}
        a={port}
        b={peer}
        wanted={{
          lanes: Math.max(lanes, at(capability.lanes, link)),
          speed: Math.max(speed, at(capability.speed, link)),
        }}
        id={`host-ends-${position}-${number}`}
        title={`Port ${number}, both ends`}
      />
    </>
  );
}
