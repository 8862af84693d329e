import { Fragment } from "react";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { MeasurePlan } from "../../../shared/measure/types.ts";

/** The planned path as a strip: nodes as boxes, cables with rate and ports; the slowest and the measured one are marked. */
export function PathStrip({ plan }: { readonly plan: MeasurePlan }) {
  const { path } = plan;
  const first = path[0];
  if (first === undefined) return null;
  const limits = path.some((hop) => hop.gbps > plan.slowestGbps);
  return (
    <div className="strip" role="list" aria-label="Planned path">
      <StripNode name={first.fromName} role="client" />
      {path.map((hop, i) => {
        const own = hop.link === plan.link;
        const slow = limits && i === plan.slowestHop;
        const classes = `strip-cable${own ? " strip-own" : ""}${slow ? " strip-slow" : ""}`;
        const rate = hop.gbps === 0 ? "rate ?" : `${formatGbps(hop.gbps)} Gb/s`;
        return (
          <Fragment key={hop.linkIndex}>
            <div className={classes} role="listitem">
              <span className="strip-rate">{rate}</span>
              <span className="strip-line" aria-hidden="true" />
              <span className="strip-ports">
                <span className="visually-hidden">{own ? "this link, " : ""}port </span>
                {hop.fromPort} to {hop.toPort}
              </span>
            </div>
            <StripNode name={hop.toName} role={i === path.length - 1 ? "server" : undefined} />
          </Fragment>
        );
      })}
    </div>
  );
}

function StripNode({ name, role }: { readonly name: string; readonly role: "client" | "server" | undefined }) {
  return (
    <div className={role === undefined ? "strip-node" : "strip-node strip-host"} role="listitem">
      <span title={name}>{name}</span>
      {role === undefined ? null : <em>{role}</em>}
    </div>
  );
}
