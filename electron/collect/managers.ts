/**
 * Asks for all subnet managers: the ports with the IsSM bit and the SA's records from saquery, then sminfo at each of
 * their LIDs for the live answer. Only reads: sminfo is never called with anything that sets.
 */
import { count } from "../../shared/base/text.ts";
import { managerFile } from "../../shared/build/manager-files.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseSaquery } from "../../shared/parse/saquery.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { askManagerBits, managerCandidates, type ManagerBits } from "./manager-bits.ts";
import { asOutput, deviceOptions, type Ran, runTool, type ToolPlace } from "./step.ts";
import { keylessOutput } from "./without-keys.ts";

/** More would be odd: they are named in the note and not asked. */
const managersAsked = 16;
/** Tools at a time: real fabrics take more, simulated ones have ten places for all clients. */
const atOnce = 4;
const saTimeoutMs = 60_000;
const discoveryTimeoutMs = 300_000;
/** sminfo itself gives up after three tries of a second. */
const sminfoTimeoutMs = 15_000;

/** One manager's live answer. */
export interface ManagerAnswer {
  readonly lid: number;
  readonly ran: Ran;
  readonly answers: boolean;
}

export interface ManagerSearch {
  readonly outputs: readonly CaptureOutput[];
  /** LIDs at which a subnet manager is said to be. */
  readonly lids: readonly number[];
  readonly answers: readonly ManagerAnswer[];
  /** `2 of 3 answer`, or what could not be asked. */
  readonly note: string;
  /** Why there is no list. `tool-missing` means that nobody can list them here. */
  readonly error?: AppError;
}

/** `sminfo LID`, a few at a time. One that hangs costs its own time limit only. */
async function askManagers(place: ToolPlace, lids: readonly number[]): Promise<readonly ManagerAnswer[]> {
  const answers: ManagerAnswer[] = [];
  for (let start = 0; start < lids.length; start += atOnce) {
    const asked = lids.slice(start, start + atOnce).map(async (lid): Promise<ManagerAnswer> => {
      const argv = ["sminfo", ...deviceOptions(place.source), String(lid)] as const;
      const ran = await runTool(place, argv, sminfoTimeoutMs);
      return { lid, ran, answers: parseSminfo(ran.stdout, { file: "" }).records.managers.length > 0 };
    });
    answers.push(...(await Promise.all(asked)));
  }
  return answers;
}

/** LIDs at which the SA says that a subnet manager runs. `known`: LIDs that are asked in any case, such as the master's. */
export async function listManagers(
  place: ToolPlace,
  known: readonly number[] = [],
): Promise<{
  readonly lids: readonly number[];
  readonly outputs: readonly CaptureOutput[];
  readonly error?: AppError;
}> {
  const outputs: CaptureOutput[] = [];
  const lids = new Set(known);
  const device = deviceOptions(place.source);
  const ports = await runTool(place, ["saquery", ...device, "-s"], saTimeoutMs);
  if (ports.output !== undefined && ports.error?.kind !== "tool-missing")
    outputs.push(keylessOutput("saquery-s.txt", ports.output));
  if (ports.error !== undefined) return { lids: [...lids], outputs, error: saError(ports.error) };
  const records = await runTool(place, ["saquery", ...device, "SMInfoRecord"], saTimeoutMs);
  if (records.output !== undefined) outputs.push(keylessOutput("saquery-sminforecord.txt", records.output));
  for (const { stdout } of [ports, records]) {
    const { smPorts, smInfos } = parseSaquery(stdout, { file: "" }).records;
    for (const { lid, disabled } of smPorts) if (!disabled && lid > 0) lids.add(lid);
    for (const { lid } of smInfos) if (lid > 0) lids.add(lid);
  }
  return { lids: [...lids].sort((a, b) => a - b), outputs };
}

/** saquery's words for "no master answers" are its own. */
function saError(error: AppError): AppError {
  if (error.kind !== "command-failed" || !/No SM\/SA found|Query SA failed|Failed to bind to the SA/.test(error.stderr))
    return error;
  return { kind: "no-sm", host: error.host, stderr: error.stderr };
}

/**
 * The ports' IsSM bits where the SA gave no list. Nothing when nobody can be asked any more.
 * @param candidates LIDs to ask, likely ones first; without them ibnetdiscover is run
 */
export async function bitsInstead(
  place: ToolPlace,
  error: AppError,
  candidates: readonly number[] | undefined,
): Promise<ManagerBits | undefined> {
  if (place.signal.aborted || error.kind === "cancelled" || error.kind === "connection-lost") return undefined;
  if (candidates !== undefined) return askManagerBits(place, candidates);
  const ran = await runTool(place, ["ibnetdiscover", ...deviceOptions(place.source)], discoveryTimeoutMs);
  return askManagerBits(place, managerCandidates(ran.stdout));
}

/**
 * Lists and asks. Where the SA cannot be asked, the ports themselves are, for their IsSM bit.
 * @param discovery ibnetdiscover's output when there is one; otherwise the tool is run when it is needed
 */
export async function searchManagers(
  place: ToolPlace,
  known: readonly number[] = [],
  discovery?: string,
): Promise<ManagerSearch> {
  const fromSa = await listManagers(place, known);
  const bits =
    fromSa.error === undefined
      ? undefined
      : await bitsInstead(place, fromSa.error, discovery === undefined ? undefined : managerCandidates(discovery));
  const listed =
    bits === undefined
      ? fromSa
      : {
          ...fromSa,
          lids: [...new Set([...fromSa.lids, ...bits.lids])].sort((a, b) => a - b),
          outputs: bits.output === undefined ? fromSa.outputs : [...fromSa.outputs, bits.output],
        };
  const asked = listed.lids.slice(0, managersAsked);
  const answers = place.signal.aborted ? [] : await askManagers(place, asked);
  const outputs = [
    ...listed.outputs,
    ...answers.map(({ lid, ran }): CaptureOutput => {
      const name = managerFile(lid, 1);
      // An empty output says that this LID was asked and kept silent.
      return ran.output === undefined
        ? { name, stdout: new Uint8Array(), commandLine: `sminfo ${lid}` }
        : asOutput(name, ran.output);
    }),
  ];
  const ended = answers.find(({ ran }) => ran.error?.kind === "cancelled" || ran.error?.kind === "connection-lost");
  const error = ended?.ran.error ?? listed.error;
  const answering = answers.filter((answer) => answer.answers).length;
  const left = listed.lids.length - asked.length;
  const note =
    listed.error?.kind === "tool-missing"
      ? bits === undefined || bits.asked === 0
        ? "saquery is not installed there: standbys could not be asked for"
        : `saquery is not installed there: ${bits.asked} of ${bits.total} ports asked for their IsSM bit, ${answering} of ${asked.length} managers answer`
      : `${answering === asked.length ? count(answering, "answers", "answer") : `${answering} of ${asked.length} answer`}${left > 0 ? `, ${left} more not asked` : ""}`;
  return {
    outputs,
    lids: listed.lids,
    answers,
    note,
    ...(error === undefined ? {} : { error }),
  };
}
