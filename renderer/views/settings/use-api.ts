import { useEffect, useState } from "react";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";

/** The answer to a request that is asked once, when the page opens; undefined until it is there. */
export function useApi<T>(ask: () => Promise<Result<T, AppError>>): Result<T, AppError> | undefined {
  const [answer, setAnswer] = useState<Result<T, AppError> | undefined>(undefined);
  const [first] = useState(() => ask);
  useEffect(() => {
    let open = true;
    void first().then((came) => {
      if (open) setAnswer(came);
    });
    return () => {
      open = false;
    };
  }, [first]);
  return answer;
}
