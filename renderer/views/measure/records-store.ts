import { create } from "zustand";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { useEffect } from "react";
import { api } from "../../state/api-context.ts";

type Loaded = { readonly ok: true; readonly value: Measurement } | { readonly ok: false; readonly error: AppError };

interface RecordState {
  readonly records: ReadonlyMap<string, Loaded>;
  readonly load: (id: string) => Promise<void>;
}

/** Full records kept in the window; they never change once written. */
const recordsKept = 100;

const useRecords = create<RecordState>((set, get) => ({
  records: new Map(),
  load: async (id) => {
    if (get().records.has(id)) return;
    const loaded = await api().call("measure.get", { id });
    set((state) => ({ records: new Map([...state.records, [id, loaded] as const].slice(-recordsKept)) }));
  },
}));

/** The full record of a measurement; undefined while it is read. */
export function useMeasurementRecord(id: string | undefined): Loaded | undefined {
  const record = useRecords((state) => (id === undefined ? undefined : state.records.get(id)));
  const load = useRecords((state) => state.load);
  useEffect(() => {
    if (id !== undefined) void load(id);
  }, [id, load]);
  return record;
}
