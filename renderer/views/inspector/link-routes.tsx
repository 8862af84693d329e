import { useEffect, useState } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { AcrossView, RoutedPair, RouteView } from "../../../shared/contract/routes.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { at, hostName, hostOfNode, linkId, nodeName, portId, portName } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { Section } from "../../parts/section.tsx";
import { api } from "../../state/api-context.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { Hops } from "./path.tsx";
import "./link-routes.css";

/** Pause in typing before the pairs are asked for anew. */
const pauseMs = 200;

interface Answer {
  readonly key: string;
  readonly ways: readonly AcrossView[] | undefined;
  readonly error: AppError | undefined;
}

/** Who talks across a cable, asked anew for another cable, another collection, another filter. */
function useAcross(view: FabricView, link: number, filter: string): Answer | undefined {
  const { fabric, fabricId } = view;
  const ready = useRoutes((state) => state.of === fabric && state.state === "ready");
  const [answer, setAnswer] = useState<(Answer & { readonly fabric: Fabric }) | undefined>(undefined);
  useEffect(() => {
    if (!ready) return;
    const controller = new AbortController();
    const id = linkId(fabric, link);
    const timer = setTimeout(
      () => {
        void api()
          .call("routes.across", { fabricId, link: id, filter }, { signal: controller.signal })
          .then((across) => {
            if (controller.signal.aborted) return;
            setAnswer({
              fabric,
              key: id,
              ways: across.ok ? across.value : undefined,
              error: across.ok ? undefined : across.error,
            });
          });
      },
      filter === "" ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [ready, fabric, fabricId, link, filter]);
  // An answer about another cable is not shown while this one's is on its way; one with another filter is.
  return answer?.fabric === fabric && answer.key === linkId(fabric, link) ? answer : undefined;
}

/** By the forwarding tables: what goes over the cable each way, and the way of any pair. Nothing without tables. */
export function LinkRoutes({ view, link }: { readonly view: FabricView; readonly link: number }) {
  const { fabric } = view;
  const ready = useRoutes((state) => state.of === fabric && state.state === "ready");
  return ready ? <Routes key={link} view={view} link={link} /> : null;
}

function Routes({ view, link }: { readonly view: FabricView; readonly link: number }) {
  const { fabric } = view;
  const [filter, setFilter] = useState("");
  const [failed, setFailed] = useState<AppError | undefined>(undefined);
  const open = useRoutes((state) => state.pairsOpen);
  const route = useRoutes((state) => (state.shown?.of === fabric ? state.shown.route : undefined));
  const shown = route?.hops.some((hop) => hop.linkIndex === link) === true ? route : undefined;
  const { showWay, hideWay } = useRoutes.getState();
  const answer = useAcross(view, link, filter);
  const pairs = answer?.ways?.reduce((sum, way) => sum + way.pairs, 0) ?? 0;
  const show = (pair: RoutedPair): void => {
    void showWay(view, portId(fabric, pair.from), portId(fabric, pair.to)).then(setFailed);
  };
  return (
    <Section id="link-routes" title="Routes" aside="by forwarding tables">
      {answer === undefined ? <p className="quiet-words">Following the routes</p> : null}
      {answer?.error === undefined ? null : <ErrorBox error={answer.error} />}
      {answer?.ways?.map((way) => (
        <Way key={way.port} fabric={fabric} way={way} />
      ))}
      {pairs === 0 ? null : (
        <div className="link-routes-actions">
          <Button kind="plain" size="small" title="P" onClick={() => useRoutes.setState({ pairsOpen: !open })}>
            {open ? "Hide the paths through it" : "Show paths through it"}
          </Button>
          {shown === undefined ? null : (
            <Button kind="ghost" size="small" onClick={hideWay}>
              Take the path out of the picture
            </Button>
          )}
        </div>
      )}
      {open && answer?.ways !== undefined && pairs > 0 ? (
        <>
          <TextField
            label="Only with this host"
            value={filter}
            maxLength={255}
            onChange={setFilter}
            placeholder="Name"
          />
          {answer.ways
            .filter((way) => way.pairs > 0)
            .map((way) => (
              <Pairs key={way.port} fabric={fabric} way={way} shown={shown} onShow={show} />
            ))}
        </>
      ) : null}
      {failed === undefined ? null : <ErrorBox error={failed} />}
      {shown === undefined ? null : <ShownRoute fabric={fabric} route={shown} link={linkId(fabric, link)} />}
    </Section>
  );
}

/** One direction in numbers, beside its siblings. */
function Way({ fabric, way }: { readonly fabric: Fabric; readonly way: AcrossView }) {
  const { siblings } = way;
  return (
    <div className="link-routes-way">
      <span className="link-routes-out" title={`Out of ${portName(fabric, way.port)}`}>
        Out of {portName(fabric, way.port)}
      </span>
      {way.known ? (
        <span>
          <strong>{count(way.destinations, "destination")}</strong>, {count(way.pairs, "pair")}
        </span>
      ) : (
        <span className="quiet-words">no forwarding table of this switch</span>
      )}
      {siblings === null || !way.known ? null : (
        <span className="quiet-small" title={siblings.words}>
          {count(siblings.count, "sibling")}: {groupDigits(siblings.median)} in the middle
          {siblings.least === siblings.most ? "" : `, ${groupDigits(siblings.least)} to ${groupDigits(siblings.most)}`}
        </span>
      )}
    </div>
  );
}

/** Host and port for people: the host's name, with the adapter where it has several. */
function endName(fabric: Fabric, port: number): string {
  const node = at(fabric.ports.node, port);
  const host = hostOfNode(fabric, node);
  const name = nodeName(fabric, node);
  if (host === undefined) return name;
  const own = hostName(fabric, host);
  return own === "" || name.startsWith(own) ? name : `${own} ${name}`;
}

function Pairs({
  fabric,
  way,
  shown,
  onShow,
}: {
  readonly fabric: Fabric;
  readonly way: AcrossView;
  readonly shown: RouteView | undefined;
  readonly onShow: (pair: RoutedPair) => void;
}) {
  return (
    <div className="link-routes-list" role="group" aria-label={`Pairs out of ${portName(fabric, way.port)}`}>
      <div className="quiet-small">
        Out of {portName(fabric, way.port)}:{" "}
        {way.matching > way.list.length
          ? `the first ${way.list.length} of ${groupDigits(way.matching)}`
          : count(way.matching, "pair")}
      </div>
      <ul>
        {way.list.map((pair) => {
          const on = shown?.from === pair.from && shown.to === pair.to;
          return (
            <li key={`${pair.from} ${pair.to}`}>
              <button type="button" className="link-routes-pair" aria-pressed={on} onClick={() => onShow(pair)}>
                <span title={portName(fabric, pair.from)}>{endName(fabric, pair.from)}</span>
                <span className="inspector-to"> to </span>
                <span title={portName(fabric, pair.to)}>{endName(fabric, pair.to)}</span>
                <span className="link-routes-lid">LID {pair.lid}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The way of one pair hop by hop, and how it ends when it does not arrive. */
export function ShownRoute({
  fabric,
  route,
  link,
}: {
  readonly fabric: Fabric;
  readonly route: RouteView;
  readonly link: RouteView["hops"][number]["link"] | undefined;
}) {
  return (
    <div className="link-routes-shown" role="status">
      <div className="link-routes-title">
        {endName(fabric, route.from)} <span className="inspector-to">to</span> {endName(fabric, route.to)}, LID{" "}
        {route.lid}: {count(route.hops.length, "cable")}
      </div>
      {route.hops.length === 0 ? null : <Hops path={route.hops} link={link ?? "0x0000000000000000:0"} />}
      {route.arrives ? null : <p className="ends-error">{route.end}</p>}
    </div>
  );
}
