import { Fragment } from "react";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import type { MeasurePlan, PathHop } from "../../../shared/measure/types.ts";
import { Section } from "../../parts/section.tsx";
import "./hops.css";

export interface Planned {
  readonly basis: MeasurePlan["basis"];
  readonly path: readonly PathHop[];
  readonly link: LinkId;
}

/** How sure it is that the traffic takes this path. A host link lies at one end of it. */
export function basisText({ basis, path, link }: Planned): string {
  if (basis === "shortest-path") return "by shortest path, not proven";
  const last = path[path.length - 1];
  const host = last?.link === link ? last.toName : (path[0]?.fromName ?? "the host");
  return `every route of ${host} crosses it`;
}

/** The path hop by hop, from the client to the server; the measured cable and a slower one are marked. */
export function Hops({ path, link }: { readonly path: readonly PathHop[]; readonly link: LinkId }) {
  const slowest = Math.min(...path.map((hop) => (hop.gbps === 0 ? Infinity : hop.gbps)));
  const limited = path.some((hop) => hop.gbps > slowest);
  const last = path[path.length - 1];
  return (
    <div className="hops">
      {path.map((hop) => {
        const own = hop.link === link;
        return (
          <Fragment key={hop.linkIndex}>
            <Stop name={hop.fromName} />
            <div className="hop">
              <span className={own ? "hop-line hop-line-own" : "hop-line"} />
              <span className={own ? "hop-own-text" : "hop-port"}>
                port {hop.fromPort} to port {hop.toPort}
                {own ? ", this link" : ""}
              </span>
              <span className={limited && hop.gbps === slowest ? "ends-warning" : "hop-rate"}>
                {hop.gbps === 0 ? "rate not known" : `${formatGbps(hop.gbps)} Gb/s`}
              </span>
            </div>
          </Fragment>
        );
      })}
      {last === undefined ? null : <Stop name={last.toName} />}
    </div>
  );
}

function Stop({ name }: { readonly name: string }) {
  return (
    <div className="hop">
      <span className="hop-dot" />
      <span className="hop-node" title={name}>
        {name}
      </span>
    </div>
  );
}

/** The path of a result. */
export function Path({ planned }: { readonly planned: Planned }) {
  return (
    <Section id="link-path" title="Path" aside={basisText(planned)}>
      <Hops path={planned.path} link={planned.link} />
    </Section>
  );
}
