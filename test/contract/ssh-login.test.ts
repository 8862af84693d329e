import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ssh2 from "ssh2";
import type { AuthContext } from "ssh2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import type { SshDependencies } from "../../electron/run/ssh/connect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import type { SshTarget } from "../../electron/run/ssh/place.ts";
import type { HostKeyQuestion, SshQuestions } from "../../electron/run/ssh/questions.ts";
import { makeHostKey, startFakeSshd, startRawServer } from "../support/fake-sshd.ts";
import type { FakeSshd, FakeSshdOptions } from "../support/fake-sshd.ts";
import { answers, dependencies, must } from "../support/ssh-dependencies.ts";
import { freePort } from "../support/sshd.ts";

const never = new AbortController().signal;
const run = promisify(execFile);

/** Takes one way to log in only. */
function only(method: string, check: (context: AuthContext) => boolean) {
  return (context: AuthContext): void => {
    if (context.method === method && check(context)) context.accept();
    else context.reject([method] as never);
  };
}

function errorOf(result: Result<unknown, AppError>): AppError {
  if (result.ok) throw new Error("unexpected success");
  return result.error;
}

describe("logging in", () => {
  let directory: string;
  const cleanup: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "ibex-login-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
  });
  afterEach(async () => {
    for (const step of cleanup.splice(0).reverse()) await step();
  });

  /** A fake server whose key is known already. */
  async function knownServer(options: FakeSshdOptions = {}): Promise<FakeSshd> {
    const server = await startFakeSshd(options);
    cleanup.push(() => server.stop());
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(server.port)} ${server.hostKey}\n`);
    return server;
  }

  async function connect(
    server: { readonly port: number },
    given: {
      ask?: Partial<SshQuestions>;
      deps?: Partial<SshDependencies>;
      target?: Partial<SshTarget>;
      signal?: AbortSignal;
    } = {},
  ): Promise<Result<SshConnection, AppError>> {
    const deps = dependencies(directory, { ask: answers(given.ask), ...given.deps });
    const target = { host: "127.0.0.1", port: server.port, user: "ada", useConfig: false, ...given.target };
    const result = await connectSsh(target, deps, given.signal ?? never);
    if (result.ok) cleanup.push(() => result.value.close());
    return result;
  }

  async function makeKey(name: string, passphrase = ""): Promise<string> {
    const file = join(directory, name);
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-a", "4", "-N", passphrase, "-C", "", "-f", file]);
    return file;
  }

  /** Takes this key, as the server of OpenSSH does: a question first, then a signature. */
  function takesKey(publicKey: string) {
    const wanted = ssh2.utils.parseKey(publicKey);
    if (wanted instanceof Error) throw wanted;
    return only("publickey", (context) => {
      if (context.method !== "publickey" || !wanted.getPublicSSH().equals(context.key.data)) return false;
      if (context.signature === undefined || context.blob === undefined) return true;
      return wanted.verify(context.blob, context.signature, context.hashAlgo);
    });
  }

  it("asks about an unknown key with its SHA256 fingerprint, and remembers it in Ibex's own file", async () => {
    const server = await startFakeSshd();
    cleanup.push(() => server.stop());
    const asked: HostKeyQuestion[] = [];
    const ask: Partial<SshQuestions> = {
      hostKeyUnknown: (question) => {
        asked.push(question);
        return Promise.resolve("always");
      },
    };
    const connection = must(await connect(server, { ask }));
    const keyFile = join(directory, "key.pub");
    await writeFile(keyFile, `${server.hostKey}\n`);
    const { stdout } = await run("ssh-keygen", ["-l", "-f", keyFile]);
    const fingerprint = stdout.split(" ")[1];
    expect(asked).toEqual([{ host: "127.0.0.1", port: server.port, keyType: "ssh-ed25519", fingerprint }]);
    expect(connection.describe()).toMatchObject({
      user: "ada",
      host: "127.0.0.1",
      keyType: "ssh-ed25519",
      fingerprint,
    });
    await connection.close();
    const own = await readFile(join(directory, "ibex", "known_hosts"), "utf8");
    expect(own).toBe(`[127.0.0.1]:${String(server.port)} ${server.hostKey}\n`);
    // The second time nobody is asked: `answers()` fails on any question.
    expect((await connect(server)).ok).toBe(true);
  });

  it("takes a key once without remembering it", async () => {
    const server = await startFakeSshd();
    cleanup.push(() => server.stop());
    must(await connect(server, { ask: { hostKeyUnknown: () => Promise.resolve("once") } }));
    await expect(readFile(join(directory, "ibex", "known_hosts"))).rejects.toThrow("ENOENT");
  });

  it("does not log in when the person refuses the key", async () => {
    const server = await startFakeSshd({ authenticate: () => expect.unreachable("no login without a trusted key") });
    cleanup.push(() => server.stop());
    const result = await connect(server, { ask: { hostKeyUnknown: () => Promise.resolve("no") } });
    expect(errorOf(result)).toMatchObject({ kind: "host-key-unknown", host: "127.0.0.1", port: server.port });
  });

  it("refuses a changed key without asking, and names file and line", async () => {
    const server = await startFakeSshd({ authenticate: () => expect.unreachable("no login with a changed key") });
    cleanup.push(() => server.stop());
    const other = makeHostKey().publicKey;
    const file = join(directory, "known_hosts");
    await writeFile(file, `# mine\nelsewhere ${server.hostKey}\n[127.0.0.1]:${String(server.port)} ${other}\n`);
    const error = errorOf(await connect(server));
    expect(error).toMatchObject({ kind: "host-key-changed", host: "127.0.0.1", port: server.port, file, line: 3 });
    expect(error).not.toMatchObject({ known: expect.stringContaining("unknown") as unknown });
  });

  it("logs in with a key file and says so", async () => {
    const file = await makeKey("id");
    const server = await knownServer({ authenticate: takesKey(await readFile(`${file}.pub`, "utf8")) });
    const connection = must(await connect(server, { target: { identityFile: file } }));
    expect(connection.describe().authMethod).toBe(`key ${file}`);
  });

  it("asks for the passphrase of a locked key, again after a wrong one", async () => {
    const file = await makeKey("id", "right");
    const server = await knownServer({ authenticate: takesKey(await readFile(`${file}.pub`, "utf8")) });
    const attempts: number[] = [];
    const passphrase: SshQuestions["passphrase"] = ({ path, attempt }) => {
      expect(path).toBe(file);
      attempts.push(attempt);
      return Promise.resolve(attempt === 1 ? "wrong" : "right");
    };
    const connection = must(await connect(server, { target: { identityFile: file }, ask: { passphrase } }));
    expect(attempts).toEqual([1, 2]);
    expect(connection.describe().authMethod).toBe(`key ${file}`);
  });

  it("says which key file is at fault, and never what is in it", async () => {
    const server = await knownServer({ authenticate: only("publickey", () => true) });
    const junk = join(directory, "junk");
    await writeFile(junk, "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n");
    const locked = await makeKey("locked", "right");
    const publicKey = await makeKey("other");
    const wrong = { passphrase: () => Promise.resolve("wrong-secret") };
    const cases = [
      [join(directory, "absent"), "missing", {}],
      [junk, "not-a-key", {}],
      [`${publicKey}.pub`, "not-a-key", {}],
      [directory, "unreadable", {}],
      [locked, "passphrase", wrong],
      [locked, "passphrase", { passphrase: () => Promise.resolve(undefined) }],
    ] as const;
    for (const [identityFile, problem, ask] of cases) {
      const error = errorOf(await connect(server, { target: { identityFile }, ask }));
      expect(error).toEqual({ kind: "key-file", path: identityFile, problem });
    }
  });

  it("logs in through an agent", async () => {
    const file = await makeKey("id");
    const socket = join(directory, "agent");
    const { stdout } = await run("ssh-agent", ["-a", socket, "-s"]);
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(stdout)?.[1]);
    cleanup.push(() => Promise.resolve(process.kill(pid)));
    await run("ssh-add", ["-q", file], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
    const server = await knownServer({ authenticate: takesKey(await readFile(`${file}.pub`, "utf8")) });
    const connection = must(await connect(server, { deps: { agentSocket: socket } }));
    expect(connection.describe().authMethod).toBe("agent");
  });

  it("goes on to the next way when the agent does not answer", async () => {
    const server = await knownServer({
      authenticate: (context) => {
        if (context.method === "password" && context.password === "pass") context.accept();
        else context.reject(["publickey", "password"]);
      },
    });
    const deps = { agentSocket: join(directory, "no-agent") };
    const connection = must(await connect(server, { deps, ask: { password: () => Promise.resolve("pass") } }));
    expect(connection.describe().authMethod).toBe("password");
  });

  it("asks for a password, again after a refusal", async () => {
    const server = await knownServer({
      authenticate: only("password", (context) => context.method === "password" && context.password === "third"),
    });
    const words = ["first", "second", "third"];
    const password: SshQuestions["password"] = ({ attempt }) => Promise.resolve(words[attempt - 1]);
    expect(must(await connect(server, { ask: { password } })).describe().authMethod).toBe("password");
  });

  it("says all that was tried and what the server takes, and no secret", async () => {
    const file = await makeKey("id");
    const server = await knownServer({
      authenticate: (context) => context.reject(["publickey", "password"]),
    });
    const password = (): Promise<string> => Promise.resolve("hunter2");
    const error = errorOf(await connect(server, { target: { identityFile: file }, ask: { password } }));
    expect(error).toEqual({
      kind: "auth",
      host: "127.0.0.1",
      user: "ada",
      tried: [`key ${file}`, "password", "password", "password"],
      detail: "the server accepts: publickey, password",
    });
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });

  it("hands a server's own questions to the person, with what is to be hidden", async () => {
    const seen: unknown[] = [];
    const server = await knownServer({
      authenticate: (context) => {
        if (context.method !== "keyboard-interactive") {
          context.reject(["keyboard-interactive"]);
          return;
        }
        context.prompt(
          [
            { prompt: "Password: ", echo: false },
            { prompt: "Token: ", echo: true },
          ],
          "two factors",
          "look at your device",
          (given) => {
            if (given.join(",") === "pw,123") context.accept();
            else context.reject();
          },
        );
      },
    });
    const keyboardInteractive: SshQuestions["keyboardInteractive"] = (question) => {
      seen.push(question);
      return Promise.resolve(["pw", "123"]);
    };
    const connection = must(await connect(server, { ask: { keyboardInteractive } }));
    expect(connection.describe().authMethod).toBe("keyboard-interactive");
    expect(seen).toEqual([
      {
        host: "127.0.0.1",
        user: "ada",
        name: "two factors",
        instructions: "look at your device",
        prompts: [
          { prompt: "Password: ", echo: false },
          { prompt: "Token: ", echo: true },
        ],
      },
    ]);
  });

  it("gives a server that wants a key and a password both", async () => {
    const file = await makeKey("id");
    let keyTaken = false;
    const server = await knownServer({
      authenticate: (context) => {
        if (context.method === "publickey" && !keyTaken) {
          if (context.signature === undefined) {
            context.accept(); // the question whether the key would do
            return;
          }
          keyTaken = true;
          context.reject(["password"], true);
        } else if (context.method === "password" && keyTaken && context.password === "pw") context.accept();
        else context.reject(keyTaken ? ["password"] : ["publickey"]);
      },
    });
    const ask = { password: () => Promise.resolve("pw") };
    expect(must(await connect(server, { target: { identityFile: file }, ask })).describe().authMethod).toBe("password");
  });

  it("uses only the ways that the target allows", async () => {
    const file = await makeKey("id");
    const server = await knownServer({ authenticate: (context) => context.reject(["publickey", "password"]) });
    const error = errorOf(await connect(server, { target: { identityFile: file, auth: ["key"] } }));
    expect(error).toMatchObject({ kind: "auth", tried: [`key ${file}`] });
  });

  it("tells a closed port from a name that does not exist", async () => {
    const port = await freePort();
    expect(errorOf(await connect({ port }))).toEqual({
      kind: "unreachable",
      host: "127.0.0.1",
      port,
      code: "ECONNREFUSED",
    });
    const unknown = errorOf(await connect({ port: 22 }, { target: { host: "no-such-host.invalid" } }));
    expect(unknown).toMatchObject({ kind: "unreachable", host: "no-such-host.invalid" });
    expect(["ENOTFOUND", "EAI_AGAIN"]).toContain(unknown.kind === "unreachable" ? unknown.code : "");
  });

  it.each([
    ["never says a word", () => undefined],
    ["stalls in the handshake", (socket: { write(text: string): void }) => socket.write("SSH-2.0-Stall_1.0\r\n")],
  ])("gives up a server that %s at the time limit", async (_name, serve) => {
    const server = await startRawServer(serve);
    cleanup.push(() => server.stop());
    const result = await connect(server, { deps: { timeouts: { handshakeMs: 400 } } });
    expect(errorOf(result)).toEqual({ kind: "timed-out", what: "the SSH handshake", host: "127.0.0.1", seconds: 0.4 });
  });

  it("gives up a server that stalls in the login at the time limit", async () => {
    const server = await knownServer({ authenticate: () => undefined });
    const result = await connect(server, { deps: { timeouts: { handshakeMs: 2_000 } } });
    expect(errorOf(result)).toMatchObject({ kind: "timed-out", what: "the login" });
  });

  it("does not count the time that a person takes to answer", async () => {
    const server = await knownServer({ authenticate: only("password", () => true) });
    const password = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return "pw";
    };
    must(await connect(server, { ask: { password }, deps: { timeouts: { handshakeMs: 2_000 } } }));
  });

  it("says when the other side is no SSH server", async () => {
    const server = await startRawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    cleanup.push(() => server.stop());
    const error = errorOf(await connect(server, { deps: { timeouts: { handshakeMs: 2_000 } } }));
    expect(["unsupported", "connection-lost"]).toContain(error.kind);
  });

  it.each([
    ["before its greeting", (socket: { destroy(): void }) => socket.destroy()],
    ["in the handshake", (socket: { end(text: string): void }) => socket.end("SSH-2.0-Gone_1.0\r\n")],
  ])("says when the server leaves %s", async (_name, serve) => {
    const server = await startRawServer(serve);
    cleanup.push(() => server.stop());
    expect(errorOf(await connect(server))).toEqual({
      kind: "connection-lost",
      host: "127.0.0.1",
      during: "the SSH handshake",
    });
  });

  it("stops at once when it is cancelled, also while a person is asked", async () => {
    const server = await knownServer({ authenticate: only("password", () => true) });
    const controller = new AbortController();
    let takenBack = false;
    const password: SshQuestions["password"] = (_question, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          takenBack = true;
          resolve(undefined);
        });
        controller.abort();
      });
    const result = await connect(server, { ask: { password }, signal: controller.signal });
    expect(errorOf(result)).toEqual({ kind: "cancelled", what: "connecting to 127.0.0.1" });
    expect(takenBack).toBe(true);
  });

  it("hops through another host, which is left when the connection is closed", async () => {
    const far = await knownServer();
    const hop = await startFakeSshd({ forward: "allow" });
    cleanup.push(() => hop.stop());
    const known = `[127.0.0.1]:${String(far.port)} ${far.hostKey}\n[127.0.0.1]:${String(hop.port)} ${hop.hostKey}\n`;
    await writeFile(join(directory, "known_hosts"), known);
    const connection = must(await connect(far, { target: { jump: `bob@127.0.0.1:${String(hop.port)}` } }));
    expect(hop.connections()).toBe(1);
    const result = await connection.runner.run(
      { argv: ["echo", "far"], timeoutMs: 20_000, maxOutputBytes: 1000 },
      never,
    );
    expect(Buffer.from(must(result).stdout).toString()).toBe("far\n");
    await connection.close();
    await expect.poll(() => hop.connections()).toBe(0);
  });

  it("says when the hop refuses, or does not reach the host", async () => {
    const far = await knownServer();
    const closed = await startFakeSshd({ forward: "refuse" });
    cleanup.push(() => closed.stop());
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(closed.port)} ${closed.hostKey}\n`);
    const error = errorOf(await connect(far, { target: { jump: `127.0.0.1:${String(closed.port)}` } }));
    expect(["channel-refused", "unreachable"]).toContain(error.kind);
    await expect.poll(() => closed.connections()).toBe(0);
  });

  it("follows ~/.ssh/config: host name, port, user, key file and hop", async () => {
    const file = await makeKey("id");
    const far = await knownServer({ authenticate: takesKey(await readFile(`${file}.pub`, "utf8")) });
    const hop = await startFakeSshd({ forward: "allow" });
    cleanup.push(() => hop.stop());
    const known = `[127.0.0.1]:${String(far.port)} ${far.hostKey}\n[127.0.0.1]:${String(hop.port)} ${hop.hostKey}\n`;
    await writeFile(join(directory, "known_hosts"), known);
    await mkdir(join(directory, "home", ".ssh"), { recursive: true });
    await writeFile(
      join(directory, "home", ".ssh", "config"),
      [
        "Host mgmt",
        `  HostName 127.0.0.1\n  Port ${String(far.port)}\n  User carl\n  IdentityFile ${file}\n  ProxyJump gate`,
        "Host gate",
        `  HostName 127.0.0.1\n  Port ${String(hop.port)}\n  User dora`,
      ].join("\n"),
    );
    const target = { host: "mgmt", useConfig: true };
    const result = await connectSsh(target, dependencies(directory), never);
    if (result.ok) cleanup.push(() => result.value.close());
    expect(must(result).describe()).toMatchObject({
      user: "carl",
      host: "127.0.0.1",
      port: far.port,
      authMethod: `key ${file}`,
    });
    expect(hop.connections()).toBe(1);
  });

  it("refuses hops that lead in a circle", async () => {
    await mkdir(join(directory, "home", ".ssh"), { recursive: true });
    await writeFile(join(directory, "home", ".ssh", "config"), "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n");
    const result = await connectSsh({ host: "a", useConfig: true }, dependencies(directory), never);
    expect(errorOf(result)).toMatchObject({ kind: "bad-request" });
  });
});
