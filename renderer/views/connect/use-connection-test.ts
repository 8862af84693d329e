import { useCallback, useEffect, useRef, useState } from "react";
import type { SshSource } from "../../../shared/contract/source.ts";
import type { SshTestStep } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { api } from "../../state/api-context.ts";

export interface ConnectionTest {
  readonly steps: readonly SshTestStep[];
  readonly running: boolean;
  /** The steps are those of this source; undefined = nothing tested. */
  readonly tested: SshSource | undefined;
  /** The test itself could not run. */
  readonly error: AppError | undefined;
}

const nothingTested: ConnectionTest = { steps: [], running: false, tested: undefined, error: undefined };

/** Runs connection tests, one at a time: a new one or an unmount ends the one before. */
export function useConnectionTest(): {
  readonly test: ConnectionTest;
  readonly run: (source: SshSource, upTo: "host-key" | "all") => Promise<void>;
  readonly reset: () => void;
} {
  const [test, setTest] = useState<ConnectionTest>(nothingTested);
  const current = useRef<AbortController | undefined>(undefined);

  const reset = useCallback(() => {
    current.current?.abort();
    current.current = undefined;
    setTest(nothingTested);
  }, []);

  const run = useCallback(async (source: SshSource, upTo: "host-key" | "all") => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setTest({ steps: [], running: true, tested: source, error: undefined });
    const result = await api().call(
      "ssh.test",
      { source, upTo },
      {
        signal: controller.signal,
        onProgress: ({ testSteps }) => {
          if (testSteps !== undefined && current.current === controller) {
            setTest((before) => ({ ...before, steps: testSteps }));
          }
        },
      },
    );
    if (current.current !== controller) return;
    current.current = undefined;
    setTest((before) =>
      result.ok
        ? { ...before, steps: result.value.steps, running: false }
        : { ...before, running: false, error: result.error.kind === "cancelled" ? undefined : result.error },
    );
  }, []);

  useEffect(() => () => current.current?.abort(), []);
  return { test, run, reset };
}
