/** What a watch of subnet managers tells, and how it is kept: one line of `managers.jsonl` for each change. */
import { z } from "zod";

/** sminfo's states, and that it got no answer. `unknown`: before the first look. */
const state = z.enum(["NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER", "unknown", "NO-ANSWER"]);

/**
 * `seen`: first answer. `state`: a state changed. `handover`: another one is master now. `lost`, `returned`: it stopped
 * or began to answer. `stands-still`, `moves-again`: it answers, and its activity count does not grow. `priority`: only
 * that changed. `clock`: this machine's clock jumped, so times before and after do not compare.
 */
const kind = z.enum([
  "seen",
  "state",
  "handover",
  "lost",
  "returned",
  "stands-still",
  "moves-again",
  "priority",
  "clock",
]);

const managerChangeSchema = z.object({
  /** ISO 8601, by this machine's clock, when the answer came. */
  time: z.string().max(40),
  kind,
  /** Port GUID as `0x` + 16 digits; empty for `clock`. */
  guid: z.string().max(18),
  lid: z.number().int().min(0).max(0xffff),
  from: state,
  to: state,
  /** -1: not known. */
  priority: z.number().int().min(-1).max(15),
  activity: z.number().min(0),
  /** `handover`: GUID of the one that was master before. */
  before: z.string().max(18).exactOptional(),
  /** `clock`: milliseconds by which it jumped. */
  jumpMs: z.number().exactOptional(),
});
export type ManagerChange = z.infer<typeof managerChangeSchema>;

/** Unknown keys are tolerated, so that later versions may add some. */
export const managerLogLineSchema = managerChangeSchema.extend({
  version: z.literal(1),
  /** Label of the source that was watched: `root@mgmt-01`, `failover`. */
  source: z.string().max(400),
  simulated: z.boolean(),
});
export type ManagerLogLine = z.infer<typeof managerLogLineSchema>;
