/**
 * The open fabrics as threads hold them, to be asked about routes and plans. A fabric that is collected anew or looked at
 * with another shape is held anew; a closed one is let go. Only a few are held at a time: a thread keeps the fabric and
 * one byte for each switch and LID, and reads both again when it is asked later.
 */
import { routeFiles } from "../../shared/build/interpret-routes.ts";
import type { Engine } from "../threads/engine.ts";
import type { HeldContent } from "../threads/held-fabric.ts";
import type { Held } from "../threads/held-thread.ts";
import { rawTextsOf } from "./load.ts";
import type { OpenFabric } from "./open-fabrics.ts";

/** Fabrics held at a time; more than two are rarely compared. */
const heldAtOnce = 3;

interface Kept {
  readonly held: Held;
  /** What the thread was given. */
  readonly understood: OpenFabric["understood"];
}

export class HeldFabrics {
  /** By fabric id, the one asked last at the end. */
  private readonly kept = new Map<string, Kept>();
  private readonly engine: Pick<Engine, "hold">;

  constructor(engine: Pick<Engine, "hold">) {
    this.engine = engine;
  }

  /** The thread of an open fabric; started when it is first asked. */
  of(open: OpenFabric): Held {
    const known = this.kept.get(open.id);
    this.kept.delete(open.id);
    const current = known?.understood === open.understood ? known : undefined;
    if (current === undefined) known?.held.end();
    const kept = current ?? { held: this.engine.hold(() => contentOf(open)), understood: open.understood };
    this.kept.set(open.id, kept);
    this.letGo();
    return kept.held;
  }

  /** Ends the thread of a fabric that is closed. */
  release(fabricId: string): void {
    this.kept.get(fabricId)?.held.end();
    this.kept.delete(fabricId);
  }

  /** The one asked last stays, and what still works. */
  private letGo(): void {
    const idle = [...this.kept].slice(0, -1).filter(([, { held }]) => !held.isBusy);
    for (const [id] of idle.slice(0, Math.max(0, this.kept.size - heldAtOnce))) this.release(id);
  }
}

function contentOf({ capture, understood }: OpenFabric): Omit<HeldContent, "limits"> {
  const wanted = new Set(routeFiles(understood.files));
  return {
    name: capture.name,
    fabric: understood.fabric,
    analysis: understood.analysis,
    tables: rawTextsOf(capture).filter(({ file }) => wanted.has(file)),
  };
}
