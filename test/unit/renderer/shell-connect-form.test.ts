import { describe, expect, it } from "vitest";
import {
  allSteps,
  type ConnectForm,
  formOf,
  mayConnect,
  sourceOf,
  splitHost,
} from "../../../renderer/views/connect/connect-form.ts";
import { defaultHostAccess, sshSource, sshSourceSchema } from "../../../shared/contract/source.ts";
import type { SshTestStep } from "../../../shared/contract/views.ts";

const empty = formOf(undefined, defaultHostAccess);

function form(patch: Partial<ConnectForm>): ConnectForm {
  return { ...empty, ...patch };
}

describe("splitHost", () => {
  it.each([
    ["mgmt-01", "mgmt-01", "", ""],
    ["admin@mgmt-01", "mgmt-01", "admin", ""],
    ["admin@mgmt-01:2222", "mgmt-01", "admin", "2222"],
    ["ssh admin@mgmt-01", "mgmt-01", "admin", ""],
    ["ssh://root@10.0.0.1:22", "10.0.0.1", "root", "22"],
    ["2001:db8::7", "2001:db8::7", "", ""],
    ["root@[2001:db8::7]:2222", "2001:db8::7", "root", "2222"],
  ])("takes %s apart", (text, host, user, port) => {
    expect(splitHost(form({ host: text }))).toMatchObject({ host, user, port });
  });

  it("does not overwrite what stands in its own field", () => {
    expect(splitHost(form({ host: "admin@mgmt-01:2222", user: "root", port: "22" }))).toMatchObject({
      host: "mgmt-01",
      user: "root",
      port: "22",
    });
  });
});

describe("sourceOf", () => {
  it("leaves what is empty to ~/.ssh/config", () => {
    const made = sourceOf(form({ host: "mgmt-01" }));
    expect(made).toEqual({ ok: true, source: sshSource("mgmt-01") });
  });

  it("makes sources that the contract takes, and the form of a source makes it again", () => {
    const source = sshSource("mgmt-01", {
      user: "admin",
      port: 2222,
      jump: "jump-1",
      auth: "key",
      identityFile: "/home/me/.ssh/id_ed25519",
      sudo: true,
      hca: "mlx5_0",
      hcaPort: 1,
    });
    const made = sourceOf(formOf(source, defaultHostAccess));
    expect(made).toEqual({ ok: true, source });
    expect(sshSourceSchema.safeParse(source).success).toBe(true);
  });

  it.each([
    ["host", { host: " " }],
    ["host", { host: "two words" }],
    ["host", { host: "-oProxyCommand=x" }],
    ["port", { host: "h", port: "70000" }],
    ["port", { host: "h", port: "ssh" }],
    ["hca", { host: "h", hca: "mlx5_0; reboot" }],
    ["hcaPort", { host: "h", hcaPort: "255" }],
    ["identityFile", { host: "h", auth: "key" as const }],
  ])("says what is wrong with the field %s", (field, patch) => {
    const made = sourceOf(form(patch));
    expect(made.ok ? [] : Object.keys(made.problems)).toEqual([field]);
  });
});

function step(id: SshTestStep["id"], state: SshTestStep["state"]): SshTestStep {
  return { id, title: id, state, detail: "", ms: 1, remedy: "" };
}

describe("mayConnect", () => {
  const upToAccess = (["reach", "host-key", "log-in", "tools"] as const).map((id) => step(id, "passed"));

  it("needs management access and nothing behind it", () => {
    expect(mayConnect(upToAccess)).toBe(false);
    expect(mayConnect([...upToAccess, step("management-access", "failed")])).toBe(false);
    expect(
      mayConnect([
        ...upToAccess,
        step("management-access", "passed"),
        step("infiniband-port", "warning"),
        step("subnet-manager", "failed"),
      ]),
    ).toBe(true);
  });

  it("is false after a test that went only as far as the host key", () => {
    expect(mayConnect(allSteps([step("reach", "passed"), step("host-key", "passed")]))).toBe(false);
  });
});

describe("allSteps", () => {
  it("always shows seven steps in order, those not told of as not tested", () => {
    const steps = allSteps([step("host-key", "passed"), step("reach", "passed")]);
    expect(steps.map(({ id }) => id)).toEqual([
      "reach",
      "host-key",
      "log-in",
      "tools",
      "management-access",
      "infiniband-port",
      "subnet-manager",
    ]);
    expect(steps.filter(({ state }) => state === "not-tested")).toHaveLength(5);
  });
});
