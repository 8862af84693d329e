/** The captures that come with the program: real tools' outputs of a fabric simulated by ibsim. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { SampleInfo } from "../../shared/contract/views.ts";

const indexSchema = z.array(
  z.object({
    file: z.string().regex(/^[\w.-]+\.fabric$/),
    title: z.string(),
    description: z.string(),
    switches: z.number(),
    hosts: z.number(),
  }),
);

/** Samples that the index of `folder` names; none when there is no index that can be read. Reads inside an asar too. */
export async function readSamples(folder: string): Promise<readonly SampleInfo[]> {
  try {
    const index = indexSchema.parse(JSON.parse(await readFile(join(folder, "index.json"), "utf8")));
    return index.map(({ file, ...rest }) => ({ path: join(folder, file), ...rest }));
  } catch {
    return [];
  }
}
