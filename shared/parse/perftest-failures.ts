/**
 * The texts in which perftest says why it failed: fixed part → code, with the cause in a sentence. All are on stderr.
 * Source: the messages of perftest 4.1 to 26.04, and the shell's and libc's where the tool did not get to start.
 *
 * Mostly the first text is the cause and the others follow from it, but not always (`Completion with error at client`
 * comes before the status that tells why): `weight` decides, the first of the highest weight is the failure.
 */
import type { PerftestFailure } from "./records.ts";

interface FailureText {
  readonly pattern: RegExp;
  readonly code: string;
  readonly cause: string;
  /** 3: the cause. 2: what the cause led to, telling when alone. 1: says only that something failed. */
  readonly weight: 1 | 2 | 3;
}

function text(code: string, weight: 1 | 2 | 3, pattern: RegExp, cause: string): FailureText {
  return { pattern, code, cause, weight };
}

// Completion status numbers of the InfiniBand verbs (enum ibv_wc_status).
const statuses: Readonly<
  Record<string, { readonly code: string; readonly cause: string; readonly weight: 1 | 2 | 3 }>
> = {
  "1": { code: "local-length", cause: "The message does not fit the local buffers.", weight: 3 },
  "2": {
    code: "local-queue-pair",
    cause: "The local queue pair is in a wrong state or its attributes do not fit.",
    weight: 3,
  },
  "4": {
    code: "local-protection",
    cause: "The adapter may not access the local memory; with GPU memory the peer-memory driver may be missing.",
    weight: 3,
  },
  "5": { code: "flushed", cause: "The work was flushed after an earlier error.", weight: 2 },
  "6": { code: "completion-error", cause: "A memory window could not be bound.", weight: 3 },
  "7": { code: "completion-error", cause: "The other side's adapter answered with what was not expected.", weight: 3 },
  "8": { code: "local-access", cause: "The local memory may not be written by the adapter.", weight: 3 },
  "9": { code: "remote-invalid-request", cause: "The other side runs another test or other options.", weight: 3 },
  "10": {
    code: "remote-access",
    cause: "The other side refused the memory access: message sizes or options differ.",
    weight: 3,
  },
  "11": { code: "remote-operation", cause: "The other side ended in the middle, or runs another test.", weight: 3 },
  "12": {
    code: "retry-exceeded",
    cause:
      "The other side did not answer on the fabric: link down, no route, wrong VLAN, MTU or flow control, a firewall, or it ended.",
    weight: 3,
  },
  "13": { code: "receiver-not-ready", cause: "The receiver was too slow, or had no receive posted.", weight: 3 },
  "19": { code: "device-fatal", cause: "The adapter reported a fatal error.", weight: 3 },
  "20": { code: "response-timeout", cause: "The other side's adapter took too long to answer.", weight: 3 },
  "21": { code: "completion-error", cause: "The adapter reported a general error.", weight: 3 },
};

