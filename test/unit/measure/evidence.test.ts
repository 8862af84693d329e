import { describe, expect, it } from "vitest";
import type { CountedPort, CounterSnapshot, PortCounts } from "../../../shared/measure/counted-ports.ts";
import { countedPorts, readCounts } from "../../../shared/measure/counted-ports.ts";
import { judgeEvidence } from "../../../shared/measure/evidence.ts";
import { evidenceWords } from "../../../shared/measure/judge-evidence.ts";
import { parsePerfquery } from "../../../shared/parse/perfquery.ts";

/** n018 > leaf-03 > spine-6 > leaf-07 > n065, and the other uplinks 36 and 37 of leaf-03. */
const ports: readonly CountedPort[] = countedPorts({
  path: [
    ["n018", 1, "leaf-03", 1],
    ["leaf-03", 38, "spine-6", 3],
    ["spine-6", 7, "leaf-07", 38],
    ["leaf-07", 2, "n065", 1],
  ].map(([fromName, fromPort, toName, toPort], index) => ({
    link: `0x000000000000000${String(index)}:1` as const,
    linkIndex: index,
    fromNode: 0,
    fromName: String(fromName),
    fromPort: Number(fromPort),
    toNode: 0,
    toName: String(toName),
    toPort: Number(toPort),
    gbps: 200,
    fromLid: 10 + index,
    toLid: 11 + index,
  })),
  beside: [36, 37].map((port) => ({
    guid: "0x1",
    name: "leaf-03",
    lid: 11,
    port,
    to: `spine-${String(port - 32)}:3`,
    link: `0x000000000000000a:${port}` as const,
  })),
});
const subject = { hop: 1, linkName: "leaf-03:38 to spine-6:3", clientHost: "n018", wayKnown: false };

type Counts = Readonly<Record<string, Partial<PortCounts> | undefined>>;

function snapshot(at: number, counts: Counts): CounterSnapshot {
  return {
    at,
    ports: ports.map(({ name }) => {
      if (name in counts && counts[name] === undefined) return undefined;
      return { sent: 0, received: 0, wide: true, errors: {}, ...counts[name] };
    }),
  };
}

const gigabyte = 250_000_000; // words of four bytes

/** Ten seconds of a run: what each port has counted at the end, from 0; a quiet second before, unless told. */
function judged(after: Counts, before: Counts = {}, ambient: Counts = before) {
  const readings = { ambient: snapshot(0, ambient), before: snapshot(1000, before), after: snapshot(11_000, after) };
  return judgeEvidence(subject, ports, readings);
}

const sentByClient = { "n018:1": { sent: gigabyte }, "leaf-03:1": { received: gigabyte } };
const crossed = { "leaf-03:38": { sent: gigabyte }, "spine-6:3": { received: gigabyte } };

