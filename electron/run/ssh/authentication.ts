import ssh2 from "ssh2";
import type {
  AnyAuthMethod,
  IdentityCallback,
  OpenSSHAgent,
  ParsedKey,
  SignCallback,
  SigningRequestOptions,
} from "ssh2";
import { err, ok } from "../../../shared/base/result.ts";
import type { Result } from "../../../shared/base/result.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { readKeyFile, readPublicHalf, unlockKey } from "./key-file.ts";
import type { KeyFile } from "./key-file.ts";
import { mostAttempts } from "./questions.ts";
import type { SshQuestions } from "./questions.ts";

/** Ways to log in that a source may allow; `password` includes keyboard-interactive. */
export type SshAuthMethod = "agent" | "key" | "password";

export interface AuthenticationPlan {
  readonly host: string;
  readonly user: string;
  readonly methods: readonly SshAuthMethod[];
  /** A key file that the person named: a fault in it ends the login. */
  readonly identityFile?: string;
  /** Key files of the configuration, or the usual ones: those that are missing are passed over. */
  readonly furtherFiles: readonly string[];
  readonly agentSocket?: string;
  /** Of the agent's keys only those whose public half stands beside a key file. */
  readonly identitiesOnly: boolean;
}

/** What the next attempt needs to be asked with. */
interface Asking {
  readonly ask: SshQuestions;
  readonly signal: AbortSignal;
  /** Holds the time limit of the login while a person thinks. */
  waiting<T>(question: Promise<T>): Promise<T>;
}

/**
 * Decides how to log in, step by step, as the server refuses. Order: `none` (tells what the server takes); the named
 * key file, through the agent where that holds it; the agent's keys; further key files; keyboard-interactive;
 * password. After a partial success (a server that wants two proofs) the rest is gone through again.
 */
export class Authentication {
  private readonly plan: AuthenticationPlan;
  private readonly asking: Asking;
  private readonly succeeded = new Set<string>();
  private methodsLeft: readonly string[] | undefined;
  private attempts: AsyncGenerator<AnyAuthMethod, AppError | undefined>;
  private last = "";
  private declined = false;
  private identity: Result<KeyFile, AppError> | undefined;
  /** What was tried, in words, in order. */
  readonly tried: string[] = [];

  constructor(plan: AuthenticationPlan, asking: Asking) {
    this.plan = plan;
    this.asking = asking;
    this.attempts = this.sequence();
  }

  /** Ways that the server still takes, as it spelled them. */
  get offered(): readonly string[] {
    return this.methodsLeft ?? [];
  }

  /** The way tried last: the one that worked, once the login is done. */
  get method(): string {
    return this.tried.at(-1) ?? "none";
  }

  /** Reads the named key file, so that a fault in it is said before anything is sent. */
  async prepare(): Promise<Result<undefined, AppError>> {
    const path = this.plan.identityFile;
    if (path === undefined || !this.plan.methods.includes("key")) return ok(undefined);
    this.identity = await readKeyFile(path);
    return this.identity.ok ? ok(undefined) : this.identity;
  }

  /**
   * The next attempt; undefined when there is none left; an error when trying on is pointless.
   *
   * @param methodsLeft what the server still takes; null before the first attempt
   * @param partial whether the last attempt was right and more is wanted
   */
  async next(
    methodsLeft: readonly string[] | null,
    partial: boolean | null,
  ): Promise<Result<AnyAuthMethod | undefined, AppError>> {
    if (methodsLeft !== null) this.methodsLeft = methodsLeft;
    if (partial === true) {
      this.succeeded.add(this.last);
      this.attempts = this.sequence();
    }
    const step = await this.attempts.next();
    if (step.done === true) return step.value === undefined ? ok(undefined) : err(step.value);
    this.last = step.value.type;
    return ok(step.value);
  }

  /** Notes that the agent failed (no answer, refused to sign) in what was tried. */
  agentFailed(message: string): void {
    const index = this.tried.lastIndexOf("agent");
    if (index >= 0) this.tried[index] = `agent (${message})`;
  }

  private async *sequence(): AsyncGenerator<AnyAuthMethod, AppError | undefined> {
    const username = this.plan.user;
    if (this.methodsLeft === undefined) yield { type: "none", username };
    if (this.accepts("publickey")) {
      const failure = yield* this.keys();
      if (failure !== undefined) return failure;
    }
    if (this.plan.methods.includes("password")) {
      if (this.accepts("keyboard-interactive")) yield* this.keyboard();
      if (this.accepts("password") && !this.declined) yield* this.passwords();
    }
    return undefined;
  }

  private accepts(method: string): boolean {
    if (this.succeeded.has(method)) return false;
    return this.methodsLeft === undefined || this.methodsLeft.includes(method);
  }

