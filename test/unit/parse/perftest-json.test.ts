import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAny } from "../../../shared/parse/parse-any.ts";
import { parsePerftest } from "../../../shared/parse/perftest.ts";
import { recognise } from "../../../shared/parse/recognise.ts";

const context = { file: "perftest_out.json" };

function json(info: object, results: object): string {
  return JSON.stringify({ test_info: info, results }, null, 1);
}

const write = { test: "RDMA_Write_BW_Test", Device: "mlx5_3", Number_of_qps: 4, Link_type: "IB", Mtu: 4096 };

/** The part of a fixture behind its table: what older versions write into the file too. */
function oldJson(name: string): string {
  const text = readFileSync(new URL(`../../fixtures/perftest/rxe/${name}.txt`, import.meta.url), "utf8");
  return text.slice(text.indexOf("{\n"));
}

describe("perftest's JSON", () => {
  it("is read in MiB/s where the message rate says so", () => {
    const text = json(write, {
      MsgSize: 65_536,
      n_iterations: 5000,
      BW_peak: 0,
      BW_average: 11_681.64,
      MsgRate: 0.186906,
    });
    const { records, diagnostics } = parsePerftest(text, context);
    expect(records.bandwidth[0]?.averageGbps).toBeCloseTo(97.99, 2);
    expect(records.bandwidth[0]).not.toHaveProperty("peakGbps");
    expect(records).toMatchObject({
      tool: "ib_write_bw",
      title: "RDMA_Write BW Test",
      bidirectional: false,
      info: { Device: "mlx5_3", "Number of qps": "4", "Link type": "IB", Mtu: "4096[B]" },
    });
    expect(diagnostics).toEqual([]);
  });

  it("of a latency test has its percentiles, and of one with -D only the average", () => {
    const full = {
      MsgSize: 2,
      n_iterations: 1000,
      t_min: 1.2,
      t_max: 4,
      t_typical: 1.27,
      t_avg: 1.3,
      t_stdev: 0,
      percentile_99: 1.5,
      "percentile_99.9": 4,
    };
    expect(parsePerftest(json({ test: "Send_Latency_Test" }, full), context).records).toMatchObject({
      tool: "ib_send_lat",
      latency: [
        { bytes: 2, iterations: 1000, minUs: 1.2, maxUs: 4, typicalUs: 1.27, avgUs: 1.3, p99Us: 1.5, p999Us: 4 },
      ],
    });
    const timed = json(
      { test: "RDMA_Read_Latency_Test" },
      { MsgSize: 2, n_iterations: 90_000, t_avg: 1.9, tps_average: 526_000 },
    );
    const { latency } = parsePerftest(timed, context).records;
    expect(latency).toHaveLength(1);
    expect(latency[0]).toMatchObject({ avgUs: 1.9 });
    expect(latency[0]).not.toHaveProperty("p99Us");
  });

  it.each([
    ["sizes that cannot be", { MsgSize: 2 ** 40, n_iterations: 5, BW_average: 1, MsgRate: 1 }, "bad-row"],
    ["an average that is no number", { MsgSize: 2, n_iterations: 5, BW_average: null, MsgRate: 1 }, "bad-row"],
    ["no message rate", { MsgSize: 65_536, n_iterations: 5, BW_average: 97 }, "unknown-unit"],
    ["no size", { n_iterations: 5, BW_average: 97, MsgRate: 1 }, "no-records"],
  ])("with %s gives no result, and says why", (_what, results, code) => {
    const { records, diagnostics } = parsePerftest(json(write, results), context);
    expect(records.bandwidth).toEqual([]);
    expect(diagnostics).toMatchObject([{ code, severity: "error" }]);
  });

  it("of a run in which nothing went over the wire warns", () => {
    const text = json(write, { MsgSize: 4096, n_iterations: 0, BW_peak: 0, BW_average: 0, MsgRate: 0 });
    const { records, diagnostics } = parsePerftest(text, context);
    expect(records.bandwidth).toMatchObject([{ averageGbps: 0, iterations: 0 }]);
    expect(diagnostics).toMatchObject([{ code: "nothing-measured" }]);
  });

  it.each([
    ["out_json.client.stdout", "perftest-bandwidth", "ib_write_bw"],
    ["out_json_lat.client.stdout", "perftest-latency", "ib_send_lat"],
  ])("of a version before 24.01 (%s) is said to be none", (name, tool, command) => {
    const text = oldJson(name);
    expect(recognise(text)).toEqual({ tool, confidence: "certain" });
    const { records, diagnostics } = parsePerftest(text, context);
    expect(records).toMatchObject({ tool: command, bandwidth: [], latency: [] });
    expect(diagnostics).toMatchObject([{ code: "json-of-old-version", severity: "error", line: 1 }]);
    expect(diagnostics[0]?.message).toContain("24.01");
  });

  it("that was cut off is said to be damaged, not old", () => {
    const whole = json(write, { MsgSize: 65_536, n_iterations: 5000, BW_average: 97, MsgRate: 0.185 });
    for (const cut of [whole.length - 1, whole.length - 3, whole.indexOf("results")]) {
      const { records, diagnostics } = parsePerftest(whole.slice(0, cut), context);
      expect(records.bandwidth).toEqual([]);
      expect(diagnostics).toMatchObject([{ code: "json-unreadable" }]);
    }
  });

  it("is told from other tools' JSON with test_info, and from text with a table before it", () => {
    expect(recognise('{"test_info": {"timestamp": "now"}, "results": []}')).toBeUndefined();
    const text = readFileSync(
      new URL("../../fixtures/perftest/rxe/out_json.client.stdout.txt", import.meta.url),
      "utf8",
    );
    expect(parsePerftest(text, context).records.bandwidth).toMatchObject([{ bytes: 4096, iterations: 200 }]);
  });

  it("is found behind the command that printed it, with its keys in any order", () => {
    const results = { MsgSize: 65_536, n_iterations: 5000, BW_average: 97, MsgRate: 0.18501 };
    const sorted = JSON.stringify({ results, test_info: write }, null, 4);
    const read = parseAny(`[root@n01 ~]# cat perftest_out.json\n${sorted}\n`, context);
    expect(read.kind === "perftest" ? read.parsed.records.bandwidth : read).toMatchObject([{ averageGbps: 97 }]);
  });
});
