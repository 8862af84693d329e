import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { perftestWords } from "../../../shared/errors/perftest-words.ts";
import { readFailure } from "../../../shared/parse/perftest-failures.ts";
import { parsePerftest } from "../../../shared/parse/perftest.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/perftest/rxe/${name}.txt`, import.meta.url), "utf8");
}

describe("why a run of perftest failed, from its stderr", () => {
  it.each([
    ["R_no_rdma_ip.client.stderr", "connection-manager", "Received 10 times ADDR_ERROR"],
    ["R_one_side.client.stderr", "connection-manager", "Unexpected CM event bl blka 8"],
    ["a_with_D.client.stderr", "options-exclude", "Duration mode currently doesn't support running on all sizes."],
    ["bad_iters.client.stderr", "option-value", "Iteration num should be between 5 and 100000000"],
    ["bad_option.client.stderr", "option-unknown", "ib_write_bw: unrecognized option '--no-such-option'"],
    ["client_killed_mid.server.stderr", "peer-ended", "ethernet_read_keys: Couldn't read remote address"],
    ["client_port_down.client.stderr", "port-not-active", "Port number 1 state is Down"],
    [
      "dont_xchg.client.stderr",
      "version-mismatch",
      "Current implementation is not compatible with versions older than 5.70",
    ],
    ["gid_index_empty.client.stderr", "queue-pair-not-connected", "Failed to modify QP 61 to RTR"],
    ["gid_type_mismatch.client.stderr", "gid-types-differ", "Found Incompatibility issue with GID types."],
    ["host_unreachable.client.stderr", "could-not-connect", "Couldn't connect to 10.77.0.99:18515"],
    ["lat_vs_bw_mismatch.client.stderr", "remote-operation", "Failed status 11: wr_id 0 syndrom 0x0"],
    ["limit_bw_fail.client.stderr", "below-limit", "Error: BW result is below bw limit"],
    ["n_mismatch_send.server.stderr", "no-messages", "Did not get Message for 120 Seconds, exiting.."],
    ["no_device", "no-device", "Did not detect devices"],
    ["port_busy.server.stderr", "port-taken", "Couldn't listen to port 18515"],
    ["server_killed_mid.server.stderr", "ended-by-signal", "Killed"],
    ["single_memlock.server.stderr", "memory-locked", "Couldn't allocate MR"],
    ["single_nopermission.server.stderr", "device-not-opened", "Couldn't get context for the device"],
    ["size_mismatch.client.stderr", "remote-access", "Failed status 10: wr_id 0 syndrom 0x0"],
    ["test_mismatch.client.stderr", "remote-invalid-request", "Failed status 9: wr_id 0 syndrom 0x0"],
    ["unresolvable.client.stderr", "name-unknown", "Name or service not known for no-such-host:18515"],
    ["wrong_device.client.stderr", "device-not-found", "IB device mlx5_9 not found"],
    ["wrong_ib_port.client.stderr", "port-not-found", "Unable to query port 2 attributes"],
    ["x_out_of_range.client.stderr", "option-value", "Gid index should be between 0 and 64"],
  ])("%s", (name, code, text) => {
    expect(parsePerftest(fixture(name), { file: name }).records.failure).toMatchObject({ code, text });
  });

  it.each([
    [" Failed status 8: wr_id 0 syndrom 0x52", "local-access"],
    [" Failed status-fatal error (19): wr_id 0 syndrom 0x0", "device-fatal"],
    [" Failed status-response timeout error (20): wr_id 0", "response-timeout"],
    ["Failed to bind socket", "address-not-local"],
    ["ib_write_bw: unrecognized option '--use_cuda=0'", "gpu-memory"],
    [" Unsupported memory type", "gpu-memory"],
  ])("%s is %s, which has words and a remedy", (line, code) => {
    expect(readFailure(line)?.code).toBe(code);
    expect(perftestWords[code]?.remedy.length).toBeGreaterThan(0);
  });

  it.each(["mtu_invalid.client.stderr", "send_lat_I0.client.stderr", "send_bw_UD_n300.client.stderr"])(
    "%s has warnings only",
    (name) => {
      expect(parsePerftest(fixture(name), { file: name }).records.failure).toBeUndefined();
    },
  );

  it.each([
    ["Failed status 12: wr_id 0 syndrom 0x81", "retry-exceeded"],
    ["Failed status-transport retry counter exceeded (12): wr_id 0 syndrom 0x81", "retry-exceeded"],
    ["Failed status 13: wr_id 0 syndrom 0x0", "receiver-not-ready"],
    ["Failed status 4: wr_id 0 syndrom 0x51", "local-protection"],
    ["Failed status 21: wr_id 0 syndrom 0x0", "completion-error"],
    ["bash: ib_write_bw: command not found", "tool-missing"],
    ["tx_depth mismatch: local=128, remote=64", "options-differ"],
    ["Unable to open file descriptor for socket connection Unable to init the socket connection", "socket-failed"],
    ["ib_write_bw: option '--qp' requires an argument", "option-unknown"],
  ])("%s", (line, code) => {
    expect(readFailure(line)?.code).toBe(code);
  });

  it("prefers the status that tells why over the first text and over flushed work", () => {
    const text =
      " Completion with error at client\n Failed status 5: wr_id 1 syndrom 0xf9\n Failed status 12: wr_id 0 syndrom 0x81\nscnt=2, ccnt=0\n";
    expect(parsePerftest(text, { file: "x" }).records.failure).toEqual({
      code: "retry-exceeded",
      text: "Failed status 12: wr_id 0 syndrom 0x81",
      line: 3,
    });
  });

  it("does not take rows, titles and settings for failures", () => {
    for (const name of ["write_bw_default.client.stdout", "read_lat_n100.client.stdout", "report_both.client.stdout"]) {
      for (const line of fixture(name).split("\n")) expect(readFailure(line)).toBeUndefined();
    }
  });
});
