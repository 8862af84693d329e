/** npm's failures in words that tell what to do. */

import { npmCommand, run } from "./child.mjs";

/**
 * @param {{code: number, stdout: string, stderr: string, timedOut: boolean}} result of an npm command
 * @returns {Promise<string>} one or two sentences
 */
export async function registryFailure(result) {
  const words = `${result.stderr}\n${result.stdout}`;
  if (/ENOSPC|No space left/i.test(words)) return "The disk is full. Make room (about 1 GB) and run this again.";
  if (/EACCES|EPERM|EROFS/.test(words)) {
    const path = /npm (?:error|ERR!) path (.+)/.exec(words)?.[1];
    return `npm may not write${path === undefined ? "" : ` to ${path}`}. Make it yours (chown) or use another checkout, and run this again.`;
  }
  if (result.timedOut || isUnreachable(words)) {
    return `The npm registry ${await registry()} cannot be reached. Connect this machine, or name a registry or proxy that it can reach (npm config set registry URL, npm config set proxy URL), and run this again.`;
  }
  if (/E401|E403|ENEEDAUTH/.test(words))
    return `The npm registry ${await registry()} refuses us. Log in (npm login) and run this again.`;
  if (/E404|ETARGET|notarget/.test(words))
    return `The npm registry ${await registry()} does not have it: ${firstError(words)}`;
  if (/EINTEGRITY/.test(words))
    return "What arrived is not what was asked for (checksum). Run npm cache clean --force and this again.";
  if (/EUSAGE|can only install packages when your package.json/.test(words)) {
    return "package.json and package-lock.json do not fit together. Run npm install, look at what changed, and run this again.";
  }
  if (result.code === 127) return "npm was not found. Install it (it comes with Node.js) and run this again.";
  return `npm ended with ${String(result.code)}: ${firstError(words)}`;
}

/**
 * @param {string} words npm's output
 * @returns {boolean} whether the network is at fault
 */
export function isUnreachable(words) {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|ENOTCACHED|network (?:request|connectivity)|E50\d/.test(
    words,
  );
}

/**
 * Asks the registry for a sign of life: npm itself tries for minutes before it says that there is no network.
 * @returns {Promise<string | undefined>} a sentence when no answer came; any answer, even an error, is one
 */
export async function registryTrouble() {
  const npm = npmCommand();
  const result = await run(
    npm.command,
    [...npm.args, "ping", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=10000"],
    {
      timeLimitMs: 30_000,
    },
  );
  if (!result.timedOut && !isUnreachable(result.stderr)) return undefined;
  return registryFailure(result);
}

/** @returns {Promise<string>} its address, without a password that may stand in it */
async function registry() {
  const npm = npmCommand();
  const result = await run(npm.command, [...npm.args, "config", "get", "registry"], { timeLimitMs: 20_000 });
  return result.stdout.trim().replace(/\/\/[^/@]*@/, "//");
}

/** @param {string} words */
function firstError(words) {
  const line =
    words.split("\n").find((text) => /npm (?:error|ERR!) (?!code |path |A complete log)/.test(text)) ??
    words.trim().split("\n")[0] ??
    "";
  return line.replace(/^npm (?:error|ERR!) /, "").slice(0, 300);
}
