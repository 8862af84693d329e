/**
 * Packs a folder of raw outputs of the real tools, taken on a simulated fabric (ibsim), as a sample capture of the welcome page:
 *
 *   node scripts/make-sample.mjs FOLDER NAME --title TEXT --description TEXT --switches N --hosts N
 *
 * Writes resources/samples/NAME.fabric and its entry in resources/samples/index.json. The folder holds ibnetdiscover.txt,
 * iblinkinfo-l.txt or iblinkinfo.txt, sminfo.txt and, if there is one, opensm.log. Same input, same bytes.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { strToU8, zipSync } from "fflate";
import { Stop, runMain, step } from "./lib/output.mjs";
import { readJson, root } from "./lib/places.mjs";

/** Time in the zip's entries, so that packing again gives the same file. */
const entryTime = new Date("2026-01-01T00:00:00");
const mostBytes = 300_000;
const wanted = [
  { file: "ibnetdiscover.txt", step: "ibnetdiscover", command: "ibnetdiscover" },
  { file: "iblinkinfo-l.txt", step: "iblinkinfo", command: "iblinkinfo -l" },
  { file: "sminfo.txt", step: "sminfo", command: "sminfo" },
];

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      title: { type: "string" },
      description: { type: "string" },
      switches: { type: "string" },
      hosts: { type: "string" },
    },
  });
  const [folder, name] = positionals;
  if (folder === undefined || name === undefined || values.title === undefined || values.description === undefined)
    throw new Stop("Say: make-sample FOLDER NAME --title TEXT --description TEXT --switches N --hosts N");
  const outputs = wanted.map((output) => ({ ...output, bytes: readFileSync(join(folder, output.file)) }));
  const generated = /generated on (.+)/.exec(outputs[0]?.bytes.toString("utf8") ?? "")?.[1];
  const at = new Date(`${generated ?? ""} UTC`);
  if (Number.isNaN(at.getTime())) throw new Stop("ibnetdiscover.txt does not say when it was made.");
  const manifest = {
    format: "ibex-capture",
    version: 1,
    writtenBy: "Ibex",
    name: values.title,
    how: "file",
    simulated: true,
    collectedAt: at.toISOString(),
    steps: outputs.map((output) => ({
      id: output.step,
      title: output.command,
      state: "done",
      note: "the real tool, on a fabric simulated by ibsim",
      ms: 0,
    })),
    outputs: outputs.map((output) => ({
      name: output.file,
      bytes: output.bytes.length,
      commandLine: output.command,
      exitCode: 0,
    })),
  };
  /** @type {import("fflate").Zippable} */
  const entries = { "manifest.json": strToU8(JSON.stringify(manifest, undefined, 2)) };
  for (const output of outputs) entries[`outputs/${output.file}`] = new Uint8Array(output.bytes);
  const zip = zipSync(entries, { level: 9, mtime: entryTime });
  if (zip.length > mostBytes)
    throw new Stop(`The sample has ${String(zip.length)} bytes; at most ${String(mostBytes)}.`);
  const samples = join(root, "resources", "samples");
  mkdirSync(samples, { recursive: true });
  const file = `${name}.fabric`;
  writeFileSync(join(samples, file), zip);
  const index = join(samples, "index.json");
  const known = /** @type {{file: string}[]} */ (existsSync(index) ? readJson(index) : []);
  const entry = {
    file,
    title: values.title,
    description: values.description,
    switches: Number(values.switches),
    hosts: Number(values.hosts),
  };
  const all = [...known.filter((other) => other.file !== file), entry].sort((a, b) => (a.file < b.file ? 1 : -1));
  writeFileSync(index, `${JSON.stringify(all, undefined, 2)}\n`);
  step(`${file}: ${String(zip.length)} bytes`);
  return 0;
});
