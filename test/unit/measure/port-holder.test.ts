import { createServer } from "node:net";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { portHolder, readHolder } from "../../../electron/measure/port-holder.ts";
import { createLocalRunner } from "../../../electron/run/local.ts";
import { assert } from "../../../shared/base/assert.ts";

describe("who holds a TCP port", () => {
  it.runIf(existsSync("/proc/net/tcp"))("is found on a host by its program, and nobody once it is free", async () => {
    const runner = createLocalRunner();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null, "it listens");
    const never = new AbortController().signal;
    const pid = String(process.pid);
    expect(await portHolder(runner, address.port, never)).toMatch(
      new RegExp(`^\\S+ of ${userInfo().username}, pid ${pid}$`),
    );
    await new Promise((resolve) => server.close(resolve));
    expect(await portHolder(runner, address.port, never)).toBeUndefined();
    await runner.close();
  });

  it.each([
    ["0A alice 4711 /usr/bin/ib_write_bw -d mlx5_0 \n", "ib_write_bw of alice, pid 4711"],
    ["01 bob 7 ssh \n0A alice 0 \n", "a program of alice"],
    ["0A user-4242 0 \n", "a program of user-4242"],
    ["06 root 0 \n", "a connection that has just ended"],
    ["", undefined],
    ["sh: find: not found\n", undefined],
  ])("%j is %s", (text, holder) => {
    expect(readHolder(text)).toBe(holder);
  });
});
