import { beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { followCounters, useCounters } from "../../../renderer/state/counter-store.ts";
import { useFabric } from "../../../renderer/state/fabric-store.ts";
import { followManagers, useWatch } from "../../../renderer/state/watch-store.ts";
import { recentChanges } from "../../../renderer/views/managers/recent-changes.tsx";
import { ok } from "../../../shared/base/result.ts";
import type { ManagerLogLine } from "../../../shared/contract/manager-log.ts";
import type { RequestName } from "../../../shared/contract/names.ts";
import type { FabricView, WatchStatus } from "../../../shared/contract/views.ts";
import { simulatedView } from "./tables-fabric.ts";

const view: FabricView = { ...simulatedView("failover"), fabricId: "f" };

function change(time: string, kind: ManagerLogLine["kind"]): ManagerLogLine {
  const guid = "0x0c42a10300000211";
  return {
    ...{ version: 1, source: "mgmt-01", simulated: true, time, kind, guid, lid: 12 },
    ...{ from: "STANDBY", to: "MASTER", priority: 5, activity: 7 },
  };
}

const status: WatchStatus = {
  running: true,
  time: { from: "2026-11-29T10:00:00Z", to: "2026-11-29T10:05:00Z", intervalSeconds: 10 },
  lastRound: null,
  managers: [],
  trouble: null,
};

const asked: string[] = [];
const listeners = new Map<string, (payload: unknown) => void>();

beforeEach(() => {
  asked.length = 0;
  provideApi(
    createApi({
      call: (name: RequestName, _callId: string, input: unknown): Promise<unknown> => {
        const of = typeof input === "object" && input !== null && "fabricId" in input ? String(input.fabricId) : "";
        asked.push(`${name} ${of}`);
        if (name === "watch.state") return Promise.resolve(ok({ status, changes: [], times: [], damaged: 0 }));
        return Promise.resolve(ok({ status: { running: false, rounds: 0 }, series: [] }));
      },
      cancel: () => undefined,
      subscribe: (name: string, listener: (payload: unknown) => void) => {
        listeners.set(name, listener);
        return () => undefined;
      },
      pathOf: () => "",
    }),
  );
});

describe("watches of an open fabric", () => {
  it("are followed from the moment it is open, whichever view is shown, and only once", async () => {
    const ends = [followManagers(), followCounters()];
    expect(asked).toEqual([]);
    useFabric.setState({ view });
    await Promise.resolve();
    expect([...asked].sort()).toEqual(["counters.state f", "watch.state f"]);
    // Collected again, or looked at otherwise: the same fabric.
    useFabric.setState({ view: { ...view } });
    expect(asked).toHaveLength(2);
    expect(useWatch.getState().fabricId).toBe("f");
    expect(useCounters.getState().fabricId).toBe("f");
    const lost = change("2026-11-29T10:01:00Z", "lost");
    listeners.get("watch")?.({ fabricId: "f", status, changes: [lost] });
    expect(useWatch.getState().changes).toEqual([lost]);
    listeners.get("watch")?.({ fabricId: "other", status, changes: [lost] });
    expect(useWatch.getState().changes).toHaveLength(1);
    ends.forEach((end) => end());
    useFabric.setState({ view: { ...view, fabricId: "g" } });
    expect(asked).toHaveLength(2);
  });
});

describe("recent changes of subnet managers", () => {
  it("are those since the watch began, newest first, without first answers", () => {
    const changes = [
      change("2026-11-29T09:00:00Z", "lost"),
      change("2026-11-29T10:00:01Z", "seen"),
      ...[1, 2, 3, 4, 5, 6].map((minute) => change(`2026-11-29T10:0${minute}:00Z`, "handover")),
    ];
    const recent = recentChanges(changes, status.time?.from);
    expect(recent.map(({ time }) => time.slice(14, 16))).toEqual(["06", "05", "04", "03", "02"]);
    expect(recentChanges(changes, undefined)).toEqual([]);
  });
});
