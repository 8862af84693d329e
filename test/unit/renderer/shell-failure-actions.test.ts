import { describe, expect, it } from "vitest";
import { explain } from "../../../shared/errors/explain.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { failureActions } from "../../../renderer/views/failure/failure-actions.ts";
import type { Attempt } from "../../../renderer/state/fabric-store.ts";

const collect: Attempt = { kind: "collect", source: sshSource("mgmt-01", { user: "admin" }) };
const open: Attempt = { kind: "open", paths: ["/tmp/x.txt"] };

function noPermission(sudo: boolean): AppError {
  return { kind: "no-permission", tool: "ibnetdiscover", host: "mgmt-01", sudo, stderr: "" };
}

describe("failureActions", () => {
  it("offers sudo first when the tools may not open the device, beside the remedy that says so", () => {
    const error = noPermission(false);
    const [first] = failureActions(collect, error);
    expect(first?.label).toBe("Use sudo and try again");
    expect(explain(error).remedy[first?.remedy ?? -1]).toContain("sudo");
    expect(first?.does).toEqual({
      kind: "attempt",
      attempt: { kind: "collect", source: { ...collect.source, sudo: true } },
    });
  });

  it("does not offer sudo when it was used, nor for files", () => {
    const labels = (attempt: Attempt, error: AppError): readonly string[] =>
      failureActions(attempt, error).map(({ label }) => label);
    expect(labels(collect, noPermission(true))).toEqual(["Try again", "Change the connection"]);
    expect(labels(open, { kind: "empty-output", what: "x.txt" })).toEqual(["Try again", "Open other files"]);
  });

  it("offers the report of an incident", () => {
    const [first] = failureActions(collect, { kind: "internal", incident: "abc" });
    expect(first?.does).toEqual({ kind: "report", incident: "abc" });
  });
});
