import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findLink, linkName, portName } from "../../../shared/fabric/access.ts";
import { counterValue } from "../../../shared/fabric/counters.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { physicalNumber, physicalText } from "../../../shared/fabric/physical.ts";
import { dbCsvText, dbGuids } from "../../support/db-csv-text.ts";
import { fixtures, understandTexts } from "../../support/understand.ts";

function portAt(fabric: Fabric, name: string): number {
  for (let port = 0; port < fabric.ports.count; port += 1) if (portName(fabric, port) === name) return port;
  throw new Error(`no port ${name}`);
}

const mlxlink = (ber: string): string =>
  `{"result":{"output":{"Operational Info":{"State":"Active"},"Physical Counters and BER Info":{"Symbol BER":"${ber}"}}}}`;

describe("a db_csv alone", () => {
  it("is a fabric with its cables, states, LIDs and counters", () => {
    const { fabric, analysis } = understandTexts({
      "x.db_csv": dbCsvText({ counters: [`${dbGuids.leaf1},1,7,0,0`] }),
    });
    expect(analysis.counts).toMatchObject({ switches: 4, hosts: 2, links: 6, linksActive: 6 });
    expect(analysis.topology.kind).toBe("fat-tree");
    const { counters } = fabric;
    const port = portAt(fabric, "leaf-1:1");
    expect(counters === undefined ? undefined : counterValue(counters.latest, "SymbolErrorCounter", port)).toBe(7);
    expect(counters?.latest.told[portAt(fabric, "leaf-2:1")]).toBe(0);
  });

  it("knows what both ends of a slow link support", () => {
    const speeds = { [`${dbGuids.leaf1}:1`]: 1024 + 4, [`${dbGuids.spine1}:1`]: 1024 + 4 };
    const { analysis } = understandTexts({ "x.db_csv": dbCsvText({ speeds }) });
    expect(analysis.findings.map(({ rule, subject }) => `${rule} ${subject.name}`)).toContain(
      "speed-below-capability leaf-1:1 to spine-1:1",
    );
  });

  it("lists ports with the IsSM bit as managers that nobody has asked", () => {
    const { fabric, analysis } = understandTexts({ "x.db_csv": dbCsvText({ managers: [dbGuids.host1] }) });
    expect(fabric.subnetManagers).toMatchObject([{ lid: 5, state: "unknown", answers: "not-asked" }]);
    expect(analysis.findings.map(({ rule }) => rule)).not.toContain("no-subnet-manager");
    expect(fabric.smUnasked.join()).toContain("LID 5");
  });
});

describe("a db_csv without a readable node", () => {
  it("is refused by its name", () => {
    const text = 'START_NODES\nNodeDesc,NodeType,NodeGUID\n"a",1,0xhost1\nEND_NODES\n';
    expect(() => understandTexts({ "x.db_csv": text })).toThrow(/failed-output.*x\.db_csv.*ibdiagnet/);
  });
});

describe("a db_csv beside ibnetdiscover", () => {
  const discover = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
  const leaf = /Switch\s+\d+ "S-([0-9a-f]{16})"[^\n]*leaf-02/.exec(discover)?.[1] ?? "";

  it("adds counters, cable and bit errors to the ports it names", () => {
    const rows = {
      counters: [`0x${leaf},5,3,0,0`, "0x00000000000000aa,1,3,0,0"],
      cables: [`0x${leaf},5,V,0,PN1,SN1,A,3 m,Copper,NA,N/A`],
      bers: [`0x${leaf},0x${leaf},5,1,6,2,12,15,254`],
    };
    const text = dbCsvText(rows).replace(/START_NODES[\s\S]*END_LINKS\n/, "");
    const { fabric, diagnostics } = understandTexts({ "n.txt": discover, "x.db_csv": text });
    const link = findLink(fabric, `0x${leaf}:5`) ?? -1;
    const port = fabric.links.a[link] ?? -1;
    expect(linkName(fabric, link)).toContain("leaf-02:5");
    const { physical } = fabric;
    if (physical === undefined) throw new Error("no cables");
    expect(physicalText(physical, "part", port)).toBe("PN1");
    expect(physicalNumber(physical, "meters", port)).toBe(3);
    expect(physicalNumber(physical, "celsius", port)).toBeUndefined();
    expect(physicalNumber(physical, "effectiveBer", port)).toBe(2e-12);
    expect(diagnostics.map(({ code }) => code)).toContain("counters-of-unknown-port");
  });

  it("that saw other cables is not believed, and that is said", () => {
    const other = dbCsvText().replace(
      /START_NODES[\s\S]*END_LINKS\n/,
      `START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x${leaf},5,0x${leaf},6\nEND_LINKS\n`,
    );
    const nodes = `START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n"MF0;leaf-02:MQM8700/U1",41,2,0x${leaf}\nEND_NODES\n`;
    const { fabric, diagnostics } = understandTexts({ "n.txt": discover, "x.db_csv": nodes + other });
    const said = diagnostics.find(({ code }) => code === "sources-disagree");
    expect(said?.message).toMatch(/from MF0;leaf-02.*port 5 to .*port 6; the other outputs have .*port 5 cabled to/);
    expect(findLink(fabric, `0x${leaf}:5`)).toBeDefined();
  });

  it("of another fabric is refused", () => {
    expect(() => understandTexts({ "n.txt": discover, "x.db_csv": dbCsvText() })).toThrow("several-fabrics");
  });
});

describe("mlxlink outputs", () => {
  it("go to the port that their name or command line tells, and are said when neither does", () => {
    const { fabric, diagnostics } = understandTexts({
      "x.db_csv": dbCsvText(),
      "lid-1-port-2.json": mlxlink("3E-13"),
      "n002-mlx5_0.json": mlxlink("4E-13"),
      "a.json": `$ mlxlink -d lid-3 -p 1 --json\n${mlxlink("5E-13")}`,
      "b.json": mlxlink("6E-13"),
    });
    const { physical } = fabric;
    if (physical === undefined) throw new Error("no bit errors");
    const ber = (name: string): number | undefined => physicalNumber(physical, "symbolBer", portAt(fabric, name));
    expect([ber("leaf-1:2"), ber("n002:1"), ber("spine-1:1")]).toEqual([3e-13, 4e-13, 5e-13]);
    expect(diagnostics.filter(({ code }) => code === "port-not-told").map(({ file }) => file)).toEqual(["b.json"]);
  });
});
