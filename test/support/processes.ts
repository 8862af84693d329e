import { readFile } from "node:fs/promises";

/** Whether a process of this machine lives; a zombie does not. */
export async function processAlive(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${String(pid)}/stat`, "utf8");
    return !/^\d+ \(.*\) [ZX]/s.test(stat);
  } catch {
    return false; // no such process
  }
}
