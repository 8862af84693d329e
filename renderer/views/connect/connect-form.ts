/** What the connect dialogue holds while one types, and the source it makes. Pure. */
import { type HostAccessSettings, type SshSource, sshSource } from "../../../shared/contract/source.ts";
import type { SshTestStep } from "../../../shared/contract/views.ts";

export interface ConnectForm {
  readonly host: string;
  readonly user: string;
  readonly port: string;
  readonly jump: string;
  readonly auth: SshSource["auth"];
  readonly identityFile: string;
  readonly sudo: boolean;
  readonly hca: string;
  readonly hcaPort: string;
  readonly hosts: HostAccessSettings;
}

/** The form filled from a source, or empty with the user's defaults for compute hosts. */
export function formOf(source: SshSource | undefined, hosts: HostAccessSettings): ConnectForm {
  const from = source ?? sshSource("", { hosts });
  return {
    host: from.host,
    user: from.user,
    port: from.port === 0 ? "" : String(from.port),
    jump: from.jump,
    auth: from.auth,
    identityFile: from.identityFile,
    sudo: from.sudo,
    hca: from.hca,
    hcaPort: from.hcaPort === 0 ? "" : String(from.hcaPort),
    hosts: from.hosts,
  };
}

export type FormProblems = Partial<Record<keyof ConnectForm, string>>;

function portNumber(text: string, max: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return 0;
  if (!/^\d{1,5}$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return value >= 1 && value <= max ? value : undefined;
}

/**
 * `user@host:port` typed or pasted into the host field is taken apart; what is set in its own field stays.
 * An IPv6 address keeps its colons.
 */
export function splitHost(form: ConnectForm): ConnectForm {
  const text = form.host
    .trim()
    .replace(/^ssh:\/\//, "")
    .replace(/^ssh\s+/, "");
  const hit = /^(?:([^@\s]+)@)?(\[[^\]]+\]|[^:\s]+|[^\s]*:[^\s]*:[^\s]*)(?::(\d{1,5}))?$/.exec(text);
  if (hit === null) return form;
  const [, user, host = "", port] = hit;
  return {
    ...form,
    host: host.replace(/^\[|\]$/g, ""),
    user: user !== undefined && form.user === "" ? user : form.user,
    port: port !== undefined && form.port === "" ? port : form.port,
  };
}

/** The source that the form describes, or what is wrong with it by field. */
export function sourceOf(
  raw: ConnectForm,
): { readonly ok: true; readonly source: SshSource } | { readonly ok: false; readonly problems: FormProblems } {
  const form = splitHost(raw);
  const problems: FormProblems = {};
  const host = form.host.trim();
  if (host === "") problems.host = "Type a host name, an address, or a name from ~/.ssh/config.";
  else if (/\s/.test(host)) problems.host = "A host name has no spaces.";
  else if (host.startsWith("-")) problems.host = "A host name does not begin with a dash.";
  const port = portNumber(form.port, 65535);
  if (port === undefined) problems.port = "1 to 65535";
  const hcaPort = portNumber(form.hcaPort, 254);
  if (hcaPort === undefined) problems.hcaPort = "1 to 254";
  if (!/^[\w.-]*$/.test(form.hca.trim())) problems.hca = "As ibstat names it, for instance mlx5_0.";
  if (form.auth === "key" && form.identityFile.trim() === "") problems.identityFile = "Choose the private key.";
  if (Object.keys(problems).length > 0 || port === undefined || hcaPort === undefined) return { ok: false, problems };
  return {
    ok: true,
    source: {
      kind: "ssh",
      host,
      port,
      user: form.user.trim(),
      auth: form.auth,
      identityFile: form.auth === "key" ? form.identityFile.trim() : "",
      jump: form.jump.trim(),
      sudo: form.sudo,
      hca: form.hca.trim(),
      hcaPort,
      hosts: form.hosts,
    },
  };
}

/** The steps of the test before it ran. */
const untestedSteps: readonly SshTestStep[] = (
  [
    ["reach", "Reach the host"],
    ["host-key", "Host key"],
    ["log-in", "Log in"],
    ["tools", "Tools"],
    ["management-access", "Management access (umad)"],
    ["infiniband-port", "InfiniBand port"],
    ["subnet-manager", "Subnet manager answers"],
  ] as const
).map(([id, title]) => ({ id, title, state: "not-tested", detail: "", ms: 0, remedy: "" }));

/** All seven steps in order: those that a test has told of, the rest as not tested. */
export function allSteps(told: readonly SshTestStep[]): readonly SshTestStep[] {
  return untestedSteps.map((step) => told.find((other) => other.id === step.id) ?? step);
}

/** True when a collection from there can work: everything up to management access is in order. */
export function mayConnect(steps: readonly SshTestStep[]): boolean {
  const needed = ["reach", "host-key", "log-in", "tools", "management-access"];
  return needed.every((id) =>
    steps.some((step) => step.id === id && (step.state === "passed" || step.state === "warning")),
  );
}

/** `4 of 7 passed, 1.2 s` in parts: how many have passed, and the time of all in ms. */
export function passed(steps: readonly SshTestStep[]): { readonly passed: number; readonly ms: number } {
  return {
    passed: steps.filter((step) => step.state === "passed").length,
    ms: steps.reduce((sum, step) => sum + step.ms, 0),
  };
}
