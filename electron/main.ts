/** Composition root: builds the parts and joins them. */
import { app, type BrowserWindow, clipboard, dialog, Notification } from "electron";
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventPayload } from "../shared/contract/events.ts";
import type { EventName } from "../shared/contract/names.ts";
import type { AppInfo } from "../shared/contract/requests.ts";
import { sourceLabel } from "../shared/contract/source.ts";
import { explain } from "../shared/errors/explain.ts";
import type { AppError } from "../shared/errors/kinds.ts";
import { ownWords, readWindowArguments } from "./arguments.ts";
import { sendEvent, serveElectron } from "./ipc/electron.ts";
import { createRouter } from "./ipc/router.ts";
import { redact } from "./log/logger.ts";
import { fileLogger } from "./log/sink.ts";
import { installMenu } from "./menu.ts";
import { simulatedFabrics } from "./run/simulated/catalogue.ts";
import { createHandlers } from "./session/handlers.ts";
import { CounterWatches } from "./session/counter-watches.ts";
import { ManagerWatches, type Notice } from "./session/manager-watches.ts";
import { openMarks } from "./session/marks.ts";
import { OpenFabrics } from "./session/open-fabrics.ts";
import type { Desktop } from "./session/parts.ts";
import { readSamples } from "./session/samples.ts";
import { createPrompts } from "./session/prompts.ts";
import { Sources } from "./session/sources.ts";
import { SweepRuns } from "./session/sweep-runs.ts";
import { openWatchTimes } from "./session/watch-times.ts";
import { openBaselines } from "./store/baselines.ts";
import { fileError } from "./store/file-error.ts";
import { openHistory } from "./store/history.ts";
import { makeFolder } from "./store/make-folder.ts";
import { openRecent } from "./store/recent.ts";
import { openSettings } from "./store/settings.ts";
import { managerLog } from "./watch/sm-log.ts";
import { createWindow, registerScheme, serveRenderer } from "./window.ts";
import { workerEngine } from "./threads/engine.ts";

const here = __dirname;
const startArguments = readWindowArguments(ownWords(process.argv, app.isPackaged));
let window: BrowserWindow | undefined;

function emit<N extends EventName>(name: N, payload: EventPayload<N>): void {
  sendEvent(window?.webContents, name, payload);
}

/** Paths that the system asked to open before the window could listen. */
const waitingPaths: string[] = [];
let windowListens = false;

function openInWindow(paths: readonly string[]): void {
  if (windowListens) emit("open", { paths });
  else waitingPaths.push(...paths);
}

/** Tests and portable set-ups name their own folder. */
const namedFolder = process.env.IBEX_DATA ?? "";
const dataFolder = namedFolder === "" ? app.getPath("userData") : resolve(namedFolder);
const folderProblem = problemOf(dataFolder);
if (folderProblem === undefined) app.setPath("userData", dataFolder);
registerScheme();

