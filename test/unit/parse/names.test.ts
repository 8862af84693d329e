import { describe, expect, it } from "vitest";
import { hostNameOf, shortName } from "../../../shared/parse/names.ts";

describe("shortName", () => {
  it.each([
    ["MF0;leaf-08:MQM8700/U1", "leaf-08"],
    ["MF0;core:MCS8500/L16/U2", "core/L16/U2"],
    ["MF0;core:MCS8500/S03/U1", "core/S03/U1"],
    ["MF0;lab sw:1:SX6036/U1", "lab sw:1"],
    ["MF0;:MQM8700/U1", "MF0;:MQM8700/U1"],
    ["gpu-b16 mlx5_0", "gpu-b16 mlx5_0"],
    ["  leading and trailing ", "leading and trailing"],
    ["Quantum Mellanox Technologies", "Quantum Mellanox Technologies"],
    ["", ""],
    ["   ", ""],
  ])("%j is %j", (description, label) => {
    expect(shortName(description)).toBe(label);
  });
});

describe("hostNameOf", () => {
  it.each([
    ["gpu-b16 mlx5_0", "gpu-b16"],
    ["ib-host.example mlx5_bond_0", "ib-host.example"],
    ["node-01 HCA-1", "node-01"],
    ["node-01", "node-01"],
    ["  padded mlx5_1  ", "padded"],
    ["node#7 mlx5_0", "node#7"],
    ["MT4129 ConnectX7   Mellanox Technologies", undefined],
    ["MT25408 ConnectX Mellanox Technologies", undefined],
    ["Mellanox Technologies Aggregation Node", undefined],
    ["HCA-1", undefined],
    ["mlx5_0", undefined],
    ["MT4129", undefined],
    ["", undefined],
    ["   ", undefined],
  ])("%j is %j", (description, host) => {
    expect(hostNameOf(description)).toBe(host);
  });
});
