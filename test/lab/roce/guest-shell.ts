import { readFile } from "node:fs/promises";
import ssh2 from "ssh2";
import type { Client } from "ssh2";
import { quoteArgv } from "../../../electron/run/quote.ts";
import { must } from "../../support/ssh-dependencies.ts";
import type { RoceHost } from "./roce-lab.ts";

/** Commands on a guest beside the product's own connections, over one plain login: what runs there is not of Ibex. */
export interface GuestShell {
  /** Standard output of a command; throws when it fails. */
  run(...argv: [string, ...string[]]): Promise<string>;
  /** Processes of measurements that this host sees: perftest, its time limits, Ibex's watches. */
  measuring(): Promise<readonly GuestProcess[]>;
  close(): void;
}

export interface GuestProcess {
  readonly pid: number;
  readonly line: string;
}

export async function openGuestShell(host: RoceHost): Promise<GuestShell> {
  const client = new ssh2.Client();
  const privateKey = await readFile(host.keyFile);
  await new Promise<void>((resolve, reject) => {
    client.once("ready", resolve);
    client.once("error", reject);
    client.connect({
      host: "127.0.0.1",
      port: host.port,
      username: host.user,
      privateKey,
      hostVerifier: (key: Buffer) => key.toString("base64") === host.hostKey.split(" ")[1],
      readyTimeout: 60_000,
    });
  });
  client.on("error", () => undefined); // the guest may end before the shell is closed
  const shell: GuestShell = {
    run: (...argv) => execute(client, argv),
    async measuring() {
      const listed = await execute(client, ["ps", "-eo", "pid,args"]);
      return listed.split("\n").flatMap((text) => {
        const [, pid, line] = /^ *(\d+) (.*)$/.exec(text) ?? [];
        const isOne = line !== undefined && /\bib_(?:write|send|read)_|\btimeout -k|\bibex\b/.test(line);
        return isOne ? [{ pid: Number(pid), line }] : [];
      });
    },
    close: () => void client.end(),
  };
  return shell;
}

function execute(client: Client, argv: readonly [string, ...string[]]): Promise<string> {
  const line = must(quoteArgv(argv));
  return new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => {
      if (error !== undefined) {
        reject(error);
        return;
      }
      const output: Buffer[] = [];
      const errors: Buffer[] = [];
      channel.on("data", (piece: Buffer) => output.push(piece));
      channel.stderr.on("data", (piece: Buffer) => errors.push(piece));
      channel.on("close", (code: number | null) => {
        if (code === 0) resolve(Buffer.concat(output).toString("utf8"));
        else
          reject(
            new Error(`${line} on the guest ended with ${String(code)}: ${Buffer.concat(errors).toString("utf8")}`),
          );
      });
    });
  });
}
