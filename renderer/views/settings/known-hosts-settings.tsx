import { useState } from "react";
import type { Result } from "../../../shared/base/result.ts";
import { visibleText } from "../../../shared/base/text.ts";
import type { KnownHost } from "../../../shared/contract/requests.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { api } from "../../state/api-context.ts";
import { useApi } from "./use-api.ts";

/** Machines whose key was trusted in Ibex, and the way to trust one anew after it was set up again. */
export function KnownHosts() {
  const asked = useApi<readonly KnownHost[]>(() => api().call("hosts.known", {}));
  const [after, setAfter] = useState<Result<readonly KnownHost[], AppError> | undefined>(undefined);
  const [sure, setSure] = useState("");
  const known = after?.ok === true ? after : asked;
  const forget = (line: string): void => {
    setSure("");
    void api().call("hosts.forget", { line }).then(setAfter);
  };
  return (
    <section className="setting">
      <div className="setting-head">
        <h3>Trusted in Ibex</h3>
      </div>
      <p>
        Keys that you said yes to. Ibex also believes your own ~/.ssh/known_hosts and changes nothing in it. Remove a
        host that was set up anew: Ibex shows its new key and asks again.
      </p>
      {after?.ok === false ? <ErrorBox error={after.error} /> : null}
      {known === undefined ? null : !known.ok ? (
        <ErrorBox error={known.error} />
      ) : known.value.length === 0 ? (
        <p className="setting-none">None: every host so far stands in your own known_hosts.</p>
      ) : (
        <table className="setting-table">
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Key</th>
              <th scope="col">
                <span className="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {known.value.map(({ line, host, keyType, fingerprint }) => (
              <tr key={line}>
                <th scope="row">{visibleText(host)}</th>
                <td>
                  {keyType} <span className="mono setting-print">{fingerprint}</span>
                </td>
                <td>
                  {sure === line ? (
                    <Button kind="danger" size="small" onClick={() => forget(line)}>
                      Remove {visibleText(host)}
                    </Button>
                  ) : (
                    <Button
                      kind="ghost"
                      size="small"
                      aria-label={`Remove ${visibleText(host)}`}
                      onClick={() => setSure(line)}
                    >
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
