import { assertUnreachable } from "../base/assert.ts";
import type { AdapterUse, AppError } from "./kinds.ts";
import { perftestWords } from "./perftest-words.ts";

/** An error in words: what happened, what follows, what to do. */
export interface Explanation {
  /** A few words. */
  readonly title: string;
  /** One plain sentence that names who, what and where. */
  readonly sentence: string;
  /** What to do, best first. */
  readonly remedy: readonly string[];
  /** Raw text for a fold: stderr, output, paths. May be empty. */
  readonly detail: string;
  /** True when the same action may work when it is simply tried again. */
  readonly retry: boolean;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MiB`;
}

function unreachableReason(code: string): string {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the name is not known here";
    case "ECONNREFUSED":
      return "nothing listens on that port";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "there is no route to it";
    case "ETIMEDOUT":
      return "it did not answer in time";
    case "ECONNRESET":
      return "it closed the connection before SSH began";
    default:
      return code === "" ? "it does not answer" : code;
  }
}

/** `n018 mlx5_0 port 1 carries 88.4 Gb/s of 200 now: somebody's job runs there`. */
export function adapterUseText(use: AdapterUse): string {
  if (use.what === "process") {
    return `On ${use.host} ${use.tool} of ${use.user} (pid ${use.pid}) runs on ${use.device}`;
  }
  const gbps =
    use.gbps < 1 ? use.gbps.toPrecision(2) : use.gbps < 10 ? use.gbps.toFixed(1) : String(Math.round(use.gbps));
  return `${use.host} ${use.device} port ${use.port} carries ${gbps} Gb/s of ${use.rateGbps} now: somebody's job runs there`;
}

/** Puts an expected failure into words. Pure and exhaustive: a new kind does not compile without its words. */
export function explain(error: AppError): Explanation {
  switch (error.kind) {
    case "unreachable":
      return {
        title: `${error.host} cannot be reached`,
        sentence: `${error.host}, port ${error.port}, cannot be reached: ${unreachableReason(error.code)}.`,
        remedy: [
          "Check the name and the port.",
          "If it is behind another machine, name that as the jump host.",
          "Check that the VPN is up.",
        ],
        detail: error.code,
        retry: true,
      };
    case "auth":
      return {
        title: `${error.host} refused the login`,
        sentence: `${error.host} refused the login of ${error.user}${error.tried.length === 0 ? "" : ` (tried: ${error.tried.join(", ")})`}.`,
        remedy: [
          "Check the user name.",
          "Choose a key file, or sign in with a password.",
          "Load the key into the SSH agent: ssh-add.",
        ],
        detail: error.detail ?? "",
        retry: true,
      };
    case "key-file": {
      const problem = {
        missing: "does not exist",
        unreadable: "cannot be read",
        "not-a-key": "is not a private key that Ibex can read",
        passphrase: "is locked with a passphrase that was not given or not right",
      }[error.problem];
      return {
        title: "The key file cannot be used",
        sentence: `The key file ${error.path} ${problem}.`,
        remedy: ["Choose another key file.", "Load the key into the SSH agent and sign in with the agent."],
        detail: "",
        retry: true,
      };
    }
    case "host-key-unknown":
      return {
        title: `The host key of ${error.host} is not known`,
        sentence: `${error.host} shows a ${error.keyType} host key that is not in known_hosts: ${error.fingerprint}.`,
        remedy: [
          "Compare the fingerprint with the one its administrator tells you, then accept it.",
          "On the command line add --accept-new-host-key.",
        ],
        detail: "",
        retry: true,
      };
    case "host-key-changed":
      return {
        title: `The host key of ${error.host} has changed`,
        sentence: `${error.host} shows another host key than before. Somebody may listen in, or the host was installed anew. Nothing was sent.`,
        remedy: [
          "Ask its administrator whether the host was installed anew.",
          `If so, remove line ${error.line} of ${error.file} and connect again.`,
        ],
        detail: `now ${error.keyType} ${error.fingerprint}\nknown ${error.known}\n${error.file}:${error.line}`,
        retry: false,
      };
    case "connection-lost":
      return {
        title: `Connection to ${error.host} lost`,
        sentence: `The connection to ${error.host} was lost during ${error.during}. What was collected before is kept.`,
        remedy: ["Check the network or the VPN, then try again."],
        detail: "",
        retry: true,
      };
    case "channel-refused":
      return {
        title: `${error.host} opens no further session`,
        sentence: `${error.host} refused a further session on the connection.`,
        remedy: ["Raise MaxSessions in its sshd_config, or end other sessions of this login."],
        detail: error.detail,
        retry: true,
      };
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
      return {
        title: `${error.file} could not be read`,
        sentence: `Line ${error.line} of ${error.file} could not be read: expected ${error.expected}.`,
        remedy: ["Check that the file is the whole, unchanged output of the tool."],
        detail: error.excerpt,
        retry: false,
      };
    case "empty-output":
      return {
        title: "Nothing in it",
        sentence: `${error.what} is empty: the tool printed nothing, or the file was not written.`,
        remedy: ["Run the tool again and look at its error output."],
        detail: "",
        retry: false,
      };
    case "not-recognised": {
      const what = {
        binary: "is a binary file",
        image: "is a picture",
        archive: "is an archive that Ibex cannot open",
        directory: "holds no output that Ibex recognises",
        text: "is text, but not the output of a tool that Ibex knows",
      }[error.hint];
      return {
        title: "Not a fabric",
        sentence: `${error.path} ${what}.`,
        remedy: [
          "Open a .fabric capture, or the text of ibnetdiscover, iblinkinfo or sminfo: single files or a folder with them.",
        ],
        detail: "",
        retry: false,
      };
    }
    case "failed-output":
      return {
        title: `${error.tool} found nothing`,
        sentence:
          error.said === ""
            ? `${error.path} is an output of ${error.tool} without a single node: the tool found nothing, or the file is cut.`
            : `${error.path} is the output of an ${error.tool} run that failed: "${error.said}" (line ${error.line}).`,
        remedy: [
          "Run the tool again as root on a host with an active InfiniBand port.",
          "Save its whole output: ibnetdiscover > ibnetdiscover.txt",
        ],
        detail: error.said,
        retry: false,
      };
    case "too-large":
      return {
        title: "Too large",
        sentence: `${error.path} has ${megabytes(error.bytes)}; Ibex reads outputs up to ${megabytes(error.limitBytes)}.`,
        remedy: ["Check that it is the output of one run. The largest known fabrics print less than 100 MiB."],
        detail: "",
        retry: false,
      };
    case "several-fabrics":
      return {
        title: "More than one fabric",
        sentence: `${error.path} holds the outputs of more than one fabric.`,
        remedy: ["Open the files of one fabric at a time."],
        detail: error.files.join("\n"),
        retry: false,
      };
    case "no-topology":
      return {
        title: "No topology in it",
        sentence: `${error.path} has no ibnetdiscover or iblinkinfo output, so there is nothing to draw${error.found.length === 0 ? "" : ` (found: ${error.found.join(", ")})`}.`,
        remedy: ["Add the output of ibnetdiscover, or of iblinkinfo --line."],
        detail: "",
        retry: false,
      };
    case "file": {
      const reason =
        {
          ENOENT: error.operation === "write" ? "its folder is missing, or takes nothing new" : "it does not exist",
          EACCES: "access is denied",
          EPERM: "access is denied",
          ENOSPC: "the disk is full",
          EISDIR: "it is a folder",
          EEXIST: "something else has that name",
          ENOTDIR: "a part of the path is no folder",
          ELOOP: "its links lead round in circles",
          EROFS: "the disk is read-only",
          ENOTSUP: "it is no ordinary file",
        }[error.code] ?? error.code;
      const verb = { read: "read", write: "written", list: "listed" }[error.operation];
      return {
        title: "File trouble",
        sentence: `${error.path} could not be ${verb}: ${reason}.`,
        remedy:
          error.operation === "write"
            ? ["Choose another place, or free space there."]
            : ["Check the path and its permissions."],
        detail: error.code,
        retry: true,
      };
    }
    case "capture-damaged":
      return {
        title: "The capture is damaged",
        sentence: `${error.path} is not whole: ${error.problem}.`,
        remedy:
          error.readable.length === 0
            ? ["Open another copy of the capture."]
            : ["Another copy may be whole.", "Unpack it with a zip program and open the outputs that are whole."],
        detail: error.readable.length === 0 ? "" : `Whole in it:\n${error.readable.join("\n")}`,
        retry: false,
      };
    case "capture-newer":
      return {
        title: "The capture is from a newer Ibex",
        sentence: `${error.path} has format version ${error.version}, newer than this Ibex knows.`,
        remedy: ["Update Ibex, or unpack the capture with a zip program and open the outputs in it."],
        detail: "",
        retry: false,
      };
    case "no-path":
      return {
        title: `${error.link} cannot be measured`,
        sentence: error.reason,
        remedy: [error.help],
        detail: "",
        retry: false,
      };
    case "busy":
      return {
        title: "Already measuring",
        sentence: `${error.what} is in use by ${error.by ?? "another measurement"}.`,
        remedy: ["Wait until it ends, or cancel it."],
        detail: "",
        retry: true,
      };
    case "already-started":
      return {
        title: "Already started",
        sentence: `The sweep “${error.what}” was started from this plan before. Nothing was started a second time.`,
        remedy: ["Look at it under Measure: it can be paused and cancelled there.", "Plan it again to measure again."],
        detail: "",
        retry: false,
      };
    case "in-use": {
      const hosts = [...new Set(error.uses.map(({ host }) => host))];
      return {
        title: `${hosts.join(" and ")} ${hosts.length > 1 ? "are" : "is"} in use`,
        sentence: `${error.uses.map(adapterUseText).join("; ")}. Nothing was started.`,
        remedy: [
          "Choose another host, or measure when that has ended.",
          "If it may be disturbed, measure all the same (on the command line: --allow-busy).",
        ],
        detail: "",
        retry: true,
      };
    }
    case "not-listening":
      return {
        title: `${error.tool} did not start on ${error.host}`,
        sentence: `The ${error.tool} server on ${error.host} did not listen on port ${error.port} within ${error.seconds} s.`,
        remedy: ["Look at what it said below.", "Try again: the port may have been taken."],
        detail: error.stderr,
        retry: true,
      };
    case "peer-refused":
      return {
        title: "The two hosts cannot reach each other",
        sentence: `The client could not connect to ${error.host}, TCP port ${error.port}.`,
        remedy: [
          "Open TCP ports 18600 to 28600 between the hosts.",
          "Check that the server's name resolves on the client; a host map can name an address.",
        ],
        detail: error.stderr,
        retry: true,
      };
    case "version-mismatch":
      return {
        title: "perftest differs on the two hosts",
        sentence: `perftest ${error.client} and ${error.server} do not work together: ${error.detail}.`,
        remedy: ["Install the same perftest on both hosts."],
        detail: "",
        retry: false,
      };
    case "perftest": {
      const words = Object.hasOwn(perftestWords, error.code) ? perftestWords[error.code] : undefined;
      const said = error.text.replace(/[.\s]+$/, "");
      return {
        title: `${error.tool} failed on ${error.host}`,
        sentence:
          words === undefined
            ? `${error.tool} on ${error.host} stopped: "${said}".${error.cause === undefined ? "" : ` ${error.cause}`}`
            : `${error.tool} on ${error.host} ${words.sentence}${error.holder === undefined ? "" : `: ${error.holder} has it`}.`,
        remedy: words?.remedy ?? ["Read what it said below; run the same command by hand on both hosts."],
        detail: error.text,
        retry: true,
      };
    }
    case "no-result":
      return {
        title: `${error.tool} gave no result`,
        sentence: `${error.tool} on ${error.host} ended without a usable result: ${error.problem}.`,
        remedy: ["Read the raw output; measure again, or with another pair."],
        detail: error.output,
        retry: true,
      };
    case "unknown-id":
      return {
        title: `No such ${error.what}`,
        sentence: `There is no ${error.what} ${error.id} here.`,
        remedy: [
          error.what === "link"
            ? "Give a link as NODE:PORT of one of its ends, the node by name or GUID, such as leaf-05:10."
            : "Open it again.",
        ],
        detail: "",
        retry: false,
      };
    case "bad-request":
      return {
        title: "Not understood",
        sentence: `A value is not what was expected: ${error.detail}.`,
        remedy: ["Correct the value and try again."],
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
