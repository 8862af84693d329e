/**
 * perftest processes on a host. Ours carry IBEX_RUN in their environment, the marker of the command that started them
 * (run/envelope.ts); its watch has the same marker on its command line. Ours without a watch are stale: nobody will end
 * them before their time limit. They are ended by their pid, no other process is ever touched.
 */
import type { Argv } from "./batch.ts";
import type { TextOutput } from "./commands.ts";

/** A perftest on a host. `stale`: ours, and ended; `live`: of a measurement that goes on; `other`: somebody else's. */
export interface PerftestProcess {
  readonly pid: number;
  readonly user: string;
  readonly state: "stale" | "live" | "other";
  readonly argv: readonly string[];
}

/**
 * Prints `PID USER STATE COMMAND LINE` of each perftest, and ends those that are stale: TERM, after 2 s KILL. `timeout`
 * above a stale tool goes with it. The marker is handed to grep by its input: on its command line it would find itself.
 * The signal goes out right after the look at the environment, so that the pid is still that process's.
 */
const script = [
  "gone=;",
  "for d in /proc/[0-9]*; do",
  "c=; { read -r c <$d/comm; } 2>/dev/null || continue;",
  "case $c in ib_*_bw|ib_*_lat|raw_ethernet_*|timeout) ;; *) continue;; esac;",
  'a=$({ tr "\\000" " " <$d/cmdline; } 2>/dev/null); [ -n "$a" ] || continue;',
  'm=$({ tr "\\000" "\\n" <$d/environ; } 2>/dev/null | sed -n "s/^IBEX_RUN=//p"); s=other;',
  'if [ -n "$m" ]; then s=live; w=$(echo "$m" | grep -l -s -f - /proc/[0-9]*/cmdline | head -n 1);',
  '[ -n "$w" ] || s=stale; fi;',
  'if [ "$c" = timeout ] && [ $s != stale ]; then continue; fi;',
  "p=${d#/proc/}; u=$(stat -c %U $d 2>/dev/null);",
  'if [ $s = stale ]; then kill -TERM $p 2>/dev/null; gone="$gone $p"; fi;',
  'echo "$p ${u:-?} $s $a";',
  "done;",
  'n=20; while [ -n "$gone" ] && [ $n -gt 0 ]; do',
  'l=; for p in $gone; do if kill -0 $p 2>/dev/null; then l="$l $p"; fi; done; gone=$l;',
  'if [ -n "$gone" ]; then sleep 0.1; fi; n=$((n-1)); done;',
  "for p in $gone; do kill -KILL $p 2>/dev/null; done; exit 0",
].join(" ");

/** Finds the perftest processes of a host, and ends the stale ones that are ours. */
export const perftestsCommand: Argv = ["/bin/sh", "-c", script, "ibex-perftests"];

/** What the command has found; empty where nothing can be seen. */
export function readPerftests({ stdout, exitCode }: TextOutput): readonly PerftestProcess[] {
  if (exitCode !== 0) return [];
  return [...stdout.matchAll(/^(\d+) (\S+) (stale|live|other) (.*)$/gm)].map(
    ([, pid, user = "?", state, line = ""]) => ({
      pid: Number(pid),
      user,
      state: state === "stale" || state === "live" ? state : "other",
      argv: line.split(" ").filter((word) => word !== ""),
    }),
  );
}

function optionOf(argv: readonly string[], short: string, long: string): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (word === short || word === long) return argv[index + 1];
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
  }
  return undefined;
}

/** perftest without a device takes the first, so that it may be this one. */
export function mayUseDevice({ argv }: PerftestProcess, device: string): boolean {
  return (optionOf(argv, "-d", "--ib-dev") ?? device) === device;
}

/** `ib_write_bw`, without the folder it was started from. */
export function toolName({ argv }: PerftestProcess): string {
  return argv[0]?.split("/").pop() ?? "perftest";
}
