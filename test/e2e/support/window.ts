/** Starts the built program in a real window with a home and a data folder of its own. */
import { _electron, type ElectronApplication, type Page } from "@playwright/test";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** Pictures of the main states; kept after the run. */
const pictures = join(root, "artefacts", "e2e");

export interface Home {
  readonly folder: string;
  remove(): void;
}

/** A fresh home folder, with nothing of the user's in it. */
export function freshHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "ibex-e2e-"));
  mkdirSync(join(folder, "data"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function electronExecutable(): string {
  const named = process.env.IBEX_ELECTRON_EXECUTABLE;
  if (named !== undefined && named !== "") return named;
  const fallback = join(root, "node_modules", ".cache", "ibex", "electron-25.1.1", "electron");
  if (existsSync(fallback)) return fallback;
  throw new Error("no Electron: run the tests through `npm test`, which finds one");
}

export interface OpenWindow {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Messages of the window's console that are errors or warnings. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface WindowOptions {
  readonly words?: readonly string[];
  readonly theme?: "dark" | "light";
  readonly width?: number;
  readonly height?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Opens the window. */
export async function openWindow(home: Home, options: WindowOptions = {}): Promise<OpenWindow> {
  const { ...environment } = process.env;
  delete environment.SSH_AUTH_SOCK;
  const isRoot = process.getuid?.() === 0;
  const app = await _electron.launch({
    executablePath: electronExecutable(),
    args: [root, ...(isRoot ? ["--no-sandbox"] : []), ...(options.words ?? [])],
    env: {
      ...Object.fromEntries(
        Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      HOME: home.folder,
      IBEX_DATA: join(home.folder, "data"),
      ...options.environment,
    },
  });
  const page = await app.firstWindow();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.emulateMedia({ colorScheme: options.theme ?? "dark", reducedMotion: "reduce" });
  const [width, height] = [options.width ?? 1440, options.height ?? 900];
  await app.evaluate(
    ({ BrowserWindow }, size) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setContentSize(size.width, size.height);
    },
    { width, height },
  );
  return { app, page, complaints, close: () => app.close() };
}

/** Keeps a picture of the window under a name. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
