import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { assert } from "../../../shared/base/assert.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import {
  type Measurement,
  defaultMeasureOptions,
  type Endpoint,
  type PathHop,
  type RouteProof,
  type RunEvidence,
  type RunRecord,
} from "../../../shared/measure/types.ts";
import { Evidence } from "../../../renderer/views/inspector/evidence.tsx";
import { Path } from "../../../renderer/views/inspector/path.tsx";
import {
  evidenceTable,
  hopErrors,
  notTracedText,
  proofHead,
  resultWord,
  shareText,
  trafficText,
  wayText,
} from "../../../renderer/views/measure/proof-words.ts";

const link: LinkId = "0x0000000000000001:38";
const other: LinkId = "0x0000000000000002:9";

function hop(
  id: LinkId,
  index: number,
  from: readonly [string, number],
  to: readonly [string, number],
  lids: Pick<PathHop, "fromLid" | "toLid"> = { fromLid: 19, toLid: 7 },
): PathHop {
  return {
    link: id,
    linkIndex: index,
    fromNode: index,
    fromName: from[0],
    fromPort: from[1],
    toNode: index + 1,
    toName: to[0],
    toPort: to[1],
    gbps: 200,
    ...lids,
  };
}

const measuredHop = hop(link, 1, ["leaf-03", 38], ["spine-6", 3]);
const nextHop = hop(other, 2, ["spine-6", 9], ["leaf-09", 38]);

const proven: RouteProof = { kind: "proven", share: 0.9964, others: [], sentence: "Proven." };

function traffic(name: string, sentBytes: number, receivedBytes: number, ambientSent = 0) {
  return { name, sentBytes, receivedBytes, ambientSent, ambientReceived: 0 };
}

const allPorts = [
  traffic("leaf-03:38", 152e9, 21e6),
  traffic("spine-6:3", 21e6, 152e9),
  traffic("spine-6:9", 152e9, 21e6),
  traffic("leaf-09:38", 21e6, 152e9),
];

function evidence(changes: Partial<RunEvidence> = {}): RunEvidence {
  return { route: proven, ports: allPorts, newErrors: [], unread: [], ...changes };
}

function rise(port: string, counter: string, growth: number, atLeast = false) {
  return { link: port === "leaf-09:38" ? other : link, port, counter, growth, atLeast, measured: true };
}

function run(found?: RunEvidence, changes: Partial<RunRecord> = {}): RunRecord {
  const side = { host: "n018", commandLine: "ib_write_bw", exitCode: 0, stdout: "", stderr: "" };
  return {
    tool: "ib_write_bw",
    startedAt: "2026-03-12T03:16:00Z",
    durationMs: 12_000,
    server: side,
    client: side,
    bandwidth: [],
    latency: [],
    ...(found === undefined ? {} : { evidence: found }),
    ...changes,
  };
}

function endpoint(host: string): Endpoint {
  return { host, nodeGuid: "0x1", node: 0, port: 1, portGuid: "0x2", lid: 3 };
}

function record(runs: readonly RunRecord[], changes: Partial<Measurement> = {}): Measurement {
  return {
    version: 1,
    id: "m1",
    at: "2026-03-12T03:16:00Z",
    source: { kind: "simulated", label: "Fat tree", simulated: true },
    link,
    linkName: "leaf-03:38 to spine-6:3",
    client: endpoint("n018"),
    server: endpoint("n065"),
    path: [measuredHop, nextHop],
    basis: "shortest-path",
    options: defaultMeasureOptions,
    runs,
    expectedGbps: 200,
    verdict: { level: "good", sentence: "", next: [] },
    versions: {},
    ...changes,
  };
}

function tableOf(of: Measurement) {
  const table = evidenceTable(of);
  assert(typeof table === "object", "a table");
  return table;
}

