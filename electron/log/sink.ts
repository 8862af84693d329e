import log from "electron-log/main.js";
import { join } from "node:path";
import { type Logger, redactingLogger } from "./logger.ts";

/** Log file in `folder`, rotated at 1 MiB; warnings also on stderr. */
export function fileLogger(folder: string): Logger {
  log.transports.file.resolvePathFn = () => join(folder, "ibex.log");
  log.transports.file.maxSize = 1024 * 1024;
  log.transports.console.level = "error";
  return redactingLogger((level, line) => log[level](line));
}
