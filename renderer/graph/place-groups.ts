/**
 * Dragonfly+: groups in a ring along the window's edges (spines towards the middle, leaves and hosts outwards), very many
 * in a grid. The ring is as wide as the window; links between groups bend through its middle, neighbours' less.
 */
import { at } from "../../shared/fabric/access.ts";
import { facing, freeEnds } from "./layout-types.ts";
import { boxesByCluster, type Ground } from "./place-ground.ts";
import { spreadApart, widthsWithin } from "./place-sums.ts";
import { boxesOfBlock, hostsOfBlock } from "./structure.ts";

/**
 * Groups that still make a ring: with more, the cards along the edges of a small window get too narrow for their names.
 * A grid is no better at showing the links of nine groups or of forty: they run below the cards between.
 */
const mostInRing = 48;
/** Groups at the top, the right, the bottom and the left. */
type Sides = readonly [number, number, number, number];
/** The sides of a few groups, by how many there are; clockwise from the top left. */
const fewSides: readonly Sides[] = [
  [0, 0, 0, 0],
  [1, 0, 0, 0],
  [0, 1, 0, 1],
  [2, 0, 1, 0],
  [2, 0, 2, 0],
  [2, 1, 1, 1],
  [2, 1, 2, 1],
  [3, 1, 2, 1],
  [3, 1, 3, 1],
];
const titleRoom = 26;
const edgeRoom = 14;
/** Between neighbours on one side of the ring. */
const gapAlong = 90;
const gapShare = 0.1;
/** Least depth of a card in a large ring, as share of its length. */
const cardShare = 0.9;
/** Share of the ring's height that its middle keeps. */
const middleShare = 0.42;
/** Most rows of hosts at a leaf. */
const mostHostRows = 5;

interface Group {
  readonly cluster: number;
  readonly leaves: readonly number[];
  readonly spines: readonly number[];
}

/** Sizes that all groups share: `along` the row of leaves, `across` from spines to hosts. */
interface Sizes {
  readonly along: number;
  readonly across: number;
  /** Middle of spines, leaves and the first host from the inner edge. */
  readonly spineAt: number;
  readonly leafAt: number;
  readonly hostAt: number;
  readonly hostStep: number;
  readonly hostRows: number;
  readonly boxWidth: number;
}

/**
 * Places all groups, switches in the order of their numbers: every leaf meets every spine, so no order crosses less, and
 * a missing cable moves nothing. Returns the boxes that are in none.
 */
export function placeGroups(ground: Ground, rank: Float64Array): readonly number[] {
  const { structure } = ground;
  const groups = boxesByCluster(structure, rank).map((boxes, cluster) => makeGroup(ground, cluster, boxes));
  const placed = groups.filter((group) => group.leaves.length + group.spines.length > 0);
  if (placed.length <= mostInRing) placeRing(ground, placed);
  else placeGrid(ground, placed);
  const rest = Array.from(structure.boxNode.keys()).filter((box) => at(structure.clusterOfBox, box) < 0);
  return rest.sort((x, y) => at(rank, x) - at(rank, y));
}

function makeGroup({ structure }: Ground, cluster: number, boxes: readonly number[]): Group {
  const rows = [1, 2].map((level) => boxes.filter((box) => (at(structure.boxLevel, box) === 2 ? 2 : 1) === level));
  return { cluster, leaves: rows[0] ?? [], spines: rows[1] ?? [] };
}

function sizesFor(ground: Ground, groups: readonly Group[], pitch: number, upright: boolean): Sizes {
  const leaves = Math.max(1, ...groups.map((group) => group.leaves.length));
  const spines = Math.max(1, ...groups.map((group) => group.spines.length));
  const many = groups.length >= fewSides.length;
  const boxes = groups.flatMap((group) => [...group.leaves, ...group.spines]);
  const longest = Math.min(upright ? 62 : 118, ground.boxWidth(1, boxes));
  const boxWidth = upright ? longest : Math.min(longest, pitch - Math.min(14, pitch * 0.16));
  const along = Math.max(leaves, spines) * pitch + 2 * edgeRoom;
  const hosts = Math.max(0, ...groups.map((group) => ground.mostHosts(group.leaves)));
  const hostRows = Math.max(1, Math.min(mostHostRows, Math.ceil((hosts * 7) / (pitch * 0.88))));
  const hostStep = Math.min(16, (pitch * 0.88) / Math.max(1, Math.ceil(hosts / hostRows)));
  const depth = upright ? boxWidth : 24;
  const least = Math.max(upright ? 56 : 40, leaves * (upright ? 9 : 6));
  const spineAt = 12 + depth / 2;
  const hostsRoom =
    hosts === 0 ? 0 : (upright ? 30 : 22) + hostStep / 2 + Math.max(hostRows * hostStep, upright ? 34 : 16);
  // Cards of many groups are about as deep as long: that leaves room on them for name, matrix and number of hosts.
  const short = many ? along * cardShare - (spineAt + 2 * depth + least + hostsRoom + 8) : 0;
  const leafAt = spineAt + depth + least + Math.max(0, short);
  const hostAt = leafAt + depth / 2 + (upright ? 30 : 22) + hostStep / 2;
  const room = leafAt + depth / 2 + hostsRoom;
  return { along, across: room + 8, spineAt, leafAt, hostAt, hostStep, hostRows, boxWidth };
}