describe("the proof of a way in few words", () => {
  const head = (route: RouteProof) => proofHead(record([run(evidence({ route }))]));

  it("is proven with the share of the bytes", () => {
    expect(head(proven)).toEqual({ tone: "ok", text: "Proven, 99.6\u00a0% of the bytes crossed it" });
    expect([shareText(1), shareText(0.9996), shareText(0.345)]).toEqual(["100\u00a0%", "100\u00a0%", "34.5\u00a0%"]);
  });

  it("counts the links over which it was spread, this one only when it carried some", () => {
    const others = [
      { link: other, name: "leaf-03:36 to spine-4:3", share: 0.5 },
      { link: other, name: "leaf-03:37 to spine-5:3", share: 0.3 },
    ];
    const spread = head({ kind: "spread", share: 0.2, others, sentence: "" });
    expect(spread).toMatchObject({ tone: "note", text: "Spread over 3 links" });
    expect(spread?.detail).toBe(
      "20\u00a0% of the bytes crossed this link; 50\u00a0% over leaf-03:36 to spine-4:3, 30\u00a0% over leaf-03:37 to spine-5:3.",
    );
    expect(head({ kind: "spread", share: 0.01, others, sentence: "" })?.text).toBe("Spread over 2 links");
  });

  it("names at most four other links", () => {
    const others = [1, 2, 3, 4, 5, 6].map((n) => ({ link: other, name: `uplink ${n}`, share: 0.15 }));
    const detail = head({ kind: "spread", share: 0.1, others, sentence: "" })?.detail;
    expect(detail).toContain("over uplink 4, and over 2 more.");
    expect(detail).not.toContain("uplink 5");
  });

  it("warns when it crossed another link, and names it", () => {
    const others = [{ link: other, name: "leaf-03:36 to spine-4:3", share: 0.98 }];
    expect(head({ kind: "elsewhere", share: 0, others, sentence: "" })).toEqual({
      tone: "warning",
      text: "Crossed another link",
      detail: "The bytes went elsewhere: 98\u00a0% over leaf-03:36 to spine-4:3.",
    });
  });

  it("says why it cannot tell", () => {
    const sentence =
      "Whether the data crossed leaf-03:38 to spine-6:3 cannot be told: others sent over it at the same time.";
    expect(head({ kind: "unknown", others: [], sentence })).toEqual({
      tone: "unknown",
      text: "Cannot tell",
      detail: "Others sent over it at the same time.",
    });
  });

  it("is of the run that tells something", () => {
    const unknown = evidence({ route: { kind: "unknown", others: [], sentence: "" } });
    expect(proofHead(record([run(unknown), run(evidence())]))?.tone).toBe("ok");
    expect(proofHead(record([run()]))).toBeUndefined();
  });
});

describe("the word behind the percentage", () => {
  const fair = { verdict: { level: "fair", sentence: "", next: [] } } as const;
  const withErrors = [run(evidence({ newErrors: [rise("spine-6:3", "PortRcvErrors", 3)] }))];

  it("is of the number, where the number is what is not good", () => {
    expect(resultWord(record([run(evidence())], { percent: 98 }), 95)).toBe("as expected");
    expect(resultWord(record(withErrors, { ...fair, percent: 92 }), 95)).toBe("below the pass line");
  });

  it("is of the proof, where the number would do", () => {
    expect(resultWord(record(withErrors, { ...fair, percent: 97 }), 95)).toBe("new errors");
    const route: RouteProof = { kind: "elsewhere", share: 0, others: [], sentence: "" };
    const failed = { verdict: { level: "failed", sentence: "", next: [] }, percent: 98 } as const;
    expect(resultWord(record([run(evidence({ route }))], failed), 95)).toBe("not of this link");
    expect(resultWord(record([run()], failed), 95)).toBe("failed");
  });
});

describe("where the way comes from", () => {
  const traced = { commandLine: "ibtracert 19 7", crosses: true, othersTraced: 0 };

  it("tells a trace, with the pairs that went another way", () => {
    expect(wayText(record([], { traced }))).toBe("Way by ibtracert before the run.");
    expect(wayText(record([], { traced: { ...traced, othersTraced: 1 } }))).toContain(
      "; 1 other pair went another way",
    );
    expect(wayText(record([], { traced: { ...traced, othersTraced: 3 } }))).toContain("; 3 other pairs went");
  });

  it("tells the basis of the plan otherwise, and why there is no trace", () => {
    const problem = "mgmt-01 has no ibtracert";
    const untraced = record([], { traced: { commandLine: "ibtracert 19 7", othersTraced: 0, problem } });
    expect(wayText(untraced)).toBe("Way by shortest path.");
    expect(notTracedText(untraced)).toBe("Not traced before the run: mgmt-01 has no ibtracert.");
    expect(notTracedText(record([], { traced }))).toBeUndefined();
    expect(wayText(record([], { basis: "routes" }))).toBe("Way by the forwarding tables.");
    expect(wayText(record([], { basis: "host-link" }))).toMatch(/^Every route of leaf-03 crosses it/);
  });
});

describe("new errors of a hop", () => {
  it("are the sum of both its ports over all runs, each counter in the title", () => {
    const first = evidence({
      newErrors: [rise("spine-6:3", "PortRcvErrors", 1300), rise("leaf-03:38", "SymbolErrorCounter", 2)],
    });
    const found = [first, evidence({ newErrors: [rise("spine-6:3", "PortRcvErrors", 18)] })];
    expect(hopErrors(found, measuredHop)).toEqual({
      text: "+1,320 errors",
      tone: "error",
      title: "spine-6:3 PortRcvErrors +1,300\nleaf-03:38 SymbolErrorCounter +2\nspine-6:3 PortRcvErrors +18",
    });
    expect(hopErrors(found, nextHop)).toMatchObject({ text: "0 errors", tone: "quiet" });
  });

  it("tell a counter that stopped or was cleared as a lower bound", () => {
    const found = [evidence({ newErrors: [rise("leaf-09:38", "LinkDownedCounter", 255, true)] })];
    expect(hopErrors(found, nextHop)?.text).toBe("+255 or more");
  });

  it("are not 0 where nothing was read", () => {
    const unread = ["leaf-03:38: its counters could not be read", "spine-6:3: its counters could not be read"];
    expect(hopErrors([evidence({ ports: allPorts.slice(2), unread })], measuredHop)).toEqual({
      text: "–",
      tone: "quiet",
      title: unread.join("\n"),
    });
    const half = [evidence({ ports: allPorts.slice(1), unread: unread.slice(0, 1) })];
    expect(hopErrors(half, measuredHop)?.text).toBe("0 at one end");
    expect(hopErrors([], measuredHop)).toBeUndefined();
  });
});

