/** Where log lines go; the sink is chosen at start. Every line passes the redactor. */
export interface Logger {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** Takes secrets and homes out of a text: passwords, private keys, user folders. */
export function redact(text: string): string {
  return text
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "<private key>")
    .replace(/((?:password|passphrase|secret|token)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|\S+)/gi, "$1<hidden>")
    .replace(/\/(?:home|Users)\/[^/\s"':]+/g, "~")
    .replace(/[A-Za-z]:\\Users\\[^\\\s"']+/g, "~");
}

/** A logger that redacts before it hands on. */
export function redactingLogger(write: (level: "info" | "warn" | "error", line: string) => void): Logger {
  return {
    info: (text) => write("info", redact(text)),
    warn: (text) => write("warn", redact(text)),
    error: (text) => write("error", redact(text)),
  };
}