describe("what counters prove of the way", () => {
  it("is proven when what the client sent left by the measured port", () => {
    const { route, unread, newErrors } = judged({ ...sentByClient, ...crossed });
    expect(route).toMatchObject({ kind: "proven", share: 1, others: [] });
    expect(route.sentence).toBe(
      "Proven by the counters: 100\u00a0% of what n018 sent crossed leaf-03:38 to spine-6:3.",
    );
    expect([unread, newErrors]).toEqual([[], []]);
  });

  it("names the link that the data took instead", () => {
    const { route } = judged({ ...sentByClient, "leaf-03:36": { sent: gigabyte * 0.98 } });
    expect(route).toMatchObject({ kind: "elsewhere", share: 0 });
    expect(route.others.map(({ name }) => name)).toEqual(["leaf-03:36 to spine-4:3"]);
    expect(route.sentence).toContain("98\u00a0% of it went over leaf-03:36 to spine-4:3");
  });

  it("counts the links over which adaptive routing spread it", () => {
    const third = { sent: gigabyte / 3 };
    const { route } = judged({ ...sentByClient, "leaf-03:36": third, "leaf-03:37": third, "leaf-03:38": third });
    expect(route).toMatchObject({ kind: "spread" });
    expect(route.share).toBeCloseTo(1 / 3);
    expect(route.sentence).toMatch(/over 3 links.*33\u00a0%/);
  });

  it("takes off what others sent before", () => {
    // Others send a tenth of the test's rate over the port beside.
    const before = { "leaf-03:36": { sent: gigabyte * 0.01 } };
    const { route } = judged({ ...sentByClient, ...crossed, "leaf-03:36": { sent: gigabyte * 0.11 } }, before, {
      "leaf-03:36": { sent: 0 },
    });
    expect(route).toMatchObject({ kind: "proven", others: [] });
  });

  it.each<[string, Counts, Counts, Counts]>([
    ["others sent over it at the same time", { ...sentByClient, "leaf-03:38": { sent: gigabyte * 1.6 } }, {}, {}],
    [
      "others sent over it at the same time",
      { ...sentByClient, "leaf-03:38": { sent: gigabyte * 1.5 } },
      { "leaf-03:38": { sent: gigabyte * 0.05 } },
      { "leaf-03:38": { sent: 0 } },
    ],
    ["the test sent too little", { "n018:1": { sent: 1000 }, "leaf-03:38": { sent: 1000 } }, {}, {}],
    ["only 0\u00a0% of it is found in the counters of this switch", sentByClient, {}, {}],
  ])("cannot be told when %s", (why, after, before, ambient) => {
    const { route } = judged(after, before, ambient);
    expect(route.kind).toBe("unknown");
    expect(route.sentence).toContain(why);
  });

  it("believes the counters beside other traffic only where tables or a trace have told the way", () => {
    const after = { ...sentByClient, ...crossed, "leaf-03:36": { sent: gigabyte }, "leaf-03:37": { sent: gigabyte } };
    expect(judged(after).route.kind).toBe("unknown");
    const readings = { ambient: snapshot(0, {}), before: snapshot(1000, {}), after: snapshot(11_000, after) };
    const { route } = judgeEvidence({ ...subject, wayKnown: true }, ports, readings);
    expect(route).toMatchObject({ kind: "proven", share: 1 });
    expect(route.sentence).toMatch(/^Proven by its route, and the counters agree: 100/);
  });

  it("reads the far end of a cable where the near one does not answer", () => {
    const silent = { "n018:1": undefined, "leaf-03:38": undefined };
    const { route, unread } = judged({ ...sentByClient, ...crossed, ...silent }, silent);
    expect(route.kind).toBe("proven");
    expect(unread).toEqual(["n018:1: its counters could not be read", "leaf-03:38: its counters could not be read"]);
  });

  it("believes no counter that was cleared in between, and none that has stopped", () => {
    const before = { "leaf-03:38": { sent: 5 * gigabyte }, "spine-6:3": { received: 0, wide: false } };
    const { route, unread } = judged(
      { ...sentByClient, "leaf-03:38": { sent: gigabyte }, "spine-6:3": { received: 0xffff_ffff, wide: false } },
      before,
    );
    expect(route.kind).toBe("unknown");
    expect(unread).toEqual([
      "leaf-03:38: its counters were cleared during the run",
      "spine-6:3: its 32-bit data counter has stopped at its highest value",
    ]);
  });
});

describe("counters of 32 bits", () => {
  const narrow = (counts: Partial<PortCounts>): Partial<PortCounts> => ({ ...counts, wide: false });

  it("that have wrapped are not taken for a small number, nor are the others believed then", () => {
    const before = { "leaf-03:38": narrow({ sent: 4_000_000_000 }), "spine-6:3": narrow({ received: 10 }) };
    const { route, unread } = judged(
      {
        ...sentByClient,
        "leaf-03:38": narrow({ sent: 3_000_000 }),
        "spine-6:3": narrow({ received: gigabyte }),
      },
      before,
    );
    expect(route.kind).toBe("unknown");
    expect(unread).toEqual([
      "leaf-03:38: its 32-bit data counter has wrapped or was cleared during the run",
      "spine-6:3: it has 32-bit data counters only, which wrap or stop within such a run",
    ]);
  });

  it("say nothing of a run in which a 64-bit one counted more than they hold", () => {
    const much = 2 ** 33;
    const { route, unread } = judged(
      {
        "n018:1": { sent: much },
        "leaf-03:1": { received: much },
        "leaf-03:38": narrow({ sent: 7_000_000 }),
        "spine-6:3": { received: much },
      },
      { "leaf-03:38": narrow({}) },
    );
    expect(route).toMatchObject({ kind: "proven", share: 1 });
    expect(unread).toEqual(["leaf-03:38: it has 32-bit data counters only, which wrap or stop within such a run"]);
  });

  it("before the run and 64-bit ones after it, or the other way, are never subtracted", () => {
    for (const [first, last] of [
      [narrow({ sent: 100, received: 100 }), { sent: gigabyte, received: gigabyte }],
      [{ sent: 100, received: 100 }, narrow({ sent: gigabyte, received: gigabyte })],
    ] as const) {
      const {
        route,
        unread,
        ports: traffic,
      } = judged(
        { ...sentByClient, "leaf-03:38": last, "spine-6:3": last },
        { "leaf-03:38": first, "spine-6:3": first },
      );
      expect(route).toMatchObject({ kind: "unknown" });
      expect(unread).toEqual(
        ["leaf-03:38", "spine-6:3"].map(
          (name) => `${name}: its extended counters could be read only before or only after the run`,
        ),
      );
      expect(traffic.map(({ name }) => name)).not.toContain("leaf-03:38");
    }
  });

  it("that were cleared in the quiet second before do not make others' traffic up", () => {
    const ambient = { "leaf-03:38": { sent: 9e12 }, "n018:1": { sent: 9e12 } };
    const { route } = judged({ ...sentByClient, ...crossed }, {}, ambient);
    expect(route).toMatchObject({ kind: "proven", share: 1 });
  });
});

