import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Household } from "./household.ts";
import type { NetFile } from "./net-model.ts";

/** ibsim with its console. */
export interface Simulator {
  readonly pid: number;
  /** Sends a line and waits for the next prompt; what was printed between. Throws when ibsim refuses it. */
  console(command: string): Promise<string>;
}

const prompt = "sim> ";
const ready = "Network simulator ready.";
/** What ibsim says when it does not do a thing; names of counters have "Error" in them and are no refusal. */
const refusal = /unknown|can't|not found|not linked|is missing|invalid|\bbad |set error/i;
const startMs = 120_000;
const answerMs = 20_000;

/**
 * Starts ibsim on a net file.
 *
 * @param socket name of its sockets (abstract, no files): other labs do not see it
 */
export async function startSimulator(house: Household, socket: string, net: NetFile): Promise<Simulator> {
  const file = join(house.directory, "fabric.net");
  await writeFile(file, net.text);
  const switches = net.nodes.filter(({ kind }) => kind === "switch").length;
  const ports = net.nodes.reduce((sum, node) => sum + node.ports + 1, 0);
  const limits = ["-N", net.nodes.length + 8, "-S", switches + 8, "-P", ports + 64].map(String);
  const child = house.start("/usr/bin/ibsim", ["-s", ...limits, file], {
    cwd: house.directory,
    env: { ...process.env, IBSIM_SOCKNAME: socket },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  let changed: (() => void) | undefined;
  const take = (piece: Buffer): void => {
    text += piece.toString("latin1");
    changed?.();
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  child.stdin?.on("error", () => undefined); // its end is seen below
  const waitFor = (what: string, from: number, limitMs: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        changed = undefined;
        child.off("close", ended);
        settle();
      };
      const refuse = (why: string): void =>
        finish(() => reject(new Error(`ibsim: ${why}\n${text.slice(-1000).trim()}`)));
      const ended = (): void => refuse("it has ended");
      const timer = setTimeout(() => refuse(`no ${JSON.stringify(what)} within ${limitMs / 1000} s`), limitMs);
      const look = (): void => {
        const at = text.indexOf(what, from);
        if (at >= 0) finish(() => resolve(at));
      };
      changed = look;
      child.once("close", ended);
      if (child.exitCode !== null || child.pid === undefined) ended();
      else look();
    });
  let seen = (await waitFor(prompt, await waitFor(ready, 0, startMs), answerMs)) + prompt.length;
  let last: Promise<unknown> = Promise.resolve();
  const one = async (command: string): Promise<string> => {
    const from = seen;
    child.stdin?.write(`${command}\n`);
    const at = await waitFor(prompt, from, answerMs);
    seen = at + prompt.length;
    const answer = text
      .slice(from, at)
      .split("\n")
      .filter((line) => !line.startsWith("ibwarn: ")) // what it says of packets, at any time
      .join("\n")
      .trim();
    if (refusal.test(answer)) {
      throw new Error(`ibsim refused ${JSON.stringify(command)}: ${answer}`);
    }
    return answer;
  };
  return {
    pid: child.pid ?? -1,
    console(command) {
      const answer = last.then(() => one(command));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
