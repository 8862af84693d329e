import { describe, expect, it } from "vitest";
import { parseSshAddress } from "../../../../electron/run/ssh/target.ts";

describe("parseSshAddress", () => {
  it.each([
    ["mgmt-01", { host: "mgmt-01" }],
    ["root@mgmt-01:2222", { user: "root", host: "mgmt-01", port: 2222 }],
    ["ada@corp.example@10.0.0.1", { user: "ada@corp.example", host: "10.0.0.1" }],
    ["[2001:db8::1]:22", { host: "2001:db8::1", port: 22 }],
    ["2001:db8::1", { host: "2001:db8::1" }],
    ["ssh://root@host:22/", { user: "root", host: "host", port: 22 }],
  ])("reads %j", (text, address) => {
    expect(parseSshAddress(text)).toEqual({ ok: true, value: address });
  });

  it.each(["", "@host", "host:", "host:0", "host:65536", "host:ssh", "a b", "-oProxyCommand=x", "root@-x", "[::1"])(
    "refuses %j",
    (text) => {
      expect(parseSshAddress(text)).toMatchObject({ ok: false, error: { kind: "bad-request" } });
    },
  );
});
