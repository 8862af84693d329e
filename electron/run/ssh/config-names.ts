import { LineType, parse } from "ssh-config";

/** Names in `~/.ssh/config` that stand for one host each: no patterns, in the order of the file. */
export function sshConfigNames(text: string): readonly string[] {
  const lines = parseQuietly(text);
  const names = new Set<string>();
  for (const line of lines) {
    if (line.type !== LineType.DIRECTIVE || line.param.toLowerCase() !== "host") continue;
    const values = typeof line.value === "string" ? [line.value] : line.value.map(({ val }) => val);
    for (const value of values) if (!/[*?!]/.test(value)) names.add(value);
  }
  return [...names];
}

/** A config that cannot be read names nobody here; connecting says what is wrong with it. */
function parseQuietly(text: string): ReturnType<typeof parse> | readonly never[] {
  try {
    return parse(text);
  } catch {
    return [];
  }
}