describe("errors that come during a run", () => {
  it("belong to the result, with the cable that made them", () => {
    const evidence = judged(
      {
        ...sentByClient,
        "leaf-03:38": { sent: gigabyte, errors: { SymbolErrorCounter: 7 } },
        "spine-6:3": { received: gigabyte, errors: { PortRcvErrors: 418, PortXmitWait: 99 } },
        "n065:1": { received: gigabyte, errors: { PortRcvErrors: 3 } },
        "leaf-03:36": { errors: { PortRcvErrors: 50 } },
      },
      {
        "leaf-03:38": { errors: { SymbolErrorCounter: 7 } },
        "spine-6:3": { errors: { PortRcvErrors: 100, PortXmitWait: 1 } },
        "n065:1": { errors: { PortRcvErrors: 1 } },
        "leaf-03:36": { errors: { PortRcvErrors: 0 } },
      },
    );
    expect(evidence.newErrors.map(({ port, counter, growth }) => [port, counter, growth])).toEqual([
      ["spine-6:3", "PortRcvErrors", 318],
      ["n065:1", "PortRcvErrors", 2],
    ]);
    const words = evidenceWords([evidence], subject.linkName, true);
    expect(words.sentences).toContain("+318 PortRcvErrors at spine-6:3: this cable.");
    expect(words.sentences).toContain("+2 PortRcvErrors at n065:1: another cable of the path.");
    expect(words).toMatchObject({ atBest: "fair", otherLink: false });
    expect(words.next[0]).toContain("reseat both ends of the cable at spine-6:3");
  });

  it("are a lower bound after a reset and at the counter's ceiling", () => {
    const { newErrors } = judged(
      {
        ...sentByClient,
        ...crossed,
        "spine-6:3": { received: gigabyte, errors: { LinkDownedCounter: 255, PortRcvErrors: 4 } },
      },
      { "spine-6:3": { errors: { LinkDownedCounter: 250, PortRcvErrors: 90 } } },
    );
    expect(newErrors).toMatchObject([
      { counter: "LinkDownedCounter", growth: 5, atLeast: true },
      { counter: "PortRcvErrors", growth: 4, atLeast: true },
    ]);
  });

  it("of two runs are one number", () => {
    const once = judged(
      { ...sentByClient, ...crossed, "spine-6:3": { received: gigabyte, errors: { PortRcvErrors: 2 } } },
      { "spine-6:3": { errors: { PortRcvErrors: 0 } } },
    );
    expect(evidenceWords([once, once], subject.linkName, true).sentences).toContain(
      "+4 PortRcvErrors at spine-6:3: this cable.",
    );
  });
});

describe("reading a port", () => {
  const read = (text: string) => parsePerfquery(text, { file: "perfquery" }).records.ports[0];
  const title = (kind: string): string => `# ${kind}: Lid 11 port 38 (CapMask: 0x5B00)\n`;
  const wide =
    title("Port extended counters") +
    "PortXmitData:....................9007199254740000\nPortRcvData:.....................5\n";
  const classic =
    title("Port counters") +
    "SymbolErrorCounter:..............65535\nPortXmitData:....................4294967295\nPortRcvData:.....................5\n";

  it("takes data from the 64-bit attribute and errors from where they are", () => {
    expect(readCounts(read(wide), read(classic))).toMatchObject({
      sent: 9_007_199_254_740_000,
      wide: true,
      errors: { SymbolErrorCounter: 65_535 },
    });
    const newer = read(`${wide}SymbolErrorCounter:..............4294967296\n`);
    expect(readCounts(newer, undefined)?.errors).toEqual({ SymbolErrorCounter: 4_294_967_296 });
  });

  it("falls back to the narrow counters where there are no others", () => {
    expect(readCounts(undefined, read(classic))).toMatchObject({ sent: 4_294_967_295, wide: false });
    expect(readCounts(read(classic), undefined)).toMatchObject({ wide: false });
    expect(readCounts(undefined, undefined)).toBeUndefined();
  });
});
