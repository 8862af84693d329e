/** Asks one port for its counters with perfquery (infiniband-diags). Only reads: never -R. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parsePerfquery, type PerfqueryPort } from "../../shared/parse/perfquery.ts";
import { toolFailure } from "../collect/tool-failure.ts";
import type { CommandRunner } from "../run/runner.ts";
import { errorOf, textOf } from "./commands.ts";
import type { SourceTools } from "./source-tools.ts";

const tool = "perfquery";
const limits = { timeoutMs: 20_000, maxOutputBytes: 256 * 1024 } as const;

/** Failures that every further query would meet as well. */
const endsAll: ReadonlySet<AppError["kind"]> = new Set(["tool-missing", "no-permission", "sudo-refused", "no-device"]);

/**
 * The counters that perfquery prints for a port; undefined when this port does not answer.
 *
 * @returns an error when no port can be asked: `tool-missing`, `no-permission`, `sudo-refused`, `no-device`, and what
 * the way to the machine says.
 */
export async function queryPort(
  { lid, port }: { readonly lid: number; readonly port: number },
  options: readonly string[],
  { runner, tools }: { readonly runner: CommandRunner; readonly tools: SourceTools },
  signal: AbortSignal,
): Promise<Result<PerfqueryPort | undefined, AppError>> {
  const argv = [tool, ...tools.options, ...options, String(lid), String(port)] as const;
  const asked = await runner.run({ argv, ...limits, ...(tools.sudo ? { sudo: true } : {}) }, signal);
  if (!asked.ok) return err(errorOf(asked.error));
  const failure = await toolFailure(runner, tool, tools.sudo, asked.value, signal);
  if (failure !== undefined) return endsAll.has(failure.kind) ? err(failure) : ok(undefined);
  return ok(
    parsePerfquery(textOf(asked.value).stdout, { file: tool }).records.ports.find(
      (read) =>
        read.lid === lid && read.port === port && (read.attribute === "extended" || read.attribute === "classic"),
    ),
  );
}
