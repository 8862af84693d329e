import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHostMap, parseNameRule } from "../../../electron/run/host-map.ts";

describe("parseHostMap", () => {
  it("reads names, addresses, comments and blank lines", () => {
    const text =
      "\ufeff# hosts\r\ngpu-a01   gpu-a01-mgmt\r\n\r\n\tgpu-a02\tadmin@10.0.3.2:2222  # spare\ngpu-a03 [fe80::1]:22\n";
    const { map, diagnostics } = parseHostMap(text, "hosts.map");
    expect([...map]).toEqual([
      ["gpu-a01", "gpu-a01-mgmt"],
      ["gpu-a02", "admin@10.0.3.2:2222"],
      ["gpu-a03", "[fe80::1]:22"],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("passes over bad lines and says where they are", () => {
    const { map, diagnostics } = parseHostMap("alone\na b c\na host:0\na -oProxyCommand=x\na ok\na again\n", "m");
    expect([...map]).toEqual([["a", "again"]]);
    expect(diagnostics.map(({ severity, line, code }) => [severity, line, code])).toEqual([
      ["error", 1, "host-map-line"],
      ["error", 2, "host-map-line"],
      ["error", 3, "host-map-line"],
      ["error", 4, "host-map-line"],
      ["warning", 6, "host-map-twice"],
    ]);
  });

  it("takes any text without an exception", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseHostMap(text, "m")));
  });
});

describe("parseNameRule", () => {
  it.each([
    ["{name}", "gpu-a01", "gpu-a01"],
    [" {name}.cluster.local ", "gpu-a01", "gpu-a01.cluster.local"],
    ["{name}-ib0", "n1", "n1-ib0"],
    ["root@{name}:2222", "n1", "root@n1:2222"],
    ["{name}", "$&", "$&"],
  ])("makes of the rule %j and the name %j the address %j", (rule, name, address) => {
    const parsed = parseNameRule(rule);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    expect(parsed.value(name)).toBe(address);
  });

  it.each(["", "cluster.local", "{host}", "{name}{x}", "{name} x", "{name}:99999", "-{name}"])("refuses %j", (rule) => {
    expect(parseNameRule(rule)).toMatchObject({ ok: false, error: { kind: "bad-request" } });
  });
});
