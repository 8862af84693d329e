import { describe, expect, it } from "vitest";
import { findPort, listDevices, parseDevices } from "../../../electron/measure/devices.ts";
import type { Endpoint } from "../../../shared/measure/types.ts";

const devinfo = `hca_id:\tmlx4_0
\ttransport:\t\t\tInfiniBand (0)
\tfw_ver:\t\t\t\t2.42.5000
\tnode_guid:\t\t\tf452:1403:0091:ba20
\tsys_image_guid:\t\t\tf452:1403:0091:ba23
\tphys_port_cnt:\t\t\t2
\tDevice ports:
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ACTIVE (4)
\t\t\tmax_mtu:\t\t4096 (5)
\t\t\tport_lid:\t\t3
\t\t\tport_lmc:\t\t0x00
\t\t\tlink_layer:\t\tInfiniBand

\t\tport:\t2
\t\t\tstate:\t\t\tPORT_DOWN (1)
\t\t\tport_lid:\t\t65535
\t\t\tlink_layer:\t\tEthernet

hca_id:\tmlx5_1
\tnode_guid:\t\t\t9c63:c003:0055:48ae
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ARMED (3)
\t\t\tport_lid:\t\t4
\t\t\tlink_layer:\t\tInfiniBand
`;

const ibstat = `CA 'mlx5_5'
\tCA type: MT4129
\tNumber of ports: 1
\tNode GUID: 0x9c63c003005548ae
\tSystem image GUID: 0x9c63c003005548ae
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tBase lid: 987
\t\tSM lid: 359
\t\tPort GUID: 0x9c63c003005548af
\t\tLink layer: InfiniBand
CA 'mlx5_6'
\tNode GUID: 0x9c63c003005548bb
\tPort 1:
\t\tState: Initializing
\t\tBase lid: 65535
\t\tPort GUID: 0x9c63c003005548bb
\t\tLink layer: InfiniBand
`;

function endpoint(more: Partial<Endpoint>): Endpoint {
  return { host: "n018", nodeGuid: "0x0000000000000000", node: 0, port: 1, portGuid: "", lid: 0, ...more };
}

describe("devices of a host", () => {
  it("are read from ibv_devinfo", () => {
    const port = { number: 1, guid: "", linkLayer: "InfiniBand" };
    expect(parseDevices(devinfo)).toEqual([
      {
        name: "mlx4_0",
        nodeGuid: "0xf45214030091ba20",
        ports: [
          { ...port, state: "Active", lid: 3 },
          { number: 2, state: "Down", lid: 0, guid: "", linkLayer: "Ethernet" },
        ],
      },
      { name: "mlx5_1", nodeGuid: "0x9c63c003005548ae", ports: [{ ...port, state: "Armed", lid: 4 }] },
    ]);
  });

  it("are read from ibstat", () => {
    expect(parseDevices(ibstat)).toEqual([
      {
        name: "mlx5_5",
        nodeGuid: "0x9c63c003005548ae",
        ports: [{ number: 1, state: "Active", lid: 987, guid: "0x9c63c003005548af", linkLayer: "InfiniBand" }],
      },
      {
        name: "mlx5_6",
        nodeGuid: "0x9c63c003005548bb",
        ports: [{ number: 1, state: "Initialize", lid: 0, guid: "0x9c63c003005548bb", linkLayer: "InfiniBand" }],
      },
    ]);
  });

  it("are none in any other text", () => {
    expect(parseDevices("No IB devices found\n")).toEqual([]);
    expect(parseDevices("\tnode_guid:\t1\n\t\tport:\t1\n")).toEqual([]);
  });

  it("are found by node GUID and port number", () => {
    const devices = parseDevices(devinfo);
    expect(findPort(devices, endpoint({ nodeGuid: "0xf45214030091ba20", port: 2 }))).toMatchObject({
      device: "mlx4_0",
      port: { number: 2 },
    });
    expect(findPort(devices, endpoint({ nodeGuid: "0xf45214030091ba20", port: 3 }))).toBeUndefined();
  });

  it("are found by port GUID where the node GUID is another", () => {
    expect(findPort(parseDevices(ibstat), endpoint({ portGuid: "0x9c63c003005548af" }))).toMatchObject({
      device: "mlx5_5",
    });
  });

  it("are found by a LID that one InfiniBand port alone has, and never by LID 0", () => {
    const devices = parseDevices(devinfo);
    expect(findPort(devices, endpoint({ lid: 4 }))).toMatchObject({ device: "mlx5_1" });
    expect(findPort(devices, endpoint({ lid: 0 }))).toBeUndefined();
    const twice = parseDevices(devinfo.replace("port_lid:\t\t4", "port_lid:\t\t3"));
    expect(findPort(twice, endpoint({ lid: 3 }))).toBeUndefined();
  });

  it("are listed for messages", () => {
    expect(listDevices(parseDevices(ibstat))).toBe("mlx5_5 0x9c63c003005548ae, mlx5_6 0x9c63c003005548bb");
  });
});
