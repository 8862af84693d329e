/** What the commands share: data folder, SSH questions at the terminal, cancel by Ctrl-C. */
import { homedir } from "node:os";
import { join } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { SshDependencies } from "../run/ssh/connect.ts";
import { fileError } from "../store/file-error.ts";
import { makeFolder } from "../store/make-folder.ts";
import { ask, say } from "./terminal.ts";

/** Folder of settings, known hosts and history: the window's, so that both see the same. */
export function dataFolder(): string {
  const named = process.env.IBEX_DATA;
  if (named !== undefined && named !== "") return named;
  const home = homedir();
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "Ibex");
  if (process.platform === "win32") return join(process.env.APPDATA ?? join(home, "AppData", "Roaming"), "Ibex");
  return join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "Ibex");
}

/** Makes the data folder; what could not be kept is better not measured. */
export function makeDataFolder(): Result<void, AppError> {
  const folder = dataFolder();
  try {
    makeFolder(folder);
    return ok(undefined);
  } catch (cause) {
    return err(fileError(cause, folder, "write"));
  }
}

/** SSH with its questions asked at the terminal; without one, only what needs no answer works. */
export function terminalSsh(acceptNewHostKey: boolean): SshDependencies {
  const folder = dataFolder();
  // Without it nothing but a new host key cannot be kept, and that says so itself.
  makeDataFolder();
  const home = homedir();
  const agentSocket = process.env.SSH_AUTH_SOCK;
  return {
    homeDir: home,
    knownHostsFiles: {
      user: [join(home, ".ssh", "known_hosts"), "/etc/ssh/ssh_known_hosts"],
      own: join(folder, "known_hosts"),
    },
    ...(agentSocket === undefined ? {} : { agentSocket }),
    notice: (error) => say(`ibex: ${error.kind}`),
    ask: {
      async hostKeyUnknown({ host, port, keyType, fingerprint }, signal) {
        if (acceptNewHostKey) {
          say(`New host key of ${host} accepted: ${keyType} ${fingerprint}`);
          return "always";
        }
        say(`The host key of ${host}, port ${port}, is not known: ${keyType} ${fingerprint}`);
        const answer = await ask("Connect and remember it? [yes/no] ", false, signal);
        return answer?.trim().toLowerCase() === "yes" ? "always" : "no";
      },
      password: ({ host, user }, signal) => ask(`Password of ${user}@${host}: `, true, signal),
      passphrase: ({ path }, signal) => ask(`Passphrase of ${path}: `, true, signal),
      async keyboardInteractive({ prompts }, signal) {
        const answers: string[] = [];
        for (const { prompt, echo } of prompts) {
          const answer = await ask(prompt, !echo, signal);
          if (answer === undefined) return undefined;
          answers.push(answer);
        }
        return answers;
      },
    },
  };
}

let running: AbortController | undefined;

/** Aborted by Ctrl-C, TERM, or a terminal that went away; a second one ends at once. */
export function cancelBySignal(): AbortSignal {
  const controller = new AbortController();
  running = controller;
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    say("ibex: cancelling, remote commands are being ended …");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  return controller.signal;
}

/** Cancels what {@link cancelBySignal} was asked for; false when nothing was begun that has to be ended in order. */
export function cancelRunning(): boolean {
  running?.abort();
  return running !== undefined;
}
