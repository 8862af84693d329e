import { assertUnreachable } from "../base/assert.ts";
import { explainInput, megabytes } from "./explain-input.ts";
import { explainMeasuring } from "./explain-measuring.ts";
import { explainReaching } from "./explain-reaching.ts";
import type { Explanation } from "./explanation.ts";
import type { AppError } from "./kinds.ts";

/** A detail is what follows `ibex:`; words as they are typed stay as they are. */
function sentenceOf(detail: string): string {
  const typed = /^(?:ibex |--|["[{/])/.test(detail);
  const begun = typed ? detail : detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Puts an expected failure into words. Pure and exhaustive: a new kind does not compile without its words. */
export function explain(error: AppError): Explanation {
  switch (error.kind) {
    case "unreachable":
    case "auth":
    case "key-file":
    case "host-key-unknown":
    case "host-key-changed":
    case "connection-lost":
    case "channel-refused":
      return explainReaching(error);
    case "tool-missing":
      return {
        title: `${error.tool} is not installed on ${error.host}`,
        sentence: `${error.host} has no ${error.tool} in its PATH, /usr/sbin or /sbin.`,
        remedy: [
          /^(ib_|raw_)/.test(error.tool)
            ? "Install the package perftest there."
            : "Install the package infiniband-diags there.",
          "Or choose another host that has it.",
        ],
        detail: error.stderr,
        retry: true,
      };
    case "no-permission":
      return {
        title: "No access to the InfiniBand management device",
        sentence: `${error.tool} on ${error.host} may not open the InfiniBand device (/dev/infiniband/umad*)${error.sudo ? ", not even with sudo" : ""}.`,
        remedy: error.sudo
          ? ["Log in as root, or have the administrator give the user access to /dev/infiniband/umad*."]
          : [
              "Use sudo for the InfiniBand tools and try again.",
              "Or have the administrator give the user access to /dev/infiniband/umad*.",
              "Or log in as root.",
            ],
        detail: error.stderr,
        retry: true,
      };
    case "sudo-refused":
      return {
        title: `sudo asks for a password on ${error.host}`,
        sentence: `sudo -n on ${error.host} refused to run without a password.`,
        remedy: ["Allow the InfiniBand tools in sudoers with NOPASSWD.", "Or log in as root and do not use sudo."],
        detail: error.stderr,
        retry: true,
      };
    case "no-device":
      return {
        title: `${error.host} has no usable InfiniBand port`,
        sentence: `${error.tool} found no InfiniBand port to use on ${error.host}.`,
        remedy: [
          "Choose a host that is connected to the fabric.",
          "If it has several adapters, name HCA and port.",
          "Check the driver with ibstat there.",
        ],
        detail: error.stderr,
        retry: true,
      };
    case "no-sm":
      return {
        title: "No subnet manager answers",
        sentence: `No subnet manager answers on the fabric of ${error.host}. Links stay in Initialize and nothing new comes up until one runs.`,
        remedy: [
          "Start opensm on a management host, or the subnet manager of a managed switch.",
          "If one should run: look at its log and at its own port.",
        ],
        detail: error.stderr,
        retry: true,
      };
    case "port-down":
      return {
        title: `${error.device} port ${error.port} on ${error.host} is ${error.state}`,
        sentence: `Port ${error.port} of ${error.device} on ${error.host} is ${error.state}, not Active, so nothing can be measured through it.`,
        remedy: [
          "Check the cable and the switch port.",
          "Initialize or Armed: check that a subnet manager is running.",
        ],
        detail: "",
        retry: true,
      };
    case "timed-out":
      return {
        title: `${error.what} took too long`,
        sentence: `${error.what} on ${error.host} did not end within ${error.seconds} s and was ended.`,
        remedy: [
          "Try again when the fabric is calmer.",
          "A node that does not answer makes discovery slow: look for it in what was collected.",
        ],
        detail: "",
        retry: true,
      };
    case "cancelled":
      return { title: "Cancelled", sentence: `${error.what} was cancelled.`, remedy: [], detail: "", retry: true };
    case "output-truncated":
      return {
        title: `${error.what} printed too much`,
        sentence: `${error.what} on ${error.host} printed more than ${megabytes(error.limitBytes)} and was ended; the first part is kept.`,
        remedy: ["Look at what it printed: this is not the usual output of that tool."],
        detail: "",
        retry: false,
      };
    case "command-failed":
      return {
        title: `${error.tool} failed on ${error.host}`,
        sentence: `${error.tool} on ${error.host} ended with exit code ${error.exitCode}.`,
        remedy: ["Read what it said below; run the same command there by hand."],
        detail: error.stderr,
        retry: true,
      };
    case "parse":
    case "empty-output":
    case "not-recognised":
    case "failed-output":
    case "too-large":
    case "several-fabrics":
    case "no-topology":
    case "file":
    case "capture-damaged":
    case "capture-newer":
      return explainInput(error);
    case "no-path":
    case "busy":
    case "already-started":
    case "in-use":
    case "not-listening":
    case "peer-refused":
    case "version-mismatch":
    case "perftest":
    case "no-result":
      return explainMeasuring(error);
    case "unknown-id":
      return {
        title: `No such ${error.what}`,
        sentence: `There is no ${error.what} ${error.id} here.`,
        remedy: [
          error.what === "link"
            ? "Give a link as NODE:PORT of one of its ends, the node by name or GUID, such as leaf-05:10."
            : error.what === "node"
              ? "Give a node by its name, as every text shows it, or by its GUID."
              : "Open it again.",
        ],
        detail: "",
        retry: false,
      };
    case "bad-request":
      return {
        title: "Not understood",
        sentence: sentenceOf(error.detail),
        remedy: ["Correct that and try again."],
        detail: "",
        retry: false,
      };
    case "unsupported":
      return {
        title: `${error.what} is not possible here`,
        sentence: error.detail,
        remedy: [],
        detail: "",
        retry: false,
      };
    case "internal":
      return {
        title: "A fault in Ibex",
        sentence: `Something went wrong inside Ibex (incident ${error.incident}). What was collected and measured is kept.`,
        remedy: ["Try again.", "Copy the report and send it to the makers of Ibex."],
        detail: error.incident,
        retry: true,
      };
    default:
      return assertUnreachable(error);
  }
}
