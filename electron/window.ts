/** The window: our own scheme, strict CSP, everything else denied. */
import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  nativeTheme,
  protocol,
  type Session,
  session,
} from "electron";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { appOrigin, appScheme, assetPath, contentSecurityPolicy, contentType } from "./security.ts";

/** Must run before the program is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the renderer's files from `folder` and nothing else. */
export function serveRenderer(folder: string): void {
  protocol.handle(appScheme, async (request) => {
    const path = assetPath(request.url);
    if (path === undefined) return new Response("not found", { status: 404 });
    try {
      const body = await readFile(join(folder, path));
      return new Response(new Uint8Array(body), {
        headers: {
          "content-type": contentType(path),
          "content-security-policy": contentSecurityPolicy,
          "x-content-type-options": "nosniff",
        },
      });
    } catch {
      return new Response("not found", { status: 404 });
    }
  });
}

function deny(target: Session): void {
  target.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  target.setPermissionCheckHandler(() => false);
  target.webRequest.onBeforeRequest((details, answer) => {
    const allowed =
      details.url.startsWith(`${appOrigin}/`) ||
      details.url.startsWith("devtools:") ||
      details.url.startsWith(`blob:${appOrigin}/`) ||
      details.url.startsWith("data:");
    answer({ cancel: !allowed });
  });
}

export interface WindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly width: number;
  readonly height: number;
}

/** Creates the window, hidden until it has drawn. */
export function createWindow(options: WindowOptions): BrowserWindow {
  deny(session.defaultSession);
  const frame: BrowserWindowConstructorOptions =
    process.platform === "darwin"
      ? { titleBarStyle: "hiddenInset" }
      : process.platform === "win32"
        ? { titleBarStyle: "hidden", titleBarOverlay: { height: 40, color: "#00000000" } }
        : {};
  const window = new BrowserWindow({
    width: options.width,
    height: options.height,
    minWidth: 960,
    minHeight: 600,
    show: false,
    title: "Ibex",
    icon: options.icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? "#0F1217" : "#E9ECF0",
    ...frame,
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: "deny" }));
  window.webContents.on("will-navigate", (event) => event.preventDefault());
  window.webContents.on("will-attach-webview", (event) => event.preventDefault());
  window.once("ready-to-show", () => window.show());
  void window.loadURL(`${appOrigin}/index.html`);
  return window;
}
