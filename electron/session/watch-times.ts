/** When subnet managers were watched, in `watched.json`: without it a quiet hour and an hour nobody looked are alike. */
import { join } from "node:path";
import { z } from "zod";
import type { Result } from "../../shared/base/result.ts";
import type { WatchTime } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { readStored, writeJson } from "../store/json-file.ts";

const time = z.string().max(40);
const fileSchema = z.object({
  version: z.literal(1),
  times: z.array(
    z.object({
      source: z.string().max(400),
      from: time,
      to: time,
      intervalSeconds: z.number().min(0).max(86_400),
    }),
  ),
});
type Entry = z.infer<typeof fileSchema>["times"][number];

const timesKept = 500;

export interface WatchTimes {
  /** Oldest first. */
  of(source: string): readonly WatchTime[];
  /** Keeps a time; one of the same source with the same begin is replaced. */
  keep(source: string, time: WatchTime): Promise<Result<void, AppError>>;
}

/** `watched.json` in `folder`; a file that is no such file counts as empty, and is kept aside. */
export async function openWatchTimes(folder: string): Promise<WatchTimes> {
  const path = join(folder, "watched.json");
  const read = async (): Promise<readonly Entry[]> => {
    return (await readStored(path, fileSchema))?.times ?? [];
  };
  let times = await read();
  let queue: Promise<unknown> = Promise.resolve();
  return {
    of: (source) =>
      times
        .filter((entry) => entry.source === source)
        .map(({ from, to, intervalSeconds }) => ({ from, to, intervalSeconds })),
    keep(source, added) {
      const withAdded = (entries: readonly Entry[]): readonly Entry[] => {
        const others = entries.filter((entry) => entry.source !== source || entry.from !== added.from);
        return [...others, { source, ...added }].slice(-timesKept);
      };
      times = withAdded(times);
      // The window and the command line may both watch: what the other one kept meanwhile stays.
      const written = queue.then(async () => {
        times = withAdded(await read());
        return writeJson(path, { version: 1, times });
      });
      queue = written.catch(() => undefined);
      return written;
    },
  };
}
