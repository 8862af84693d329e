/** sminfo and saquery, as version 44 prints them. */
import type { SimulatedManager } from "./model.ts";
import { unpadded } from "./discover-text.ts";

const stateNames: Readonly<Record<2 | 3, string>> = { 2: "SMINFO_STANDBY", 3: "SMINFO_MASTER" };

/** The one line of `sminfo`; `seconds` since the fabric came up. */
export function printSminfo(manager: SimulatedManager, seconds: number): string {
  return `sminfo: sm lid ${String(manager.port.lid)} sm guid 0x${unpadded(manager.port.guid)}, activity count ${String(manager.activity + seconds)} priority ${String(manager.priority)} state ${String(manager.state)} ${manager.state === "dead" ? "???" : stateNames[manager.state]}\n`;
}

function field(name: string, width: number, value: string): string {
  return `\t\t${name.padEnd(width, ".")}${value}`;
}

/** `saquery -s`: the ports on which a subnet manager runs. */
export function printSaqueryManagers(managers: readonly SimulatedManager[]): string {
  const master = managers.find((manager) => manager.state === 3);
  const lines = ["IsSM ports"];
  for (const manager of managers) {
    const lid = String(manager.port.lid);
    lines.push(
      "PortInfoRecord dump:",
      field("EndPortLid", 24, lid),
      field("PortNum", 24, String(manager.port.number)),
      field("base_lid", 24, lid),
      field("master_sm_base_lid", 24, String(master?.port.lid ?? 0)),
      field("capability_mask", 24, "0x50C04A"),
    );
  }
  lines.push("", "IsSMdisabled ports", "");
  return lines.join("\n");
}

/** `saquery SMInfoRecord`. */
export function printSmInfoRecords(managers: readonly SimulatedManager[], seconds: number): string {
  const lines: string[] = [];
  for (const manager of managers) {
    lines.push(
      "SMInfoRecord dump:",
      "\t\tRID",
      field("LID", 22, String(manager.port.lid)),
      "\t\tSMInfo dump:",
      field("GUID", 22, `0x${manager.port.guid}`),
      field("SM_Key", 22, "0x0000000000000000"),
      field("ActCount", 22, String(manager.activity + seconds)),
      field("Priority", 22, String(manager.priority)),
      field("SMState", 22, String(manager.state)),
    );
  }
  return `${lines.join("\n")}\n`;
}
