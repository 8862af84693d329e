import { describe, expect, it } from "vitest";
import { requestNames, type RequestName } from "../../../shared/contract/names.ts";
import { requests } from "../../../shared/contract/requests.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";

const link = "0x0c42a10300000018:1";
const node = "0x0c42a10300000018";
const id = "a-1";
const source = { kind: "simulated", name: "fat-tree" };
const options = defaultMeasureOptions;

/** Of each request an input that is taken, and inputs that are near it and are refused. */
const samples: { readonly [Name in RequestName]: readonly [good: unknown, ...bad: readonly unknown[]] } = {
  "app.info": [{}, { more: 1 }, null],
  "app.initial": [{}, []],
  "app.ready": [{ summary: "drawn" }, {}, { summary: "x".repeat(1001) }],
  "app.copy": [{ text: "ib_write_bw" }, { text: 7 }, {}],
  "app.report": [{ incident: "i-1" }, { incident: "x".repeat(101) }],
  "settings.get": [{}, "all"],
  "settings.set": [{ passPercent: 90 }, { passPercent: 900 }, { passPercent: "90" }, { noSuch: 1 }],
  "hosts.known": [{}, { file: "/etc/passwd" }],
  "hosts.forget": [{ line: "mgmt-01 ssh-ed25519 AAAA" }, { line: "" }, { line: "x".repeat(16 * 1024 + 1) }, {}],
  "data.summary": [{}, { folder: "/" }],
  "recent.list": [{}, 7],
  "recent.remove": [{ id }, { id: "" }, {}],
  "local.probe": [{}, { host: "n001" }],
  "ssh.names": [{}, { path: "/root/.ssh/config" }],
  "ssh.test": [{ source, upTo: "all" }, { source, upTo: "none" }, { upTo: "all" }],
  "prompt.answer": [
    { promptId: id, answer: { kind: "secret", value: "x" } },
    { promptId: id, answer: { kind: "host-key", decision: "yes" } },
    { promptId: id },
  ],
  "capture.choose": [{ what: "files" }, { what: "anything" }],
  "capture.open": [{ paths: ["/tmp/a.fabric"] }, { paths: [] }, { paths: [""] }, { paths: "/tmp/a" }],
  "capture.collect": [{ source, routes: true }, { source: { kind: "telnet" } }, { source, routes: "yes" }],
  "capture.save": [{ fabricId: id }, { fabricId: id, path: "" }, {}],
  "picture.save": [
    { fabricId: id, overlay: "health", format: "svg", bytes: new Uint8Array([60]) },
    { fabricId: id, overlay: "../health", format: "svg", bytes: new Uint8Array([60]) },
    { fabricId: id, overlay: "health", format: "gif", bytes: new Uint8Array([60]) },
    { fabricId: id, overlay: "health", format: "svg", bytes: new Uint8Array() },
  ],
  "capture.raw": [
    { fabricId: id, file: "ibnetdiscover", line: 1, lines: 10 },
    { fabricId: id, file: "ibnetdiscover", line: 0, lines: 10 },
    { fabricId: id, file: "ibnetdiscover", line: 1, lines: 5000 },
  ],
  "fabric.get": [{ fabricId: id }, {}, { fabricId: null }],
  "fabric.overrule": [
    { fabricId: id, kind: "automatic" },
    { fabricId: id, kind: "star" },
  ],
  "fabric.close": [{ fabricId: id }, { fabricId: "" }],
  "routes.get": [{ fabricId: id }, {}, { fabricId: id, lid: 7 }],
  "routes.across": [
    { fabricId: id, link, filter: "" },
    { fabricId: id, link: "n018:1", filter: "" },
    { fabricId: id, link, filter: "x".repeat(256) },
    { fabricId: id, link },
  ],
  "routes.way": [
    { fabricId: id, from: link, to: link },
    { fabricId: id, from: node, to: link },
    { fabricId: id, from: link },
  ],
  "measure.plan": [
    { fabricId: id, link, options },
    { fabricId: id, link: "<b>", options },
    { fabricId: id, link, options: { ...options, queuePairs: 0 } },
    { fabricId: id, link, options: { ...options, argv: ["; reboot"] } },
    { fabricId: id, link, options, client: "x".repeat(256) },
  ],
  "measure.gpus": [{ planId: id }, {}, { planId: 7 }, { planId: id, host: "n001" }],
  "measure.run": [{ planId: id, allowBusy: true }, { planId: id, allowBusy: "yes" }, { allowBusy: true }],
  "triangulation.plan": [{ fabricId: id, measurement: id }, { fabricId: id }, { fabricId: id, measurement: "" }],
  "triangulation.run": [{ planId: id }, {}, { planId: id, allowBusy: 1 }, { planId: id, tests: [] }],
  "measure.list": [{}, { newest: 10 }],
  "measure.get": [{ id }, {}, { id: "x".repeat(101) }],
  "measure.export": [
    { ids: null, format: "csv" },
    { ids: null, format: "xlsx" },
    { ids: [""], format: "csv" },
    { format: "json" },
    { ids: [id], format: "json", path: "/etc/passwd" },
  ],
  "sweep.plan": [
    { fabricId: id, wish: { kind: "links", links: [link], title: "Suspects" }, options, concurrency: 16 },
    { fabricId: id, wish: { kind: "links", links: [] }, options, concurrency: 16 },
    { fabricId: id, wish: { kind: "links", links: ["leaf:1"] }, options, concurrency: 16 },
    { fabricId: id, wish: { kind: "links-of", node: "leaf-01" }, options, concurrency: 16 },
    { fabricId: id, wish: { kind: "everything" }, options, concurrency: 16 },
    { fabricId: id, wish: { kind: "degraded" }, options, concurrency: 0 },
    { fabricId: id, wish: { kind: "degraded" }, options, concurrency: 1.5 },
    { fabricId: id, wish: { kind: "degraded" }, options, concurrency: 257 },
    { fabricId: id, wish: { kind: "degraded" }, concurrency: 16 },
  ],
  "sweep.start": [{ planId: id }, {}, { planId: id, links: [link] }],
  "sweep.pause": [{ sweepId: id }, {}, { sweepId: "" }],
  "sweep.resume": [{ sweepId: id, fabricId: id }, { sweepId: id }, { fabricId: id }],
  "sweep.cancel": [{ sweepId: id }, { id }, { sweepId: 1 }],
  "sweep.discard": [{ sweepId: id }, {}, { sweepId: "x".repeat(101) }],
  "sweep.list": [{}, { state: "running" }],
  "sweep.get": [{ sweepId: id }, {}, { sweepId: [id] }],
  "sweep.export": [{ sweepId: id, format: "json" }, { sweepId: id, format: "html" }, { sweepId: id }],
  "baseline.list": [{}, { link }],
  "baseline.set": [{ measurement: id }, {}, { measurement: "" }, { measurement: id, link }],
  "baseline.clear": [{ measurement: id }, {}, { measurement: null }],
  "watch.start": [{ fabricId: id, intervalSeconds: 5 }, { fabricId: id, intervalSeconds: 0 }, { fabricId: id }],
  "watch.stop": [{ fabricId: id }, {}],
  "watch.state": [{ fabricId: id }, {}],
  "watch.logs": [{ fabricId: id }, { fabricId: id, path: "/var/log" }],
  "counters.start": [
    { fabricId: id, intervalSeconds: 60 },
    { fabricId: id, intervalSeconds: 4 },
    { fabricId: id, intervalSeconds: 3601 },
    { fabricId: id, intervalSeconds: "60" },
    { intervalSeconds: 60 },
  ],
  "counters.stop": [{ fabricId: id }, {}, { fabricId: id, intervalSeconds: 60 }],
  "counters.state": [{ fabricId: id }, {}, { fabricId: "" }],
  "marks.get": [{}, { link }],
  "marks.set": [
    { link, mark: null, note: "" },
    { link, mark: "fine", note: 7 },
    { link: node, mark: null, note: "" },
    { link, mark: "exploded", note: "" },
  ],
};

describe("inputs of the contract", () => {
  it.each(requestNames)("%s is taken as agreed and refused otherwise", (name) => {
    const { input } = requests[name];
    const [good, ...bad] = samples[name];
    expect(input.safeParse(good)).toMatchObject({ success: true });
    expect(bad.length).toBeGreaterThan(0);
    for (const wrong of [...bad, undefined]) {
      expect(input.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });
});
