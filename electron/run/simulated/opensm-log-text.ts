/** opensm.log, as opensm 3.3.23 writes it at its default level. Simulated hosts live in UTC. */
import type { ManagerEvent } from "./manager-life.ts";
import { unpadded } from "./discover-text.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const thread = "6EFD3740";
const version = "OpenSM 3.3.23";

type Level = "01" | "02" | "03" | "80";

function stamp(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(":");
  const microseconds = String(time.getUTCMilliseconds() * 1000).padStart(6, "0");
  return `${months[time.getUTCMonth()] ?? ""} ${two(time.getUTCDate())} ${clock} ${microseconds} [${thread}]`;
}

/** What opensm says of one thing that happens to it; a line without a level belongs to the one before. */
function words({ what, manager, at }: ManagerEvent): readonly (readonly [Level, string] | string)[] {
  const { guid } = manager.port;
  const transaction = `TID 0x${(Math.floor(at / 1000) % 0x10000).toString(16)}`;
  switch (what) {
    case "started":
      return [
        ["03", version],
        ["80", version],
        ["02", "osm_vendor_init: 1000 pending umads specified"],
        ["80", "Entering DISCOVERING state"],
        ...["81", "03", "04", "21"].map(
          (managed) =>
            ["02", `osm_vendor_bind: Mgmt class 0x${managed} binding to port GUID 0x${unpadded(guid)}`] as const,
        ),
        ["02", `osm_opensm_bind: Setting IS_SM on port 0x${guid}`],
      ];
    case "unanswered":
      return [
        ["01", "log_send_error: ERR 5411: DR SMP Send completed with error (IB_TIMEOUT) -- dropping"],
        `\t\t\tMethod 0x1, Attr 0x20, ${transaction}`,
        [
          "01",
          `sm_mad_ctrl_send_err_cb: ERR 3113: MAD completed in error (IB_TIMEOUT): SubnGet(SMInfo), attr_mod 0x0, ${transaction}`,
        ],
        [
          "01",
          "sm_mad_ctrl_send_err_cb: ERR 3120: Timeout while getting attribute 0x20 (SMInfo); Possible mis-set mkey?",
        ],
      ];
    case "discovering":
      return [["80", "Entering DISCOVERING state"]];
    case "standby":
      return [["80", "Entering STANDBY state"]];
    case "master":
      return [
        ["80", "Entering MASTER state"],
        ["02", "osm_ucast_mgr_process: minhop tables configured on all switches"],
        ["02", "SUBNET UP"],
      ];
  }
}

/** The log of one manager, from its events in order. */
export function printOpensmLog(events: readonly ManagerEvent[]): string {
  return events
    .flatMap((event) =>
      words(event).map((line) =>
        typeof line === "string" ? `${line}\n` : `${stamp(event.at)} 0x${line[0]} -> ${line[1]}\n`,
      ),
    )
    .join("");
}
