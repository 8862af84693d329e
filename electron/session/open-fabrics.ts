/** The fabrics that are open, with their captures and what was understood of them. */
import { randomUUID } from "node:crypto";
import type { TopologyKind } from "../../shared/analyse/results.ts";
import type { CaptureInfo, FabricView } from "../../shared/contract/views.ts";
import type { Understood } from "../threads/interpret-job.ts";
import { type Capture, stdoutBytes } from "../store/capture.ts";
import { stderrOf } from "../../shared/build/interpret.ts";

export interface OpenFabric {
  readonly id: string;
  readonly capture: Capture;
  understood: Understood;
  /** The user's word on the shape; it holds for this fabric while it is open, over collections. */
  kind: TopologyKind | undefined;
  /** Path that it was opened from or saved to. */
  path: string | undefined;
}

export class OpenFabrics {
  private readonly open = new Map<string, OpenFabric>();

  /** Adds a fabric; with `replaces` it takes over that one's id, so that the window keeps its place. */
  add(capture: Capture, understood: Understood, path: string | undefined, replaces?: string): OpenFabric {
    const earlier = replaces === undefined ? undefined : this.open.get(replaces);
    const id = earlier?.id ?? randomUUID();
    const kind = understood.analysis.topology.overruled ? understood.analysis.topology.kind : undefined;
    const fabric: OpenFabric = { id, capture, understood, path, kind };
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
function captureInfo({ capture, understood, path }: OpenFabric): CaptureInfo {
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
      const files = [{ name: output.name, bytes: stdoutBytes(output), ...info }];
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
