/** Questions to the user while a connection is made: asked by event, answered by request. */
import { randomUUID } from "node:crypto";
import type { PromptEvent } from "../../shared/contract/events.ts";
import type { PromptAnswer } from "../../shared/contract/requests.ts";
import type { SshQuestions } from "../run/ssh/questions.ts";

type Question = PromptEvent extends infer Event ? (Event extends PromptEvent ? Omit<Event, "promptId"> : never) : never;

export interface Prompts {
  readonly questions: SshQuestions;
  /** False when the question is no longer open. */
  answer(promptId: string, answer: PromptAnswer): boolean;
}

/** Asks through `ask`; takes a question back through `gone` when its signal aborts. */
export function createPrompts(ask: (prompt: PromptEvent) => void, gone: (promptId: string) => void): Prompts {
  const open = new Map<string, (answer: PromptAnswer | undefined) => void>();
  const put = (question: Question, signal: AbortSignal): Promise<PromptAnswer | undefined> =>
    new Promise((resolve) => {
      const promptId = randomUUID();
      const abort = (): void => {
        if (open.delete(promptId)) gone(promptId);
        resolve(undefined);
      };
      if (signal.aborted) {
        resolve(undefined);
        return;
      }
      signal.addEventListener("abort", abort, { once: true });
      open.set(promptId, (answer) => {
        signal.removeEventListener("abort", abort);
        resolve(answer);
      });
      ask({ ...question, promptId });
    });
  const secret = async (question: Question, signal: AbortSignal): Promise<string | undefined> => {
    const answer = await put(question, signal);
    return answer?.kind === "secret" ? (answer.value ?? undefined) : undefined;
  };
  return {
    questions: {
      async hostKeyUnknown(question, signal) {
        const answer = await put({ kind: "host-key", ...question }, signal);
        return answer?.kind === "host-key" ? answer.decision : "no";
      },
      password: ({ host, user, attempt }, signal) =>
        secret({ kind: "password", host, user, retry: attempt > 1 }, signal),
      passphrase: ({ path, attempt }, signal) =>
        secret({ kind: "passphrase", host: "", path, retry: attempt > 1 }, signal),
      async keyboardInteractive({ host, name, instructions, prompts }, signal) {
        const answer = await put(
          {
            kind: "keyboard-interactive",
            host,
            name,
            instructions,
            prompts: prompts.map(({ prompt, echo }) => ({ text: prompt, echo })),
          },
          signal,
        );
        return answer?.kind === "secrets" ? (answer.values ?? undefined) : undefined;
      },
    },
    answer(promptId, answer) {
      const settle = open.get(promptId);
      open.delete(promptId);
      settle?.(answer);
      return settle !== undefined;
    },
  };
}
