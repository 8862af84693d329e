/** What perftest's failures mean, by the codes of the parser (parse/perftest-failures.ts), and what to do about them. */
export interface PerftestWords {
  /** Goes on after `ib_write_bw on n018`. */
  readonly sentence: string;
  readonly remedy: readonly string[];
}

const sameOptions = "Install the same, newer perftest on both hosts.";
const errorsOnPath =
  "The link may be down or lossy, or a switch on the way drops the traffic: look at the error counters of the path.";
const otherPair = "Measure with another pair.";
const gidIndex = "On RoCE choose the IPv4 RoCE v2 GID index on both sides and check ping between these addresses.";
const byHand = "Run the same command by hand on that host and read what it says.";
const rawOutput = "Read what both sides said in the raw output, then measure again.";

export const perftestWords: Readonly<Record<string, PerftestWords>> = {
  "no-device": {
    sentence: "found no RDMA device",
    remedy: ["Load the adapter's driver on that host.", "In a container, pass /dev/infiniband through."],
  },
  "device-not-found": {
    sentence: "does not know the device it was given",
    remedy: ["Look at ibv_devices on that host and collect again."],
  },
  "device-not-opened": {
    sentence: "could not open its device",
    remedy: ["Give the login access to /dev/infiniband/uverbs* on that host, or log in as root."],
  },
  "port-not-found": {
    sentence: "was given a port that its device does not have",
    remedy: ["Compare ibv_devinfo on that host with the fabric, then collect again."],
  },
  "port-not-active": {
    sentence: "found its port not active",
    remedy: [
      "Check the cable and the switch port.",
      "Initialize means that no subnet manager has configured the port.",
    ],
  },
  "port-unusable": {
    sentence: "cannot use its port: it does not exist or is not active",
    remedy: ["Look at ibstat on that host.", "Check the cable and the switch port."],
  },
  "link-layer-unknown": {
    sentence: "was not told by the driver whether its port is InfiniBand or Ethernet",
    remedy: ["Load the adapter's driver on that host anew, or update it."],
  },
  "could-not-connect": {
    sentence: "could not connect to the server's TCP port",
    remedy: [
      "Open the test's TCP port range 18600 to 28600 between the two hosts.",
      "Check that the name of the server host resolves on the client host.",
    ],
  },
  "name-unknown": {
    sentence: "cannot resolve the name of the server host",
    remedy: ["Add the name to DNS or /etc/hosts of that host, or name an address for it in a host map."],
  },
  "port-taken": {
    sentence: "found its TCP port in use, twice",
    remedy: ["Look for perftest programs that were left behind on that host, then try again."],
  },
  "socket-failed": {
    sentence: "could not meet the other side by TCP",
    remedy: ["Open the test's TCP port range 18600 to 28600 between the two hosts."],
  },
  "memory-locked": {
    sentence: "could not register memory: the limit on locked memory is too low",
    remedy: [
      "Set the limit to unlimited for the login: `* - memlock unlimited` in /etc/security/limits.d, then log in anew.",
      "For services and containers set LimitMEMLOCK=infinity or --ulimit memlock=-1.",
    ],
  },
  "gid-types-differ": {
    sentence: "has a GID of another kind than the other side: one is IPv4, the other is not",
    remedy: [gidIndex],
  },
  "queue-pair-not-connected": {
    sentence: "could not connect its queue pairs: an empty or wrong GID index, no route to the other address, or LID 0",
    remedy: ["On InfiniBand check that both ports are Active and have a LID.", gidIndex],
  },
  "connection-manager": {
    sentence: "was refused by rdma_cm",
    remedy: ["Give both RDMA interfaces an IP address that the other host reaches."],
  },
  "retry-exceeded": {
    sentence: "sent and got no answer from the other side",
    remedy: [errorsOnPath, otherPair],
  },
  "receiver-not-ready": {
    sentence: "was told that the receiver is not ready: it was too slow, or had no receive posted",
    remedy: ["Look at the load of the server host, then measure again.", sameOptions],
  },
  "no-messages": {
    sentence: "waited and no message came",
    remedy: [errorsOnPath, otherPair],
  },
  "remote-access": {
    sentence: "was refused the other side's memory: message sizes or options differ",
    remedy: [sameOptions],
  },
  "remote-invalid-request": {
    sentence: "met another test, or one with other options, on the other side",
    remedy: [sameOptions, "Look for perftest programs that were left behind on the server host."],
  },
  "remote-operation": {
    sentence: "lost the other side in the middle of the test",
    remedy: ["Read what the other side said in the raw output.", "Measure again."],
  },
  "peer-ended": {
    sentence: "ended because the other side had ended",
    remedy: ["Read what the other side said in the raw output.", "Measure again."],
  },
  "local-length": {
    sentence: "has a message that does not fit its own buffers",
    remedy: ["Measure with smaller messages.", sameOptions],
  },
  "local-queue-pair": {
    sentence: "has a queue pair in a wrong state",
    remedy: ["Measure again.", "Update the adapter's driver and firmware on that host if it stays."],
  },
  "local-protection": {
    sentence: "may not access its own memory",
    remedy: ["With GPU memory load the peer-memory driver (nvidia_peermem) on that host.", byHand],
  },
  "local-access": {
    sentence: "has memory that its adapter may not write",
    remedy: ["With GPU memory load the peer-memory driver (nvidia_peermem) on that host.", rawOutput],
  },
  "device-fatal": {
    sentence: "was told of a fatal error by its adapter",
    remedy: ["Read the kernel's log (dmesg) on that host: the adapter may have reset itself.", "Update its firmware."],
  },
  "response-timeout": {
    sentence: "waited too long for the other side's adapter",
    remedy: [errorsOnPath, "Read the kernel's log (dmesg) on the other host."],
  },
  "address-not-local": {
    sentence: "was told to meet the other side at an address that is not its own",
    remedy: [byHand],
  },
  "gpu-memory": {
    sentence: "was built without CUDA, so that it cannot use GPU memory",
    remedy: ["Measure with host memory.", "Install a perftest that was built with CUDA on both hosts."],
  },
  flushed: {
    sentence: "had its work flushed after an earlier error",
    remedy: [rawOutput],
  },
  "completion-error": {
    sentence: "had an operation fail on the fabric",
    remedy: [errorsOnPath, otherPair],
  },
  "option-unknown": { sentence: "does not know an option it was given", remedy: [sameOptions] },
  "option-repeated": { sentence: "was given an option twice", remedy: [byHand] },
  "option-value": {
    sentence: "refuses the value of an option",
    remedy: ["Choose another message size, duration or number of queue pairs.", sameOptions],
  },
  "options-exclude": {
    sentence: "cannot use two of its options together",
    remedy: ["Choose other options.", sameOptions],
  },
  "options-differ": { sentence: "has other options than the other side", remedy: [sameOptions] },
  "no-resources": {
    sentence: "did not get what it needs from its device: queues or memory",
    remedy: ["Measure with fewer queue pairs.", "End other programs that use the adapter on that host."],
  },
  "below-limit": { sentence: "measured less than the limit that was given", remedy: ["Measure without a limit."] },
  clock: {
    sentence: "could not calibrate its clock, as happens on loaded or virtual machines",
    remedy: ["Measure again when the host is calmer."],
  },
  crashed: { sentence: "crashed", remedy: ["Update perftest and the adapter's driver on that host."] },
  "ended-by-signal": {
    sentence: "was ended by a signal from outside",
    remedy: ["Look for a job scheduler or a memory limit that ends foreign programs on that host, then measure again."],
  },
  "run-failed": { sentence: "broke off in the middle", remedy: [rawOutput] },
  "clean-up-failed": { sentence: "failed while it cleaned up", remedy: [rawOutput] },
};
