import { z } from "zod";

/** Where to find the compute hosts of a fabric. */
export const hostAccessSchema = z.strictObject({
  /** `source`: hop through the source's own connection. `direct`: from this machine. */
  via: z.enum(["source", "direct"]),
  /** Template for the SSH name: `{name}` is the first word of the node description. */
  rule: z.string().max(200),
  /** File with lines `name [user@]host[:port]`; empty = none. */
  mapFile: z.string().max(4096),
  /** User on the hosts; empty = as on the source. */
  user: z.string().max(64),
});
export type HostAccessSettings = z.infer<typeof hostAccessSchema>;

export const defaultHostAccess: HostAccessSettings = { via: "source", rule: "{name}", mapFile: "", user: "" };

const toolSchema = {
  /** Run the InfiniBand tools through `sudo -n`. */
  sudo: z.boolean(),
  /** HCA and port for the tools (`-C`, `-P`); empty and 0 = the tools choose. */
  hca: z
    .string()
    .max(64)
    .regex(/^[\w.-]*$/),
  hcaPort: z.number().int().min(0).max(254),
};

export const sshSourceSchema = z.strictObject({
  kind: z.literal("ssh"),
  /** Host name, address, or a name from ~/.ssh/config. */
  host: z.string().min(1).max(255),
  /** 0 = from ~/.ssh/config or 22. */
  port: z.number().int().min(0).max(65535),
  /** Empty = from ~/.ssh/config or the local user. */
  user: z.string().max(64),
  /** `auto`: agent, then keys, then ask. */
  auth: z.enum(["auto", "agent", "key", "password"]),
  identityFile: z.string().max(4096),
  /** `[user@]host[:port]`; empty = from ~/.ssh/config. */
  jump: z.string().max(1024),
  ...toolSchema,
  hosts: hostAccessSchema,
});
const localSourceSchema = z.strictObject({ kind: z.literal("local"), ...toolSchema, hosts: hostAccessSchema });
const simulatedSourceSchema = z.strictObject({ kind: z.literal("simulated"), name: z.string().min(1).max(64) });

export const sourceSchema = z.discriminatedUnion("kind", [sshSourceSchema, localSourceSchema, simulatedSourceSchema]);
export type SourceSpec = z.infer<typeof sourceSchema>;
export type SshSource = z.infer<typeof sshSourceSchema>;

/** An SSH source with everything but the host left to ~/.ssh/config. */
export function sshSource(host: string, more: Partial<Omit<SshSource, "kind" | "host">> = {}): SshSource {
  return {
    kind: "ssh",
    host,
    port: 0,
    user: "",
    auth: "auto",
    identityFile: "",
    jump: "",
    sudo: false,
    hca: "",
    hcaPort: 0,
    hosts: defaultHostAccess,
    ...more,
  };
}

/** Name of a source for people: `root@mgmt-01`, `this machine`, `fat-tree`. */
export function sourceLabel(source: SourceSpec): string {
  switch (source.kind) {
    case "ssh":
      return `${source.user === "" ? "" : `${source.user}@`}${source.host}${source.port === 0 || source.port === 22 ? "" : `:${source.port}`}`;
    case "local":
      return "this machine";
    case "simulated":
      return source.name;
  }
}
