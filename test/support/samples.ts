/** The sample captures that come with the program. */
import { join } from "node:path";
import type { Capture } from "../../electron/store/capture.ts";
import { openPaths } from "../../electron/store/open-paths.ts";
import { understandCapture } from "../../electron/session/load.ts";
import { readSamples } from "../../electron/session/samples.ts";
import { directEngine } from "../../electron/threads/engine.ts";
import type { Understood } from "../../electron/threads/interpret-job.ts";
import type { SampleInfo } from "../../shared/contract/views.ts";
import { must } from "./ssh-dependencies.ts";

export const samplesFolder = join(import.meta.dirname, "..", "..", "resources", "samples");

export interface Sample {
  readonly info: SampleInfo;
  readonly capture: Capture;
  readonly understood: Understood;
}

/** All samples, opened as the program opens them. */
export async function openSamples(): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const info of await readSamples(samplesFolder)) {
    const capture = must(await openPaths([info.path]));
    const { understood } = must(await understandCapture(capture, directEngine, new AbortController().signal));
    samples.push({ info, capture, understood });
  }
  return samples;
}

/** The sample whose file name begins so. */
export async function openSample(name: string): Promise<Sample> {
  const sample = (await openSamples()).find(({ info }) => info.path.includes(`/${name}`));
  if (sample === undefined) throw new Error(`there is no sample ${name}`);
  return sample;
}
