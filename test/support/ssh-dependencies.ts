import { join } from "node:path";
import type { SshDependencies } from "../../electron/run/ssh/connect.ts";
import type { SshQuestions } from "../../electron/run/ssh/questions.ts";

/** Questions as a test wants them answered; one that is not expected fails the test by its words. */
export function answers(given: Partial<SshQuestions> = {}): SshQuestions {
  const unexpected = (what: string) => (): Promise<never> => Promise.reject(new Error(`unexpected question: ${what}`));
  return {
    hostKeyUnknown: unexpected("host key"),
    password: unexpected("password"),
    passphrase: unexpected("passphrase"),
    keyboardInteractive: unexpected("keyboard-interactive"),
    ...given,
  };
}

/** Dependencies that touch nothing outside a test's own folder. */
export function dependencies(directory: string, given: Partial<SshDependencies> = {}): SshDependencies {
  return {
    ask: answers(),
    knownHostsFiles: { user: [join(directory, "known_hosts")], own: join(directory, "ibex", "known_hosts") },
    homeDir: join(directory, "home"),
    ...given,
  };
}

/** The value of a result that must be good. */
export function must<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(`unexpected failure: ${JSON.stringify(result.error)}`);
  return result.value;
}
