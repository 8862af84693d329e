import { type ReactNode, useEffect, useState } from "react";
import { count } from "../../../shared/base/text.ts";
import type { AppInfo } from "../../../shared/contract/requests.ts";
import type { RecentEntry, SampleInfo, SimulatedFabricInfo } from "../../../shared/contract/views.ts";
import { IconButton } from "../../parts/button.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { Tag } from "../../parts/tag.tsx";
import { dayTime, exactTime, useNow } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { chooseAndOpen, collectFrom, collectHere, connect, openPaths } from "../shell/actions.ts";
import { Logo } from "../shell/logo.tsx";
import { Schematic, schematicFor } from "./schematic.tsx";
import "./welcome.css";

function Start({
  icon,
  title,
  keys,
  disabled = false,
  onClick,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <li>
      <button type="button" className="welcome-start" disabled={disabled} onClick={onClick}>
        <span className="welcome-start-icon">
          <Icon name={icon} size={18} />
        </span>
        <span className="welcome-start-text">
          <span className="welcome-start-title">{title}</span>
          <span className="welcome-start-note">{children}</span>
        </span>
        {keys === undefined ? null : <Kbd keys={keys} />}
      </button>
    </li>
  );
}

interface Probe {
  readonly devices: readonly string[];
  readonly reason: string;
}

function ThisMachine() {
  const [probe, setProbe] = useState<Probe | undefined>(undefined);
  useEffect(() => {
    let gone = false;
    void api()
      .call("local.probe", {})
      .then((result) => {
        if (!gone)
          setProbe(result.ok ? result.value : { devices: [], reason: "Its InfiniBand devices could not be listed." });
      });
    return () => {
      gone = true;
    };
  }, []);
  const found = probe !== undefined && probe.devices.length > 0;
  return (
    <Start icon="laptop" title="This machine" disabled={!found} onClick={() => void collectHere()}>
      {probe === undefined
        ? "Looking for InfiniBand devices."
        : found
          ? `Collect here, through ${probe.devices.slice(0, 4).join(", ")}${probe.devices.length > 4 ? ` and ${probe.devices.length - 4} more` : ""}.`
          : probe.reason === ""
            ? "No InfiniBand device found here."
            : probe.reason}
    </Start>
  );
}

function Findings({ findings }: { readonly findings: RecentEntry["findings"] }) {
  if (findings.error === 0 && findings.warning === 0) {
    return (
      <span className="welcome-healthy">
        <HealthGlyph health={findings.note > 0 ? "note" : "ok"} size={12} />
        {findings.note > 0 ? findings.note : "healthy"}
      </span>
    );
  }
  return (
    <span className="welcome-findings">
      {(["error", "warning"] as const).map((severity) => (
        <span key={severity}>
          {findings[severity] === 0 ? null : (
            <>
              <HealthGlyph health={severity} size={12} />
              {findings[severity]}
            </>
          )}
        </span>
      ))}
    </span>
  );
}

function worst(findings: RecentEntry["findings"]): "error" | "warning" | undefined {
  return findings.error > 0 ? "error" : findings.warning > 0 ? "warning" : undefined;
}

function Recent({ entry, now }: { readonly entry: RecentEntry; readonly now: number }) {
  const loadRecent = useFabric((state) => state.loadRecent);
  const { source, path } = entry;
  const open = (): void => {
    if (source !== null) void collectFrom(source);
    else if (path !== null) void openPaths([path]);
  };
  const remove = (): void => {
    void api().call("recent.remove", { id: entry.id }).then(loadRecent);
  };
  return (
    <li className="welcome-recent">
      <button type="button" className="welcome-recent-open" onClick={open} title={path ?? entry.detail}>
        <Schematic kind={schematicFor(entry.switches, entry.name)} bad={worst(entry.findings)} />
        <span className="welcome-recent-name">
          <span className="welcome-recent-title">{entry.name}</span>
          {entry.simulated ? (
            <Tag tone="sim">SIMULATED</Tag>
          ) : (
            <span className="welcome-recent-detail">{entry.detail}</span>
          )}
        </span>
        <span className="welcome-recent-counts">
          {count(entry.switches, "switch", "switches")}, {count(entry.hosts, "host")}
        </span>
        <Findings findings={entry.findings} />
        <span className="welcome-recent-when" title={exactTime(entry.openedAt)}>
          {dayTime(entry.openedAt, now)}
        </span>
      </button>
      <IconButton icon="close" label={`Forget ${entry.name}`} size={14} onClick={remove} />
    </li>
  );
}