/** Sizes of groups at the top and bottom, and of those at the sides. */
interface Shapes {
  readonly flat: Sizes;
  readonly tall: Sizes;
}

function shapesFor(ground: Ground, groups: readonly Group[], perRow: number): Shapes {
  const { width, height } = ground.options;
  const most = Math.max(1, ...groups.map((group) => Math.max(group.leaves.length, group.spines.length)));
  return {
    flat: sizesFor(ground, groups, Math.max(34, Math.min(96, (width * 0.5) / perRow / most)), false),
    tall: sizesFor(ground, groups, Math.max(32, Math.min(46, (height * 0.34) / most)), true),
  };
}

/** How many groups stand on which side: the way that shows them largest in the window. */
function sidesFor(ground: Ground, groups: readonly Group[]): Sides {
  const few = fewSides[groups.length];
  if (few !== undefined) return few;
  const { width, height } = ground.options;
  let best: Sides = [groups.length, 0, 0, 0];
  let bestScale = 0;
  for (let side = 1; side * 2 < groups.length; side++) {
    const top = Math.ceil((groups.length - 2 * side) / 2);
    const { flat, tall } = shapesFor(ground, groups, top);
    const wide = top * flat.along * (1 + gapShare) + 2 * tall.across;
    const middle = side * (tall.along * (1 + gapShare) + titleRoom);
    const high = Math.max(middle + 2 * (flat.across + titleRoom), (2 * (flat.across + titleRoom)) / (1 - middleShare));
    const scale = Math.min(width / wide, height / high);
    if (scale <= bestScale) continue;
    bestScale = scale;
    best = [top, side, groups.length - top - 2 * side, side];
  }
  return best;
}

function placeRing(ground: Ground, groups: readonly Group[]): void {
  const [top, right, bottom, left] = sidesFor(ground, groups);
  const { width, height } = ground.options;
  const many = groups.length >= fewSides.length;
  const rowCount = Math.max(1, top, bottom);
  const { flat, tall } = shapesFor(ground, groups, rowCount);
  const flatHeight = flat.across + titleRoom;
  const tallHeight = tall.along + titleRoom;
  const sideWidth = left + right > 0 ? tall.across : 0;
  const tops = top > 0 ? flatHeight : 0;
  const bottoms = bottom > 0 ? flatHeight : 0;
  const gap = many ? gapShare * flat.along : gapAlong;
  let inner = Math.max(left, right) * (tallHeight + (many ? gap : 0)) + (left + right > 0 ? gap : 200);
  if (many) inner = Math.max(inner, ((tops + bottoms) * middleShare) / (1 - middleShare));
  let across = rowCount * flat.along + (rowCount - 1) * gap + (left + right > 0 ? 40 : 0);
  if (top + bottom === 0) across = 320;
  // As wide and as tall as the window, so that the ring fills it.
  const whole = (): number => (across + 2 * sideWidth) / (tops + inner + bottoms);
  const wanted = width / height;
  if (whole() > wanted) inner = (across + 2 * sideWidth) / wanted - tops - bottoms;
  else across = wanted * (tops + inner + bottoms) - 2 * sideWidth;
  const full = { width: across + 2 * sideWidth, height: tops + inner + bottoms };
  // All through one point would be a knot: in a large ring neighbours' links keep to the edge.
  const reach = Math.hypot(full.width, full.height) * 0.7;
  const bend = many ? { pull: 0.72, near: 0.22, crowding: 2.4 } : { pull: 0.72, near: 0.72, crowding: 1 };
  ground.hub = { x: full.width / 2, y: tops + inner / 2, ...bend, reach };
  let next = 0;
  const row = (count: number, reverse: boolean, y: number, towards: number): void => {
    const step = across / Math.max(1, count);
    for (let i = 0; i < count; i++) {
      const place = reverse ? count - 1 - i : i;
      const x = sideWidth + (place + 0.5) * step - flat.along / 2;
      placeGroup(ground, groups[next++], { x, y, width: flat.along, height: flatHeight }, towards, flat);
    }
  };
  const column = (count: number, reverse: boolean, x: number, towards: number): void => {
    const step = inner / Math.max(1, count);
    for (let i = 0; i < count; i++) {
      const place = reverse ? count - 1 - i : i;
      const y = tops + (place + 0.5) * step - tallHeight / 2;
      placeGroup(ground, groups[next++], { x, y, width: tall.across, height: tallHeight }, towards, tall);
    }
  };
  row(top, false, 0, facing.down);
  column(right, false, full.width - sideWidth, facing.left);
  row(bottom, true, tops + inner, facing.up);
  column(left, true, 0, facing.right);
  ground.cursorY = full.height;
}

