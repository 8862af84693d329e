import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSshConfig, sshConfigFor } from "../../../../electron/run/ssh/config.ts";
import type { SshHostConfig } from "../../../../electron/run/ssh/config.ts";

const context = { homeDir: "/home/ada", file: "config" };

function configFor(text: string, host: string): SshHostConfig {
  const result = sshConfigFor(text, host, context);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("sshConfigFor", () => {
  it("gives the asked name and nothing else where the file says nothing", () => {
    expect(configFor("", "mgmt")).toEqual({
      hostName: "mgmt",
      identityFiles: [],
      identitiesOnly: false,
      proxyJump: [],
    });
  });

  it("takes the first value of each, over all matching blocks, and all key files", () => {
    const text = `
# cluster
host mgmt* !mgmt-99
  HostName %h.cluster.example
  user root
  Port 2222
  IdentityFile ~/.ssh/cluster
  ProxyJump gate1,bob@gate2:2200
Host *
  User nobody
  Port 22
  IdentityFile %d/keys/%r@%h
  IdentitiesOnly yes
`;
    expect(configFor(text, "mgmt-01")).toEqual({
      hostName: "mgmt-01.cluster.example",
      user: "root",
      port: 2222,
      identityFiles: ["/home/ada/.ssh/cluster", "/home/ada/keys/root@mgmt-01.cluster.example"],
      identitiesOnly: true,
      proxyJump: ["gate1", "bob@gate2:2200"],
    });
    expect(configFor(text, "mgmt-99")).toMatchObject({ hostName: "mgmt-99", user: "nobody", port: 22, proxyJump: [] });
  });

  it("runs nothing: neither Match exec nor name look-ups", () => {
    const marker = join(tmpdir(), `ibex-must-not-exist-${String(process.pid)}`);
    const text = `Match exec "touch ${marker}"\n  User evil\nHost *\n  CanonicalizeHostname yes\n  CanonicalDomains example.invalid\n  Port 7\n`;
    expect(configFor(text, "mgmt")).toMatchObject({ hostName: "mgmt", port: 7 });
    expect(configFor(text, "mgmt").user).toBeUndefined();
  });

  it("tells of a ProxyCommand, which is not followed", () => {
    expect(configFor("Host a\n  ProxyCommand nc %h %p\n", "a").proxyCommand).toBe("nc %h %p");
    expect(configFor("Host a\n  ProxyCommand none\n", "a").proxyCommand).toBeUndefined();
  });

  it("does without a port that is none", () => {
    expect(configFor("Port 99999\n", "a").port).toBeUndefined();
  });
});

describe("readSshConfig", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "ibex-config-"));
    await mkdir(join(home, ".ssh", "conf.d"), { recursive: true });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it("is empty where there is no file", async () => {
    expect(await readSshConfig(join(home, ".ssh", "config"))).toEqual({ ok: true, value: "" });
  });

  it("follows Include with wildcards and relative paths", async () => {
    await writeFile(join(home, ".ssh", "conf.d", "a.conf"), "Host a\n  Port 1\n");
    await writeFile(join(home, ".ssh", "conf.d", "b.conf"), "Host b\n  Port 2\n");
    await writeFile(join(home, ".ssh", "conf.d", "b.off"), "Host c\n  Port 3\n");
    await writeFile(join(home, ".ssh", "config"), 'Include conf.d/*.conf "absent file"\nHost *\n  User u\n');
    const text = await readSshConfig(join(home, ".ssh", "config"));
    if (!text.ok) throw new Error(JSON.stringify(text.error));
    expect(configFor(text.value, "a")).toMatchObject({ port: 1, user: "u" });
    expect(configFor(text.value, "b")).toMatchObject({ port: 2 });
    expect(configFor(text.value, "c").port).toBeUndefined();
  });

  it("says when files include each other without end", async () => {
    await writeFile(join(home, ".ssh", "config"), "Include config\n");
    expect(await readSshConfig(join(home, ".ssh", "config"))).toMatchObject({
      ok: false,
      error: { kind: "file", code: "ELOOP" },
    });
  });
});
