import type { Topology } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { selectionOf } from "../findings/finding-index.ts";

/** Exceptions shown at once; a fabric that was called what it is not has thousands. */
const mostExceptions = 50;

/** What does not fit the shape, each with the thing it is about. */
export function Exceptions({
  view: { fabric, analysis },
  exceptions,
}: {
  readonly view: FabricView;
  readonly exceptions: Topology["exceptions"];
}) {
  const select = useSelection((state) => state.select);
  const hidden = exceptions.length - mostExceptions;
  return (
    <>
      {exceptions.slice(0, mostExceptions).map((exception) => (
        <div className="evidence" key={`${exception.subject.name} ${exception.message}`}>
          <HealthGlyph health="warning" size={12} />
          <span>
            {exception.subject.kind === "fabric" ? (
              exception.message
            ) : (
              <>
                <button
                  type="button"
                  className="text-link"
                  onClick={() => select(selectionOf(exception.subject, fabric, analysis), { fly: true })}
                >
                  {exception.subject.name}
                </button>
                {exception.message.startsWith(exception.subject.name)
                  ? exception.message.slice(exception.subject.name.length)
                  : `: ${exception.message}`}
              </>
            )}
          </span>
        </div>
      ))}
      {hidden > 0 ? <p className="quiet-words">and {hidden} more exceptions.</p> : null}
    </>
  );
}