function placeGrid(ground: Ground, groups: readonly Group[]): void {
  const { width, height } = ground.options;
  const most = Math.max(1, ...groups.map((group) => Math.max(group.leaves.length, group.spines.length)));
  const sizes = sizesFor(ground, groups, Math.max(30, Math.min(80, (width * 0.8) / (most * 3))), false);
  const tall = sizes.across + titleRoom;
  const gap = Math.max(60, sizes.along * 0.22);
  let columns = 1;
  let bestScale = 0;
  for (let count = 1; count <= groups.length; count++) {
    const rows = Math.ceil(groups.length / count);
    const scale = Math.min(width / (count * (sizes.along + gap)), height / (rows * (tall + gap)));
    if (scale <= bestScale) continue;
    bestScale = scale;
    columns = count;
  }
  const rows = Math.ceil(groups.length / columns);
  const stepX = sizes.along + gap;
  // What is left of the window's height goes between the rows.
  const stepY = Math.max(tall + gap, (columns * stepX * height) / width / rows);
  groups.forEach((group, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const box = { x: column * stepX, y: row * stepY, width: sizes.along, height: tall };
    placeGroup(ground, group, box, facing.up, sizes, freeEnds + facing.up);
  });
  const middle = { x: (columns * stepX - gap) / 2, y: ((rows - 1) * stepY + tall) / 2 };
  ground.hub = { ...middle, pull: 0.16, near: 0.16, reach: 1, crowding: 4 };
  ground.cursorY = (rows - 1) * stepY + tall;
}

/** One group in its outline. `towards`: where its spines look. */
function placeGroup(
  ground: Ground,
  group: Group | undefined,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  towards: number,
  sizes: Sizes,
  outline = towards,
): void {
  if (group === undefined) return;
  ground.frames.push({ ...box, cluster: group.cluster, name: `Group ${group.cluster + 1}`, facing: outline });
  const flat = towards === facing.up || towards === facing.down;
  // `u` runs along the row, `v` from the inner edge outwards.
  const point = (u: number, v: number): readonly [number, number] => {
    if (towards === facing.up) return [box.x + u, box.y + v];
    if (towards === facing.down) return [box.x + u, box.y + box.height - v];
    const y = box.y + titleRoom + u;
    return towards === facing.left ? [box.x + v, y] : [box.x + box.width - v, y];
  };
  const inner = sizes.along - 2 * edgeRoom;
  const rowOf = (boxes: readonly number[], v: number): void => {
    const pitch = inner / Math.max(1, boxes.length);
    boxes.forEach((own, i) => {
      const [x, y] = point(edgeRoom + (i + 0.5) * pitch, v);
      ground.placeBox(own, x, y, sizes.boxWidth, 22);
      ground.layout.boxFacing[own] = towards;
    });
  };
  rowOf(group.spines, sizes.spineAt);
  rowOf(group.leaves, sizes.leafAt);
  const order = new Map(group.leaves.map((leaf, i) => [leaf, i]));
  const blocks = ground.takeBlocks([...group.leaves, ...group.spines]);
  const pitch = inner / Math.max(1, group.leaves.length);
  const entries = blocks
    .map((block) => {
      const places = Array.from(boxesOfBlock(ground.structure, block), (leaf) => order.get(leaf)).filter(
        (place) => place !== undefined,
      );
      const middle =
        places.length === 0 ? inner / 2 : places.reduce((sum, p) => sum + (p + 0.5) * pitch, 0) / places.length;
      const columns = Math.ceil(hostsOfBlock(ground.structure, block).length / sizes.hostRows);
      return { block, centre: middle, width: Math.max(columns * sizes.hostStep, 1) };
    })
    .sort((a, b) => a.centre - b.centre || a.block - b.block);
  const total = entries.reduce((sum, entry) => sum + entry.width, 0);
  const squeeze = Math.min(1, inner / Math.max(1, total));
  const squeezed = entries.map((entry) => ({ ...entry, width: entry.width * squeeze }));
  spreadApart(squeezed, 0, inner);
  const step = sizes.hostStep * squeeze;
  const size = Math.min(sizes.hostStep * 0.76, step * 0.82);
  const folds = widthsWithin(squeezed, (entry) =>
    flat ? Math.max(14, Math.min(36, Math.max(entry.width, pitch * 0.5) * 0.96)) : 18,
  );
  squeezed.forEach(({ block, centre, width }, k) => {
    const hosts = hostsOfBlock(ground.structure, block);
    hosts.forEach((host, i) => {
      const u = edgeRoom + centre - width / 2 + (Math.floor(i / sizes.hostRows) + 0.5) * step;
      const [x, y] = point(u, sizes.hostAt + (i % sizes.hostRows) * sizes.hostStep);
      ground.placeHost(host, x, y, size, size);
    });
    ground.layout.blockFacing[block] = towards;
    const [x, y] = point(edgeRoom + centre, sizes.hostAt + (flat ? 2 : 10));
    const along = folds[k] ?? 0;
    ground.placeFold(block, x, y, flat ? along : 34, flat ? 18 : along);
  });
}
