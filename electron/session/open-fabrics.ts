/** The fabrics that are open, with their captures and what was understood of them. */
import { randomUUID } from "node:crypto";
import type { CaptureInfo, FabricView } from "../../shared/contract/views.ts";
import type { Understood } from "../work/interpret-job.ts";
import type { Capture } from "../store/capture.ts";
import { stderrOf } from "../../shared/build/interpret.ts";

export interface OpenFabric {
  readonly id: string;
  readonly capture: Capture;
  readonly understood: Understood;
  /** Path that it was opened from or saved to. */
  path: string | undefined;
}

export class OpenFabrics {
  private readonly open = new Map<string, OpenFabric>();

  /** Adds a fabric; with `replaces` it takes over that one's id, so that the window keeps its place. */
  add(capture: Capture, understood: Understood, path: string | undefined, replaces?: string): OpenFabric {
    const id = replaces !== undefined && this.open.has(replaces) ? replaces : randomUUID();
    const fabric: OpenFabric = { id, capture, understood, path };
    this.open.set(id, fabric);
    return fabric;
  }

  get(id: string): OpenFabric | undefined {
    return this.open.get(id);
  }

  close(id: string): OpenFabric | undefined {
    const fabric = this.open.get(id);
    this.open.delete(id);
    return fabric;
  }

  get all(): readonly OpenFabric[] {
    return [...this.open.values()];
  }
}

/** What the window sees of a capture. */
export function captureInfo({ capture, understood, path }: OpenFabric): CaptureInfo {
  const tools = new Map(understood.files.map(({ file, tool }) => [file, tool]));
  return {
    name: capture.name,
    how: capture.how,
    simulated: capture.simulated,
    collectedAt: capture.collectedAt ?? null,
    path: path ?? null,
    source: capture.source ?? null,
    steps: capture.steps,
    files: capture.outputs.flatMap((output) => {
      const info = {
        tool: tools.get(output.name) ?? null,
        commandLine: output.commandLine ?? null,
        exitCode: output.exitCode ?? null,
      };
      const files = [{ name: output.name, bytes: output.stdout.length, ...info }];
      return output.stderr === undefined
        ? files
        : [...files, { ...info, tool: null, name: stderrOf(output.name), bytes: output.stderr.length }];
    }),
    partial: understood.partial || capture.steps.some((step) => step.state === "failed" || step.state === "cancelled"),
  };
}

/** What the window sees of a fabric. */
export function fabricView(open: OpenFabric): FabricView {
  const { fabric, analysis, diagnostics } = open.understood;
  return { fabricId: open.id, capture: captureInfo(open), fabric, analysis, diagnostics };
}
