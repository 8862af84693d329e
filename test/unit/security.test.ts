import { describe, expect, it } from "vitest";
import { assetPath, contentSecurityPolicy, isOwnFrame } from "../../electron/security.ts";
import { redact } from "../../electron/log/logger.ts";
import { ownWords, readWindowArguments } from "../../electron/arguments.ts";

describe("security decisions", () => {
  it("takes calls from the main frame of the own page only", () => {
    expect(isOwnFrame("ibex://app/index.html", true)).toBe(true);
    expect(isOwnFrame("ibex://app/index.html", false)).toBe(false);
    expect(isOwnFrame("ibex://app/other.html", true)).toBe(false);
    expect(isOwnFrame("https://app/index.html", true)).toBe(false);
    expect(isOwnFrame("file:///index.html", true)).toBe(false);
  });

  it("serves paths inside the folder and nothing else", () => {
    expect(assetPath("ibex://app/")).toBe("index.html");
    expect(assetPath("ibex://app/assets/a.js?x")).toBe("assets/a.js");
    expect(assetPath("ibex://app/../main.ts")).toBeUndefined();
    expect(assetPath("ibex://app/%2e%2e/secret")).toBeUndefined();
    expect(assetPath("ibex://app/a%00b")).toBeUndefined();
    expect(assetPath("ibex://app/%zz")).toBeUndefined();
    expect(assetPath("ibex://other/index.html")).toBeUndefined();
  });

  it("allows no script but its own", () => {
    expect(contentSecurityPolicy).toContain("script-src 'self'");
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe-|https?:/);
  });
});

describe("redact", () => {
  it("takes out passwords, keys and homes", () => {
    const text =
      'password: hunter2 passphrase="a b" /home/alice/.ssh/id\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----';
    const clean = redact(text);
    for (const secret of ["hunter2", "a b", "alice", "abc"]) expect(clean).not.toContain(secret);
  });
});

describe("window arguments", () => {
  it("reads what to open and passes over the runtime's switches", () => {
    expect(readWindowArguments(["--no-sandbox", "--simulated", "fat-tree", "--screenshot=x.png"])).toEqual({
      initial: { open: "simulated", name: "fat-tree" },
      screenshot: "x.png",
    });
    expect(readWindowArguments(["a.fabric", "--enable-logging"])).toEqual({
      initial: { open: "paths", paths: ["a.fabric"] },
      screenshot: undefined,
    });
    expect(ownWords(["electron", "--inspect=0", ".", "--no-sandbox", "a.fabric"], false)).toEqual([
      "--inspect=0",
      "--no-sandbox",
      "a.fabric",
    ]);
    expect(ownWords(["ibex", "a.fabric"], true)).toEqual(["a.fabric"]);
    expect(readWindowArguments([])).toEqual({ initial: { open: "nothing" }, screenshot: undefined });
  });
});
