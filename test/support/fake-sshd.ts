import { spawn } from "node:child_process";
import { createServer, connect } from "node:net";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import ssh2 from "ssh2";
import type { AuthContext, Connection, ServerChannel } from "ssh2";

/** One command as the server sees it. */
export interface FakeCommand {
  /** The whole command line. */
  readonly line: string;
  readonly channel: ServerChannel;
  /** Prints the marker line with this pid, as the start script does on a real machine. */
  begin(pid?: number): void;
  /** Runs the line in a real shell on this machine. */
  runForReal(): void;
  /** Cuts the TCP connection without a word. */
  cutConnection(): void;
}

export interface FakeSshdOptions {
  /** Private key of the host; a fresh ed25519 key when left out. */
  readonly hostKey?: string;
  /** Decides on each attempt to log in; accepts all when left out. */
  readonly authenticate?: (context: AuthContext) => void;
  /** What happens with a command; runs it for real when left out. */
  readonly command?: (command: FakeCommand) => void;
  /** False refuses a channel; `open` counts the channels that are open. */
  readonly takeChannel?: (open: number) => boolean;
  /** Refuses the request to run something, on a channel that it opened. */
  readonly refuseExec?: boolean;
  readonly forward?: "allow" | "refuse";
}

/** An SSH server in this process, which misbehaves where it is told to. */
export interface FakeSshd {
  readonly host: string;
  readonly port: number;
  /** `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** Command lines so far, kill scripts included. */
  readonly lines: readonly string[];
  /** Most channels that were open at once. */
  readonly mostOpen: () => number;
  /** Logins that are open. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** A fresh host key in OpenSSH format. */
export function makeHostKey(): { readonly privateKey: string; readonly publicKey: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync("ed25519");
    // ssh2 1.17 now and then writes a key that it cannot read itself.
    if (ssh2.utils.parseKey(pair.private) instanceof Error) continue;
    return { privateKey: pair.private, publicKey: pair.public.split(" ").slice(0, 2).join(" ") };
  }
}

/** Starts the server on loopback. */
export async function startFakeSshd(options: FakeSshdOptions = {}): Promise<FakeSshd> {
  const fresh = makeHostKey();
  const privateKey = options.hostKey ?? fresh.privateKey;
  const lines: string[] = [];
  const connections = new Set<Connection>();
  const sockets = new Set<Socket>();
  let open = 0;
  let mostOpen = 0;
  const serve = (connection: Connection, socket: Socket | undefined): void => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
    connection.on("error", () => undefined); // a client that leaves without a farewell
    connection.on("authentication", (context) => {
      if (options.authenticate) options.authenticate(context);
      else context.accept();
    });
    connection.on("tcpip", (accept, reject, info) => {
      if (options.forward !== "allow") {
        reject();
        return;
      }
      const far = connect(info.destPort, info.destIP);
      far.once("error", () => reject());
      far.once("connect", () => {
        const channel = accept();
        channel.pipe(far).pipe(channel);
        channel.on("error", () => far.destroy());
        far.on("error", () => channel.end());
      });
    });
    connection.on("session", (accept, reject) => {
      if (options.takeChannel?.(open) === false) {
        reject();
        return;
      }
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      const session = accept();
      session.on("close", () => (open -= 1));
      session.on("exec", (acceptExec, rejectExec, info) => {
        if (options.refuseExec === true) {
          rejectExec();
          return;
        }
        lines.push(info.command);
        const channel = acceptExec();
        channel.on("error", () => undefined);
        const command = fakeCommand(info.command, channel, () => socket?.destroy());
        if (options.command) options.command(command);
        else command.runForReal();
      });
    });
  };
  const server = new ssh2.Server({ hostKeys: [privateKey] });
  // Sockets are kept here, so that a command can cut its own.
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    server.once("connection", (connection: Connection) => serve(connection, socket));
    server.injectSocket(socket);
  });
  const port = await listen(listener);
  return {
    host: "127.0.0.1",
    port,
    hostKey: options.hostKey === undefined ? fresh.publicKey : publicKeyOf(options.hostKey),
    lines,
    mostOpen: () => mostOpen,
    connections: () => connections.size,
    stop: () => stopListening(listener, sockets),
  };
}

/** Runs a command line as sshd does: standard input open, exit code or signal told, then closed. */
function fakeCommand(line: string, channel: ServerChannel, cutConnection: () => void): FakeCommand {
  const marker = /ibex-[0-9a-f]{24}/.exec(line)?.[0] ?? "";
  return {
    line,
    channel,
    cutConnection,
    begin(pid = 4_000_000) {
      channel.write(`${marker}\n`);
      channel.stderr.write(`${marker} ${String(pid)}\n`);
    },
    runForReal() {
      const child = spawn("/bin/sh", ["-c", line], { detached: true });
      child.stdout.on("data", (piece: Buffer) => channel.write(piece));
      child.stderr.on("data", (piece: Buffer) => channel.stderr.write(piece));
      child.stdin.on("error", () => undefined);
      channel.resume();
      channel.on("end", () => child.stdin.end());
      channel.on("close", () => child.stdin.end());
      child.on("close", (code, signal) => {
        if (code !== null) channel.exit(code);
        else if (signal !== null) channel.exit(signal.replace(/^SIG/, ""));
        channel.end();
      });
    },
  };
}

/** A TCP server that takes connections and does what it is told with them, for servers that are none. */
export async function startRawServer(
  serve: (socket: Socket) => void,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    serve(socket);
  });
  const port = await listen(server);
  return { port, stop: () => stopListening(server, sockets) };
}

/** A link that can be cut (both ends see it) or go dead (nobody sees anything: packets are dropped). */
export async function startLink(
  targetPort: number,
): Promise<{ readonly port: number; cut(): void; goDead(): void; stop(): Promise<void> }> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let dead = false;
  const link = await startRawServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on("data", (piece) => {
      if (!dead) far.write(piece);
    });
    far.on("data", (piece) => {
      if (!dead) near.write(piece);
    });
    for (const socket of pair) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        if (dead) return;
        near.destroy();
        far.destroy();
      });
    }
  });
  return {
    port: link.port,
    cut() {
      for (const [near, far] of pairs) {
        near.destroy();
        far.destroy();
      }
    },
    goDead() {
      dead = true;
    },
    async stop() {
      for (const [, far] of pairs) far.destroy();
      await link.stop();
    },
  };
}

function publicKeyOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}

function listen(server: NetServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function stopListening(server: NetServer, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