const log = fileLogger(join(dataFolder, "logs"));
process.on("uncaughtException", (error) => log.error(`uncaught: ${error.stack ?? error.message}`));
process.on("unhandledRejection", (reason) =>
  log.error(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`),
);

/** Why the data folder cannot be there; undefined when it is. */
function problemOf(folder: string): AppError | undefined {
  try {
    makeFolder(folder);
    return undefined;
  } catch (cause) {
    return fileError(cause, folder, "write");
  }
}

/** Nothing of the program works without its folder: says so, on the terminal at once, and ends. */
function refuse(problem: AppError): void {
  const text = `The data folder cannot be made: ${explain(problem).sentence} Name another one in IBEX_DATA.`;
  process.stderr.write(`ibex: ${text}\n`);
  void app.whenReady().then(() => {
    // A picture is taken without anybody who could close the box.
    if (startArguments.screenshot === undefined) dialog.showErrorBox("Ibex", text);
    app.exit(1);
  });
}

const filters = {
  files: [{ name: "Captures and raw outputs", extensions: ["*"] }],
  key: [{ name: "Private keys", extensions: ["*"] }],
  map: [{ name: "Host maps", extensions: ["*"] }],
};

const anyFile = { name: "All files", extensions: ["*"] };
const saveFilters = [
  { name: "Ibex capture", extensions: ["fabric"] },
  { name: "Table (CSV)", extensions: ["csv"] },
  { name: "JSON", extensions: ["json"] },
  { name: "SVG drawing", extensions: ["svg"] },
  { name: "PNG picture", extensions: ["png"] },
];

/** Under load the window may be done with its work and not have painted since: the frame after the next one shows it. */
const painted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

async function takeScreenshot(path: string, summary: string): Promise<void> {
  await window?.webContents.executeJavaScript(painted);
  const picture = await window?.webContents.capturePage();
  if (picture === undefined || picture.isEmpty()) throw new Error("the window gave no picture");
  makeFolder(dirname(path));
  await writeFile(path, picture.toPNG());
  process.stdout.write(`${summary}\n`);
}

function finishScreenshot(path: string, summary: string): void {
  takeScreenshot(path, summary).then(
    () => app.exit(0),
    (error: unknown) => {
      process.stderr.write(
        `The picture could not be written to ${path}: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      app.exit(1);
    },
  );
}

const desktop: Omit<Desktop, "info"> = {
  initial:
    startArguments.initial.open === "paths"
      ? { open: "paths", paths: startArguments.initial.paths.map((path) => resolve(path)) }
      : startArguments.initial,
  async choosePaths(what) {
    const options =
      what === "folder"
        ? { properties: ["openDirectory" as const] }
        : {
            properties:
              what === "files"
                ? ["openFile" as const, "multiSelections" as const]
                : ["openFile" as const, "showHiddenFiles" as const],
            filters: filters[what],
          };
    const chosen =
      window === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
    return chosen.canceled ? [] : chosen.filePaths;
  },
  async chooseSavePath(name) {
    const options = {
      defaultPath: join(app.getPath("documents"), name),
      filters: [saveFilters.find(({ extensions }) => extensions.some((end) => name.endsWith(`.${end}`))) ?? anyFile],
    };
    const chosen =
      window === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
    return chosen.canceled || chosen.filePath === "" ? undefined : chosen.filePath;
  },
  copyText: (text) => void clipboard.writeText(text),
  ready: (summary) => {
    windowListens = true;
    if (waitingPaths.length > 0) emit("open", { paths: waitingPaths.splice(0) });
    if (startArguments.screenshot !== undefined) finishScreenshot(resolve(startArguments.screenshot), summary);
  },
  incidentReport: async (incident) => {
    const text = await readFile(join(dataFolder, "logs", "ibex.log"), "utf8").catch(() => "");
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.includes(incident));
    const around = at < 0 ? lines.slice(-50) : lines.slice(Math.max(0, at - 5), at + 40);
    return redact(
      [`Ibex ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform}`, ...around].join("\n"),
    );
  },
};

/** Kept while they are shown: one that is collected as garbage does not hear the click. */
const notices = new Set<Notification>();

