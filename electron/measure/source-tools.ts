/** Running the InfiniBand tools on the source's machine the way its settings want. */
import type { Result } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandRunner } from "../run/runner.ts";
import { ask, type TextOutput } from "./commands.ts";

/** How the tools are called there. */
export interface SourceTools {
  readonly sudo: boolean;
  /** `-C mlx5_0 -P 1`, or nothing: the tools choose. */
  readonly options: readonly string[];
}

/** What a source's settings say about its tools. */
export function sourceTools(source: SourceSpec): SourceTools {
  if (source.kind === "simulated") return { sudo: false, options: [] };
  return {
    sudo: source.sudo,
    options: [
      ...(source.hca === "" ? [] : ["-C", source.hca]),
      ...(source.hcaPort === 0 ? [] : ["-P", String(source.hcaPort)]),
    ],
  };
}

/** Runs one tool with its device options and says what it printed. */
export function askTool(
  runner: CommandRunner,
  tools: SourceTools,
  [tool, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<Result<TextOutput, AppError>> {
  return ask(runner, [tool, ...tools.options, ...args], signal, tools.sudo);
}
