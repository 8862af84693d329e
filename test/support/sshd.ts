import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where OpenSSH's server may be; it wants to be started by its full path. */
const places = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/lib/ssh/sshd"];

/** An OpenSSH server on loopback with keys of its own; nothing of the machine's configuration is used or changed. */
export interface TestSshd {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Folder with everything: free for tests to put files into. */
  readonly directory: string;
  /** Private key that may log in. */
  readonly keyFile: string;
  /** The same key, locked by the passphrase `open sesame`. */
  readonly lockedKeyFile: string;
  /** A key that may not log in. */
  readonly strangerKeyFile: string;
  /** known_hosts with the server's ed25519 key. */
  readonly knownHostsFile: string;
  /** `ssh-ed25519 AAAA…` of the server. */
  readonly hostKey: string;
  readonly rsaHostKey: string;
  /** Pid of the listening process. */
  readonly pid: number;
  log(): string;
  stop(): Promise<void>;
}

/** The path of sshd; undefined when it is not installed. */
export function findSshd(): string | undefined {
  return places.find((path) => existsSync(path));
}

/**
 * Starts sshd.
 *
 * @param options lines for its configuration, put before the usual ones (the first of a kind counts)
 */
export async function startSshd(options: { readonly lines?: readonly string[] } = {}): Promise<TestSshd> {
  const program = findSshd();
  if (program === undefined) {
    throw new Error(
      "OpenSSH's server is missing: install it (Debian: apt-get install openssh-server), or set IBEX_NO_LAB=1.",
    );
  }
  const directory = await mkdtemp(join(tmpdir(), "ibex-sshd-"));
  const at = (name: string): string => join(directory, name);
  const makeKey = (name: string, type: string, passphrase = ""): Promise<unknown> =>
    run("ssh-keygen", [
      "-q",
      "-t",
      type,
      ...(type === "rsa" ? ["-b", "2048"] : []),
      "-N",
      passphrase,
      "-C",
      "",
      "-f",
      at(name),
    ]);
  await Promise.all([
    makeKey("host", "ed25519"),
    makeKey("host-rsa", "rsa"),
    makeKey("client", "ed25519"),
    makeKey("stranger", "ed25519"),
  ]);
  await copyFile(at("client"), at("locked"));
  await chmod(at("locked"), 0o600);
  await run("ssh-keygen", ["-q", "-p", "-P", "", "-N", "open sesame", "-a", "4", "-f", at("locked")]);
  await copyFile(at("client.pub"), at("authorized_keys"));
  const port = await freePort();
  const hostKey = publicKey(await readFile(at("host.pub"), "utf8"));
  await writeFile(at("known_hosts"), `[127.0.0.1]:${String(port)} ${hostKey}\n`);
  await writeFile(
    at("sshd_config"),
    [
      ...(options.lines ?? []),
      `Port ${String(port)}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${at("host")}`,
      `HostKey ${at("host-rsa")}`,
      `AuthorizedKeysFile ${at("authorized_keys")}`,
      `PidFile ${at("sshd.pid")}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "PermitRootLogin prohibit-password",
      "PrintMotd no",
      "LogLevel VERBOSE",
      "MaxStartups 100",
      "",
    ].join("\n"),
  );
  if (userInfo().uid === 0) await mkdir("/run/sshd", { recursive: true });
  const server = spawn(program, ["-D", "-e", "-f", at("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  server.stderr.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (text: string) => {
      log += text;
      if (log.includes("Server listening on 127.0.0.1")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`sshd ended: ${log}`)));
  });
  return {
    host: "127.0.0.1",
    port,
    user: userInfo().username,
    directory,
    keyFile: at("client"),
    lockedKeyFile: at("locked"),
    strangerKeyFile: at("stranger"),
    knownHostsFile: at("known_hosts"),
    hostKey,
    rsaHostKey: publicKey(await readFile(at("host-rsa.pub"), "utf8")),
    pid: server.pid ?? -1,
    log: () => log,
    stop: async () => {
      await ended(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A TCP port on loopback that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await gone;
}

function publicKey(line: string): string {
  return line.trim().split(" ").slice(0, 2).join(" ");
}
