import { healths } from "../../../shared/analyse/results.ts";
import { at, linkIsActive, nodeName, peerPort, portsOfNode } from "../../../shared/fabric/access.ts";
import { none } from "../../../shared/fabric/model.ts";
import { formatRate } from "../../../shared/fabric/rates.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { missingLinkOfPort } from "../findings/finding-index.ts";
import { portStateText } from "../links/link-rows.ts";
import { linkRate } from "./link-facts.ts";

/** Cabled ports of a node with what is at the far end; a click selects the cable. */
export function PortList({ view, node }: { readonly view: FabricView; readonly node: number }) {
  const { fabric, analysis } = view;
  const select = useSelection((state) => state.select);
  const rows = portsOfNode(fabric, node).flatMap((port) => {
    const link = at(fabric.ports.link, port);
    const number = at(fabric.ports.number, port);
    if (link === none) {
      const missing = missingLinkOfPort(analysis, port);
      const entry = missing === undefined ? undefined : analysis.missingLinks[missing];
      if (missing === undefined || entry === undefined) return [];
      const far = entry.a === port ? entry.b : entry.a;
      return [
        {
          number,
          health: "down" as const,
          far: `${nodeName(fabric, at(fabric.ports.node, far))}:${at(fabric.ports.number, far)}`,
          words: portStateText(fabric, port, true),
          go: () => select({ kind: "missing-link", missing }, { fly: true }),
        },
      ];
    }
    const peer = peerPort(fabric, port);
    const { lanes, speed } = linkRate(fabric, link);
    return [
      {
        number,
        health: healths[at(analysis.linkHealth, link)] ?? ("unknown" as const),
        far:
          peer === undefined ? "" : `${nodeName(fabric, at(fabric.ports.node, peer))}:${at(fabric.ports.number, peer)}`,
        words: linkIsActive(fabric, link)
          ? lanes === 0 && speed === 0
            ? "rate not known"
            : formatRate(lanes, speed)
          : portStateText(fabric, port),
        go: () => select({ kind: "link", link }, { fly: true }),
      },
    ];
  });
  if (rows.length === 0) return <p className="quiet-words">No cable.</p>;
  return (
    <div className="port-list">
      {rows.map((row) => (
        <button type="button" className="port-row" key={row.number} onClick={row.go}>
          <HealthGlyph health={row.health} size={12} />
          <span className="port-number">{row.number}</span>
          <span className="port-far">{row.far}</span>
          <span className="port-words">{row.words}</span>
        </button>
      ))}
    </div>
  );
}