describe("the evidence of both ends", () => {
  it("has what changed, in the order of the link's name", () => {
    const found = evidence({ newErrors: [rise("spine-6:3", "PortRcvErrors", 318)] });
    const rows = [
      { label: "Data sent", cells: [{ text: "152 GB" }, { text: "21.0 MB" }] },
      { label: "Data received", cells: [{ text: "21.0 MB" }, { text: "152 GB" }] },
      { label: "PortRcvErrors", cells: [{ text: "0" }, { text: "+318", tone: "error" }] },
    ];
    expect(tableOf(record([run(found)]))).toEqual({ ends: ["leaf-03:38", "spine-6:3"], rows, notes: [] });
    const back = tableOf(record([run(found)], { linkName: "spine-6:3 to leaf-03:38" }));
    expect(back.ends).toEqual(["spine-6:3", "leaf-03:38"]);
    expect(back.rows[2]?.cells[0]).toEqual({ text: "+318", tone: "error" });
  });

  it("sums over the runs of a result", () => {
    const table = tableOf(record([run(evidence()), run(evidence())]));
    expect(table.rows[0]?.cells[0].text).toBe("304 GB");
    expect(table.notes).toEqual(["No error counter grew at either end."]);
  });

  it("does not show errors of other links", () => {
    const table = tableOf(record([run(evidence({ newErrors: [rise("leaf-09:38", "PortRcvErrors", 9)] }))]));
    expect(table.rows).toHaveLength(2);
  });

  it("says which end was not read, and never that nothing grew there", () => {
    const unread = [
      "spine-6:3: its counters were cleared during the run",
      "leaf-09:38: its counters could not be read",
    ];
    const table = tableOf(record([run(evidence({ ports: allPorts.slice(0, 1), unread }))]));
    expect(table.rows[0]?.cells).toEqual([{ text: "152 GB" }, { text: "–" }]);
    expect(table.notes).toEqual(["Not read at spine-6:3: its counters were cleared during the run."]);
  });

  it("tells what others sent right before", () => {
    const ports = [traffic("leaf-03:38", 152e9, 0, 1.25e9), ...allPorts.slice(1)];
    expect(tableOf(record([run(evidence({ ports }))])).notes).toContain(
      "Others sent 10.0 Gb/s from leaf-03:38 right before: subtracted.",
    );
  });

  it("gives the reason where nothing was read", () => {
    expect(evidenceTable(record([]))).toBeUndefined();
    expect(evidenceTable(record([run()]))).toMatch(/perfquery gave no counters/);
    expect(evidenceTable(record([run(undefined, { error: { kind: "cancelled", what: "The measurement" } })]))).toMatch(
      /cancelled/,
    );
    const old = hop(link, 1, ["leaf-03", 38], ["spine-6", 3], {});
    expect(evidenceTable(record([run()], { path: [old] }))).toMatch(/version that did not read counters/);
    const path = [{ ...measuredHop, fromLid: 0, toLid: 0 }];
    expect(evidenceTable(record([run()], { path }))).toMatch(/LIDs of this path are not known/);
    const unread = ["leaf-03:38: it told no data counters", "spine-6:3: it told no data counters"];
    expect(evidenceTable(record([run(evidence({ ports: [], unread }))]))).toBe(
      "Not read at leaf-03:38: it told no data counters. Not read at spine-6:3: it told no data counters.",
    );
  });

  it("writes bytes with three digits", () => {
    expect([0, 812, 999_600, 1_234_000, 99_960_000_000, 2.5e15].map(trafficText)).toEqual([
      "0 B",
      "812 B",
      "1.00 MB",
      "1.23 MB",
      "100 GB",
      "2500 TB",
    ]);
  });
});

describe("a result in the window", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", { getItem: () => null });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const shown = (of: Measurement) =>
    renderToStaticMarkup(
      <>
        <Path id="path" record={of} />
        <Evidence id="evidence" record={of} />
      </>,
    );

  it("shows the proof with its glyph, errors by hop and the evidence", () => {
    const html = shown(record([run(evidence({ newErrors: [rise("spine-6:3", "PortRcvErrors", 318)] }))]));
    expect(html).toMatch(/aria-label="ok".*<strong>Proven,<\/strong> 99\.6/s);
    expect(html).toContain(">+318 errors<");
    expect(html).toContain(">0 errors<");
    expect(html).toContain('<th scope="row">PortRcvErrors</th>');
  });

  it("shows only the way of a result without counters", () => {
    const html = shown(record([run()]));
    expect(html).toContain("by shortest path, not proven");
    expect(html).not.toMatch(/\d errors/);
    expect(html).toContain("Not read: perfquery");
  });
});
