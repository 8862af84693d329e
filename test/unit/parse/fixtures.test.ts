import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAny, type ParsedText } from "../../../shared/parse/parse-any.ts";
import { plainNodes } from "../../support/discover-records.ts";

const root = fileURLToPath(new URL("../../fixtures/", import.meta.url));

function files(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function parse(name: string): ParsedText {
  return parseAny(readFileSync(join(root, name), "utf8"), { file: name });
}

describe("every fixture", () => {
  const all = [...files("ib"), ...files("perftest")].filter((name) => !name.endsWith(".md"));

  it.each(all)("%s is parsed with sane counts", (name) => {
    const result = parse(name);
    if (result.kind === "unknown" || result.kind === "other") return;
    const { stats, diagnostics, records } = result.parsed;
    const text = readFileSync(join(root, name), "utf8");
    expect(stats.lines).toBe(text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);
    expect(stats.understood + stats.ignored + stats.diagnosed).toBe(stats.lines);
    expect(stats.diagnosed).toBeLessThanOrEqual(diagnostics.length);
    for (const diagnostic of diagnostics) {
      expect(diagnostic.file).toBe(name);
      expect(diagnostic.line).toBeLessThanOrEqual(stats.lines);
    }
    // Records point at lines that exist.
    const lines = JSON.stringify(records).match(/"line":(\d+)/g) ?? [];
    for (const line of lines) expect(Number(line.slice(7))).toBeLessThanOrEqual(stats.lines);
  });

  it("is recognised, but for errors that do not name their tool, bare numbers and a server's banner", () => {
    const unknown = all.filter((name) => parse(name).kind === "unknown");
    const telling = unknown.filter((name) => {
      const text = readFileSync(join(root, name), "utf8");
      const silent = text.trim() === "" || /^[\d.\s]+$/.test(text) || /^Version: /.test(text);
      return !silent && !name.includes("stderr") && (/ Test$/m.test(text) || !text.includes("Waiting for client"));
    });
    expect(telling).toEqual([]);
  });
});

// [fixture, switches, CAs, routers, port lines, complete]
const discovered = [
  ["ib/sim/ft2-32/ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/sim/ft2-32-lmc2/ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/sim/ft2-32-nosm/ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/sim/odd/ibnetdiscover.txt", 2, 34, 1, 78, true],
  ["ib/sim/odd/fabric.net", 3, 35, 1, 80, true],
  ["ib/sim/states/ibnetdiscover.txt", 12, 49, 0, 228, true],
  ["ib/sim/states/lossy-ibnetdiscover.txt", 12, 48, 0, 226, true],
  ["ib/edge/ndr-ft2-32.ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/edge/xdr-ft2-32.ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/edge/ndr-split-ports.ibnetdiscover.txt", 12, 49, 0, 230, true],
  ["ib/edge/ibnetdiscover-cut-mid-line.txt", 4, 0, 0, 40, false],
  ["ib/edge/ibnetdiscover-cut-between.txt", 12, 19, 0, 198, false],
  ["ib/edge/ibnetdiscover-two-dumps.txt", 2, 7, 0, 33, false],
  ["ib/edge/ibnetdiscover-stderr-merged.txt", 2, 7, 0, 33, false],
  ["ib/edge/ibnetdiscover-latin1-map.txt", 2, 7, 0, 33, false],
  ["ib/edge/ibnetdiscover-one-sided.txt", 2, 6, 0, 32, false],
] as const;

describe("ibnetdiscover fixtures", () => {
  it.each(discovered)("%s", (name, switches, cas, routers, ports, complete) => {
    const result = parse(name);
    if (result.kind !== "ibnetdiscover") throw new Error(result.kind);
    const { nodes } = result.parsed.records;
    const count = (kind: string): number => nodes.filter((node) => node.kind === kind).length;
    expect([count("switch"), count("ca"), count("router")]).toEqual([switches, cas, routers]);
    expect(nodes.reduce((sum, node) => sum + node.endPort - node.firstPort, 0)).toBe(ports);
    expect(result.parsed.records.complete).toBe(complete);
  });

  it("takes the newer of two dumps", () => {
    const result = parse("ib/edge/ibnetdiscover-two-dumps.txt");
    if (result.kind !== "ibnetdiscover") throw new Error(result.kind);
    expect(result.parsed.records.nodes[0]?.lid).toBe(53);
  });

  it("names both ends of every link of a whole dump", () => {
    const result = parse("ib/sim/ft2-32/ibnetdiscover.txt");
    if (result.kind !== "ibnetdiscover") throw new Error(result.kind);
    const nodes = plainNodes(result.parsed.records);
    const ends = new Set(
      nodes.flatMap((node) =>
        node.ports.map((port) => `${node.guid}:${port.number}-${port.peerGuid}:${port.peerPort}`),
      ),
    );
    for (const end of ends) expect(ends).toContain(end.split("-").reverse().join("-"));
  });
});

// [fixture, ports, of switches, of CAs, of routers, active, with a peer, peer not available, with a hint]
const linked = [
  ["ib/sim/ft2-32/iblinkinfo.txt", 543, 492, 51, 0, 230, 230, 0, 0],
  ["ib/sim/ft2-32/iblinkinfo-l.txt", 543, 492, 0, 0, 230, 230, 0, 0],
  ["ib/sim/ft2-32-nosm/iblinkinfo.txt", 543, 492, 51, 0, 0, 230, 0, 0],
  ["ib/sim/odd/iblinkinfo.txt", 117, 81, 35, 1, 78, 78, 0, 18],
  ["ib/sim/odd/iblinkinfo-l.txt", 117, 81, 0, 0, 78, 78, 0, 18],
  ["ib/sim/states/iblinkinfo-l.txt", 543, 492, 0, 0, 227, 228, 2, 0],
  ["ib/sim/states/lossy-iblinkinfo-l.txt", 537, 487, 0, 0, 225, 226, 3, 2],
  ["ib/edge/iblinkinfo-2007-perl.txt", 3, 3, 0, 0, 2, 2, 0, 1],
  ["ib/edge/iblinkinfo-2009-c.txt", 7, 7, 0, 0, 5, 5, 0, 2],
  ["ib/edge/iblinkinfo-hints.txt", 16, 16, 0, 0, 10, 11, 1, 5],
  ["ib/edge/iblinkinfo-quotes.txt", 49, 41, 8, 0, 21, 21, 0, 0],
] as const;

describe("iblinkinfo fixtures", () => {
  it.each(linked)("%s", (name, count, switches, cas, routers, active, peers, unavailable, hints) => {
    const result = parse(name);
    if (result.kind !== "iblinkinfo") throw new Error(result.kind);
    const { ports } = result.parsed.records;
    const of = (kind: string): number => ports.filter((port) => port.kind === kind).length;
    expect([ports.length, of("switch"), of("ca"), of("router")]).toEqual([count, switches, cas, routers]);
    expect(ports.filter((port) => port.state === 4)).toHaveLength(active);
    expect(ports.filter((port) => port.peer !== undefined)).toHaveLength(peers);
    expect(ports.filter((port) => port.peerUnavailable)).toHaveLength(unavailable);
    expect(ports.filter((port) => port.couldBeLanes > 0 || port.couldBeSpeed > 0)).toHaveLength(hints);
  });

  it("reads the same from both layouts", () => {
    for (const fabric of ["ft2-32", "odd"]) {
      const blocks = parse(`ib/sim/${fabric}/iblinkinfo.txt`);
      const lines = parse(`ib/sim/${fabric}/iblinkinfo-l.txt`);
      if (blocks.kind !== "iblinkinfo" || lines.kind !== "iblinkinfo") throw new Error("not recognised");
      const facts = (result: typeof blocks): unknown[] =>
        result.parsed.records.ports.map((port) => [
          port.guid,
          port.description?.trim(),
          [port.lid, port.number, port.lanes, port.speed, port.state, port.phys, port.peerUnavailable],
          [port.couldBeLanes, port.couldBeSpeed],
          [port.peer?.lid, port.peer?.number, port.peer?.description],
        ]);
      expect(facts(lines)).toEqual(facts(blocks));
    }
  });

  it("agrees with ibnetdiscover on width and speed of each linked port", () => {
    const links = parse("ib/sim/odd/iblinkinfo.txt");
    const nodes = parse("ib/sim/odd/ibnetdiscover.txt");
    if (links.kind !== "iblinkinfo" || nodes.kind !== "ibnetdiscover") throw new Error("not recognised");
    const rates = new Map<string, string>();
    for (const node of plainNodes(nodes.parsed.records)) {
      for (const port of node.ports)
        rates.set(`${port.guid ?? node.guid}/${port.number}`, `${port.lanes}x${port.speed}`);
    }
    const linkedPorts = links.parsed.records.ports.filter((port) => port.peer !== undefined);
    expect(linkedPorts).toHaveLength(rates.size);
    for (const port of linkedPorts) {
      expect(`${port.lanes ?? 0}x${port.speed ?? 0}`).toBe(rates.get(`${port.guid ?? ""}/${port.number}`));
    }
  });
});

// [fixture, tool, rows, bytes of the last, average of the last in Gb/s]
const bandwidth = [
  ["write_bw_default.client.stdout", "ib_write_bw", 1, 65536, 0.10259],
  ["write_bw_default_gbits.client.stdout", "ib_write_bw", 1, 65536, 0.14],
  ["write_bw_a_n10.client.stdout", "ib_write_bw", 23, 8388608, 0.1161],
  ["write_bw_cpu_util.client.stdout", "ib_write_bw", 1, 65536, 0.03632],
  ["report_both.client.stdout", "ib_write_bw", 1, 4096, 0.03338],
  ["counters.client.stdout", "ib_write_bw", 1, 4096, 0.05998],
  ["out_json_a.client.stdout", "ib_write_bw", 23, 8388608, 0.24285],
  ["run_inf.client.stdout", "ib_write_bw", 2, 4096, 0.08741],
  ["single_read_bw_q2.client.stdout", "ib_read_bw", 1, 65536, 0.33898],
  ["single_send_bw_b_t16.client.stdout", "ib_send_bw", 1, 65536, 0.32],
] as const;

// [fixture, tool, rows, typical of the last or undefined, average of the last, all in µs]
const latency = [
  ["send_lat_n100.client.stdout", "ib_send_lat", 1, 6571.94, 8220.24],
  ["send_lat_e_n100.client.stdout", "ib_send_lat", 1, 705.73, 972.47],
  ["send_lat_D2.client.stdout", "ib_send_lat", 1, undefined, 6355.58],
  ["send_lat_H_n30.client.stdout", "ib_send_lat", 1, 1772.78, 1561.27],
  ["send_lat_U_n30.client.stdout", "ib_send_lat", 1, 1401.49, 1347.71],
  ["send_lat_a_n20.server.stdout", "ib_send_lat", 23, 964927.99, 1075952.36],
  ["single_read_lat_n100.client.stdout", "ib_read_lat", 1, 38.17, 50.45],
] as const;

describe("perftest fixtures", () => {
  it.each(bandwidth)("%s", (name, tool, rows, bytes, average) => {
    const result = parse(`perftest/rxe/${name}.txt`);
    if (result.kind !== "perftest") throw new Error(result.kind);
    const { records } = result.parsed;
    expect([records.tool, records.bandwidth.length, records.latency.length]).toEqual([tool, rows, 0]);
    expect(records.bandwidth.at(-1)?.bytes).toBe(bytes);
    expect(records.bandwidth.at(-1)?.averageGbps).toBeCloseTo(average, 5);
    expect(records.info["Device"]).toMatch(/^rxe[01]$/);
  });

  it.each(latency)("%s", (name, tool, rows, typical, average) => {
    const result = parse(`perftest/rxe/${name}.txt`);
    if (result.kind !== "perftest") throw new Error(result.kind);
    const { records } = result.parsed;
    expect([records.tool, records.latency.length, records.bandwidth.length]).toEqual([tool, rows, 0]);
    expect(records.latency.at(-1)?.typicalUs).toBe(typical);
    expect(records.latency.at(-1)?.avgUs).toBe(average);
    expect(records.info["Device"]).toMatch(/^rxe[01]$/);
  });

  it("checks a rate against its message rate: bytes × messages = average", () => {
    for (const [name] of bandwidth) {
      const result = parse(`perftest/rxe/${name}.txt`);
      if (result.kind !== "perftest") throw new Error(result.kind);
      const row = result.parsed.records.bandwidth[0];
      if (row === undefined) throw new Error("no row");
      const byMessages = (row.bytes * row.msgRateMpps * 8) / 1e3;
      // The tool prints six decimals of the rate and two of the average.
      expect(Math.abs(row.averageGbps - byMessages)).toBeLessThan(0.0051 + (row.bytes * 8e-6) / 1e3);
    }
  });
});
