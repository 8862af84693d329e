import { describe, expect, it } from "vitest";
import { readOpensmConf } from "../../../electron/collect/opensm-conf.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import { ScriptedHost } from "../../support/scripted-runner.ts";

const conf = `# M_Key value sent to all ports qualifying all Set(PortInfo)
m_key 0x00ab12cd34ef5678
m_key_lease_period 60
sm_key 0x0000000000000001
  cc_key 0x0000000000000000
sm_priority 14
log_file /var/log/opensm-\u00e9.log
`;

describe("opensm's options in a capture", () => {
  it("come without the keys of the fabric, and else as they are", async () => {
    const runner = new ScriptedHost("mgmt-01", (argv) =>
      argv[1] === "/etc/rdma/opensm.conf"
        ? { stdout: conf }
        : { stderr: "cat: No such file or directory\n", exitCode: 1 },
    );
    const place = { runner, source: sshSource("mgmt-01", { user: "root" }), signal: new AbortController().signal };
    const { output } = await readOpensmConf(place);
    expect(new TextDecoder().decode(output?.stdout)).toBe(
      conf.replace("0x00ab12cd34ef5678", "(left out by Ibex)").replace("0x0000000000000001", "(left out by Ibex)"),
    );
  });
});
