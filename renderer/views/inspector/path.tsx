import { Fragment } from "react";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import type { Measurement, PathHop, RunEvidence } from "../../../shared/measure/types.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import {
  basisText,
  type ErrorsText,
  evidenceOf,
  hopErrors,
  notTracedText,
  type ProofHead,
  proofHead,
  wayText,
} from "../measure/proof-words.ts";
import "./evidence.css";
import "./hops.css";

const noEvidence: readonly RunEvidence[] = [];

/**
 * The path hop by hop, from the client to the server; the measured cable and a slower one are marked. With evidence,
 * the new errors of each hop.
 */
export function Hops({
  path,
  link,
  evidence = noEvidence,
}: {
  readonly path: readonly PathHop[];
  readonly link: LinkId;
  readonly evidence?: readonly RunEvidence[];
}) {
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
              <HopErrors errors={hopErrors(evidence, hop)} />
            </div>
          </Fragment>
        );
      })}
      {last === undefined ? null : <Stop name={last.toName} />}
    </div>
  );
}

function HopErrors({ errors }: { readonly errors: ErrorsText | undefined }) {
  if (errors === undefined) return null;
  return (
    <span className={errors.tone === "error" ? "hop-errors ends-error" : "hop-errors"} title={errors.title}>
      {errors.text}
    </span>
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

function Proof({ proof }: { readonly proof: ProofHead }) {
  const comma = proof.text.indexOf(",");
  const [strong, rest] = comma < 0 ? [proof.text, ""] : [proof.text.slice(0, comma + 1), proof.text.slice(comma + 1)];
  return (
    <span className={`proof-head proof-${proof.tone}`}>
      <HealthGlyph health={proof.tone} size={12} />
      <span>
        <strong>{strong}</strong>
        {rest}
      </span>
    </span>
  );
}

/** The path of a result: what proves it, and what each hop counted. */
export function Path({ id, record }: { readonly id: string; readonly record: Measurement }) {
  const proof = proofHead(record);
  const notTraced = notTracedText(record);
  const traceLine = record.traced?.commandLine;
  return (
    <Section id={id} title="Path" aside={proof === undefined ? basisText(record) : <Proof proof={proof} />}>
      {proof?.detail === undefined ? null : <p className="proof-detail">{proof.detail}</p>}
      <Hops path={record.path} link={record.link} evidence={evidenceOf(record)} />
      {proof === undefined ? null : (
        <p className="proof-way" title={record.traced?.crosses === true ? traceLine : undefined}>
          {wayText(record)}
        </p>
      )}
      {notTraced === undefined ? null : (
        <p className="proof-way" title={traceLine}>
          {notTraced}
        </p>
      )}
    </Section>
  );
}