  private async *keys(): AsyncGenerator<AnyAuthMethod, AppError | undefined> {
    const identity = this.identity?.ok === true ? this.identity.value : undefined;
    const agentSocket = this.plan.methods.includes("agent") ? this.plan.agentSocket : undefined;
    if (identity?.kind === "ready") yield this.withKey(identity.path, identity.key);
    if (identity?.kind === "locked") {
      const publicHalf = await readPublicHalf(identity.path);
      if (agentSocket !== undefined && publicHalf !== undefined) yield this.withAgent(agentSocket, [publicHalf]);
      if (!this.accepts("publickey")) return undefined;
      const key = await this.unlock(identity);
      if (key === undefined) return { kind: "key-file", path: identity.path, problem: "passphrase" };
      yield this.withKey(identity.path, key);
    }
    if (agentSocket !== undefined) {
      if (!this.plan.identitiesOnly) yield this.withAgent(agentSocket, undefined);
      else if (identity === undefined) {
        const halves = await Promise.all(this.plan.furtherFiles.map(readPublicHalf));
        const wanted = halves.filter((half) => half !== undefined);
        if (wanted.length > 0) yield this.withAgent(agentSocket, wanted);
      }
    }
    if (!this.plan.methods.includes("key")) return undefined;
    for (const path of this.plan.furtherFiles) {
      if (path === this.plan.identityFile) continue;
      const file = await readKeyFile(path);
      if (!file.ok) {
        if (file.error.problem !== "missing") this.tried.push(`key ${path} (${file.error.problem})`);
        continue;
      }
      const key = file.value.kind === "ready" ? file.value.key : await this.unlock(file.value);
      if (key === undefined) this.tried.push(`key ${path} (locked by a passphrase)`);
      else yield this.withKey(path, key);
    }
    return undefined;
  }

  private withKey(path: string, key: ParsedKey): AnyAuthMethod {
    this.tried.push(`key ${path}`);
    return { type: "publickey", username: this.plan.user, key };
  }

  private withAgent(socket: string, wanted: readonly Buffer[] | undefined): AnyAuthMethod {
    this.tried.push("agent");
    const agent = new ssh2.OpenSSHAgent(socket);
    return {
      type: "agent",
      username: this.plan.user,
      agent: wanted === undefined ? agent : new PartOfAgent(agent, wanted),
    };
  }

  private async unlock(file: Extract<KeyFile, { kind: "locked" }>): Promise<ParsedKey | undefined> {
    const { ask, signal } = this.asking;
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const passphrase = await this.asking.waiting(ask.passphrase({ path: file.path, attempt }, signal));
      if (passphrase === undefined) return undefined;
      const key = unlockKey(file, passphrase);
      if (key !== undefined) return key;
    }
    return undefined;
  }

  private *keyboard(): Generator<AnyAuthMethod, undefined> {
    const { host, user } = this.plan;
    const { ask, signal } = this.asking;
    for (let attempt = 1; attempt <= mostAttempts && !this.declined; attempt += 1) {
      this.tried.push("keyboard-interactive");
      yield {
        type: "keyboard-interactive",
        username: user,
        prompt: (name, instructions, _language, prompts, finish) => {
          const asked = prompts.map(({ prompt, echo }) => ({ prompt, echo: echo === true }));
          const question = ask.keyboardInteractive({ host, user, name, instructions, prompts: asked }, signal);
          void this.asking.waiting(question).then((answers) => {
            if (signal.aborted) return;
            if (answers === undefined) this.declined = true;
            // The protocol wants as many answers as prompts; empty ones are a plain refusal.
            finish(asked.map((_prompt, index) => answers?.[index] ?? ""));
          });
        },
      };
      if (!this.accepts("keyboard-interactive")) return;
    }
  }

  private async *passwords(): AsyncGenerator<AnyAuthMethod, undefined> {
    const { host, user } = this.plan;
    const { ask, signal } = this.asking;
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const password = await this.asking.waiting(ask.password({ host, user, attempt }, signal));
      if (password === undefined) {
        if (attempt === 1) this.tried.push("password (not given)");
        return;
      }
      this.tried.push("password");
      yield { type: "password", username: user, password };
      if (!this.accepts("password")) return;
    }
  }
}

/** An agent that shows only some of its keys. */
class PartOfAgent extends ssh2.BaseAgent<ParsedKey> {
  private readonly agent: OpenSSHAgent;
  private readonly wanted: readonly Buffer[];

  constructor(agent: OpenSSHAgent, wanted: readonly Buffer[]) {
    super();
    this.agent = agent;
    this.wanted = wanted;
  }

  override getIdentities(callback: IdentityCallback<ParsedKey>): void {
    this.agent.getIdentities((error, keys) => {
      const isWanted = (key: ParsedKey): boolean => this.wanted.some((half) => key.getPublicSSH().equals(half));
      if (error) callback(error);
      else callback(undefined, keys?.filter((key) => "getPublicSSH" in key && isWanted(key)) ?? []);
    });
  }

  override sign(
    key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    if (typeof options === "function") this.agent.sign(key, data, options);
    else this.agent.sign(key, data, options, callback);
  }
}
