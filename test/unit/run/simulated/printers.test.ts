import { describe, expect, it } from "vitest";
import { printIbnetdiscover, printNodeList } from "../../../../electron/run/simulated/discover-text.ts";
import { printIblinkinfo } from "../../../../electron/run/simulated/linkinfo-text.ts";
import {
  printSaqueryManagers,
  printSminfo,
  printSmInfoRecords,
} from "../../../../electron/run/simulated/manager-text.ts";
import { setLink, takeDown } from "../../../../electron/run/simulated/model.ts";
import { buildReferenceFabric, referenceText } from "./reference-fabric.ts";

describe("printers against the real tools on the same fabric", () => {
  const { topology, origin } = buildReferenceFabric();
  const generatedOn = new Date(2026, 10, 29, 16, 6, 42).getTime();

  it("prints ibnetdiscover byte for byte", () => {
    expect(printIbnetdiscover(origin, generatedOn)).toBe(referenceText("ibnetdiscover.txt"));
  });

  it("prints iblinkinfo in both layouts byte for byte", () => {
    expect(printIblinkinfo(origin, false)).toBe(referenceText("iblinkinfo.txt"));
    expect(printIblinkinfo(origin, true)).toBe(referenceText("iblinkinfo-l.txt"));
  });

  it("prints the node lists byte for byte", () => {
    expect(printNodeList(origin, "hosts")).toBe(referenceText("ibhosts.txt"));
    expect(printNodeList(origin, "switches")).toBe(referenceText("ibswitches.txt"));
  });

  it("prints sminfo and saquery byte for byte", () => {
    const [master, standby] = topology.managers;
    if (master === undefined || standby === undefined) throw new Error("the fabric has two managers");
    expect(printSminfo(master, 0)).toBe(referenceText("sminfo.txt"));
    expect(printSaqueryManagers([master, standby])).toBe(referenceText("saquery-s.txt"));
    const records = printSmInfoRecords([{ ...master, activity: 3714 }, standby], 0);
    // The real standby had just started: the SA still showed it as 1, discovering.
    expect(records.replace("SMState...............2", "SMState...............1")).toBe(
      referenceText("saquery-SMInfoRecord.txt"),
    );
  });
});

describe("faults in the printed text", () => {
  it("shows a narrow and a slow link with what they could be, at both ends", () => {
    const { topology, origin } = buildReferenceFabric();
    const leaf = topology.nodes.find((node) => node.description === "MF0;leaf-02:MQM8700/U1");
    if (leaf === undefined) throw new Error("the fabric has a leaf-02");
    setLink(topology.port(leaf, 5), { lanes: 2 });
    setLink(topology.port(leaf, 1), { speed: 6 });
    const text = printIblinkinfo(origin, false);
    expect(
      text.match(
        /==\( 2X {8}53\.125 Gbps Active\/ {2}LinkUp\)==> .*"MF0;(leaf-02|spine-01):MQM8700\/U1" \(Could be 4X \)\n/g,
      ),
    ).toHaveLength(2);
    expect(
      text.match(/==\( 4X {6}25\.78125 Gbps Active\/ {2}LinkUp\)==> .* \( Could be 53\.125 Gbps\)\n/g),
    ).toHaveLength(2);
    expect(printIbnetdiscover(origin, 0).match(/ 2xHDR\n/g)).toHaveLength(2);
    expect(printIbnetdiscover(origin, 0).match(/ 4xEDR\n/g)).toHaveLength(2);
  });

  it("leaves a link that is down out of ibnetdiscover and shows both its ports polling in iblinkinfo", () => {
    const { topology, origin } = buildReferenceFabric();
    const leaf = topology.nodes.find((node) => node.description === "MF0;leaf-02:MQM8700/U1");
    if (leaf === undefined) throw new Error("the fabric has a leaf-02");
    const before = printIblinkinfo(origin, true).match(/Down\/ Polling/g)?.length ?? 0;
    const cabled = printIbnetdiscover(origin, 0).match(/^\[/gm)?.length ?? 0;
    takeDown(topology.port(leaf, 6));
    const text = printIblinkinfo(origin, true);
    expect(text.match(/Down\/ Polling/g)).toHaveLength(before + 2);
    expect(text).toContain(
      '"        MF0;leaf-02:MQM8700/U1"     21    6[  ] ==(                Down/ Polling)==>             [  ] "" ( )\n',
    );
    expect(printIbnetdiscover(origin, 0).match(/^\[/gm)).toHaveLength(cabled - 2);
  });

  it("writes out a port that waits in Initialize as the real tool does", () => {
    const { topology, origin } = buildReferenceFabric();
    const host = topology.nodes.find((node) => node.description === "gpu-b16 mlx5_0");
    if (host === undefined) throw new Error("the fabric has a gpu-b16");
    setLink(topology.port(host, 1), { state: "Initialize" });
    expect(printIblinkinfo(origin, false)).toContain(
      "==( 4X        53.125 Gbps Initialize/  LinkUp)==>      52    4[  ]",
    );
  });
});
