import type { Attachment } from "./endpoints.ts";
import type { MeasurePlan } from "./types.ts";

/** What the two ways of planning find. */
export interface Route {
  readonly client: Omit<Attachment, "leaf">;
  readonly server: Omit<Attachment, "leaf">;
  /** Link indices from the client to the server. */
  readonly links: readonly number[];
  readonly basis: MeasurePlan["basis"];
  readonly will: string;
  readonly cannot: string;
  readonly clients: readonly Attachment[];
  readonly servers: readonly Attachment[];
}

/** Names of hosts that the user chose. */
export interface Choice {
  readonly client?: string;
  readonly server?: string;
}
