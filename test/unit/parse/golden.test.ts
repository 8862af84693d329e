import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseIblinkinfo } from "../../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../../shared/parse/ibnetdiscover.ts";
import type { ParseContext } from "../../../shared/parse/records.ts";
import { parsePerftest } from "../../../shared/parse/perftest.ts";
import { parseSminfo } from "../../../shared/parse/sminfo.ts";
import { plainRecords } from "../../support/discover-records.ts";

/**
 * Whole results of whole texts: golden/<case>.txt, or a fixture, against golden/<case>.expected.json. `UPDATE=1` writes
 * the expectations anew; read the difference before keeping it.
 */
const folder = fileURLToPath(new URL("golden/", import.meta.url));
const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

const referenced: Readonly<Record<string, string>> = {
  "ibnetdiscover-quotes": "ib/edge/ibnetdiscover-quotes.txt",
  "ibnetdiscover-duplicate-guid": "ib/edge/ibnetdiscover-duplicate-guid.txt",
  "ibnetdiscover-failed": "ib/edge/ibnetdiscover-failed.txt",
  "ibnetdiscover-empty": "ib/edge/ibnetdiscover-empty.txt",
  "iblinkinfo-2007-perl": "ib/edge/iblinkinfo-2007-perl.txt",
  "iblinkinfo-2009-c": "ib/edge/iblinkinfo-2009-c.txt",
  "iblinkinfo-hints": "ib/edge/iblinkinfo-hints.txt",
  "sminfo-states": "ib/edge/sminfo-states.txt",
  "perftest-write-default": "perftest/rxe/write_bw_default.client.stdout.txt",
  "perftest-latency-server": "perftest/rxe/read_lat_n100.server.stdout.txt",
  "perftest-running": "perftest/rxe/run_inf.client.stdout.txt",
};

const parsers = {
  ibnetdiscover: (text: string, context: ParseContext) => {
    const result = parseIbnetdiscover(text, context);
    return { ...result, records: plainRecords(result.records) };
  },
  iblinkinfo: parseIblinkinfo,
  sminfo: parseSminfo,
  perftest: parsePerftest,
} as const;

function isParser(name: string): name is keyof typeof parsers {
  return name in parsers;
}

function textOf(name: string): string {
  const reference = referenced[name];
  return readFileSync(reference === undefined ? `${folder}${name}.txt` : `${fixtures}${reference}`, "utf8");
}

const own = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => name.slice(0, -".txt".length));

describe("parsers, whole results", () => {
  it.each([...own, ...Object.keys(referenced)].sort())("%s", (name) => {
    const parser = name.slice(0, name.indexOf("-"));
    if (!isParser(parser)) throw new Error(`no parser for ${name}`);
    const result = parsers[parser](textOf(name), { file: `${name}.txt` });
    const printed = `${JSON.stringify(result, null, 2)}\n`;
    const path = `${folder}${name}.expected.json`;
    if (process.env["UPDATE"] === "1") writeFileSync(path, printed);
    expect(printed).toBe(readFileSync(path, "utf8"));
  });
});
