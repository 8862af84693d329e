import { describe, expect, it } from "vitest";
import { at, nodeDescription } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { placeText } from "../../../shared/fabric/socket.ts";
import { understandTexts } from "../../support/understand.ts";

/** A switch of a model that says it has so many ports, with a host at each of some. */
function fabricOf(model: string, ports: number, cabled: readonly number[]): Fabric {
  const hosts = cabled.map((_, i) => (0xa0 + i).toString(16).padStart(16, "0"));
  const text = [
    `switchguid=0x00000000000000b0(b0)`,
    `Switch\t${ports} "S-00000000000000b0"\t\t# "MF0;leaf-03:${model}/U1" enhanced port 0 lid 2 lmc 0`,
    ...cabled.map((port, i) => `[${port}]\t"H-${hosts[i]}"[1](${hosts[i]}) \t\t# "n${i} mlx5_0" lid ${10 + i} 4xHDR`),
    "",
    ...cabled.flatMap((port, i) => [
      `caguid=0x${hosts[i]}`,
      `Ca\t1 "H-${hosts[i]}"\t\t# "n${i} mlx5_0"`,
      `[1](${hosts[i]}) \t"S-00000000000000b0"[${port}]\t\t# lid ${10 + i} lmc 0 "leaf-03" lid 2 4xHDR`,
      "",
    ]),
  ].join("\n");
  return understandTexts({ "ibnetdiscover.txt": text }).fabric;
}

function places(model: string, ports: number, cabled: readonly number[]): readonly string[] {
  const fabric = fabricOf(model, ports, cabled);
  return Array.from({ length: fabric.ports.count }, (_, port) => port)
    .filter((port) => nodeDescription(fabric, at(fabric.ports.node, port)).startsWith("MF0;"))
    .filter((port) => cabled.includes(at(fabric.ports.number, port)))
    .map((port) => placeText(fabric, port));
}

describe("the place of a port on the box", () => {
  it("is its number where the box counts ports", () => {
    expect(places("MQM8700", 41, [1, 40, 41])).toEqual(["leaf-03 port 1", "leaf-03 port 40", "leaf-03 port 41"]);
  });

  it("is the half of a split port", () => {
    expect(places("MQM8700", 81, [37, 38, 81])).toEqual([
      "leaf-03 port 37 (cage 19, half 1)",
      "leaf-03 port 38 (cage 19, half 2)",
      "leaf-03 port 81",
    ]);
  });

  it("is one of two ports of a twin cage, and its half when it is split", () => {
    expect(places("MQM9700", 65, [37, 38])).toEqual([
      "leaf-03 port 37 (cage 19, port 1)",
      "leaf-03 port 38 (cage 19, port 2)",
    ]);
    expect(places("MQM9790", 129, [1, 4, 128])).toEqual([
      "leaf-03 port 1 (cage 1, port 1, half 1)",
      "leaf-03 port 4 (cage 1, port 2, half 2)",
      "leaf-03 port 128 (cage 32, port 2, half 2)",
    ]);
  });

  it("is not guessed for other numbers of ports and other models", () => {
    expect(places("MQM9700", 41, [5])).toEqual(["leaf-03 port 5"]);
    expect(places("MSB7800", 37, [5])).toEqual(["leaf-03 port 5"]);
  });
});
