import { useMemo } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { useWatch } from "../../state/watch-store.ts";
import { withLiveManagers } from "./live-managers.ts";

/** The fabric of a view with its managers' states of now while they are watched; after that the capture's word counts. */
export function useWatchedFabric(view: FabricView | undefined): Fabric | undefined {
  const status = useWatch((state) =>
    state.fabricId === view?.fabricId && state.status?.running === true ? state.status : undefined,
  );
  const known = view?.fabric;
  return useMemo(() => (known === undefined ? undefined : withLiveManagers(known, status)), [known, status]);
}
