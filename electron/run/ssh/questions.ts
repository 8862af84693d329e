/** A key that no known_hosts file has. */
export interface HostKeyQuestion {
  readonly host: string;
  readonly port: number;
  readonly keyType: string;
  /** `SHA256:…` as OpenSSH prints it. */
  readonly fingerprint: string;
}

interface KeyboardQuestion {
  readonly host: string;
  readonly user: string;
  readonly name: string;
  readonly instructions: string;
  /** What the server wants to know; `echo` false: hide what is typed. All texts come from the server: hostile. */
  readonly prompts: readonly { readonly prompt: string; readonly echo: boolean }[];
}

/**
 * What a connection may ask a person. `undefined` as answer: the person does not answer; the next way to log in is
 * tried. An aborted `signal` takes the question back. Answers are used once and kept nowhere.
 */
export interface SshQuestions {
  hostKeyUnknown(question: HostKeyQuestion, signal: AbortSignal): Promise<"once" | "always" | "no">;
  /** `attempt` counts from 1; above it, the one before was refused. */
  password(
    question: { readonly host: string; readonly user: string; readonly attempt: number },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  passphrase(
    question: { readonly path: string; readonly attempt: number },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  keyboardInteractive(question: KeyboardQuestion, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

/** Times a person is asked for the same password or passphrase. */
export const mostAttempts = 3;
