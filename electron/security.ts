/** Decisions on URLs, frames and permissions: pure, so that they are tested without a window. */

/** Scheme of the program's own pages. */
export const appScheme = "ibex";
export const appOrigin = `${appScheme}://app`;

/** The one style element that is written at run time: Cytoscape's, the same text each time. */
const cytoscapeStyle = "'sha256-pgvDUBa4IjFA2yuSJ2cqcyxmNYJMborsd0ORcRv9vw8='";

/** No remote content, no inline script, no inline style but Cytoscape's own. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${cytoscapeStyle}`,
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** True for the main frame of our own page. */
export function isOwnFrame(url: string, isMainFrame: boolean): boolean {
  return (
    isMainFrame &&
    (url === `${appOrigin}/index.html` || url.startsWith(`${appOrigin}/index.html#`) || url === `${appOrigin}/`)
  );
}

/**
 * Path inside the renderer's folder for a request to our scheme; undefined for anything outside it or with another
 * host. `url` as Chromium sends it, already normalised.
 */
export function assetPath(url: string): string | undefined {
  const hit = /^ibex:\/\/app(\/[^?#]*)?(?:[?#].*)?$/.exec(url);
  if (hit === null) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(hit[1] ?? "/");
  } catch {
    return undefined;
  }
  if (path === "/") return "index.html";
  if (path.includes("\0") || path.includes("\\") || path.split("/").includes("..")) return undefined;
  return path.slice(1);
}

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  json: "application/json",
  wasm: "application/wasm",
};

/** Content type by file ending. */
export function contentType(path: string): string {
  return contentTypes[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}
