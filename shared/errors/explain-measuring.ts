/** Failures of measurements, in words. */
import { assertUnreachable } from "../base/assert.ts";
import type { Explanation } from "./explanation.ts";
import type { AdapterUse, AppError } from "./kinds.ts";
import { perftestWords } from "./perftest-words.ts";

type MeasuringError = Extract<
  AppError,
  {
    kind:
      | "no-path"
      | "busy"
      | "already-started"
      | "in-use"
      | "not-listening"
      | "peer-refused"
      | "version-mismatch"
      | "perftest"
      | "no-result";
  }
>;

/** `n018 mlx5_0 port 1 carries 88.4 Gb/s of 200 now: somebody's job runs there`. */
export function adapterUseText(use: AdapterUse): string {
  if (use.what === "process") {
    return `On ${use.host} ${use.tool} of ${use.user} (pid ${use.pid}) runs on ${use.device}`;
  }
  const gbps =
    use.gbps < 1 ? use.gbps.toPrecision(2) : use.gbps < 10 ? use.gbps.toFixed(1) : String(Math.round(use.gbps));
  return `${use.host} ${use.device} port ${use.port} carries ${gbps} Gb/s of ${use.rateGbps} now: somebody's job runs there`;
}

/** Every kind of MeasuringError in words; a new one among them does not compile until it has some. */
export function explainMeasuring(error: MeasuringError): Explanation {
  switch (error.kind) {
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
    default:
      return assertUnreachable(error);
  }
}
