/** What to do after a measurement, best first, in the words of the field. */
import { bands, bandwidthLevel, latencyLevel } from "./bands.ts";
import type { JudgeInput } from "./judge-input.ts";

function near(percent: number, target: number): boolean {
  // What reaches 97 to 100 % of a half-width link stands a little below the half.
  return percent >= target * 0.9 && percent <= target * 1.04;
}

function endsOf(input: JudgeInput): string {
  const hop = input.path.find((cable) => cable.linkIndex === input.link);
  return hop === undefined
    ? "both ends of the cable"
    : `${hop.fromName}:${hop.fromPort} and ${hop.toName}:${hop.toPort}`;
}

function afterSuspicious(input: JudgeInput): readonly string[] {
  return [
    ...(input.basis === "shortest-path"
      ? [
          `The data most likely took another of the equally short ways and did not cross ${input.linkName}: choose another client or server and measure again.`,
        ]
      : []),
    `Check that ${input.clientHost} and ${input.serverHost} are two machines: inside one adapter the data may never reach the cable.`,
    "Look whether the raw output adds two directions or has another unit than Gb/s.",
    "Collect again: the link may have come up faster since the capture.",
  ];
}

function afterSlow(input: JudgeInput, percent: number): readonly string[] {
  const { options, clientHost, serverHost } = input;
  const steps: string[] = [];
  const fast = input.path.some((hop) => hop.gbps >= 400);
  if (options.queuePairs === 1 && options.preset !== "deep") {
    steps.push(
      "Measure again with 4 queue pairs: a single one often cannot fill the link, and that is no fault of the cable.",
    );
  }
  if (fast && options.bytes < 1024 * 1024) {
    steps.push("Measure again with messages of 1 MiB: at 400 Gb/s and more 64 KiB can be too small to fill the link.");
  }
  if (near(percent, 50) || near(percent, 25)) {
    steps.push(
      `The number is about ${near(percent, 50) ? "a half" : "a quarter"} of the rate: look for a cable on the path that runs at reduced width (2x or 1x), for a PCIe slot of an adapter that is too narrow or a generation too old, and for different MTUs (4096 and 2048).`,
    );
  }
  steps.push(
    input.basis === "host-link"
      ? `Measure ${input.linkName} once more with another partner: if the number stays, it is this host or its cable, else the first partner.`
      : `Measure ${input.linkName} with another pair, and the same hosts over a parallel cable: the cable is to blame when only what crosses it is slow.`,
    `Look at the error counters of ${endsOf(input)}: if they grow, clean and reseat both ends, then swap the cable.`,
    `On ${clientHost} and ${serverHost} check the PCIe width and speed of the adapter and that the test ran on its NUMA node.`,
  );
  return steps;
}

function afterLatency(input: JudgeInput): readonly string[] {
  const row = input.latency;
  if (row === undefined) return [];
  const { clientHost, serverHost } = input;
  const steps: string[] = [];
  const oneWay = input.options.latencyTool === "ib_read_lat" ? row.avgUs / 2 : row.avgUs;
  if (latencyLevel(oneWay, input.path.length - 1) !== "good") {
    steps.push(
      `Latency: compare driver and firmware of the adapters on ${clientHost} and ${serverHost} with those of their siblings, and look at power saving (processor governor, C-states).`,
    );
  }
  if (row.p99Us !== undefined && row.p99Us > 3 * row.avgUs && row.p99Us - row.avgUs > 3) {
    steps.push(
      `The slowest 1 % are far above the average: look for other processes, interrupts and power saving on ${clientHost} and ${serverHost}.`,
    );
  }
  return steps;
}

/** One direction is fine, and both at once are not: what they share on a host is not the cable, which has both. */
function afterBothWays(
  { bothWays, bandwidth, clientHost, serverHost }: JudgeInput,
  percent: number | undefined,
): readonly string[] {
  if (bothWays === undefined || bandwidth === undefined || percent === undefined || percent < bands.fairPercent)
    return [];
  if (bothWays.averageGbps >= 2 * bandwidth.averageGbps * (bands.fairPercent / 100)) return [];
  return [
    `Each direction alone is fine and both at once are not: look at the PCIe slot, the NUMA node and the memory of ${clientHost} and ${serverHost} before the cable.`,
  ];
}

/** Queue pairs that make the difference say that one flow is bound by its host, not by the cable. */
function afterQueuePairs({ byQueuePairs = [] }: JudgeInput): readonly string[] {
  const [one] = byQueuePairs;
  const best = Math.max(...byQueuePairs.map(({ gbps }) => gbps));
  if (one === undefined || byQueuePairs.length < 2 || one.gbps >= best * (bands.fairPercent / 100)) return [];
  return [
    `${one.queuePairs === 1 ? "One queue pair does" : "Few queue pairs do"} not fill the link and more do: that is no fault of the cable, but applications with one flow will not see its rate.`,
  ];
}

/** Next steps for a measurement that has a result; `percent` only when the bandwidth is judged. */
export function nextSteps(input: JudgeInput, percent: number | undefined): readonly string[] {
  const bandwidth =
    percent === undefined
      ? []
      : percent > bands.suspiciousPercent
        ? afterSuspicious(input)
        : bandwidthLevel(percent, input.passPercent) === "good"
          ? []
          : afterSlow(input, percent);
  return [...bandwidth, ...afterBothWays(input, percent), ...afterQueuePairs(input), ...afterLatency(input)];
}
