import { Menu, type MenuItemConstructorOptions } from "electron";
import type { EventPayload } from "../shared/contract/events.ts";

type CommandName = EventPayload<"command">["name"];

/** The menu bar. Entries that act on the window are sent to it. */
export function installMenu(send: (name: CommandName) => void): void {
  const entry = (label: string, accelerator: string, name: CommandName): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => send(name),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === "darwin" ? [{ role: "appMenu" } as const] : []),
    {
      label: "&File",
      submenu: [
        entry("&Connect over SSH…", "CmdOrCtrl+N", "connect"),
        entry("&Open capture or raw outputs…", "CmdOrCtrl+O", "open"),
        entry("Open &folder…", "CmdOrCtrl+Shift+O", "open-folder"),
        { type: "separator" },
        entry("&Save capture…", "CmdOrCtrl+S", "save"),
        entry("Collect &again", "CmdOrCtrl+R", "collect-again"),
        { type: "separator" },
        entry("Se&ttings", "CmdOrCtrl+,", "settings"),
        { type: "separator" },
        { role: process.platform === "darwin" ? "close" : "quit" },
      ],
    },
    { role: "editMenu" },
    {
      label: "&View",
      submenu: [
        { role: "zoomIn" },
        { role: "zoomOut" },
        { role: "resetZoom" },
        { type: "separator" },
        { role: "togglefullscreen" },
        { role: "toggleDevTools" },
      ],
    },
    { role: "windowMenu" },
    {
      label: "&Help",
      submenu: [{ label: "&Keyboard shortcuts", click: () => send("shortcuts") }],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
