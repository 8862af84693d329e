import type { Api } from "../api.ts";

let current: Api | undefined;

/** Hands the api to the stores, once at start (or a fake in tests). */
export function provideApi(api: Api): void {
  current = api;
}

/** The api that stores call. */
export function api(): Api {
  if (current === undefined) throw new Error("provideApi was not called");
  return current;
}
