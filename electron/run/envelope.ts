import { randomBytes } from "node:crypto";

/*
 * How a command is wrapped on a POSIX machine. The scripts run in /bin/sh, whichever that is (tried with dash, bash,
 * busybox ash), and are handed over by a login shell that may be anything (bash, csh, fish …): so each is one line
 * without single quotes, exclamation marks and backslashes.
 */

/** Joins the lines of a script; each line brings its own separator. */
function oneLine(...lines: readonly string[]): string {
  return lines.join(" ");
}

/**
 * Words: pid, `sudo` or `plain`, the script itself (for the call through sudo).
 *
 * Ends the process `pid`, its process group, its session and its descendants (sudo may give the tool a session of its
 * own): TERM, after 2 s KILL, and looks whether they are gone. Exit 0: nothing is left. Exit 1: the printed pids are.
 * Zombies do not count: they are dead, and only their parent can remove them. The script's own ancestors are spared,
 * because the watch of the start script may be a member of the group.
 */
const killScript = oneLine(
  'trap "" TERM HUP INT PIPE;',
  "p=$1;",
  'if [ "$2" = sudo ]; then sudo -n -- /bin/sh -c "$3" ibex-kill "$p" plain && exit 0;',
  // The usual case of a command that has ended by itself: nothing is left of its group. (Signal 0 may not be asked of
  // processes of sudo, hence not after sudo refused.)
  "elif kill -0 -$p 2>/dev/null || kill -0 $p 2>/dev/null; then :; else exit 0; fi;",
  // Without /proc (not Linux) only the group can be found.
  "if [ -r /proc/self/stat ]; then",
  'up=" "; i=$$;',
  'while [ "${i:-0}" -gt 1 ]; do',
  'up="$up$i "; l=; { read -r l </proc/$i/stat; } 2>/dev/null; set -- ${l##*") "}; i=$2;',
  "done;",
  // `s` grows until a pass finds nothing new; `live` is what of it runs. Fields after the name: state ppid pgrp session.
  'scan() { s=" $p "; seen=;',
  'until [ "$seen" = "$s" ]; do seen=$s; live=;',
  "for f in /proc/[0-9]*/stat; do",
  'l=; { read -r l <$f; } 2>/dev/null; set -- ${l##*") "};',
  "case ${1:-Z} in Z|X) continue;; esac;",
  "i=${f#/proc/}; i=${i%/stat};",
  'case $up in *" $i "*) continue;; esac;',
  'case $s in *" $i "*) live="$live $i"; continue;; esac;',
  'case "$3 $4" in "$p "*|*" $p") s="$s$i "; continue;; esac;',
  'case $s in *" $2 "*) s="$s$i ";; esac;',
  "done; done; };",
  // Of those found the ones that still run: a look at all processes takes long where there are thousands.
  "look() { left=; for i in $live; do",
  'l=; { read -r l </proc/$i/stat; } 2>/dev/null; set -- ${l##*") "};',
  'case ${1:-Z} in Z|X) ;; *) left="$left $i";; esac; done; live=$left; };',
  "else",
  "scan() { live=; if kill -0 -$p 2>/dev/null; then live=-$p; elif kill -0 $p 2>/dev/null; then live=$p; fi; };",
  "look() { scan; };",
  "fi;",
  // Sends signal $1, waits up to 2 s for the end; a sleep that takes no fractions waits whole seconds.
  "end() { scan; w=20;",
  'if [ -n "$live" ]; then kill -$1 $live 2>/dev/null; fi;',
  'while [ -n "$live" ] && [ $w -gt 0 ]; do',
  "if sleep 0.1 2>/dev/null; then w=$((w-1)); else sleep 1; w=$((w-10)); fi;",
  // What was born between the look and the signal.
  'look; if [ -z "$live" ]; then scan; if [ -n "$live" ]; then kill -$1 $live 2>/dev/null; fi; fi;',
  'done; test -z "$live"; };',
  "end TERM && exit 0; end KILL && exit 0; echo $live; exit 1",
);

/**
 * Words: this script, the kill script, the marker, `sudo` or `plain`, and the command.
 *
 * A watch process of its own (no child of the tool, lest the tool wait for it) reads the standard input that came with
 * the command; when that ends, because the client closed the channel, died or was cut off, it ends the command; when
 * the command has ended by itself (sshd closes its input then), it ends what is left of its group. So the
 * tool itself gets an empty standard input. The marker line then tells on standard error the pid, and on both streams
 * where the noise of login scripts ends. `exec` keeps pid, exit code and signal those of the tool. IBEX_RUN in its
 * environment is the same marker: by it what Ibex has started is told from what others have.
 */
