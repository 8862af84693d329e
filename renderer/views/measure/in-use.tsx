import type { AdapterUse } from "../../../shared/errors/kinds.ts";
import { adapterUseText } from "../../../shared/errors/explain-measuring.ts";
import { Callout } from "../../parts/callout.tsx";

/** The question before a run that would disturb others: who uses which adapter, and how much. */
export function InUse({ uses }: { readonly uses: readonly AdapterUse[] }) {
  return (
    <section className="sheet-block">
      <Callout tone="error" title="Others use these hosts. Nothing was started.">
        <ul className="in-use">
          {uses.map((use) => (
            <li key={adapterUseText(use)}>{adapterUseText(use)}</li>
          ))}
        </ul>
        <p>A test at line rate slows them down, and its own result would be too low.</p>
        <p>Choose another host below, wait, or measure all the same.</p>
      </Callout>
    </section>
  );
}
