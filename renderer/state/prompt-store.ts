import { create } from "zustand";
import type { PromptEvent } from "../../shared/contract/events.ts";
import type { PromptAnswer } from "../../shared/contract/requests.ts";
import { api } from "./api-context.ts";

interface PromptState {
  /** Open questions, oldest first; the window shows the first. */
  readonly prompts: readonly PromptEvent[];
  readonly add: (prompt: PromptEvent) => void;
  readonly remove: (promptId: string) => void;
  readonly answer: (promptId: string, answer: PromptAnswer) => Promise<void>;
}

export const usePrompts = create<PromptState>((set) => ({
  prompts: [],
  add: (prompt) => set((state) => ({ prompts: [...state.prompts, prompt] })),
  remove: (promptId) => set((state) => ({ prompts: state.prompts.filter((prompt) => prompt.promptId !== promptId) })),
  answer: async (promptId, answer) => {
    set((state) => ({ prompts: state.prompts.filter((prompt) => prompt.promptId !== promptId) }));
    await api().call("prompt.answer", { promptId, answer });
  },
}));
