/** Collecting from the lab the way the product does: real SSH, the product's own code. */
import { join } from "node:path";
import { collect } from "../../electron/collect/collect.ts";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import type { SshDependencies } from "../../electron/run/ssh/connect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import { understandCapture } from "../../electron/session/load.ts";
import type { Capture } from "../../electron/store/capture.ts";
import { directEngine } from "../../electron/threads/engine.ts";
import type { Understood } from "../../electron/threads/interpret-job.ts";
import type { Result } from "../../shared/base/result.ts";
import { sshSource } from "../../shared/contract/source.ts";
import type { SshSource } from "../../shared/contract/source.ts";
import type { CollectStep } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { dependencies, must } from "../support/ssh-dependencies.ts";
import type { IbLab } from "./ib-lab.ts";

/** SSH with the lab's host key known and nothing else of this machine. */
export function labDependencies(lab: IbLab, more: Partial<SshDependencies> = {}): SshDependencies {
  const given = { knownHostsFiles: { user: [lab.knownHostsFile], own: join(lab.directory, "own_known_hosts") } };
  return dependencies(lab.directory, { ...given, ...more });
}

/** The lab as a source. */
export function labSource(lab: IbLab, more: Partial<SshSource> = {}): SshSource {
  const { host, port, user, keyFile } = lab;
  return sshSource(host, { port, user, identityFile: keyFile, auth: "key", ...more });
}

export async function connectToLab(lab: IbLab): Promise<SshConnection> {
  const { host, port, user, keyFile } = lab;
  const target = { host, port, user, identityFile: keyFile, useConfig: false };
  return must(await connectSsh(target, labDependencies(lab), new AbortController().signal));
}

export interface CollectHooks {
  readonly signal?: AbortSignal;
  readonly onSteps?: (steps: readonly CollectStep[]) => void;
}

export async function collectCapture(
  connection: SshConnection,
  source: SshSource,
  hooks: CollectHooks = {},
): Promise<Result<Capture, AppError>> {
  return collect(connection.runner, {
    source,
    simulated: false,
    signal: hooks.signal ?? new AbortController().signal,
    now: Date.now,
    onSteps: hooks.onSteps ?? (() => undefined),
  });
}

export async function understood(capture: Capture): Promise<Understood> {
  return must(await understandCapture(capture, directEngine, new AbortController().signal)).understood;
}

/** Collects and understands; fails the test when nothing drawable comes. */
export async function collectFabric(
  connection: SshConnection,
  source: SshSource,
): Promise<Understood & { readonly capture: Capture }> {
  const capture = must(await collectCapture(connection, source));
  return { ...(await understood(capture)), capture };
}