const failureTexts: readonly FailureText[] = [
  text(
    "tool-missing",
    3,
    /\b(?:ib_|raw_ethernet_)\w+: (?:command )?not found|(?:^|\W)command not found/,
    "The package perftest is not installed on this host.",
  ),
  text(
    "no-device",
    3,
    /Did not detect devices/,
    "The host has no RDMA device: the driver is not loaded, or /dev/infiniband is not passed into the container.",
  ),
  text(
    "no-device",
    2,
    /If device exists, check if driver is up/,
    "The host has no RDMA device, or its driver is not loaded.",
  ),
  text("device-not-found", 3, /IB device .{0,120} not found/, "The host has no device of this name."),
  text("device-not-found", 2, /Unable to find the Infiniband\/RoCE device/, "The host has no device of this name."),
  text("port-not-found", 3, /Unable to query port \d+ attributes/, "The device has no such port."),
  text(
    "port-not-active",
    3,
    /Port number \d+ state is \w+/,
    "The port is not active: Down means cable or switch port, Init means no subnet manager, Armed that one is just activating it.",
  ),
  text("link-layer-unknown", 3, /Link layer on port \d+ is Unknown/, "The driver does not know the port's link layer."),
  text(
    "port-unusable",
    2,
    /Couldn't set the link layer/,
    "The port cannot be used: it does not exist or is not active.",
  ),
  text(
    "could-not-connect",
    3,
    /Couldn't connect to /,
    "No server listens there: it is not started, a firewall is between, or it has served another client already.",
  ),
  text(
    "name-unknown",
    3,
    /(?:Name or service not known|Temporary failure in name resolution|No address associated with hostname|Servname not supported)/,
    "The server's name cannot be resolved.",
  ),
  text("name-unknown", 2, /Problem in resolving basic address and port/, "The server's name cannot be resolved."),
  text(
    "port-taken",
    3,
    /Couldn't listen to port /,
    "The TCP port is taken on the server, often by one that was left behind.",
  ),
  text("address-not-local", 3, /Failed to bind socket/, "The local address for the rendezvous is not on this host."),
  text(
    "socket-failed",
    1,
    /Unable to open file descriptor for socket connection|Unable to init the socket connection/,
    "The TCP rendezvous failed.",
  ),
  text(
    "version-mismatch",
    3,
    /not compatible with versions older than/,
    "The two sides run versions of perftest that do not talk to each other.",
  ),
  text("options-differ", 3, /mismatch: local=.{0,80}, remote=/, "The two sides were started with different options."),
  text("options-differ", 2, /Failed to negotiate parameters/, "The two sides were started with different options."),
  text(
    "gid-types-differ",
    3,
    /Found Incompatibility issue with GID types/,
    "One side uses an IPv4 GID and the other does not: choose the same kind of GID index on both.",
  ),
  text(
    "gid-types-differ",
    1,
    /Please Try to use a different IP version/,
    "The two sides' GIDs are of different kinds.",
  ),
  text(
    "queue-pair-not-connected",
    3,
    /Failed to modify (?:\w+ )?QP\d* ?\d* ?to RT[RS]/,
    "The queue pairs cannot be connected: an empty or wrong GID index, no route to the other GID, or LID 0.",
  ),
  text(
    "queue-pair-not-connected",
    2,
    /Unable to Connect the HCA's through the link/,
    "The queue pairs cannot be connected.",
  ),
  text(
    "gpu-memory",
    3,
    /Unsupported memory type|(?:unrecognized|invalid) option '?-{0,2}use_cuda/,
    "This perftest was built without CUDA, as distributions' packages are.",
  ),
  text(
    "option-unknown",
    3,
    /(?:unrecognized|invalid|ambiguous) option|option .{0,60} (?:requires an argument|is ambiguous|doesn't allow an argument)|unknown option/,
    "This version of perftest does not know an option.",
  ),
  text("option-unknown", 2, /Invalid Command or flag/, "This version of perftest does not know an option."),
  text("option-repeated", 3, /Duplicated argument/, "An option was given twice."),
  text(
    "option-value",
    3,
    /(?:should be|should to be|must be) (?:between|greater|smaller|a multiple)|Iteration num should be|out of range|please check that DURATION|Invalid (?:Command line|inline|size|value)/,
    "An option has a value that is not allowed.",
  ),
  text(
    "options-exclude",
    3,
    /Duration mode currently doesn't support|Multiple QPs only available|Bidirectional is only available|Events feature not available/,
    "Two options cannot be used together, or not with this test.",
  ),
  text(
    "option-value",
    1,
    /Parser function exited with Error|Please check command line and run again/,
    "The command line was refused.",
  ),
  text(
    "memory-locked",
    3,
    /Couldn't allocate MR|[Ff]ailed to create mr|Failed to create MR/,
    "The memory could not be registered: the limit on locked memory (ulimit -l) is too low.",
  ),
  text(
    "no-resources",
    3,
    /Couldn't create (?:CQ|QP)|Unable to create QP|Requested QP size might be too big|Couldn't create SRQ|Failed to create (?:CQ|QP|SRQ)/,
    "The device has not the resources: a shorter queue or less inline data may help.",
  ),
  text("no-resources", 2, /Couldn't create IB resources/, "The device's resources could not be created."),
  text("no-permission", 3, /Permission denied|Operation not permitted/, "The user may not open the device."),
  text(
    "device-not-opened",
    2,
    /Couldn't get context for the device/,
    "The device could not be opened: permission on /dev/infiniband, or a refused option.",
  ),
  text(
    "no-messages",
    3,
    /Did not get Message for \d+ Seconds/,
    "No message arrived: messages are lost, or the options differ.",
  ),
  text("below-limit", 3, /BW result is below bw limit/, "The bandwidth is below the limit that was given."),
  text(
    "connection-manager",
    3,
    /[Uu]nexpected CM event|rdma_resolve_addr failed|Received \d+ times ADDR_ERROR|rdma_resolve_route failed/,
    "rdma_cm refused: it must be used on both sides, with the address of the RDMA interface.",
  ),
  text(
    "connection-manager",
    2,
    /Unable to perform rdma_(?:client|server) function|Unable to create RDMA CM/,
    "The connection by rdma_cm failed.",
  ),
  text(
    "clock",
    3,
    /Can't produce a report|Correlation coefficient r\^2/,
    "The clock could not be calibrated, as on a loaded virtual machine.",
  ),
  text("crashed", 3, /Segmentation fault|core dumped|Bus error|Aborted/, "The tool crashed."),
  text("ended-by-signal", 3, /^\s*(?:Killed|Terminated|Hangup|Interrupt)\s*$/, "The tool was ended by a signal."),
  text(
    "peer-ended",
    2,
    /Couldn't read remote address|Couldn't parse line/,
    "The other side ended early: its own message tells why.",
  ),
  text(
    "peer-ended",
    2,
    /Unable to (?:read|write) (?:to|from) socket\/rdma_cm|Failed to exchange data between server and clients|Couldn't (?:read|write) .{0,30}socket/,
    "The other side ended early: its own message tells why.",
  ),
  text("completion-error", 2, /Completion with error at (?:client|server)/, "An operation failed on the fabric."),
  text(
    "run-failed",
    1,
    /Failed to complete \w+ function successfully|[sr]cnt=\d+|Total Received=\d+|Error occurred while running infinitely/,
    "The test broke off.",
  ),
  text(
    "clean-up-failed",
    1,
    /Failed to close connection|Trying to close this side resources|Couldn't (?:destroy|deregister|close)|Failed to (?:destroy|deregister|open|deallocate|close)/,
    "The clean-up after another failure failed as well.",
  ),
];

const statusText = /Failed status[ -]?(?:[^(\d]{0,80}\()?(\d{1,3})\)?/;

export interface FailureHit {
  readonly code: string;
  readonly cause: string;
  readonly weight: 1 | 2 | 3;
}

/** What a line of perftest's says about a failure; undefined when it is no failure text. */
export function readFailure(line: string): FailureHit | undefined {
  if (line.length > 4096) return undefined;
  const status = statusText.exec(line)?.[1];
  if (status !== undefined) {
    return (
      statuses[status] ?? {
        code: "completion-error",
        cause: `An operation failed on the fabric with status ${status}.`,
        weight: 3,
      }
    );
  }
  return failureTexts.find(({ pattern }) => pattern.test(line));
}

/** Harmless texts between the others: [what they begin with or contain, why they may be left aside]. */
const harmless: readonly RegExp[] = [
  /Conflicting CPU frequency values detected|CPU Frequency is not max/,
  /BW peak won't be measured/,
  /Device not recognized to implement inline feature/,
  /^libibverbs: Warning/,
  /Requested mtu is higher than active mtu|Invalid MTU|Please choose mtu from|Will run with the port active mtu|Changing to (?:this MTU|active mtu)|Max msg size in UD is MTU/,
  /CPU Utilization works only with Duration mode/,
  /Disabling dynamic\s*polling|Increasing CQE polling batch|Post List requested/,
  /WARNING: CPU is not PCIe relaxed ordering|WARNING: .*relaxed ordering/,
  /^(?:initializing|Listing all|CUDA device|Picking device|\[pid = |creating CUDA|making it the current|allocated|deallocating|destroying current CUDA|Using ROCm|Using sampled CPU)/,
  /^Test with events\. |User stopped traffic|Client closed connection/,
  /Waiting for client rdma_cm QP|Please run the same command with the IB\/RoCE interface IP/,
  /^(?:Connected|Completed): |^Total run time: |doesn't supports? CUDA tests with inline/,
];

/** True for warnings and set-up lines that say nothing about the result. */
export function isHarmless(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length <= 4096 && harmless.some((pattern) => pattern.test(trimmed));
}

/** Keeps the first failure of the highest weight. */
export class FailureChoice {
  failure: PerftestFailure | undefined;
  private weight = 0;

  offer(hit: FailureHit, line: string, number: number): void {
    if (hit.weight <= this.weight) return;
    this.weight = hit.weight;
    this.failure = { code: hit.code, text: line.trim().slice(0, 400), line: number };
  }
}
