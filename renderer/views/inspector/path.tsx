import { Fragment } from "react";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import type { MeasurePlan, PathHop } from "../../../shared/measure/types.ts";
import { Section } from "../../parts/section.tsx";

/** How sure it is that the traffic takes this path. */
export function basisText(basis: MeasurePlan["basis"], host: string): string {
  return basis === "host-link" ? `every route of ${host} crosses it` : "by shortest path, not proven";
}

/** The path hop by hop, from the client to the server; the measured cable is marked. */
export function Path({
  path,
  link,
  basis,
  host,
}: {
  readonly path: readonly PathHop[];
  readonly link: LinkId;
  readonly basis: MeasurePlan["basis"];
  /** Host whose only cable it is, for a host link. */
  readonly host: string;
}) {
  const slowest = Math.min(...path.map((hop) => (hop.gbps === 0 ? Infinity : hop.gbps)));
  const last = path[path.length - 1];
  return (
    <Section id="link-path" title="Path" aside={basisText(basis, host)}>
      <div className="hops">
        {path.map((hop, i) => {
          const own = hop.link === link;
          return (
            <Fragment key={hop.linkIndex}>
              <div className="hop">
                <span className="hop-dot" />
                <span className="hop-node">{hop.fromName}</span>
              </div>
              <div className={own ? "hop hop-own" : "hop"}>
                <span className={own ? "hop-line hop-line-own" : "hop-line"} />
                <span className={own ? "hop-own-text" : "hop-port"}>
                  port {hop.fromPort} to port {hop.toPort}
                  {own ? ", this link" : ""}
                </span>
                <span
                  className={
                    hop.gbps > 0 && hop.gbps === slowest && path.some((o) => o.gbps > slowest)
                      ? "ends-warning"
                      : "hop-rate"
                  }
                >
                  {hop.gbps === 0 ? "rate not known" : `${formatGbps(hop.gbps)} Gb/s`}
                </span>
              </div>
              {i === path.length - 1 && last !== undefined ? (
                <div className="hop">
                  <span className="hop-dot" />
                  <span className="hop-node">{last.toName}</span>
                </div>
              ) : null}
            </Fragment>
          );
        })}
      </div>
    </Section>
  );
}
