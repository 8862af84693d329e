import { useEffect, useState } from "react";
import type { AppInfo } from "../shared/contract/requests.ts";
import { explain } from "../shared/errors/explain.ts";
import { installKeyboard } from "./keyboard.ts";
import { CopyContext } from "./parts/copy.tsx";
import { api } from "./state/api-context.ts";
import { followCounters } from "./state/counter-store.ts";
import { useFabric } from "./state/fabric-store.ts";
import { useMeasure } from "./state/measure-store.ts";
import { usePrompts } from "./state/prompt-store.ts";
import { followRoutes } from "./state/routes-store.ts";
import { followMeasuredFindings } from "./state/measured-findings.ts";
import { useSettings } from "./state/settings-store.ts";
import { followManagers } from "./state/watch-store.ts";
import { useSweeps } from "./state/sweep-store.ts";
import { collectFrom, copyText, openPaths } from "./views/shell/actions.ts";
import { commands, runCommand } from "./views/shell/commands.ts";
import { summaryLine } from "./views/shell/fabric-words.ts";
import { Shell } from "./views/shell/shell.tsx";
import { useTheme } from "./views/shell/use-theme.ts";
import { preparePictures } from "./views/topology/prepare-picture.ts";

/** Takes what main says without being asked. Returns the function that ends it. */
function subscribe(): () => void {
  const ends = [
    api().subscribe("prompt", (prompt) => usePrompts.getState().add(prompt)),
    api().subscribe("prompt.gone", ({ promptId }) => usePrompts.getState().remove(promptId)),
    api().subscribe("open", ({ paths }) => void openPaths(paths)),
    api().subscribe("command", ({ name }) => void runCommand(name)),
    api().subscribe("connection", ({ fabricId, state }) => {
      const fabric = useFabric.getState();
      if (fabric.view?.fabricId === fabricId) fabric.setConnection(state);
    }),
    preparePictures(),
    followRoutes(),
    followManagers(),
    followCounters(),
    useSweeps.getState().follow(),
    followMeasuredFindings(),
    // The history's newest numbers belong to the open fabric's kind of source: real and simulated never mix.
    useFabric.subscribe((now, before) => {
      if (now.view !== undefined && now.view !== before.view) {
        void useMeasure.getState().loadHistory(now.view.capture.simulated);
      }
    }),
  ];
  return () => ends.forEach((end) => end());
}

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Long enough for the layout and the first picture after the fabric has reached the window. */
const drawing = 300;

/** The picture of an open fabric is mounted and placed; without a fabric there is none to wait for. */
function isDrawn(): boolean {
  if (useFabric.getState().view === undefined) return true;
  return document.querySelector(".graph") !== null && document.querySelector("[data-placing]") === null;
}

/** Opens what the command line asked for, and tells main when the window shows it. */
async function start(): Promise<void> {
  await useSettings.getState().load();
  void useFabric.getState().loadRecent();
  // Known before the first fabric is shown.
  void useMeasure.getState().loadHistory(false);
  const initial = await api().call("app.initial", {});
  if (initial.ok && initial.value.open === "simulated") {
    await collectFrom({ kind: "simulated", name: initial.value.name });
  } else if (initial.ok && initial.value.open === "paths") await openPaths(initial.value.paths);
  await frame();
  await frame();
  // The picture of a large fabric is placed in a worker; its view says so until it stands.
  const patience = performance.now() + 60_000;
  while (!isDrawn() && performance.now() < patience) await frame();
  await pause(drawing);
  const { view, failure } = useFabric.getState();
  const summary =
    view !== undefined ? summaryLine(view) : failure === undefined ? "no fabric open" : explain(failure.error).sentence;
  await api().call("app.ready", { summary: summary.slice(0, 1000) });
}

export function App() {
  const [info, setInfo] = useState<AppInfo | undefined>(undefined);
  useTheme();
  useEffect(subscribe, []);
  useEffect(() => installKeyboard(() => commands.map(({ keys, id }) => ({ keys, run: () => runCommand(id) }))), []);
  useEffect(() => {
    void api()
      .call("app.info", {})
      .then((result) => {
        if (result.ok) setInfo(result.value);
      });
    void start();
  }, []);
  return (
    <CopyContext value={copyText}>
      <Shell info={info} />
    </CopyContext>
  );
}
