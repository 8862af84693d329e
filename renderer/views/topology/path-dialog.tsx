import { useId, useState, type SyntheticEvent } from "react";
import { adaptersOfHost, at, hostName, portId, portsOfNode } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { Button } from "../../parts/button.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { ShownRoute } from "../inspector/link-routes.tsx";
import "./path-dialog.css";

/** Names offered while one types. */
const offered = 50;

/** Host index by its name, whatever its case. */
function hostByName(fabric: Fabric, name: string): number | undefined {
  const wanted = name.trim().toLowerCase();
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    if (hostName(fabric, host).toLowerCase() === wanted) return host;
  }
  return undefined;
}

function namesLike(fabric: Fabric, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const names: string[] = [];
  for (let host = 0; host < fabric.hosts.count && names.length < offered; host += 1) {
    const name = hostName(fabric, host);
    if (name.toLowerCase().includes(wanted)) names.push(name);
  }
  return names;
}

/** Adapter ports of a host that have a LID, by rail. */
function portsOfHost({ fabric, analysis }: FabricView, host: number): readonly { port: number; rail: number }[] {
  return adaptersOfHost(fabric, host).flatMap((node) =>
    portsOfNode(fabric, node)
      .filter((port) => at(fabric.ports.lid, port) !== 0)
      .map((port) => ({ port, rail: at(analysis.topology.railOfNode, node) })),
  );
}

/** The way that data takes between two hosts, by the forwarding tables. `from`: host index to begin with. */
export function PathDialog({ from }: { readonly from: number | undefined }) {
  const view = useFabric((state) => state.view);
  return view === undefined ? null : <Chooser view={view} from={from} />;
}

function Chooser({ view, from }: { readonly view: FabricView; readonly from: number | undefined }) {
  const { fabric } = view;
  const [start, setStart] = useState(() => {
    const { selection } = useSelection.getState();
    const host = from ?? (selection.kind === "host" ? selection.host : undefined);
    return host === undefined ? "" : hostName(fabric, host);
  });
  const [end, setEnd] = useState("");
  const [problems, setProblems] = useState<{ readonly start?: string; readonly end?: string }>({});
  const [error, setError] = useState<AppError | undefined>(undefined);
  const [found, setFound] = useState(false);
  const route = useRoutes((state) => (state.shown?.of === fabric ? state.shown.route : undefined));
  const shown = found ? route : undefined;
  const startNames = useId();
  const endNames = useId();
  const close = (): void => useUi.getState().openDialog({ kind: "none" });

  const find = (backwards: boolean): void => {
    const [first, second] = backwards ? [end, start] : [start, end];
    if (backwards) {
      setStart(first);
      setEnd(second);
    }
    const [a, b] = [hostByName(fabric, first), hostByName(fabric, second)];
    setFound(false);
    const problem = (host: number | undefined, text: string): string | undefined =>
      text.trim() === ""
        ? "Type the name of a host."
        : host === undefined
          ? "The fabric has no host of this name."
          : portsOfHost(view, host).length === 0
            ? "No port of this host has a LID."
            : undefined;
    const [atStart, atEnd] = [
      problem(a, first),
      a !== undefined && a === b ? "Choose another host." : problem(b, second),
    ];
    setProblems({
      ...(atStart === undefined ? {} : { start: atStart }),
      ...(atEnd === undefined ? {} : { end: atEnd }),
    });
    if (a === undefined || b === undefined || atStart !== undefined || atEnd !== undefined) return;
    const [sources, targets] = [portsOfHost(view, a), portsOfHost(view, b)];
    const source = sources[0];
    // On rails the n-th adapter talks to the n-th.
    const target = targets.find(({ rail }) => rail === source?.rail) ?? targets[0];
    if (source === undefined || target === undefined) return;
    void useRoutes
      .getState()
      .showWay(view, portId(fabric, source.port), portId(fabric, target.port))
      .then((failed) => {
        setError(failed);
        setFound(failed === undefined);
      });
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    find(false);
  };
  const look = (): void => {
    close();
    useUi.getState().show("topology");
  };
  return (
    <Modal
      title="Path from a host to another"
      width={480}
      onClose={close}
      initialFocus={start === "" ? "input" : "input:not([value])"}
      footer={
        <>
          <Button kind="ghost" onClick={() => find(true)} disabled={start.trim() === "" || end.trim() === ""}>
            The way back
          </Button>
          <Button kind="plain" onClick={look} disabled={shown === undefined}>
            Show in topology
          </Button>
          <Button kind="primary" onClick={() => find(false)}>
            Find the path
          </Button>
        </>
      }
    >
      <div className="path-dialog">
        <form onSubmit={submit} noValidate>
          <TextField
            label="From"
            value={start}
            maxLength={255}
            list={startNames}
            problem={problems.start}
            onChange={setStart}
          />
          <datalist id={startNames}>
            {namesLike(fabric, start).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <TextField label="To" value={end} maxLength={255} list={endNames} problem={problems.end} onChange={setEnd} />
          <datalist id={endNames}>
            {namesLike(fabric, end).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <button type="submit" className="visually-hidden" tabIndex={-1}>
            Find the path
          </button>
        </form>
        {error === undefined ? null : <ErrorBox error={error} />}
        {shown === undefined ? null : <ShownRoute fabric={fabric} route={shown} link={undefined} />}
      </div>
    </Modal>
  );
}
