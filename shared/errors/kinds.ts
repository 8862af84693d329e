/**
 * Expected failures as data: facts only, no sentences. Words are in explain.ts; a new kind does not compile
 * without its words there.
 */
export type AppError =
  /** The host cannot be reached: name, route, port. `code` as the system spells it: ENOTFOUND, ECONNREFUSED, ETIMEDOUT … */
  | { readonly kind: "unreachable"; readonly host: string; readonly port: number; readonly code: string }
  | {
      readonly kind: "auth";
      readonly host: string;
      readonly user: string;
      readonly tried: readonly string[];
      readonly detail?: string;
    }
  | {
      readonly kind: "key-file";
      readonly path: string;
      readonly problem: "missing" | "unreadable" | "not-a-key" | "passphrase";
    }
  | {
      readonly kind: "host-key-unknown";
      readonly host: string;
      readonly port: number;
      readonly keyType: string;
      readonly fingerprint: string;
    }
  | {
      readonly kind: "host-key-changed";
      readonly host: string;
      readonly port: number;
      readonly keyType: string;
      readonly fingerprint: string;
      readonly known: string;
      readonly file: string;
      readonly line: number;
    }
  | { readonly kind: "connection-lost"; readonly host: string; readonly during: string }
  | { readonly kind: "channel-refused"; readonly host: string; readonly detail: string }
  | { readonly kind: "tool-missing"; readonly tool: string; readonly host: string; readonly stderr: string }
  /** The tool may not open the management (umad) or verbs device. */
  | {
      readonly kind: "no-permission";
      readonly tool: string;
      readonly host: string;
      readonly sudo: boolean;
      readonly stderr: string;
    }
  | { readonly kind: "sudo-refused"; readonly host: string; readonly stderr: string }
  | { readonly kind: "no-device"; readonly tool: string; readonly host: string; readonly stderr: string }
  | { readonly kind: "no-sm"; readonly host: string; readonly stderr: string }
  | {
      readonly kind: "port-down";
      readonly host: string;
      readonly device: string;
      readonly port: number;
      readonly state: string;
    }
  | { readonly kind: "timed-out"; readonly what: string; readonly host: string; readonly seconds: number }
  | { readonly kind: "cancelled"; readonly what: string }
  | { readonly kind: "output-truncated"; readonly what: string; readonly host: string; readonly limitBytes: number }
  /** The command ran and failed in a way that no other kind names. */
  | {
      readonly kind: "command-failed";
      readonly tool: string;
      readonly host: string;
      readonly exitCode: number;
      readonly stderr: string;
    }
  | {
      readonly kind: "parse";
      readonly file: string;
      readonly line: number;
      readonly expected: string;
      readonly excerpt: string;
    }
  | { readonly kind: "empty-output"; readonly what: string }
  | {
      readonly kind: "not-recognised";
      readonly path: string;
      readonly hint: "binary" | "text" | "image" | "archive" | "directory";
    }
  /** The text is a tool's, and the tool failed or printed no node. */
  | {
      readonly kind: "failed-output";
      readonly path: string;
      readonly tool: string;
      readonly line: number;
      readonly said: string;
    }
  | { readonly kind: "too-large"; readonly path: string; readonly bytes: number; readonly limitBytes: number }
  | { readonly kind: "several-fabrics"; readonly path: string; readonly files: readonly string[] }
  | { readonly kind: "no-topology"; readonly path: string; readonly found: readonly string[] }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly operation: "read" | "write" | "list";
      readonly code: string;
    }
  | {
      readonly kind: "capture-damaged";
      readonly path: string;
      readonly problem: string;
      readonly readable: readonly string[];
    }
  | { readonly kind: "capture-newer"; readonly path: string; readonly version: number }
  | { readonly kind: "no-path"; readonly link: string; readonly reason: string; readonly help: string }
  /** `by`: another program of this kind that holds it: `another Ibex on ws-1, pid 4711, since 12:03 UTC`. */
  | { readonly kind: "busy"; readonly what: string; readonly by?: string }
  /** A plan is run once; what it says to do goes on, or has ended. */
  | { readonly kind: "already-started"; readonly what: string }
  /** Others use the adapters of a measurement; nothing was started. */
  | { readonly kind: "in-use"; readonly uses: readonly AdapterUse[] }
  | {
      readonly kind: "not-listening";
      readonly tool: string;
      readonly host: string;
      readonly port: number;
      readonly seconds: number;
      readonly stderr: string;
    }
  | { readonly kind: "peer-refused"; readonly host: string; readonly port: number; readonly stderr: string }
  | { readonly kind: "version-mismatch"; readonly client: string; readonly server: string; readonly detail: string }
  /** perftest said why: `code` as in PerftestFailure. */
  | {
      readonly kind: "perftest";
      readonly tool: string;
      readonly host: string;
      readonly code: string;
      readonly text: string;
      /** What it means, in a sentence, where perftest's words are known. */
      readonly cause?: string;
      /** `port-taken`: who holds the port, where the host can say. */
      readonly holder?: string;
    }
  | {
      readonly kind: "no-result";
      readonly tool: string;
      readonly host: string;
      readonly problem: string;
      readonly output: string;
    }
  | {
      readonly kind: "unknown-id";
      readonly what: "fabric" | "plan" | "link" | "measurement" | "node" | "sweep";
      readonly id: string;
    }
  | { readonly kind: "bad-request"; readonly detail: string }
  | { readonly kind: "unsupported"; readonly what: string; readonly detail: string }
  /** A bug in the program; the log has the rest under this id. */
  | { readonly kind: "internal"; readonly incident: string };

/** What others do with an adapter: data that crosses its port, or a perftest of theirs that runs on it. */
export type AdapterUse =
  | {
      readonly what: "traffic";
      readonly host: string;
      readonly device: string;
      readonly port: number;
      /** Data now in Gb/s, the stronger direction, and what the link can carry. */
      readonly gbps: number;
      readonly rateGbps: number;
    }
  | {
      readonly what: "process";
      readonly host: string;
      readonly device: string;
      readonly tool: string;
      readonly pid: number;
      readonly user: string;
    };

export type ErrorKind = AppError["kind"];