const startScript = oneLine(
  "k=$2; m=$3; u=$4; shift 4;",
  "LC_ALL=C; PATH=${PATH:+$PATH:}/usr/local/sbin:/usr/sbin:/sbin; IBEX_RUN=$m; export LC_ALL PATH IBEX_RUN;",
  'if [ "$u" = sudo ] && [ "$(id -u)" -eq 0 ]; then u=plain; fi;',
  "v=; if command -v setsid >/dev/null 2>&1; then v=setsid; fi;",
  "exec 3<&0 </dev/null;",
  '( ( while read -r x; do :; done; exec $v /bin/sh -c "$k" ibex-kill $$ $u "$k" ) <&3 3<&- >/dev/null 2>&1 & );',
  "exec 3<&-;",
  'echo "$m"; echo "$m $$" >&2;',
  'if [ "$u" = sudo ]; then exec sudo -n -- "$@"; fi;',
  'exec "$@"',
);

/**
 * Makes the process the leader of a session, so that it and what it starts can be ended together. sshd and the local
 * runner start it as one already; where not, setsid does it; where that is missing, the descendants are found by
 * their parents.
 */
const bootScript = oneLine(
  "g=; { read -r a b c d g e </proc/$$/stat; } 2>/dev/null;",
  'if [ "${g:-$$}" -ne $$ ] && command -v setsid >/dev/null 2>&1;',
  'then exec setsid /bin/sh -c "$1" "$0" "$@";',
  'else eval "$1"; fi',
);

/** A command ready to be started, and the marker that its streams begin with. */
export interface Envelope {
  /** Program and arguments to start, `/bin/sh` first. Its standard input must stay open as long as it may run. */
  readonly argv: readonly [string, ...string[]];
  /** Random text. On stdout the output begins after `<marker>\n`, on stderr after `<marker> <pid>\n`. */
  readonly marker: string;
}

/** Wraps an argv: see the scripts above for what happens on the machine. */
export function wrapCommand(argv: readonly string[], sudo: boolean): Envelope {
  const marker = `ibex-${randomBytes(12).toString("hex")}`;
  const mode = sudo ? "sudo" : "plain";
  return { argv: ["/bin/sh", "-c", bootScript, "ibex", startScript, killScript, marker, mode, ...argv], marker };
}

/** The argv that ends a process started by {@link wrapCommand}; exit 0 when nothing of it is left, else 1. */
export function killCommand(pid: number, sudo: boolean): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", killScript, "ibex-kill", String(pid), sudo ? "sudo" : "plain", killScript];
}

/**
 * Takes the marker line, and all that came before it, out of a stream. Bytes are held back until the marker is seen;
 * when it never comes (a shell that refuses, a forced command), `rest` gives them as they came.
 */
export class MarkerFilter {
  private readonly marker: Buffer;
  private held: Buffer = Buffer.alloc(0);
  private searchFrom = 0;
  private passed = false;
  /** The pid on the marker line, once seen on stderr. */
  pid: number | undefined;

  constructor(marker: string) {
    this.marker = Buffer.from(marker);
  }

  /** The part of the piece that belongs to the tool; empty while the marker has not come. */
  push(piece: Uint8Array): Uint8Array {
    if (this.passed) return piece;
    this.held = Buffer.concat([this.held, piece]);
    for (;;) {
      const at = this.held.indexOf(this.marker, this.searchFrom);
      if (at < 0) {
        this.searchFrom = Math.max(0, this.held.length - this.marker.length);
        return Buffer.alloc(0);
      }
      const end = this.held.indexOf(0x0a, at);
      if (end < 0) {
        this.searchFrom = at;
        return Buffer.alloc(0);
      }
      const tail = this.held.toString("latin1", at + this.marker.length, end);
      // A shell with `set -x` prints the whole command line, marker included: that is not the marker line.
      const hit = /^(?: (\d{1,10}))?$/.exec(tail);
      if (hit) {
        this.passed = true;
        if (hit[1] !== undefined) this.pid = Number(hit[1]);
        const after = this.held.subarray(end + 1);
        this.held = Buffer.alloc(0);
        return after;
      }
      this.searchFrom = at + this.marker.length;
    }
  }

  /** Bytes held back so far. */
  get heldBytes(): number {
    return this.held.length;
  }

  /** At the end of the stream: what was held back because no marker came. */
  rest(): Uint8Array {
    const rest = this.held;
    this.held = Buffer.alloc(0);
    return rest;
  }
}