function notify({ title, body }: Notice): void {
  if (!Notification.isSupported()) return;
  const notice = new Notification({ title, body });
  notices.add(notice);
  notice.once("click", () => {
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  notice.once("close", () => notices.delete(notice));
  notice.show();
}

async function appInfo(): Promise<AppInfo> {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    platform: process.platform,
    dataFolder,
    simulatedFabrics,
    samples: await readSamples(join(here, "..", "..", "resources", "samples")),
  };
}

async function start(): Promise<void> {
  const history = await openHistory(join(dataFolder, "measurements.jsonl"));
  if (!history.ok) {
    dialog.showErrorBox(
      "Ibex",
      `The measurement history in ${dataFolder} cannot be opened. Check the folder's permissions and start again.`,
    );
    app.exit(1);
    return;
  }
  const fabrics = new OpenFabrics();
  const prompts = createPrompts(
    (prompt) => emit("prompt", prompt),
    (promptId) => emit("prompt.gone", { promptId }),
  );
  const home = homedir();
  const ssh = {
    ask: prompts.questions,
    knownHostsFiles: {
      user: [join(home, ".ssh", "known_hosts"), "/etc/ssh/ssh_known_hosts"],
      own: join(dataFolder, "known_hosts"),
    },
    homeDir: home,
    ...(process.env.SSH_AUTH_SOCK === undefined ? {} : { agentSocket: process.env.SSH_AUTH_SOCK }),
  };
  const settings = await openSettings(dataFolder);
  const sources = new Sources(ssh, (source) => {
    const label = sourceLabel(source);
    if (settings.get().notifyConnections && window?.isFocused() !== true) {
      notify({ title: `Connection to ${label} lost`, body: "It is made anew with the next use." });
    }
    for (const open of fabrics.all) {
      if (JSON.stringify(open.capture.source) === JSON.stringify(source)) {
        emit("connection", { fabricId: open.id, state: "lost", note: "" });
      }
    }
  });
  const clock = {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (milliseconds: number, signal: AbortSignal) =>
      sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  };
  const counterWatches = new CounterWatches({ sources, clock, emit: (payload) => emit("counters", payload) });
  const watches = new ManagerWatches({
    sources,
    log: managerLog(join(dataFolder, "managers.jsonl")),
    times: await openWatchTimes(dataFolder),
    clock,
    emit: (payload) => emit("watch", payload),
    notify: (notice) => {
      if (settings.get().notifyManagers) notify(notice);
    },
  });
  const sweeps = new SweepRuns({ now: Date.now, emit: (event) => emit("sweep", event) });
  const router = createRouter(
    createHandlers({
      desktop: { ...desktop, info: await appInfo() },
      engine: workerEngine(join(here, "worker.cjs"), () => settings.get().limits),
      fabrics,
      sources,
      ssh,
      prompts,
      settings,
      recent: await openRecent(dataFolder),
      history: history.value,
      watches,
      counterWatches,
      marks: await openMarks(dataFolder),
      sweeps,
      baselines: await openBaselines(dataFolder),
      dataFolder,
      now: Date.now,
    }),
    (progress) => emit("progress", progress),
    log,
  );
  serveElectron(router);
  serveRenderer(join(here, "..", "renderer"));
  installMenu((name) => emit("command", { name }));
  window = createWindow({
    preload: join(here, "..", "preload", "preload.cjs"),
    icon: join(here, "..", "..", "resources", "icon.png"),
    width: 1440,
    height: 900,
  });
  window.webContents.on("render-process-gone", (_event, details) => {
    router.cancelAll();
    log.error(`the window's process is gone: ${details.reason}`);
  });
  window.on("closed", () => {
    window = undefined;
    router.cancelAll();
  });
  let leaving = false;
  app.on("before-quit", (event) => {
    if (leaving) return;
    // Remote commands are ended by pid before the connections close.
    leaving = true;
    event.preventDefault();
    router.cancelAll();
    const patience = new Promise((done) => setTimeout(done, 5_000));
    void Promise.race([
      Promise.all([watches.stopAll(), counterWatches.stopAll(), sweeps.stopAll()]).then(() => sources.closeAll()),
      patience,
    ]).finally(() => app.quit());
  });
}

if (folderProblem !== undefined) refuse(folderProblem);
else if (app.requestSingleInstanceLock() || startArguments.screenshot !== undefined) {
  app.on("second-instance", (_event, words, folder) => {
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
    const { initial } = readWindowArguments(ownWords(words, app.isPackaged));
    if (initial.open === "paths") openInWindow(initial.paths.map((path) => resolve(folder, path)));
  });
  app.on("open-file", (event, path) => {
    event.preventDefault();
    openInWindow([path]);
  });
  app.on("window-all-closed", () => app.quit());
  void app.whenReady().then(start);
} else {
  app.quit();
}
