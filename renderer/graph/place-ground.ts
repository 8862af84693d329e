/** What the placing of trees, groups and fields share: the columns that they fill, rows, outlines, bounds. */
import { at } from "../../shared/fabric/access.ts";
import { none } from "../../shared/fabric/model.ts";
import type { Band, Frame, Layout, LayoutOptions } from "./layout-types.ts";
import { boxesOfBlock, hostsOfBlock, type Structure } from "./structure.ts";

type Columns = Omit<Layout, "bands" | "frames" | "planes" | "hub" | "left" | "top" | "right" | "bottom" | "order">;

export class Ground {
  readonly structure: Structure;
  readonly options: LayoutOptions;
  readonly layout: Columns;
  readonly blocksOfBox: readonly (readonly number[])[];
  readonly frames: Frame[] = [];
  readonly planes: Frame[] = [];
  hub: Layout["hub"];
  /** Where the next thing below may start. */
  cursorY = 0;
  /** Arcs rise above the first row. */
  arcs = false;
  private readonly placedBlocks: Uint8Array;
  private readonly bands = new Map<string, { level: number; y: number; boxes: number; hosts: number }>();
  private readonly sequence: number[] = [];

  constructor(structure: Structure, options: LayoutOptions) {
    this.structure = structure;
    this.options = options;
    const boxes = structure.boxNode.length;
    const hosts = structure.blockHost.length;
    const blocks = structure.blockBoxStart.length - 1;
    const columns = (count: number): [Float32Array, Float32Array, Float32Array, Float32Array] => [
      new Float32Array(count),
      new Float32Array(count),
      new Float32Array(count),
      new Float32Array(count),
    ];
    const [boxX, boxY, boxWidth, boxHeight] = columns(boxes);
    const [hostX, hostY, hostWidth, hostHeight] = columns(hosts);
    const [foldX, foldY, foldWidth, foldHeight] = columns(blocks);
    this.layout = {
      ...{ boxX, boxY, boxWidth, boxHeight, hostX, hostY, hostWidth, hostHeight },
      ...{ foldX, foldY, foldWidth, foldHeight },
      boxFacing: new Uint8Array(boxes),
      blockFacing: new Uint8Array(blocks),
      planeOfBox: new Int32Array(boxes).fill(-1),
    };
    const blocksOfBox: number[][] = Array.from({ length: boxes }, () => []);
    for (let block = 0; block < blocks; block++) {
      for (const box of boxesOfBlock(structure, block)) blocksOfBox[box]?.push(block);
    }
    this.blocksOfBox = blocksOfBox;
    this.placedBlocks = new Uint8Array(blocks);
  }

  get isEmpty(): boolean {
    return this.sequence.length === 0;
  }

  placeBox(box: number, x: number, y: number, width: number, height: number): void {
    const { layout } = this;
    layout.boxX[box] = x;
    layout.boxY[box] = y;
    layout.boxWidth[box] = width;
    layout.boxHeight[box] = height;
    this.sequence.push(box);
  }

  placeHost(host: number, x: number, y: number, width: number, height: number): void {
    const { layout } = this;
    layout.hostX[host] = x;
    layout.hostY[host] = y;
    layout.hostWidth[host] = width;
    layout.hostHeight[host] = height;
  }

  placeFold(block: number, x: number, y: number, width: number, height = 16): void {
    const { layout } = this;
    layout.foldX[block] = x;
    layout.foldY[block] = y;
    layout.foldWidth[block] = width;
    layout.foldHeight[block] = height;
  }

  /** Blocks of some boxes that have no place yet; they are the caller's from here on. */
  takeBlocks(boxes: readonly number[]): number[] {
    const taken: number[] = [];
    for (const box of boxes) {
      for (const block of this.blocksOfBox[box] ?? []) {
        if (this.placedBlocks[block] === 1) continue;
        this.placedBlocks[block] = 1;
        taken.push(block);
      }
    }
    return taken;
  }

  /** Blocks that nothing has taken. */
  restOfBlocks(): number[] {
    return Array.from(this.placedBlocks.keys()).filter((block) => this.placedBlocks[block] === 0);
  }

  /** Most hosts below one of the boxes; a block below several counts for each with its share. */
  mostHosts(boxes: readonly number[]): number {
    let most = 0;
    for (const box of boxes) {
      let hosts = 0;
      for (const block of this.blocksOfBox[box] ?? []) {
        hosts += hostsOfBlock(this.structure, block).length / boxesOfBlock(this.structure, block).length;
      }
      most = Math.max(most, hosts);
    }
    return most;
  }

  /** Width of a box by its row and the longest label in it. */
  boxWidth(level: number, boxes: readonly number[]): number {
    const least = level <= 1 ? 54 : level === 2 ? 68 : 76;
    let longest = 0;
    for (const box of boxes) longest = Math.max(longest, at(this.options.labelLength, box));
    return Math.max(least, Math.min(132, longest * 6.6 + 16));
  }

  addBand(level: number, y: number, boxes: number, hosts: number): void {
    const key = `${level} ${Math.round(y)}`;
    const band = this.bands.get(key);
    if (band === undefined) this.bands.set(key, { level, y, boxes, hosts });
    else {
      band.boxes += boxes;
      band.hosts += hosts;
    }
  }

  finish(): Layout {
    const { boxX, boxY, boxWidth, boxHeight, hostX, hostY, hostWidth, hostHeight } = this.layout;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const grow = (x: number, y: number, width: number, height: number): void => {
      left = Math.min(left, x - width / 2);
      right = Math.max(right, x + width / 2);
      top = Math.min(top, y - height / 2);
      bottom = Math.max(bottom, y + height / 2);
    };
    for (let i = 0; i < boxX.length; i++) grow(at(boxX, i), at(boxY, i), at(boxWidth, i), at(boxHeight, i));
    for (let i = 0; i < hostX.length; i++) grow(at(hostX, i), at(hostY, i), at(hostWidth, i), at(hostHeight, i));
    for (const { x, y, width, height } of [...this.frames, ...this.planes]) {
      grow(x + width / 2, y + height / 2, width, height);
    }
    if (left > right) [left, top, right, bottom] = [0, 0, 0, 0];
    if (this.arcs) top -= 70;
    const order = new Float64Array(boxX.length).fill(-1);
    this.sequence.forEach((box, i) => (order[box] = i));
    const bands: Band[] = [...this.bands.values()].sort((a, b) => a.y - b.y);
    const { frames, planes, hub } = this;
    return { ...this.layout, bands, frames, planes, hub, left, top, right, bottom, order };
  }
}

/** Boxes by cluster; what has none is not in it. */
export function boxesByCluster(structure: Structure, rank: ArrayLike<number>): number[][] {
  const byCluster: number[][] = Array.from({ length: structure.clusters }, () => []);
  const byRank = Array.from(structure.boxNode.keys()).sort((x, y) => (rank[x] ?? none) - (rank[y] ?? none));
  for (const box of byRank) {
    const cluster = at(structure.clusterOfBox, box);
    if (cluster >= 0) byCluster[cluster]?.push(box);
  }
  return byCluster;
}
