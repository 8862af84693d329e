import { type CounterName, isCounterName } from "../fabric/counters.ts";

/** Names that infiniband-diags used before August 2010. */
const oldNames: Readonly<Record<string, CounterName>> = {
  SymbolErrors: "SymbolErrorCounter",
  LinkRecovers: "LinkErrorRecoveryCounter",
  LinkDowned: "LinkDownedCounter",
  RcvErrors: "PortRcvErrors",
  RcvRemotePhysErrors: "PortRcvRemotePhysicalErrors",
  RcvSwRelayErrors: "PortRcvSwitchRelayErrors",
  XmtDiscards: "PortXmitDiscards",
  XmtConstraintErrors: "PortXmitConstraintErrors",
  RcvConstraintErrors: "PortRcvConstraintErrors",
  LinkIntegrityErrors: "LocalLinkIntegrityErrors",
  ExcBufOverrunErrors: "ExcessiveBufferOverrunErrors",
  XmtData: "PortXmitData",
  RcvData: "PortRcvData",
  XmtPkts: "PortXmitPkts",
  RcvPkts: "PortRcvPkts",
  XmtWait: "PortXmitWait",
};

/** Counter of a printed name, in its spelling of either age; undefined for counters that Ibex does not keep. */
export function counterOf(printed: string): CounterName | undefined {
  if (isCounterName(printed)) return printed;
  return Object.hasOwn(oldNames, printed) ? oldNames[printed] : undefined;
}

/** True for a name as only the versions before August 2010 print it. */
export function isOldCounterName(printed: string): boolean {
  return Object.hasOwn(oldNames, printed);
}

/** Values of one port by counter. */
export type CounterValues = { readonly [Name in CounterName]?: number };
