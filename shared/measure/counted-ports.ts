/** Which ports' counters are read around a run, and what one reading of a port says. */
import { type CounterName, type ErrorCounter, errorCounters } from "../fabric/counters.ts";
import type { LinkId } from "../fabric/model.ts";
import type { CounterValues } from "../parse/counter-names.ts";
import type { PerfqueryPort } from "../parse/perfquery.ts";
import type { MeasurePlan } from "./types.ts";

/** A port on the path, or one beside it that the data could take. */
export interface CountedPort {
  /** `leaf-03:38`. */
  readonly name: string;
  readonly lid: number;
  readonly port: number;
  readonly link: LinkId;
  /** `leaf-03:38 to spine-6:3`. */
  readonly linkName: string;
  /** Position of its cable in the path; undefined beside it. */
  readonly hop?: number;
  /** Whether the client's data leaves or enters by it. */
  readonly side: "out" | "in";
}

/** All ports in question; empty when the plan does not know LIDs. */
export function countedPorts(plan: Pick<MeasurePlan, "path" | "beside">): readonly CountedPort[] {
  const onPath = plan.path.flatMap((hop, index): CountedPort[] => {
    const from = `${hop.fromName}:${hop.fromPort}`;
    const to = `${hop.toName}:${hop.toPort}`;
    const cable = { link: hop.link, linkName: `${from} to ${to}`, hop: index };
    return [
      { name: from, lid: hop.fromLid ?? 0, port: hop.fromPort, side: "out", ...cable },
      { name: to, lid: hop.toLid ?? 0, port: hop.toPort, side: "in", ...cable },
    ];
  });
  const beside = (plan.beside ?? []).map((port): CountedPort => {
    const name = `${port.name}:${port.port}`;
    return { name, lid: port.lid, port: port.port, link: port.link, linkName: `${name} to ${port.to}`, side: "out" };
  });
  return [...onPath, ...beside].filter(({ lid }) => lid > 0);
}

/** Counters of one port at one time. */
export interface PortCounts {
  /** Words of four bytes. */
  readonly sent?: number;
  readonly received?: number;
  /** 64-bit counters: they do not stop and do not wrap. */
  readonly wide: boolean;
  readonly errors: { readonly [Name in ErrorCounter]?: number };
}

/** All counted ports at one time, in their order; undefined where a port did not answer. */
export interface CounterSnapshot {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ports: readonly (PortCounts | undefined)[];
}

function isErrorCounter(name: string): name is ErrorCounter {
  return Object.hasOwn(errorCounters, name);
}

function errorsOf(counters: CounterValues): PortCounts["errors"] {
  const errors: { [Name in ErrorCounter]?: number } = {};
  for (const name of Object.keys(errorCounters)) {
    if (!isErrorCounter(name)) continue;
    const value = counters[name];
    if (value !== undefined) errors[name] = value;
  }
  return errors;
}

const firstError: CounterName = "SymbolErrorCounter";

/** True when the extended attribute has the error counters too, as newer devices and tools do. */
export function hasErrors(port: PerfqueryPort): boolean {
  return port.counters[firstError] !== undefined;
}

/**
 * One reading of a port from what `perfquery -x` and `perfquery` printed for it; the wide one counts where both tell.
 * Undefined when neither says anything.
 */
export function readCounts(
  wide: PerfqueryPort | undefined,
  classic: PerfqueryPort | undefined,
): PortCounts | undefined {
  if (wide === undefined && classic === undefined) return undefined;
  // Tools that do not know -x, or devices without it, answer with the classic attribute.
  const isWide = wide?.attribute === "extended" && wide.counters.PortXmitData !== undefined;
  const data = isWide ? wide.counters : (classic ?? wide)?.counters;
  return {
    ...(data?.PortXmitData === undefined ? {} : { sent: data.PortXmitData }),
    ...(data?.PortRcvData === undefined ? {} : { received: data.PortRcvData }),
    wide: isWide,
    errors: errorsOf({ ...classic?.counters, ...(isWide && hasErrors(wide) ? wide.counters : {}) }),
  };
}
