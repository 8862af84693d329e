import { randomInt } from "node:crypto";
import { rendezvousPorts } from "./tcp-ports.ts";

/** A TCP port of the rendezvous range; whether it is free only the server's host knows. */
export function randomRendezvousPort(): number {
  return randomInt(rendezvousPorts.first, rendezvousPorts.last + 1);
}
