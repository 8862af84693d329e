import { describe, expect, it } from "vitest";
import { parseTcpPorts, rendezvousPorts } from "../../../electron/measure/tcp-ports.ts";
import { randomRendezvousPort } from "../../../electron/measure/random-port.ts";

const four = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:4853 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 23 1 0 100 0 0 10 0
   1: 0100007F:0277 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 24 1 0 100 0 0 10 0
   2: 0A00000A:0016 0B00000A:D431 01 00000000:00000000 02:0009C1D2 00000000     0        0 25 2 0 20 4 30 10 -1
  10: 0A00000A:48A9 0B00000A:D432 06 00000000:00000000 03:00000D18 00000000     0        0 0 3 0
`;
const six = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:4854 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 26 1 0 100 0 0 10 0
`;

describe("TCP ports of a host", () => {
  it("are those of both tables, listening ones apart", () => {
    const ports = parseTcpPorts(four + six);
    expect([...(ports?.listening ?? [])].sort()).toEqual([0x4853, 0x4854, 0x277].sort());
    expect([...(ports?.used ?? [])].sort()).toEqual([0x4853, 0x277, 0x16, 0x48a9, 0x4854].sort());
  });

  it("are not known without a table", () => {
    expect(parseTcpPorts("")).toBeUndefined();
    expect(parseTcpPorts("cat: /proc/net/tcp: No such file or directory\n")).toBeUndefined();
    expect(parseTcpPorts("  sl  local_address rem_address   st\n")?.used.size).toBe(0);
  });

  it("survive a table that is cut in the middle of a line", () => {
    for (let cut = 60; cut < four.length; cut += 1) {
      for (const port of parseTcpPorts(four.slice(0, cut))?.listening ?? []) expect([0x4853, 0x277]).toContain(port);
    }
  });

  it("for the rendezvous stay below the kernel's own range and above perftest's default", () => {
    for (let times = 0; times < 2000; times += 1) {
      const port = randomRendezvousPort();
      expect(port).toBeGreaterThanOrEqual(rendezvousPorts.first);
      expect(port).toBeLessThanOrEqual(rendezvousPorts.last);
    }
    expect(rendezvousPorts.first).toBeGreaterThan(18_515);
    expect(rendezvousPorts.last).toBeLessThan(32_768);
  });
});