function RecentList() {
  const recent = useFabric((state) => state.recent);
  const [filter, setFilter] = useState("");
  const now = useNow(60_000);
  const wanted = filter.trim().toLowerCase();
  const shown = recent.filter((entry) => `${entry.name} ${entry.detail}`.toLowerCase().includes(wanted));
  return (
    <section className="welcome-recents" aria-labelledby="welcome-recent">
      <div className="welcome-recents-head">
        <h2 id="welcome-recent">Recent</h2>
        {recent.length > 5 ? (
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter the recent fabrics"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        ) : null}
      </div>
      <ul className="welcome-recent-list">
        {shown.map((entry) => (
          <Recent key={entry.id} entry={entry} now={now} />
        ))}
        {shown.length === 0 ? (
          <li className="welcome-none">
            <strong>{recent.length === 0 ? "Nothing opened yet" : `Nothing matches “${filter}”`}</strong>
            <span>
              {recent.length === 0
                ? "Fabrics that you collect or open stand here, with what was wrong in them."
                : `${recent.length} fabrics are hidden by this filter.`}
            </span>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function Simulated({ fabric }: { readonly fabric: SimulatedFabricInfo }) {
  return (
    <li>
      <button
        type="button"
        className="welcome-simulated"
        onClick={() => void collectFrom({ kind: "simulated", name: fabric.name })}
      >
        <Schematic
          kind={schematicFor(fabric.switches, fabric.name)}
          bad={fabric.faults > 0 ? (fabric.switches > 60 ? "warning" : "error") : undefined}
        />
        <span>
          <span className="welcome-simulated-title">{fabric.title}</span>
          <span className="welcome-simulated-counts">
            {count(fabric.switches, "switch", "switches")}, {count(fabric.hosts, "host")}
          </span>
          <span className="welcome-simulated-note">{fabric.description}</span>
        </span>
      </button>
    </li>
  );
}

function Sample({ sample }: { readonly sample: SampleInfo }) {
  return (
    <li>
      <button type="button" className="welcome-simulated" onClick={() => void openPaths([sample.path])}>
        <Schematic kind={schematicFor(sample.switches, sample.title)} bad="error" />
        <span>
          <span className="welcome-simulated-title">{sample.title}</span>
          <span className="welcome-simulated-counts">
            {count(sample.switches, "switch", "switches")}, {count(sample.hosts, "host")}
          </span>
          <span className="welcome-simulated-note">{sample.description}</span>
        </span>
      </button>
    </li>
  );
}

/** The start: ways to a fabric, what was open before, simulated fabrics to learn on. */
export function Welcome({ info }: { readonly info: AppInfo | undefined }) {
  return (
    <main className="welcome" data-region="main">
      <div className="welcome-page">
        <div className="welcome-head">
          <Logo size={48} />
          <div>
            <h1>Ibex</h1>
            <p>The InfiniBand fabric explorer</p>
          </div>
        </div>
        <div className="welcome-columns">
          <section aria-labelledby="welcome-start">
            <h2 id="welcome-start">Start</h2>
            <ul className="welcome-starts">
              <Start icon="links" title="Connect over SSH" keys="Ctrl N" onClick={connect}>
                A management node that reaches the fabric. Nothing is installed there, queries only read.
              </Start>
              <ThisMachine />
              <Start
                icon="file"
                title="Open a capture or raw outputs"
                keys="Ctrl O"
                onClick={() => void chooseAndOpen("files")}
              >
                A .fabric file, or the text of ibnetdiscover, iblinkinfo, sminfo. Or drop them anywhere.
              </Start>
              <Start
                icon="folder"
                title="Open a folder"
                keys="Ctrl Shift O"
                onClick={() => void chooseAndOpen("folder")}
              >
                All outputs of one fabric that lie in it.
              </Start>
            </ul>
          </section>
          <RecentList />
        </div>
        {info === undefined || info.simulatedFabrics.length === 0 ? null : (
          <section aria-labelledby="welcome-simulated">
            <h2 id="welcome-simulated" className="welcome-simulated-head">
              Learn on a simulated fabric <Tag tone="sim">SIMULATED</Tag>
            </h2>
            <ul className="welcome-simulated-list">
              {info.simulatedFabrics.map((fabric) => (
                <Simulated key={fabric.name} fabric={fabric} />
              ))}
            </ul>
            <p className="welcome-simulated-foot">
              The simulated fabric answers the same commands in the same text, ib_write_bw included. Its numbers are
              marked wherever they show and never mix with real ones.
            </p>
          </section>
        )}
        {info === undefined || info.samples.length === 0 ? null : (
          <section aria-labelledby="welcome-samples">
            <h2 id="welcome-samples" className="welcome-simulated-head">
              Sample captures <Tag tone="sim">SIMULATED</Tag>
            </h2>
            <ul className="welcome-simulated-list">
              {info.samples.map((sample) => (
                <Sample key={sample.path} sample={sample} />
              ))}
            </ul>
            <p className="welcome-simulated-foot">
              What ibnetdiscover, iblinkinfo and sminfo print on fabrics simulated by ibsim, saved as captures. There is
              no cluster behind a capture, so nothing can be measured on them.
            </p>
          </section>
        )}
      </div>
    </main>
  );
}
