/**
 * Who holds a TCP port of a host. /proc/net/tcp tells every user's sockets; the process behind one is seen of the login's
 * own programs, or of all by root: where it is not, the user is named.
 */
import type { CommandRunner } from "../run/runner.ts";
import { ask } from "./commands.ts";

/**
 * Words: the port in hex as /proc prints it. Prints `STATE USER PID COMMAND LINE` of each socket; PID is 0 where the process
 * cannot be seen. Columns: sl local remote st queues timer retransmits uid timeout inode.
 */
const script = [
  "cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | while read -r n l r s q t e u o i rest; do",
  'case $l in *:"$1") ;; *) continue;; esac;',
  "w=$(getent passwd $u 2>/dev/null | cut -d: -f1); p=;",
  'if [ "$i" != 0 ]; then p=$(find /proc/[0-9]*/fd -lname "socket:\\[$i\\]" 2>/dev/null | head -n 1); p=${p#/proc/}; p=${p%%/*}; fi;',
  'c=; if [ -n "$p" ]; then c=$({ tr "\\000" " " </proc/$p/cmdline; } 2>/dev/null); fi;',
  'echo "$s ${w:-user-$u} ${p:-0} $c";',
  "done; exit 0",
].join(" ");

const listening = "0A";
const timeWait = "06";

/** `ib_write_bw of alice, pid 4711`; undefined where nothing can be seen, or it is free again. */
export async function portHolder(
  runner: CommandRunner,
  port: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const asked = await ask(runner, ["/bin/sh", "-c", script, "ibex-port-holder", hex], signal);
  return asked.ok && asked.value.exitCode === 0 ? readHolder(asked.value.stdout) : undefined;
}

/** Reads what the script has printed; a socket that listens counts before one that does not. */
export function readHolder(text: string): string | undefined {
  const sockets = [...text.matchAll(/^([0-9A-F]{2}) (\S+) (\d+) (.*)$/gm)].map(
    ([, state, user = "", pid, line = ""]) => ({ state, user, pid: Number(pid), line: line.trim() }),
  );
  const socket = sockets.find(({ state }) => state === listening) ?? sockets[0];
  if (socket === undefined) return undefined;
  if (socket.state === timeWait) return "a connection that has just ended";
  const program = socket.line.split(" ")[0]?.split("/").pop() ?? "";
  if (socket.pid === 0) return `a program of ${socket.user}`;
  return `${program === "" ? "a program" : program} of ${socket.user}, pid ${socket.pid}`;
}
