import { randomUUID } from "node:crypto";
import { explain } from "../../shared/errors/explain.ts";
import { planMeasurement } from "../../shared/measure/plan.ts";
import { visibleText } from "../../shared/base/text.ts";
import { formatGbps } from "../../shared/fabric/rates.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";
import { captureRoutes } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import { openPaths } from "../store/open-paths.ts";
import { readEngine } from "./limits.ts";
import { measureOptionNames, readMeasureOptions } from "./measure-options.ts";
import { readOptions } from "./options.ts";
import { readLink } from "./places.ts";
import { planReport } from "./plan-report.ts";
import { fail, print, printJson } from "./terminal.ts";

function planText(plan: MeasurePlan): string {
  const lines = [
    `${plan.linkName}: ${plan.client.host} to ${plan.server.host}, about ${plan.seconds} s`,
    ...plan.path.map(
      (hop) =>
        `  ${hop.fromName}:${hop.fromPort} to ${hop.toName}:${hop.toPort}${hop.gbps > 0 ? `  ${formatGbps(hop.gbps)} Gb/s` : ""}${hop.linkIndex === plan.linkIndex ? "  <- measured" : ""}`,
    ),
    plan.will,
    ...(plan.cannot === "" ? [] : [plan.cannot]),
    ...plan.steps.flatMap(({ commands }) => commands.map(({ host, argv }) => `  ${host}: ${argv.join(" ")}`)),
  ];
  return lines.map(visibleText).join("\n");
}

/** `ibex plan PATH… --link NODE:PORT [--json]`: who would measure against whom, over which path. Runs nothing. */
export async function planCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ["json", "link", "client", "server", ...measureOptionNames]);
  if (!options.ok) return fail(options.error, 2);
  const { words } = options.value;
  const link = options.value.text("link");
  if (words.length === 0 || link === undefined) {
    return fail(
      { kind: "bad-request", detail: "ibex plan needs a capture and a link: ibex plan PATH --link NODE:PORT" },
      2,
    );
  }
  const wanted = readMeasureOptions(options.value);
  if (!wanted.ok) return fail(wanted.error, 2);
  const capture = await openPaths(words);
  if (!capture.ok) return fail(capture.error, 2);
  const engine = await readEngine(options.value);
  if (!engine.ok) return fail(engine.error, 2);
  const loaded = await understandCapture(capture.value, engine.value, new AbortController().signal);
  if (!loaded.ok) return fail(loaded.error, 2);
  const { fabric, analysis } = loaded.value.understood;
  const index = readLink(fabric, link);
  if (!index.ok) return fail(index.error, 2);
  const network = captureRoutes(capture.value, loaded.value.understood)?.network;
  const client = options.value.text("client");
  const server = options.value.text("server");
  const plan = planMeasurement(fabric, analysis, {
    link: index.value,
    fabricId: capture.value.name,
    planId: randomUUID(),
    options: wanted.value,
    simulated: capture.value.simulated,
    ...(network === undefined ? {} : { routes: network }),
    ...(client === undefined ? {} : { client }),
    ...(server === undefined ? {} : { server }),
  });
  const asJson = options.value.flag("json");
  if (!plan.ok) {
    if (asJson) {
      const { sentence, remedy } = explain(plan.error);
      const nothing = { server: null, client: null, path: [], hops: 0, switches: 0, slowestGbps: 0 };
      printJson({ link, ...nothing, provable: false, reason: sentence, remedy, commands: [] });
    }
    return fail(plan.error, 1);
  }
  if (asJson) printJson(planReport(plan.value));
  else print(planText(plan.value));
  return 0;
}
